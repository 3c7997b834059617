"""The regulation as a form: every field of it can be seen and set, each by its part."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring import description
from scoring.criteria import CRITERIA
from scoring.problems import Problem
from scoring.systems import SYSTEMS
from tournaments.desk.forms.parts import (
    Alone,
    Appeals,
    Given,
    Groups,
    InOrderField,
    KeptApart,
    Lateness,
    MoneyField,
    Now,
    Part,
    Penalties,
    Stages,
    SystemRules,
    TournamentPoints,
    Uma,
    UmaNumber,
    choice,
    label_of,
    number,
)
from tournaments.models import Tournament
from tournaments.record.refusal import Refused, say
from tournaments.web.forms import SeenForm

SEATINGS = {
    "random": _("Random draw for each session"),
    "fixed": _("Fixed for all sessions"),
    "programmed": _("Drawn by a program for each session"),
    "swiss": _("Swiss: by the standings"),
}
PROTOCOLS = {"hands": _("Hand by hand"), "final_result": _("Final result only")}
MOST_PLAYERS = 10_000
LARGEST = 10**6

_PARTS: tuple[Part, ...] = (
    number("sessions", 1, 100, label=_("Number of sessions")),
    number("session_minutes", 1, 600),
    number("warning_minutes", 0, 600),
    choice("last_hand", description.LAST_HANDS),
    number("hands_limit", 1, 200, is_optional=True),
    number("table_size", 2, 4),
    number("smallest_table", 2, 4, help_text=_("With fewer a table does not play.")),
    choice("seating", SEATINGS),
    choice("seat_winds", description.WINDS),
    KeptApart("keep_apart"),
    number(
        "max_players",
        2,
        MOST_PLAYERS,
        is_optional=True,
        help_text=_("Who registers beyond it waits in order."),
    ),
    Alone(
        "assistants_substitute",
        lambda: forms.BooleanField(
            label=_("Assistants of the chief referee may sit as substitutes"), required=False
        ),
    ),
    Alone("entry_fee", lambda: MoneyField(label=_("Entry fee"), max_length=20)),
    number("team_size", 2, 100, is_optional=True),
    choice("protocol", PROTOCOLS),
    number("start_points", 0, LARGEST),
    number("points_unit", 1, LARGEST, help_text=_("All points are multiples of it.")),
    TournamentPoints("tournament_points"),
    choice("tie_rule", description.TIES),
    choice("place_rule", description.PLACES),
    Uma("uma"),
    Given("fixed_result"),
    Given("awarded_result"),
    Alone(
        "ranking",
        lambda: InOrderField(
            label=_("Ranking criteria"),
            choices=[(code, _(one.heading)) for code, one in CRITERIA.items()],
            help_text=_("From the first on: the next one is asked only of those equal so far."),
        ),
    ),
    Groups("group_tables"),
    Penalties("penalties"),
    Lateness("lateness"),
    Appeals("appeals"),
    SystemRules("system_rules"),
    Stages("stages"),
    UmaNumber("return_points"),
)
PARTS: Mapping[str, Part] = {part.name: part for part in _PARTS}
"""How every field of the regulation is set; a field without its part fails a test."""

WIDE = frozenset(
    {
        "last_hand",
        "seating",
        "seat_winds",
        "keep_apart",
        "tie_rule",
        "place_rule",
        "ranking",
        "group_tables",
        "group_ranking",
        "reason",
        "is_sure",
    }
)


class RegulationForm(SeenForm):
    """What an organizer may set: the whole regulation."""

    GROUPS = (
        (_("Sessions"), "sessions session_minutes warning_minutes last_hand hands_limit protocol"),
        (_("Tables"), "table_size smallest_table start_points points_unit"),
        (_("Rules of the game"), "system_rules"),
        (_("Seating"), "seating seat_winds keep_apart"),
        (_("Players"), "max_players team_size entry_fee"),
        (_("Points and places"), "tournament_points tie_rule place_rule uma return_points ranking"),
        (_("Judging"), "penalty_timing assistants_substitute appeals"),
        (_("This change"), "reason is_sure"),
    )
    LINES = (
        (_("Results without a game"), "fixed_result awarded_result", ""),
        (_("Lateness"), "lateness", ""),
        (_("Repeated offences"), "penalties", "ladder_"),
        (_("Prices of offences"), "penalties", "price_ decision_"),
        (_("Teams and groups"), "group_tables", ""),
        (label_of("stages"), "stages", ""),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        """Show the regulation as it is."""
        self.tournament = tournament
        self.now = Now(tournament.regulation, SYSTEMS[tournament.system])
        self.lines = {name: part.lines(self.now) for name, part in PARTS.items()}
        initial: dict[str, Any] = {}
        for part in PARTS.values():
            initial |= part.shown(self.now)
        super().__init__(data, initial=initial)
        for lines in self.lines.values():
            for line in lines:
                self.fields |= line
        if tournament.state not in {"draft", "announced"}:
            self._ask_for_a_reason()

    def _ask_for_a_reason(self) -> None:
        self.fields["reason"] = forms.CharField(
            label=_("Reason"),
            required=False,
            max_length=5000,
            help_text=_("Needed once sessions have been played and results change."),
        )
        self.fields["is_sure"] = forms.BooleanField(
            label=_("Yes, work out the standings anew"), required=False
        )

    def clean(self) -> dict[str, Any]:
        """Hold controls together that belong together."""
        data = super().clean() or self.cleaned_data
        for part in PARTS.values():
            for name, sentence in part.faults(data, self.now):
                if name not in self.errors:
                    self.add_error(name, str(sentence))
        return data

    def changes(self) -> dict[str, Any]:
        """Return the values as the regulation writes them."""
        return {name: part.read(self.cleaned_data, self.now) for name, part in PARTS.items()}

    def add_refusal(self, refused: Refused) -> None:
        """Put each sentence by its control; what belongs to none goes to the top."""
        for problem in refused.problems:
            name = self._control_of(problem)
            self.add_error(name if name in self.fields else None, say(problem))

    def _control_of(self, problem: Problem) -> str:
        name, *path = problem.field.split(".")
        return PARTS[name].control_of(path, self.now) if name in PARTS else name

    @property
    def wide_fields(self) -> frozenset[str]:
        """Name the controls that take the whole width."""
        return WIDE | {name for name in self.fields if name.startswith("ladder_")}

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Return the groups of controls as they are shown; what is seldom set is folded until something is wrong in it."""
        *usual, last = [self._group(title, names.split()) for title, names in self.GROUPS]
        folded = [self._lined(title, names.split(), kinds.split()) for title, names, kinds in self.LINES]
        return [group for group in (*usual, *folded, last) if group["fields"]]

    def _group(self, title: Any, names: list[str]) -> dict[str, Any]:
        """Return a group of controls one beside another."""
        controls = [
            control for name in names for line in self.lines.get(name, [{name: None}]) for control in line
        ]
        fields = [self[name] for name in controls if name in self.fields]
        return {"title": title, "fields": fields}

    def _lined(self, title: Any, names: list[str], kinds: list[str]) -> dict[str, Any]:
        """Return a group of lines of controls that belong together."""
        lines = [
            [self[control] for control in line]
            for name in names
            for line in self.lines[name]
            if not kinds or next(iter(line)).startswith(tuple(kinds))
        ]
        fields = [field for line in lines for field in line]
        return {
            "title": title,
            "fields": fields,
            "lines": lines,
            "is_folded": not any(field.errors for field in fields),
        }
