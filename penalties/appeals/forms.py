"""Forms of appeals: they check types alone; what may be filed or ruled is checked by the rules."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from penalties.appeals.rules.attachments import MOST_BYTES, MOST_FILES
from penalties.models import Appeal, Penalty, Verdict
from penalties.web.forms import AmountField, WholeField
from tournaments.models import Seat
from tournaments.web.forms import LocalDateTimeField, RefusableForm, SeenForm, in_zone


class FilesInput(forms.ClearableFileInput):
    """A choice of several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files, each as name and bytes; one that is far too large is not read."""

    def __init__(self, **kwargs: Any) -> None:
        """Offer the three kinds that are allowed."""
        widget = FilesInput(attrs={"accept": "image/jpeg,image/png,application/pdf"})
        super().__init__(required=False, widget=widget, **kwargs)

    def clean(self, data: Any, initial: Any = None) -> list[tuple[str, bytes]]:
        """Read at most one file and one byte more than allowed, so that the rules can refuse them."""
        files: Iterable[UploadedFile[Any]] = (
            data if isinstance(data, list | tuple) else [data] if data else []
        )
        read = list(files)[: MOST_FILES + 1]
        return [(file.name or "", file.read(MOST_BYTES + 1)) for file in read]


class AppealForm(RefusableForm):
    """What an appeal says; for whom and by whom it may be filed depends on where it is filed."""

    player = forms.CharField(label=_("Player"), widget=forms.Select)
    by: ClassVar[forms.ChoiceField | None] = forms.ChoiceField(
        label=_("Filed by"), choices=Appeal.By.choices, required=False
    )
    against = forms.CharField(label=_("Against"), widget=forms.Select)
    hand = WholeField(
        label=_("Hand"), required=False, help_text=_("Where the appeal is against one hand of the table.")
    )
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


class PaperAppealForm(AppealForm):
    """An appeal on paper, entered at the desk: the time that counts is when the paper was handed in. [RULES 8.53]"""

    handed_in_at = LocalDateTimeField(
        label=_("Handed in"),
        required=False,
        help_text=_("When the paper came to the desk: this moment counts, not the one of entering it."),
    )

    def __init__(self, *args: Any, zone: str = "UTC", **kwargs: Any) -> None:
        """Know the zone in which times are meant."""
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.order_fields(["player", "by", "against", "hand", "handed_in_at"])

    def clean_handed_in_at(self) -> datetime | None:
        """Return the instant: the first one of the minute that was written."""
        at = self.cleaned_data["handed_in_at"]
        return in_zone(at, self.zone) if at else None


class OwnAppealForm(AppealForm):
    """An appeal filed by a player; who files it for a team mate does so as the team's leader."""

    by = None

    def __init__(self, *args: Any, people: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        """Ask for whom the appeal is only where there is a choice."""
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


class HearingForm(SeenForm):
    """When and where an appeal is heard, in the tournament's own zone, and who was: two people may write it at once."""

    at = LocalDateTimeField(label=_("Time"))
    place = forms.CharField(label=_("Place"), max_length=200, required=False)
    heard = forms.CharField(
        label=_("Who was heard"),
        max_length=1000,
        required=False,
        help_text=_("Written after the hearing: the players, witnesses and referees who spoke."),
    )

    def __init__(self, *args: Any, zone: str = "UTC", **kwargs: Any) -> None:
        """Know the zone in which times are meant."""
        super().__init__(*args, **kwargs)
        self.zone = zone

    def clean_at(self) -> datetime:
        """Return the instant."""
        return in_zone(self.cleaned_data["at"], self.zone)


class VoteForm(RefusableForm):
    """How a member of the committee votes."""

    verdict = forms.CharField(
        label=_("Verdict"), widget=forms.RadioSelect(choices=Verdict.choices, attrs={"class": "chips"})
    )

    def __init__(self, *args: Any, verdicts: Sequence[str] = Verdict.values, **kwargs: Any) -> None:
        """Offer the votes that are possible in this matter."""
        super().__init__(*args, **kwargs)
        offer_verdicts(self, verdicts)


def offer_verdicts(form: forms.Form, verdicts: Sequence[str]) -> None:
    """Offer the verdicts that a body may give; the operation refuses every other."""
    widget = form.fields["verdict"].widget
    assert isinstance(widget, forms.RadioSelect)
    widget.choices = [(value, label) for value, label in Verdict.choices if value in verdicts]


EFFECTS = Penalty.Effect
INSTEAD = (EFFECTS.GAME_POINTS, EFFECTS.WARNING, EFFECTS.TOURNAMENT_POINTS, EFFECTS.REMOVAL)
"""What a ruling can put in the place of a penalty: all that a referee may give at once. [SBR 2.9.5]"""


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
        label=_("Strike a whole hand"),
        required=False,
        help_text=_(
            "Left empty, no hand is struck: one that was recorded wrongly is corrected in place after the ruling. "
            "A number here strikes that hand from the protocol; you see first what it moves, and it can be put back."
        ),
    )
    void_seen = WholeField(required=False, widget=forms.HiddenInput)
    instead = forms.ChoiceField(
        label=_("Instead of the penalty"),
        required=False,
        choices=[("", _("nothing: it is revoked")), *((one.value, one.label) for one in INSTEAD)],
        help_text=_("An appeal that is upheld revokes the penalty; another decision can take its place."),
    )
    instead_points = AmountField(label=_("Points taken instead"), required=False)
    names_penalty = forms.BooleanField(
        label=_("The ordered points are a penalty: nobody receives them"), required=False
    )

    def __init__(
        self,
        *args: Any,
        seats: Sequence[Seat] = (),
        is_final: bool = False,
        has_bets: bool = False,
        may_correct: bool = True,
        is_about_penalty: bool = False,
        verdicts: Sequence[str] = Verdict.values,
        **kwargs: Any,
    ) -> None:
        """Offer orders only where an appeal against a table can be upheld; final points where sticks are counted.

        The hands and final points of a finished event stay as they are.
        """
        super().__init__(*args, **kwargs)
        offer_verdicts(self, verdicts)
        may_uphold = Verdict.UPHELD in verdicts
        self.seats = list(seats) if may_uphold else []
        for seat in self.seats:
            if is_final and may_correct:
                self.fields[f"final_{seat.wind}"] = WholeField(
                    label=_("Final points of %(name)s") % {"name": seat.player}, required=False
                )
            self.fields[f"points_{seat.wind}"] = WholeField(
                label=_("Points given to or taken from %(name)s") % {"name": seat.player or seat.kept_for},
                required=False,
            )
        if is_final and has_bets and may_correct:
            self.fields["left_on_table"] = WholeField(label=_("Left on the table"), required=False)
        if is_final or not self.seats or not may_correct:
            del self.fields["void_hand"], self.fields["void_seen"]
        if not self.seats:
            del self.fields["names_penalty"]
        if not (is_about_penalty and may_uphold):
            del self.fields["instead"], self.fields["instead_points"]
        self.order_fields(["body", "verdict", "reasons", "void_hand", "void_seen"])

    def show_without_faults(self) -> None:
        """Give back what was written without asking for what is missing: somebody only looks."""
        self._errors = ErrorDict()

    def hand_to_strike(self) -> int | None:
        """Return the number of the hand that is struck if the appeal is upheld, as it was sent."""
        field = self.fields.get("void_hand")
        if not self.is_bound or field is None or self.data.get("verdict") != Verdict.UPHELD:
            return None
        try:
            number: int | None = field.clean(self.data.get("void_hand"))
        except forms.ValidationError:
            return None
        return number

    def ask_to_strike(self, seen: int) -> None:
        """Offer the tick that orders the hand to be struck, after what that moves has been shown."""
        self.data = {**self.data.dict(), "void_seen": ""} if isinstance(self.data, QueryDict) else self.data
        field = self.fields["void_seen"]
        field.label = _("Strike the hand as shown above")
        field.widget = forms.CheckboxInput(attrs={"value": seen})

    def final(self) -> dict[str, int]:
        """Return the ordered final points by seat."""
        return {
            seat.wind: self.cleaned_data[f"final_{seat.wind}"]
            for seat in self.seats
            if self.cleaned_data.get(f"final_{seat.wind}") is not None
        }

    def points(self) -> dict[int, int]:
        """Return the ordered points by player: the account that the seat's result goes to."""
        found = {}
        for seat in self.seats:
            points = self.cleaned_data.get(f"points_{seat.wind}")
            player = seat.kept_for_id or seat.player_id
            if points and player:
                found[player] = points
        return found
