"""Forms of the audit of papers: the sample, and a paper hand by hand."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.web.forms import RefusableForm

MOST_TABLES = 200
MOST_HANDS = 100
LARGEST = 10**7


class SampleForm(RefusableForm):
    """From which seed how many tables are drawn."""

    seed = forms.CharField(
        label=gettext_lazy("Seed"),
        max_length=100,
        help_text=gettext_lazy(
            "Something that nobody here could choose: dice thrown before everybody, a number from the news. Say it aloud before you draw."
        ),
    )
    size = forms.IntegerField(label=gettext_lazy("Tables"), min_value=1, max_value=MOST_TABLES, initial=5)


class PaperForm(RefusableForm):
    """A paper as text: a line for each hand, a number for each seat."""

    paper = forms.CharField(
        label=gettext_lazy("Hands as on paper"),
        max_length=20_000,
        widget=forms.Textarea(
            attrs={"rows": 18, "class": "input code", "spellcheck": "false", "autocomplete": "off"}
        ),
        help_text=gettext_lazy(
            "One line a hand: what each player won or paid, in the order of the seats, with spaces between. A hand that moved nothing is a line of zeros."
        ),
    )

    def __init__(self, *args: Any, winds: list[str], **kwargs: Any) -> None:
        """Expect a number for each of these seats."""
        super().__init__(*args, **kwargs)
        self.winds = winds

    def clean_paper(self) -> list[dict[str, int]]:
        """Read the lines; every wrong one is named."""
        lines = [line.strip() for line in self.cleaned_data["paper"].splitlines() if line.strip()]
        if len(lines) > MOST_HANDS:
            raise forms.ValidationError(_("At most %(n)s hands.") % {"n": MOST_HANDS}, code="too_many")
        read = [self._read(line) for line in lines]
        wrong = [str(number) for number, hand in enumerate(read, start=1) if hand is None]
        if wrong:
            said = _("Each line needs %(n)s whole numbers. Look at line %(lines)s.")
            raise forms.ValidationError(
                said % {"n": len(self.winds), "lines": ", ".join(wrong)}, code="wrong_lines"
            )
        return [hand for hand in read if hand is not None]

    def _read(self, line: str) -> dict[str, int] | None:
        cells = re.sub("[\u2212\u2013\u2014]", "-", line).replace(";", " ").split()
        if len(cells) != len(self.winds) or not all(
            re.fullmatch(r"[+-]?\d{1,8}", cell, re.ASCII) for cell in cells
        ):
            return None
        numbers = [int(cell) for cell in cells]
        if any(abs(number) > LARGEST for number in numbers):
            return None
        return dict(zip(self.winds, numbers, strict=True))
