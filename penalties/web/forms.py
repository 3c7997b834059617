"""Fields of the judges' forms: amounts, whole numbers, minutes on the clock."""

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

AMOUNT = re.compile(r"[-−]?(0|[1-9][0-9]{0,8})([.,][0-9]{1,4}|/[1-9][0-9]{0,3})?", re.ASCII)


WHOLE = re.compile(r"[-−+]?(0|[1-9][0-9]{0,8})", re.ASCII)


CLOCK = re.compile(r"([0-9]{1,4})(?::([0-5][0-9]))?", re.ASCII)


class AmountField(forms.Field):
    """A number of points as people write it: 8, 2.5 or 1/2."""

    def to_python(self, value: Any) -> Fraction | None:
        """Read it exactly."""
        text = str(value or "").strip()
        if not text:
            return None
        if not AMOUNT.fullmatch(text):
            raise forms.ValidationError(_("Write a number with digits 0–9, such as 8 or 1/2."))
        return Fraction(text.replace("−", "-").replace(",", "."))


class WholeField(forms.Field):
    """A whole number with its sign."""

    widget = forms.TextInput(attrs={"inputmode": "numeric"})

    def to_python(self, value: Any) -> int | None:
        """Read digits 0–9 and a sign, nothing else."""
        text = str(value or "").strip()
        if not text:
            return None
        if not WHOLE.fullmatch(text):
            raise forms.ValidationError(
                _("Write a whole number with digits 0–9 and an optional hyphen-minus.")
            )
        return int(text.replace("−", "-"))


class ClockField(forms.Field):
    """Minutes and seconds after the start, such as 12:30."""

    def to_python(self, value: Any) -> int | None:
        """Return seconds."""
        text = str(value or "").strip()
        match = CLOCK.fullmatch(text)
        if not match:
            raise forms.ValidationError(_("Write minutes and seconds after the start, such as 12:30."))
        return int(match[1]) * 60 + int(match[2] or 0)
