"""Forms of penalties and corrections: they check types alone; what may be given is checked by the rules."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from penalties.models import Penalty
from penalties.web.forms import AmountField, WholeField
from scoring.systems.offences import Mode, Offence
from tournaments.models import Adjustment
from tournaments.web.forms import DateField, ReasonField, RefusableForm


class PenaltyForm(RefusableForm):
    """An offence of somebody at a table, or of any player; without an amount the regulation says what it costs."""

    seat = forms.CharField(label=_("Player"), max_length=10, widget=forms.Select)
    session = forms.CharField(
        label=_("Session"),
        max_length=7,
        required=False,
        help_text=_("The session in which it counts; a ladder counts within a session."),
    )
    offence = forms.CharField(label=_("Offence"), max_length=64, widget=forms.Select)
    effect = forms.ChoiceField(label=_("What follows"), choices=Penalty.Effect.choices, required=False)
    points = AmountField(
        label=_("Points taken"),
        required=False,
        help_text=_("Left empty where the regulation names the price."),
    )
    to = forms.CharField(label=_("Received by"), max_length=6, required=False, widget=forms.Select)
    hand = WholeField(label=_("Hand"), required=False)
    clause = forms.CharField(
        label=_("Clause"),
        max_length=60,
        required=False,
        help_text=_("Left empty where the offence has its own clause."),
    )
    reason = forms.CharField(
        label=_("What happened"), max_length=5000, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    until = DateField(label=_("Disqualified until"), required=False)
    shown_step = WholeField(required=False, widget=forms.HiddenInput)
    is_sure = forms.BooleanField(label=_("It is a second case"), required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        people: Sequence[tuple[str, str]],
        offences: Sequence[Offence],
        receivers: Sequence[tuple[str, str]] = (),
        sessions: Sequence[tuple[str, str]] = (),
        **kwargs: Any,
    ) -> None:
        """Offer the people and the offences there are; a session where none is given by the table."""
        super().__init__(*args, **kwargs)
        self._offer("seat", people)
        named = [one for one in offences if one.mode is not Mode.IN_HAND]
        self._offer(
            "offence",
            [(one.code, f"{gettext(one.name)}{f' · {one.clause}' if one.clause else ''}") for one in named],
        )
        if receivers:
            self._offer("to", receivers)
        else:
            del self.fields["to"]
            self._leave_out_dead_hands()
        if sessions:
            self.fields["session"].widget = forms.Select(choices=[("", _("The whole event")), *sessions])
        else:
            del self.fields["session"]
            if not receivers:
                del self.fields["hand"]

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        """Fill a list; the operation refuses what is not on it."""
        widget = self.fields[name].widget
        assert isinstance(widget, forms.Select)
        widget.choices = [("", "—"), *choices] if name != "to" else choices

    def _leave_out_dead_hands(self) -> None:
        """Offer no dead hand where no hand can be named."""
        field = self.fields["effect"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [one for one in Penalty.Effect.choices if one[0] != Penalty.Effect.DEAD_HAND]

    def asks_second(self) -> bool:
        """Return whether the form was refused for looking doubled, so that a tick is offered."""
        return isinstance(self.fields["is_sure"].widget, forms.CheckboxInput)

    def add_refusal(self, refused: Any) -> None:
        """Put each refusal by its field; if another referee gave the same just now, offer a tick for a second case."""
        super().add_refusal(refused)
        if any(problem.code == "looks_doubled" for problem in refused.problems):
            self.fields["is_sure"].widget = forms.CheckboxInput()
        moved = [problem for problem in refused.problems if problem.code == "step_changed"]
        if moved and isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data["shown_step"] = str(dict(moved[0].details)["step"])


class AdjustmentForm(RefusableForm):
    """A line on a player's account that no hand, penalty or lateness produced."""

    player = forms.CharField(label=_("Player"), widget=forms.Select)
    session = forms.CharField(label=_("Session"), required=False, widget=forms.Select)
    game_points = WholeField(label=_("Game points"), required=False, help_text=_("Signed: +8 or −8."))
    tournament_points = AmountField(label=_("Tournament points"), required=False)
    gives_fixed = forms.BooleanField(
        label=_("The fixed result of a replaced player instead of the session's result"), required=False
    )
    timing = forms.ChoiceField(
        label=_("Counts"),
        choices=[("", _("as the regulation says")), *Adjustment.Timing.choices],
        required=False,
    )
    reason = ReasonField()

    def __init__(
        self,
        *args: Any,
        people: Sequence[tuple[str, str]],
        sessions: Sequence[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        """Offer the players and the sessions."""
        super().__init__(*args, **kwargs)
        for name, choices in (("player", people), ("session", sessions)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = [("", "—"), *choices]


class TeamLineForm(RefusableForm):
    """Points taken from a team or given to it; with an offence it is a penalty."""

    team = forms.CharField(label=_("Team"), max_length=10, widget=forms.Select)
    offence = forms.CharField(label=_("Offence"), max_length=64, required=False, widget=forms.Select)
    clause = forms.CharField(
        label=_("Clause"),
        max_length=60,
        required=False,
        help_text=_("Left empty where the offence has its own clause."),
    )
    game_points = WholeField(label=_("Game points"), required=False, help_text=_("Signed: +8 or −8."))
    tournament_points = AmountField(label=_("Tournament points"), required=False)
    session = forms.CharField(
        label=_("Session"), required=False, widget=forms.Select, help_text=_("Where it happened, if in one.")
    )
    reason = ReasonField()

    def __init__(
        self,
        *args: Any,
        teams: Sequence[tuple[str, str]],
        offences: Sequence[Offence],
        sessions: Sequence[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        """Offer the teams, the offences and the sessions."""
        super().__init__(*args, **kwargs)
        named = [
            (one.code, f"{gettext(one.name)}{f' · {one.clause}' if one.clause else ''}")
            for one in offences
            if one.mode is not Mode.IN_HAND
        ]
        none = {"team": "—", "offence": gettext("None: a decision"), "session": "—"}
        for name, choices in (("team", teams), ("offence", named), ("session", sessions)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = [("", none[name]), *choices]
