"""What an operator fills in, and what a visitor who reports a page does."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import AbuseReport, Player, Tournament, User
from tournaments.people.rules.names import search_key
from tournaments.templatetags.looks import place
from tournaments.web.forms import ReasonField, RefusableForm, offer

LISTING = Tournament.Listing
STAYS = _("At least 10 characters. It stays in the log: name nobody in it.")


class WhyForm(RefusableForm):
    """Why an operator does something."""

    reason = ReasonField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Say beside the reason that it stays."""
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = STAYS


class BlockForm(WhyForm):
    """Block an account, and with it what it has put up."""

    listing = forms.ChoiceField(
        label=_("Its events in which nothing has been played"),
        choices=[
            ("", _("stay as they are")),
            (LISTING.HIDDEN.value, _("go off the lists; whoever has the address still sees them")),
            (LISTING.WITHHELD.value, _("are closed to strangers")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    field_order = ("listing", "reason")


class ResetForm(WhyForm):
    """Give somebody access to the own account again."""

    ends_second_factor = forms.BooleanField(
        label=_("The second factor is lost, too: remove it"), required=False
    )
    field_order = ("ends_second_factor", "reason")


class TypedForm(WhyForm):
    """Something that cannot be taken back: confirmed by typing what it is done to."""

    typed = forms.CharField(max_length=200)
    field_order: tuple[str, ...] = ("typed", "reason")

    def __init__(self, *args: Any, wanted: str, label: Any, **kwargs: Any) -> None:
        """Know what has to be typed."""
        super().__init__(*args, **kwargs)
        self.wanted = wanted
        self.fields["typed"].label = label
        self.fields["typed"].widget.attrs["autocomplete"] = "off"

    def clean_typed(self) -> str:
        """Refuse anything else; capitals do not matter."""
        typed: str = self.cleaned_data["typed"]
        if search_key(typed) != search_key(self.wanted):
            raise forms.ValidationError(_("Type “%(wanted)s” to confirm.") % {"wanted": self.wanted})
        return typed


class ErasePersonForm(TypedForm):
    """Erase a person in the events that are ticked."""

    players = forms.MultipleChoiceField(
        label=_("In these events"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one event.")},
    )
    field_order = ("players", "typed", "reason")

    def __init__(self, *args: Any, people: list[Player], **kwargs: Any) -> None:
        """Offer the rows that may be the same person; the one in hand comes first."""
        super().__init__(*args, **kwargs)
        self.people = {str(row.pk): row for row in people}
        offer(self, "players", [(pk, described(row)) for pk, row in self.people.items()])

    def chosen(self) -> list[Player]:
        """Return the rows that were ticked."""
        return [self.people[pk] for pk in self.cleaned_data["players"]]


def described(player: Player) -> str:
    """Tell one player from a namesake."""
    city = place(player.city, player.tournament)
    parts = [player.name, city, player.club, str(player.tournament), player.email]
    return " · ".join(part for part in parts if part)


class HandOverForm(WhyForm):
    """Give an event to another account."""

    username = forms.CharField(label=_("User name of the new organizer"), max_length=150)
    ends_others = forms.BooleanField(
        label=_("Those who have been its organizers are so no longer"), required=False
    )
    field_order = ("username", "ends_others", "reason")

    def clean_username(self) -> str:
        """Find the account."""
        name: str = self.cleaned_data["username"].strip()
        if not User.objects.filter(username__iexact=name, is_active=True).exists():
            raise forms.ValidationError(_("There is no account of this name."))
        return name

    def user(self) -> User:
        """Return the account."""
        return User.objects.get(username__iexact=self.cleaned_data["username"], is_active=True)


class ReportForm(RefusableForm):
    """What is wrong with a public page."""

    kind = forms.ChoiceField(
        label=_("What is wrong"), choices=AbuseReport.Kind.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("In your words"),
        min_length=10,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Which words, which page. At least 10 characters."),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Only if you want an answer. It is erased when the report is closed."),
        error_messages={"invalid": _("Check the e-mail address; it should look like name@example.org.")},
    )
