"""Forms of substitutions."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from penalties.web.forms import WholeField
from tournaments.models import Seat, Session
from tournaments.table_numbers import shown_number
from tournaments.web.forms import RefusableForm


class SubstitutionForm(RefusableForm):
    """Who plays for whom, in which sessions, from which hand on."""

    player = forms.CharField(label=_("For"), widget=forms.Select)
    substitute = forms.CharField(label=_("Substitute"), widget=forms.Select)
    sessions = forms.MultipleChoiceField(
        label=_("Sessions"), widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"})
    )
    from_hand = WholeField(
        label=_("From hand"),
        required=False,
        help_text=_("Left empty: from the hand that the table has not recorded yet."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=5000,
        help_text=_("At least 10 characters."),
        error_messages={"required": _("Give a reason.")},
    )

    def __init__(
        self,
        *args: Any,
        seats: Sequence[Seat],
        pool: Sequence[tuple[str, str]],
        sessions: Sequence[Session],
        asks_hand: bool = True,
        **kwargs: Any,
    ) -> None:
        """Offer seats of this session, the pool, and the sessions that can still be changed; ask for a hand where hands are recorded."""
        super().__init__(*args, **kwargs)
        if not asks_hand:
            del self.fields["from_hand"]
        for name, choices in (("player", [_seat_choice(seat) for seat in seats]), ("substitute", pool)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = [("", "—"), *choices]
        field = self.fields["sessions"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(session.number), str(session)) for session in sessions]


def _seat_choice(seat: Seat) -> tuple[str, str]:
    player = seat.kept_for or seat.player
    has_game = hasattr(seat.table, "protocol")
    where = (
        f"{shown_number(seat.table.number)} {seat.get_wind_display()}" if has_game else _("No table (bye)")
    )
    return str(player.pk if player else ""), f"{where} · {player}"


class PoolForm(RefusableForm):
    """Somebody for the pool of replacement players."""

    name = forms.CharField(
        label=_("Name"),
        max_length=400,
        strip=False,
        error_messages={"required": _("Enter the player's name.")},
    )
    city = forms.CharField(label=_("City"), max_length=100, required=False)
    is_assistant = forms.BooleanField(label=_("Assistant of the chief referee"), required=False)
    role = forms.CharField(
        label=_("Works here as"),
        required=False,
        widget=forms.Select,
        help_text=_("Chosen here, this person cannot judge the tables at which they play."),
    )
    override = forms.CharField(
        label=_("Why this player may take part"), max_length=5000, required=False, widget=forms.HiddenInput
    )

    def add_refusal(self, refused: Any) -> None:
        """Put each refusal by its field; if the person is barred from play, ask for the reason to let them play."""
        super().add_refusal(refused)
        if any(problem.code == "disqualified" for problem in refused.problems):
            self.fields["override"].widget = forms.TextInput()

    def __init__(self, *args: Any, staff: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        """Offer the people who work at the tournament."""
        super().__init__(*args, **kwargs)
        if (self.data or {}).get("override"):
            self.fields["override"].widget = forms.TextInput()
        widget = self.fields["role"].widget
        assert isinstance(widget, forms.Select)
        widget.choices = [("", "—"), *staff]
