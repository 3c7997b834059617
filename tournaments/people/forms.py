"""Forms about people: what organizers enter and what players send themselves."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import Player, Registration, Tournament
from tournaments.people.operations.importing import DETAILS
from tournaments.people.operations.registration import Details
from tournaments.people.rules.names import name_problems, tidy_name
from tournaments.people.rules.questions import (
    FIELD,
    LONGEST_ANSWER,
    NO,
    YES,
    Question,
    Sort,
    read_questions,
)
from tournaments.people.rules.quotas import read_quotas
from tournaments.person_fields import OF_THE_PLAYER, PERSON, PHONE, federation_ids
from tournaments.record.refusal import Refused, say
from tournaments.web.forms import RefusableForm, SeenForm, countries

YES_OR_NO = [("", "—"), (YES, _("Yes")), (NO, _("No"))]


def answer_field(question: Question, *, is_required: bool) -> forms.Field:
    """Return the field in which a question is answered."""
    given: dict[str, Any] = {"label": question.label, "required": is_required}
    said = {"required": _("Please answer this question.")}
    if question.sort == Sort.TEXT:
        return forms.CharField(max_length=LONGEST_ANSWER, error_messages=said, **given)
    choices = (
        YES_OR_NO if question.sort == Sort.YES_NO else [("", "—"), *((one, one) for one in question.options)]
    )
    return forms.ChoiceField(choices=choices, error_messages=said, **given)


def offer_more(field: forms.Field, choice: str) -> None:
    """Let a field take an answer that was offered once."""
    assert isinstance(field, forms.ChoiceField)
    known: Any = field.choices
    field.choices = [*known, (choice, choice)]


class PlayerForm(SeenForm):
    """What is known of a player."""

    requires_answers = False
    """Whether questions that the organizer wants answered must be; the desk may leave them open."""

    name = forms.CharField(
        label=_("Name"),
        max_length=400,
        strip=False,
        error_messages={"required": _("Enter the player's name.")},
        help_text=_("As it shall stand in the standings."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    country = forms.ChoiceField(
        label=_("Country"),
        choices=lazy(countries, list),
        required=False,
        error_messages={"invalid_choice": _("Choose a country from the list.")},
    )
    city = forms.CharField(label=_("City"), max_length=100, required=False)
    region = forms.CharField(label=_("Region"), max_length=100, required=False)
    club = forms.CharField(label=_("Club"), max_length=100, required=False)
    team = forms.CharField(label=_("Team"), max_length=100, required=False)
    ema_number = forms.CharField(
        label=_("EMA number"),
        max_length=8,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
        help_text=_("Eight digits, if you have one."),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Only the organizer sees it."),
        error_messages={"invalid": _("Check the e-mail address; it should look like name@example.org.")},
    )
    phone = forms.CharField(
        label=_("Phone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
        help_text=_("Only the organizer sees it."),
    )
    comment = forms.CharField(label=_("Note to the organizer"), max_length=500, required=False)
    is_another = forms.BooleanField(label=_("Another person with this name"), required=False)
    is_beyond_quota: ClassVar[forms.BooleanField | None] = forms.BooleanField(
        label=_("Beyond the quota all the same"), required=False
    )
    override: ClassVar[forms.CharField | None] = forms.CharField(
        label=_("Why this player may take part"), max_length=5000, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, tournament: Tournament, asks_double: bool = False, **kwargs: Any) -> None:
        """Show teams only where the regulation has them, the double's tick only when it is asked for."""
        super().__init__(*args, **kwargs)
        self._ask_questions(read_questions(tournament.questions))
        if "is_beyond_quota" in self.fields and (self.data or {}).get("is_beyond_quota") not in {
            "on",
            "True",
        }:
            self.fields["is_beyond_quota"].widget = forms.HiddenInput()
        if self.requires_answers and "country" in read_quotas(tournament.quotas):
            self.fields["country"].required = True
        if not tournament.regulation["team_size"]:
            del self.fields["team"]
        if not asks_double and (self.data or {}).get("is_another") not in {"on", "True"}:
            self.fields["is_another"].widget = forms.HiddenInput()
        if (self.data or {}).get("override") and "override" in self.fields:
            self._ask_why()

    def _ask_questions(self, questions: list[Question]) -> None:
        """Add the organizer's own questions; an answer that is offered no more can stay."""
        self.questions = [one for one in questions if one.is_asked]
        for question in self.questions:
            field = answer_field(question, is_required=self.requires_answers and question.is_required)
            name = f"{FIELD}{question.code}"
            known = (self.initial or {}).get(name, "")
            if question.sort == Sort.CHOICE and known and known not in question.options:
                offer_more(field, known)
            self.fields[name] = field
        names = [name for name in self.fields if not name.startswith(FIELD)]
        at = names.index("comment")
        asked = [f"{FIELD}{one.code}" for one in self.questions]
        self.order_fields([*names[:at], *asked, *names[at:]])

    def _ask_why(self) -> None:
        """Offer a line for the reason why a barred player may take part all the same."""
        self.fields["override"].widget = forms.TextInput()

    def clean_name(self) -> str:
        """Tidy the name; what is wrong with it is told together with all other mistakes."""
        name = tidy_name(self.cleaned_data["name"])
        if problems := name_problems(name):
            raise forms.ValidationError([say(problem) for problem in problems])
        return name

    def clean_ema_number(self) -> str:
        """Eight digits or nothing."""
        number: str = self.cleaned_data["ema_number"].strip()
        if number and not re.fullmatch("[0-9]{8}", number):
            raise forms.ValidationError(_("The federation number should have 8 digits; please check it."))
        return number

    def add_refusal(self, refused: Refused) -> None:
        """Put each refusal by its field; if the person seems to be on the list, offer a tick for another one."""
        super().add_refusal(refused)
        if any(p.code in {"already_registered", "possible_duplicate"} for p in refused.problems):
            self.fields["is_another"].widget = forms.CheckboxInput()
        if any(p.code == "quota_full" for p in refused.problems) and "is_beyond_quota" in self.fields:
            self.fields["is_beyond_quota"].widget = forms.CheckboxInput()
        if any(p.code == "disqualified" for p in refused.problems) and "override" in self.fields:
            self._ask_why()

    def answers(self, known: Mapping[str, str]) -> dict[str, str]:
        """Return the answers; those to questions that are asked no more stay as they are."""
        said = {one.code: self.cleaned_data.get(f"{FIELD}{one.code}") or "" for one in self.questions}
        return {code: text for code, text in {**known, **said}.items() if text}

    def details(self, known: Player | None = None) -> Details:
        """Return what was said; what is known of the player and not asked here stays as it is."""
        data = self.cleaned_data
        said = {name: data.get(name) or "" for name in DETAILS}
        ids: dict[str, str] = {}
        if known is not None:
            said |= {one.name: one.text_of(known) for one in OF_THE_PLAYER if self._keeps(one.name)}
            asked = {one.federation for one in PERSON if one.name in self.fields}
            ids = {name: value for name, value in known.federation_ids.items() if name not in asked}
        given = known.registration.answers if known is not None else {}
        return Details(
            **said,
            federation_ids=ids | federation_ids(data),
            answers=self.answers(given),
            may_be_remembered=data.get("may_be_remembered"),
        )

    def _keeps(self, name: str) -> bool:
        """Return whether a field stays as it is known: it is not asked here, or a telephone was not sent."""
        is_asked = name in self.fields and (name != PHONE.name or name in self.data)
        return name in DETAILS and not is_asked

    @staticmethod
    def of(registration: Registration) -> dict[str, Any]:
        """Return the values of a registered player."""
        asked = (one for one in OF_THE_PLAYER if one.name in PlayerForm.base_fields)
        return {one.name: one.text_of(registration.player) for one in asked} | {
            "comment": registration.comment,
            "may_be_remembered": registration.may_be_remembered,
            **{f"{FIELD}{code}": text for code, text in registration.answers.items()},
        }


class OwnForm(PlayerForm):
    """The same, changed by the player: who is barred, or beyond a quota, is let in by the desk alone."""

    requires_answers = True
    override = None
    is_beyond_quota = None
    may_be_remembered = forms.BooleanField(
        label=_("The organizer may fill in these details for me at their next event"), required=False
    )


ASKED_NO_MORE = _(
    "The organizer has just stopped asking one of these questions. Look through the form and send it again."
)


class RegisterForm(OwnForm):
    """The same, filled in by a player: consent is asked for, and nothing else is let through."""

    OTHER = frozenset({"csrfmiddlewaretoken", "website", "key"})

    consent = forms.BooleanField(
        label=_("My name, country, city and club may be shown to everybody with my results"),
        error_messages={"required": _("Without consent to processing we cannot register you.")},
    )

    def clean(self) -> dict[str, Any]:
        """Refuse fields that nobody offered; nothing is silently dropped."""
        data = super().clean() or self.cleaned_data
        unknown = set(self.data) - set(self.fields) - self.OTHER
        asked_before = {name for name in unknown if re.fullmatch(f"{FIELD}q[0-9]+", name)}
        if asked_before:
            self.add_error(None, ASKED_NO_MORE)
        for name in unknown - asked_before:
            self.add_error(None, _("The field “%(field)s” cannot be set here.") % {"field": name[:60]})
        if self.data.get("website"):
            sentence = _("The form could not be accepted; reload the page and try again.")
            self.add_error(None, sentence)
        return data


class PasteForm(RefusableForm):
    """A list of players, pasted: one a line, or columns as they come from a spreadsheet."""

    text = forms.CharField(
        label=_("Players"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "One player a line: name, city, country, club, EMA number, separated by tabs, semicolons or commas. "
            "Only the name is needed."
        ),
    )
