"""Forms of the judges: they know types and nothing else; what may be given, the rules say."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from penalties.models import Appeal, Penalty, Verdict
from penalties.rules.attachments import MOST_BYTES, MOST_FILES
from scoring.systems.offences import Mode, Offence
from tournaments.models import Adjustment, Seat, Session
from tournaments.web.forms import DateField, LocalDateTimeField, ReasonField, RefusableForm, in_zone

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
        """Give seconds."""
        text = str(value or "").strip()
        match = CLOCK.fullmatch(text)
        if not match:
            raise forms.ValidationError(_("Write minutes and seconds after the start, such as 12:30."))
        return int(match[1]) * 60 + int(match[2] or 0)


class FilesInput(forms.ClearableFileInput):
    """A choice of several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files, each as its name and its bytes; what is far too large is not read."""

    def __init__(self, **kwargs: Any) -> None:
        """Offer the three kinds that are allowed."""
        widget = FilesInput(attrs={"accept": "image/jpeg,image/png,application/pdf"})
        super().__init__(required=False, widget=widget, **kwargs)

    def clean(self, data: Any, initial: Any = None) -> list[tuple[str, bytes]]:
        """Read them; one file more and one byte more than allowed are enough to refuse."""
        files: Iterable[UploadedFile[Any]] = (
            data if isinstance(data, list | tuple) else [data] if data else []
        )
        read = list(files)[: MOST_FILES + 1]
        return [(file.name or "", file.read(MOST_BYTES + 1)) for file in read]


class PenaltyForm(RefusableForm):
    """An offence of somebody at a table, or of any player; without an amount the regulation says what it costs."""

    seat = forms.CharField(label=_("Player"), max_length=10, widget=forms.Select)
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
    is_sure = forms.BooleanField(label=_("It is a second case"), required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        people: Sequence[tuple[str, str]],
        offences: Sequence[Offence],
        receivers: Sequence[tuple[str, str]] = (),
        **kwargs: Any,
    ) -> None:
        """Offer the people and the offences there are."""
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
            del self.fields["to"], self.fields["hand"]
            self._leave_out_dead_hands()

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        """Fill a list; what is not on it is refused by the operation, with its own words."""
        widget = self.fields[name].widget
        assert isinstance(widget, forms.Select)
        widget.choices = [("", "—"), *choices] if name != "to" else choices

    def _leave_out_dead_hands(self) -> None:
        """Offer no dead hand where no hand can be named."""
        field = self.fields["effect"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [one for one in Penalty.Effect.choices if one[0] != Penalty.Effect.DEAD_HAND]

    def asks_second(self) -> bool:
        """Tell whether the form was refused for looking doubled, so that a tick is offered."""
        return isinstance(self.fields["is_sure"].widget, forms.CheckboxInput)

    def add_refusal(self, refused: Any) -> None:
        """When another referee gave the same just now, offer to say that it is a second case."""
        super().add_refusal(refused)
        if any(problem.code == "looks_doubled" for problem in refused.problems):
            self.fields["is_sure"].widget = forms.CheckboxInput()


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
        field.choices = [
            (str(seat.player_id), f"{seat.table.number} {seat.get_wind_display()} · {seat.player}")
            for seat in seats
        ]


class ChangeLatenessForm(RefusableForm):
    """When a late player came, whether it is forgiven, and why."""

    minutes = ClockField(
        label=_("Minutes after the start"), help_text=_("Minutes and seconds, such as 12:30.")
    )
    is_waived = forms.BooleanField(label=_("Forgiven: nothing is taken"), required=False)
    reason = ReasonField()


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
        **kwargs: Any,
    ) -> None:
        """Offer seats of this session, the pool, and the sessions that can still be changed."""
        super().__init__(*args, **kwargs)
        for name, choices in (("player", [_seat_choice(seat) for seat in seats]), ("substitute", pool)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = [("", "—"), *choices]
        field = self.fields["sessions"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(session.number), str(session)) for session in sessions]


def _seat_choice(seat: Seat) -> tuple[str, str]:
    player = seat.kept_for or seat.player
    return str(player.pk if player else ""), f"{seat.table.number} {seat.get_wind_display()} · {player}"


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
        """When the person is barred from play, ask why not here."""
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


class AppealForm(RefusableForm):
    """What an appeal says; for whom and by whom it may be filed depends on where it is filed."""

    player = forms.CharField(label=_("Player"), widget=forms.Select)
    by = forms.ChoiceField(label=_("Filed by"), choices=Appeal.By.choices, required=False)
    against = forms.CharField(label=_("Against"), widget=forms.Select)
    hand = WholeField(
        label=_("Hand"), required=False, help_text=_("Where the appeal is against one hand of the table.")
    )
    matter = forms.ChoiceField(label=_("Matter"), choices=Appeal.Matter.choices, initial=Appeal.Matter.RULES)
    text = forms.CharField(
        label=_("What is wrong, and what shall be done"),
        max_length=100_000,
        error_messages={"required": _("Write between 20 and 20,000 characters.")},
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("From 20 to 20,000 characters."),
    )
    attachments = FilesField(
        label=_("Photos and documents"),
        help_text=_("At most 5 files of 5 MB: JPEG, PNG, PDF. Where a photo was taken is removed from it."),
    )

    def __init__(
        self,
        *args: Any,
        people: Sequence[tuple[str, str]],
        against: Sequence[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        """Offer the people one may speak for, and what can be appealed against."""
        super().__init__(*args, **kwargs)
        for name, choices in (("player", people), ("against", against)):
            widget = self.fields[name].widget
            assert isinstance(widget, forms.Select)
            widget.choices = choices if name == "player" and len(people) == 1 else [("", "—"), *choices]


class OwnAppealForm(AppealForm):
    """The same, filled in by a player; whoever chooses a team mate says by that to be the team's leader."""

    by = None

    def __init__(self, *args: Any, people: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        """Ask for whom only where there is a choice."""
        super().__init__(*args, people=people, **kwargs)
        if len(people) > 1:
            self.fields["player"].label = _("For whom")
            self.fields["player"].help_text = _("For a team mate only the team leader appeals.")


class StatementForm(RefusableForm):
    """More words and files for an open appeal."""

    text = forms.CharField(
        label=_("Add to the appeal"),
        max_length=100_000,
        error_messages={"required": _("Write between 20 and 20,000 characters.")},
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    attachments = FilesField(label=_("Photos and documents"))


class HearingForm(RefusableForm):
    """When and where an appeal is heard, in the tournament's own zone."""

    at = LocalDateTimeField(label=_("Time"))
    place = forms.CharField(label=_("Place"), max_length=200, required=False)

    def __init__(self, *args: Any, zone: str = "UTC", **kwargs: Any) -> None:
        """Know the zone in which times are meant."""
        super().__init__(*args, **kwargs)
        self.zone = zone

    def clean_at(self) -> datetime:
        """Give the instant."""
        return in_zone(self.cleaned_data["at"], self.zone)


class VoteForm(RefusableForm):
    """What a member of the committee holds."""

    verdict = forms.CharField(
        label=_("Verdict"), widget=forms.RadioSelect(choices=Verdict.choices, attrs={"class": "chips"})
    )

    def __init__(self, *args: Any, verdicts: Sequence[str] = Verdict.values, **kwargs: Any) -> None:
        """Offer what the committee may hold in this matter."""
        super().__init__(*args, **kwargs)
        offer_verdicts(self, verdicts)


def offer_verdicts(form: forms.Form, verdicts: Sequence[str]) -> None:
    """Show the verdicts that are open to a body; what else is sent is refused by the operation, with its own words."""
    widget = form.fields["verdict"].widget
    assert isinstance(widget, forms.RadioSelect)
    widget.choices = [(value, label) for value, label in Verdict.choices if value in verdicts]


class RulingForm(RefusableForm):
    """A ruling with its reasons and, against a table, what it orders."""

    body = forms.CharField(widget=forms.HiddenInput)
    verdict = forms.CharField(
        label=_("Verdict"), widget=forms.RadioSelect(choices=Verdict.choices, attrs={"class": "chips"})
    )
    reasons = forms.CharField(
        label=_("Reasons"),
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        error_messages={"required": _("Write between 20 and 20,000 characters.")},
    )
    void_hand = WholeField(
        label=_("Void the hand"),
        required=False,
        help_text=_(
            "Its number; to change a hand instead, correct it on the protocol screen after the ruling."
        ),
    )
    names_penalty = forms.BooleanField(
        label=_("The ordered points are a penalty: nobody receives them"), required=False
    )

    def __init__(
        self,
        *args: Any,
        seats: Sequence[Seat] = (),
        is_final: bool = False,
        may_correct: bool = True,
        verdicts: Sequence[str] = Verdict.values,
        **kwargs: Any,
    ) -> None:
        """Offer orders only where the appeal is against a table; final points where sticks are counted.

        The hands and final points of a finished event stay as they are.
        """
        super().__init__(*args, **kwargs)
        offer_verdicts(self, verdicts)
        self.seats = list(seats)
        for seat in self.seats:
            if is_final and may_correct:
                self.fields[f"final_{seat.wind}"] = WholeField(
                    label=_("Final points of %(name)s") % {"name": seat.player}, required=False
                )
            self.fields[f"points_{seat.wind}"] = WholeField(
                label=_("Points given to or taken from %(name)s") % {"name": seat.player or seat.kept_for},
                required=False,
            )
        if is_final and may_correct:
            self.fields["left_on_table"] = WholeField(label=_("Left on the table"), required=False)
        if is_final or not self.seats or not may_correct:
            del self.fields["void_hand"]
        if not self.seats:
            del self.fields["names_penalty"]
        self.order_fields(["body", "verdict", "reasons", "void_hand"])

    def final(self) -> dict[str, int]:
        """Give the ordered final points by seat."""
        return {
            seat.wind: self.cleaned_data[f"final_{seat.wind}"]
            for seat in self.seats
            if self.cleaned_data.get(f"final_{seat.wind}") is not None
        }

    def points(self) -> dict[int, int]:
        """Give the ordered points by player: the account that the seat's result goes to."""
        found = {}
        for seat in self.seats:
            points = self.cleaned_data.get(f"points_{seat.wind}")
            player = seat.kept_for_id or seat.player_id
            if points and player:
                found[player] = points
        return found
