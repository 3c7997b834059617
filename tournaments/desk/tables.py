"""Tables of the desk and of the public pages."""

from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tournaments.models import Registration, Tournament
from tournaments.people.queries.answers import in_words, questions_with_answers
from tournaments.people.rules.questions import Question
from tournaments.person_fields import PERSON
from tournaments.templatetags.looks import place

OPTIONAL = {"td": {"class": "optional-column"}, "th": {"class": "optional-column"}}


class AnswerColumn(tables.Column):
    """What players answered to one question of the organizer."""

    def __init__(self, question: Question) -> None:
        """Stand under the question's own words."""
        super().__init__(
            verbose_name=question.label, accessor=f"answers__{question.code}", attrs=OPTIONAL, orderable=False
        )
        self.question = question

    def render(self, value: str) -> str:
        """Show the answer in words."""
        return in_words(self.question, value)


class PeopleTable(tables.Table):
    """Everybody who registered, for the desk; a phone shows what has no column beneath the name."""

    number = tables.Column(
        verbose_name=_("No."), attrs={"td": {"class": "number"}, "th": {"class": "number"}}
    )
    name = tables.Column(verbose_name=_("Name"), accessor="player__name", order_by="player__search_key")
    country = tables.TemplateColumn(
        "{% load looks %}{% if record.player.country %}{% flag record.player.country %}{% else %}—{% endif %}",
        verbose_name=_("Country"),
        order_by="player__country",
        accessor="player__country",
        attrs=OPTIONAL,
    )
    city = tables.Column(verbose_name=_("City"), accessor="player__city", attrs=OPTIONAL)
    club = tables.Column(verbose_name=_("Club"), accessor="player__club", attrs=OPTIONAL)
    team = tables.Column(verbose_name=_("Team"), accessor="player__team__name", attrs=OPTIONAL)
    status = tables.Column(verbose_name=_("Status"))
    paid = tables.Column(verbose_name=_("Fee"), accessor="has_paid", order_by="paid_at")

    class Meta:
        """Sorted by number; said so when it is empty."""

        attrs = {"class": "table people"}
        row_attrs = {"class": lambda record: None if record.status in ("active", "waiting") else "is-muted"}
        order_by = "number"
        empty_text = _("No matches.")

    def __init__(self, data: list[Registration], *, tournament: Tournament, **kwargs: Any) -> None:
        """Take the tournament for links; leave out columns in which nobody has a value."""
        shown = (one for one in PERSON if one.grouping and one.name in self.base_columns)
        empty = [one.name for one in shown if not any(one.text_of(row.player) for row in data)]
        without_fee = [] if tournament.has_fee else ["paid"]
        super().__init__(
            data,
            exclude=(*empty, *without_fee),
            extra_columns=[(one.code, AnswerColumn(one)) for one in questions_with_answers(tournament)],
            **kwargs,
        )
        self.tournament = tournament
        self.label = _("People")

    def render_name(self, record: Registration) -> str:
        """Lead to the player's card."""
        context = {"registration": record, "slug": self.tournament.slug, "tournament": self.tournament}
        return render_to_string("tournaments/organizer/_person_name.html", context)

    def render_city(self, value: str) -> str:
        """Name the city as the other pages do."""
        return place(value, self.tournament)

    def render_paid(self, record: Registration) -> SafeString:
        """Show whether the fee is paid, and the press that notes it or takes it back."""
        context = {"registration": record, "slug": self.tournament.slug, "tournament": self.tournament}
        return render_to_string("tournaments/organizer/_fee.html", context, request=self.request)

    def render_status(self, record: Registration) -> str:
        """Show the status in words and shape, with a mark for who has come."""
        return render_to_string("tournaments/organizer/_status.html", {"registration": record})
