"""Forms of what an organizer asks of registrations: quotas, and questions of their own."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament
from tournaments.people.operations.importing import country_codes
from tournaments.people.rules.questions import (
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST_OPTIONS,
    Question,
    Sort,
    read_options,
)
from tournaments.people.rules.quotas import BY, MOST_PLACES, Quota, read_exceptions, read_quotas
from tournaments.web.forms import GroupedForm, SeenForm

SORTS = [
    (Sort.TEXT.value, _("A line of text")),
    (Sort.CHOICE.value, _("One of several answers")),
    (Sort.YES_NO.value, _("Yes or no")),
]
WRONG_LINES = _("These lines were not understood; write a name and a number: %(lines)s")


def _most() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Most places for each"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("Left empty, only the exceptions have a quota."),
    )


def _own(help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=_("Exceptions"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=help_text,
    )


class QuotasForm(GroupedForm, SeenForm):
    """How many places players of one country, or of one club, may take."""

    GROUPS = ((_("By country"), "country_most country_own"), (_("By club"), "club_most club_own"))
    wide_fields = frozenset({"country_own", "club_own"})
    country_most = _most()
    country_own = _own(_("One a line: a country and its number of places, such as “Latvia 8”."))
    club_most = _most()
    club_own = _own(_("One a line: a club and its number of places, such as “Four Winds 6”."))

    def clean(self) -> dict[str, Any]:
        """Read the exceptions; a line that is not understood is named."""
        data = super().clean() or self.cleaned_data
        self.said: dict[str, Quota] = {}
        countries = country_codes()
        for by in BY:
            read = read_exceptions(by, data.get(f"{by}_own") or "", countries)
            if read.wrong:
                self.add_error(f"{by}_own", WRONG_LINES % {"lines": "; ".join(read.wrong)})
            self.said[by] = Quota(data.get(f"{by}_most"), read.own)
        return data

    @staticmethod
    def of(tournament: Tournament) -> dict[str, Any]:
        """Return the quotas of an event as they are typed."""
        values: dict[str, Any] = {}
        for by, quota in read_quotas(tournament.quotas).items():
            lines = (f"{name} {number}" for name, number in quota.own.items())
            values |= {f"{by}_most": quota.most, f"{by}_own": "\n".join(lines)}
        return values


class QuestionForm(SeenForm):
    """A question of the organizer's own."""

    label = forms.CharField(
        label=_("Question"),
        max_length=LONGEST_LABEL,
        help_text=_(
            "Ask for no more than the event needs; the answers are erased with the player's other data."
        ),
    )
    sort = forms.ChoiceField(label=_("How it is answered"), choices=SORTS)
    options = forms.CharField(
        label=_("Answers to choose from"),
        required=False,
        max_length=MOST_OPTIONS * (LONGEST_OPTION + 2) * 2,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One a line; only for a question with several answers."),
    )
    is_required = forms.BooleanField(label=_("Players must answer it"), required=False)

    def __init__(self, *args: Any, question: Question | None = None, **kwargs: Any) -> None:
        """Show a question that is asked already: how it is answered stays as it is."""
        if question is not None:
            kwargs["initial"] = self.of(question)
            kwargs.setdefault("prefix", question.code)
        super().__init__(*args, **kwargs)
        if question is not None:
            del self.fields["sort"]
            if question.sort != Sort.CHOICE:
                del self.fields["options"]

    @staticmethod
    def of(question: Question) -> dict[str, Any]:
        """Return a question as it is typed."""
        said = {"label": question.label, "options": "\n".join(question.options)}
        return said | {"is_required": question.is_required}

    def said(self) -> dict[str, Any]:
        """Return what was said, as the operations take it."""
        data = self.cleaned_data
        known = {"sort": data["sort"]} if "sort" in data else {}
        options = read_options(data.get("options", ""))
        return known | {"label": data["label"], "options": options, "is_required": data["is_required"]}
