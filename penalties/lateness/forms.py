"""Forms of lateness."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from penalties.web.forms import ClockField
from tournaments.models import Seat
from tournaments.table_numbers import shown_number
from tournaments.web.forms import ReasonField, RefusableForm


class LateForm(RefusableForm):
    """Who is not there at the start signal."""

    players = forms.MultipleChoiceField(
        label=_("Not in their seats"),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        error_messages={"required": _("Choose at least one player.")},
    )

    def __init__(self, *args: Any, seats: Sequence[Seat], **kwargs: Any) -> None:
        """Offer the seats that are not marked yet."""
        super().__init__(*args, **kwargs)
        field = self.fields["players"]
        assert isinstance(field, forms.MultipleChoiceField)
        is_checked = any(map(_has_come, seats))
        field.choices = [
            (str(seat.player_id), _named(seat, is_missing=is_checked and not _has_come(seat)))
            for seat in sorted(seats, key=_has_come)
        ]


def _has_come(seat: Seat) -> bool:
    """Return whether somebody is checked in; a substitute, who never is, sits there already. [SBR 2.4.5]"""
    registration = getattr(seat.player, "registration", None)
    return registration is None or registration.checked_in_at is not None


def _named(seat: Seat, *, is_missing: bool) -> str:
    """Name a seat and who belongs there; say so of whoever is not checked in."""
    said = f"{shown_number(seat.table.number)} {seat.get_wind_display()} · {seat.player}"
    return f"{said} · {gettext('not checked in')}" if is_missing else said


class ChangeLatenessForm(RefusableForm):
    """When a late player came, whether it is forgiven, and why."""

    minutes = ClockField(
        label=_("Minutes after the start"), help_text=_("Minutes and seconds, such as 12:30.")
    )
    is_waived = forms.BooleanField(label=_("Waived: nothing is taken"), required=False)
    reason = ReasonField()
