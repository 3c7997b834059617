"""The regulation as a form: the values organizers change, read back into the regulation's own JSON."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.criteria import CRITERIA
from scoring.regulation import Carry, GroupMode, PlayerField, money
from tournaments.models import Tournament
from tournaments.web.forms import GroupedForm
from tournaments.web.labels import FIELDS

STEPPER = forms.NumberInput(attrs={"class": "stepper"})
SEATINGS = [
    ("random", _("Random draw for each session")),
    ("fixed", _("Fixed for all sessions")),
    ("programmed", _("Drawn by a program for each session")),
    ("swiss", _("Swiss: by the standings")),
]
APART = {
    "country": _("country"),
    "region": _("region"),
    "city": _("city"),
    "club": _("club"),
    "team": _("team"),
    "group": _("group"),
}
PHONE = "phone"
POINTS = re.compile(r"-?[0-9]{1,6}([./][0-9]{1,6})?", re.ASCII)
NUMBERS = _("Write numbers such as 4 3 2 1.")
ONE_EACH = _("Write one number for each of the %(n)s places.")
SMALLER = ("tournament_points_3", "tournament_points_2")
TABLE_SIZES = ("table_size", "smallest_table")


def _minor_offences(regulation: dict[str, Any]) -> list[str]:
    """Return the offences of the one ladder on which Sichuan counts them together. [SBR 2.8.2] [SBR 2.8.4.6]"""
    ladders = regulation["penalties"]["ladders"]
    offences: list[str] = ladders[0]["offences"] if len(ladders) == 1 else []
    return offences


CARRIES = [
    (Carry.FULL.value, _("all points")),
    (Carry.HALF.value, _("half of the points")),
    (Carry.NONE.value, _("nothing")),
]
MODES = [
    (GroupMode.SUM.value, _("Sum of all members")),
    (GroupMode.AVERAGE.value, _("Average of all members")),
    (GroupMode.BEST.value, _("Sum of the best")),
]
MOST_STAGES = 2
SLOTS = 8


class InOrderWidget(forms.MultiWidget):
    """Choices one after another, the first counting most."""

    template_name = "tournaments/organizer/_in_order.html"
    use_fieldset = True

    def __init__(self, choices: list[tuple[str, Any]], slots: int) -> None:
        """Show so many of them."""
        super().__init__(
            [
                forms.Select(choices=[("", "—"), *choices], attrs={"aria-label": slot})
                for slot in range(1, slots + 1)
            ]
        )

    def decompress(self, value: Any) -> list[str]:
        """Spread the list over the controls."""
        return list(value or [])


class InOrderField(forms.MultiValueField):
    """A list of choices in the order that somebody gives them."""

    def __init__(self, *, choices: list[tuple[str, Any]], slots: int = SLOTS, **kwargs: Any) -> None:
        """Ask for so many, of which the first is needed."""
        fields = [forms.ChoiceField(choices=choices, required=False) for _slot in range(slots)]
        widget = InOrderWidget(choices, slots)
        super().__init__(fields, require_all_fields=False, widget=widget, **kwargs)

    def compress(self, data_list: list[str]) -> list[str]:
        """Leave out the empty ones and those said before."""
        return list(dict.fromkeys(filter(None, data_list)))


class RegulationForm(GroupedForm):
    """What an organizer may set; everything else stays as the preset has it."""

    GROUPS = (
        (_("Sessions"), "sessions session_minutes warning_minutes hands_limit protocol"),
        (_("Seating"), "seating keep_apart"),
        (_("Players"), "max_players team_size entry_fee"),
        (_("Points and places"), "tournament_points tournament_points_3 tournament_points_2 ranking"),
        (_("Teams and groups"), "group_tables group_mode group_best"),
        (_("Second stage"), "stage_1_from stage_1_carry stage_1_cut"),
        (_("Third stage"), "stage_2_from stage_2_carry stage_2_cut"),
        (
            _("Judging"),
            "penalty_timing phone_on_ladder assistants_substitute has_appeals appeal_minutes deposit_fees committee",
        ),
        (_("This change"), "reason is_sure"),
    )
    wide_fields = frozenset(
        {"seating", "keep_apart", "tournament_points", "ranking", "group_tables", "reason", "is_sure"}
    )

    sessions = forms.IntegerField(label=_("Number of sessions"), min_value=1, max_value=100, widget=STEPPER)
    session_minutes = forms.IntegerField(
        label=_("Length of a session, minutes"), min_value=1, max_value=600, widget=STEPPER
    )
    warning_minutes = forms.IntegerField(
        label=_("Warning before the end, minutes"), min_value=0, max_value=600, widget=STEPPER
    )
    hands_limit = forms.IntegerField(
        label=_("Most hands in a session"), min_value=1, max_value=200, required=False, widget=STEPPER
    )
    seating = forms.ChoiceField(label=_("Seating"), choices=SEATINGS)
    keep_apart = forms.MultipleChoiceField(
        label=_("Keep apart at the draw: the same"),
        choices=list(APART.items()),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        required=False,
    )
    max_players = forms.IntegerField(
        label=_("Most players"),
        min_value=2,
        max_value=10_000,
        required=False,
        help_text=_("Who registers beyond it waits in order."),
        widget=STEPPER,
    )
    team_size = forms.IntegerField(
        label=_("Players in a team"), min_value=2, max_value=100, required=False, widget=STEPPER
    )
    entry_fee = forms.CharField(
        label=_("Entry fee"), max_length=20, widget=forms.TextInput(attrs={"inputmode": "decimal"})
    )
    protocol = forms.ChoiceField(
        label=_("Protocol"),
        choices=[("hands", _("Hand by hand")), ("final_result", _("Final result only"))],
    )
    tournament_points = forms.CharField(
        label=_("Tournament points by place"),
        required=False,
        help_text=_("For a full table, from first place to last, for example 4 3 2 1."),
    )
    tournament_points_3 = forms.CharField(
        label=_("Tournament points at a table of three"),
        required=False,
        help_text=_("For an incomplete table, from first place to last, for example 4 3 2."),
    )
    tournament_points_2 = forms.CharField(
        label=_("Tournament points at a table of two"),
        required=False,
        help_text=_("For an incomplete table, from first place to last, for example 4 3."),
    )
    ranking = InOrderField(
        label=_("Ranking criteria"),
        choices=[(code, _(one.heading)) for code, one in CRITERIA.items()],
        help_text=_("From the first on: the next one is asked only of those equal so far."),
    )
    group_tables = forms.MultipleChoiceField(
        label=_("Tables of"),
        choices=list(FIELDS.items()),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        required=False,
    )
    group_mode = forms.ChoiceField(label=_("What members bring"), choices=MODES, required=False)
    group_best = forms.IntegerField(
        label=_("How many best members count"), min_value=1, max_value=1000, required=False, widget=STEPPER
    )
    stage_1_from = forms.IntegerField(
        label=_("Begins with session"), min_value=2, max_value=100, required=False, widget=STEPPER
    )
    stage_1_carry = forms.ChoiceField(label=_("Carried over"), choices=CARRIES, required=False)
    stage_1_cut = forms.IntegerField(
        label=_("How many play on"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("Empty: everybody."),
        widget=STEPPER,
    )
    stage_2_from = forms.IntegerField(
        label=_("Begins with session"), min_value=2, max_value=100, required=False, widget=STEPPER
    )
    stage_2_carry = forms.ChoiceField(label=_("Carried over"), choices=CARRIES, required=False)
    stage_2_cut = forms.IntegerField(
        label=_("How many play on"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("Empty: everybody."),
        widget=STEPPER,
    )
    penalty_timing = forms.ChoiceField(
        label=_("Penalties and lateness count"),
        choices=[("before", _("before the places at the table")), ("after", _("after them"))],
    )
    phone_on_ladder = forms.BooleanField(
        label=_("Telephones climb the ladder of minor offences"),
        required=False,
        help_text=_("A referee may be harsher by decision in any case."),
    )
    assistants_substitute = forms.BooleanField(
        label=_("Assistants of the chief referee may sit as substitutes"), required=False
    )
    has_appeals = forms.BooleanField(label=_("Decisions of referees can be appealed"), required=False)
    appeal_minutes = forms.IntegerField(
        label=_("Time for an appeal after the session, minutes"),
        min_value=1,
        max_value=1440,
        required=False,
        widget=STEPPER,
    )
    deposit_fees = forms.IntegerField(
        label=_("Deposit with an appeal, entry fees"),
        min_value=0,
        max_value=100,
        required=False,
        widget=STEPPER,
    )
    committee = forms.BooleanField(label=_("There is an arbitration committee"), required=False)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=5000,
        help_text=_("Needed once sessions have been played and results change."),
    )
    is_sure = forms.BooleanField(label=_("Yes, work out the standings anew"), required=False)

    SIMPLE = (
        "sessions",
        "session_minutes",
        "warning_minutes",
        "hands_limit",
        "seating",
        "max_players",
        "team_size",
        "entry_fee",
        "protocol",
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        """Show the regulation as it is."""
        self.tournament = tournament
        regulation = tournament.regulation
        initial = {name: regulation[name] for name in self.SIMPLE}
        initial |= {"keep_apart": regulation["keep_apart"], "ranking": regulation["ranking"]}
        initial |= self._groups_now() | self._stages_now()
        points = regulation["tournament_points"] or {}
        initial |= {self._row_name(size): " ".join(points.get(str(size), ())) for size in self._sizes()}
        initial |= self._judging(regulation)
        super().__init__(data, initial=initial)
        if not _minor_offences(regulation):
            del self.fields["phone_on_ladder"]
        for name in {"tournament_points", *SMALLER} - {self._row_name(size) for size in self._sizes()}:
            del self.fields[name]
        for size in self._sizes():
            if size >= regulation["smallest_table"] and str(size) in points:
                self._require_row(size)
        if tournament.state in {"draft", "announced"}:
            del self.fields["reason"], self.fields["is_sure"]

    @staticmethod
    def _judging(regulation: dict[str, Any]) -> dict[str, Any]:
        """Show how penalties count and what can be appealed; without a policy, what a new one would begin with."""
        appeals = regulation["appeals"] or {"minutes": 30, "deposit_fees": 2, "committee": False}
        return {
            "penalty_timing": regulation["penalties"]["timing"],
            "phone_on_ladder": PHONE in _minor_offences(regulation),
            "assistants_substitute": regulation["assistants_substitute"],
            "has_appeals": regulation["appeals"] is not None,
            "appeal_minutes": appeals["minutes"],
            "deposit_fees": appeals["deposit_fees"],
            "committee": appeals["committee"],
        }

    def clean(self) -> dict[str, Any]:
        """An event with appeals says until when and at what deposit. [SBR 2.9.2]"""
        data = super().clean() or self.cleaned_data
        if data.get("has_appeals"):
            for name in ("appeal_minutes", "deposit_fees"):
                if data.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Write a number; 0 is none."))
        return data

    def _sizes(self) -> list[int]:
        """List the sizes of tables that get tournament points: those that play, and any other that has its row.

        [SBR III 3.1.3] [RULES 8.33]
        """
        regulation = self.tournament.regulation
        rows, size, smallest = (regulation[name] for name in ("tournament_points", *TABLE_SIZES))
        if rows is None:
            return []
        return [size, *(one for one in range(size - 1, 1, -1) if one >= smallest or str(one) in rows)]

    def _row_name(self, size: int) -> str:
        """Return the name of the field for a size of tables."""
        is_full = size == self.tournament.regulation["table_size"]
        return "tournament_points" if is_full else f"tournament_points_{size}"

    def _require_row(self, size: int) -> None:
        """Ask for the points of a table that plays; only a record may come without. [RULES 8.33]"""
        field = self.fields[self._row_name(size)]
        field.required = True
        field.error_messages["required"] = ONE_EACH % {"n": size}

    def clean_tournament_points(self) -> list[str]:
        """Read the row of a full table."""
        return self._row("tournament_points", self.tournament.regulation["table_size"])

    def clean_tournament_points_3(self) -> list[str]:
        """Read the row of a table of three."""
        return self._smaller_row("tournament_points_3", 3)

    def clean_tournament_points_2(self) -> list[str]:
        """Read the row of a table of two."""
        return self._smaller_row("tournament_points_2", 2)

    def _smaller_row(self, name: str, size: int) -> list[str]:
        """Read the row of a smaller table, which may be missing where no such table plays."""
        return self._row(name, size) if self.cleaned_data[name].strip() else []

    def _row(self, name: str, size: int) -> list[str]:
        """Read whole numbers and fractions, one for each place."""
        words = re.split(r"[\s,;]+", self.cleaned_data[name].strip())
        if not all(POINTS.fullmatch(word) for word in words if word):
            raise forms.ValidationError(NUMBERS)
        try:
            points = [str(Fraction(word)) for word in words if word]
        except ZeroDivisionError:
            raise forms.ValidationError(NUMBERS) from None
        if len(points) != size:
            raise forms.ValidationError(ONE_EACH % {"n": size})
        return points

    def clean_entry_fee(self) -> str:
        """Read an amount as people write it: with a comma or a point, thousands set apart. [RECORD 1]"""
        written = re.sub(r"\s", "", self.cleaned_data["entry_fee"]).replace(",", ".")
        if not re.fullmatch(r"\d{1,12}(\.\d{1,2})?", written, re.ASCII):
            raise forms.ValidationError(_("Write an amount such as 1500 or 1500.50; 0 is none."))
        return money(Decimal(written))

    def changes(self) -> dict[str, Any]:
        """Return the values as the regulation writes them."""
        data, regulation = self.cleaned_data, self.tournament.regulation
        changes: dict[str, Any] = {name: data[name] for name in self.SIMPLE}
        changes["keep_apart"] = [f.value for f in PlayerField if f.value in data["keep_apart"]]
        changes["ranking"] = data["ranking"]
        if {"group_tables", "group_mode", "group_best", "ranking"} & set(self.changed_data):
            changes["group_tables"] = self._group_tables()
        if any(name.startswith("stage_") for name in self.changed_data):
            changes["stages"] = self._stages()
        changes |= self._judging_changes(data, regulation)
        if sizes := self._sizes():
            rows = {str(size): data[self._row_name(size)] for size in sizes}
            rows = {**regulation["tournament_points"], **rows}
            changes["tournament_points"] = {size: row for size, row in rows.items() if row}
        return changes

    @staticmethod
    def _judging_changes(data: dict[str, Any], regulation: dict[str, Any]) -> dict[str, Any]:
        """Write how penalties count and what can be appealed. [RULES 8.36] [RULES 8.37]"""
        penalties = {**regulation["penalties"], "timing": data["penalty_timing"]}
        if "phone_on_ladder" in data:
            first, *others = penalties["ladders"]
            offences = [code for code in first["offences"] if code != PHONE]
            offences += [PHONE] if data["phone_on_ladder"] else []
            penalties["ladders"] = [{**first, "offences": offences}, *others]
        appeals = {
            "minutes": data["appeal_minutes"],
            "deposit_fees": data["deposit_fees"],
            "committee": data["committee"],
        }
        return {
            "penalties": penalties,
            "assistants_substitute": data["assistants_substitute"],
            "appeals": appeals if data["has_appeals"] else None,
        }

    def _groups_now(self) -> dict[str, Any]:
        """Show which tables of groups there are; they are set alike."""
        tables = self.tournament.regulation["group_tables"]
        first = tables[0] if tables else {"mode": GroupMode.SUM.value, "best": None}
        return {
            "group_tables": [table["by"] for table in tables],
            "group_mode": first["mode"],
            "group_best": first["best"],
        }

    def _group_tables(self) -> list[dict[str, Any]]:
        """Rank groups by the tournament's criteria, but for those that have no sense among groups."""
        data = self.cleaned_data
        ranking = [name for name in data["ranking"] if CRITERIA[name].is_of_groups] or data["ranking"][:1]
        mode = data["group_mode"] or GroupMode.SUM.value
        best = data["group_best"] if mode == GroupMode.BEST.value else None
        return [
            {"by": by, "mode": mode, "best": best, "ranking": ranking}
            for by in FIELDS
            if by in data["group_tables"]
        ]

    def _stages_now(self) -> dict[str, Any]:
        """Show the stages there are."""
        stages = self.tournament.regulation["stages"]
        return {
            f"stage_{place}_{part}": stage[name]
            for place, stage in enumerate(stages[:MOST_STAGES], start=1)
            for part, name in (("from", "from_session"), ("carry", "carry"), ("cut", "cut"))
        }

    def _stages(self) -> list[dict[str, Any]]:
        """Write the stages as the regulation does. [RULES 9.7]"""
        data = self.cleaned_data
        return [
            {
                "from_session": data[f"stage_{place}_from"],
                "carry": data[f"stage_{place}_carry"] or Carry.FULL.value,
                "cut": data[f"stage_{place}_cut"],
            }
            for place in range(1, MOST_STAGES + 1)
            if data[f"stage_{place}_from"]
        ]
