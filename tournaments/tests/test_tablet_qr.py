"""The codes that the tablet draws are, module by module, those of a library that does nothing else."""

import pytest
import qrcode
from qrcode.util import MODE_8BIT_BYTE, QRData

from tournaments.tests import node

pytestmark = pytest.mark.node
TEXTS = ["A", "Сдача 5", "x" * 17, "x" * 18, "x" * 100, "Журавль " * 40, "y" * 858, "z" * 1500, "w" * 2953]
PROGRAM = """
import { readFileSync } from "node:fs";
import { load } from "./device.mjs";
const { qrOf } = await load("tablet/qr.js");
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => qrOf(text)?.map((row) => row.map(Number)) ?? null)));
"""


def drawn(texts):
    return node.answers(PROGRAM, texts)


def expected(text):
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, mask_pattern=0, border=0)
    code.add_data(QRData(text.encode(), mode=MODE_8BIT_BYTE), optimize=0)
    code.make()
    return [[int(module) for module in row] for row in code.get_matrix()]


def test_every_module_is_where_it_belongs():
    assert drawn(TEXTS) == [expected(text) for text in TEXTS]


def test_what_is_too_long_for_one_code_is_told_so():
    assert drawn(["x" * 2954]) == [None]
