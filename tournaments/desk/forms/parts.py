"""The fields of the regulation as an organizer sees and sets them: one part for each, which reads what it has shown."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import description
from scoring.criteria import CRITERIA
from scoring.regulation import FIELDS, Carry, GroupMode, LadderMode, PlayerField, money
from scoring.systems.settings import Setting
from scoring.systems.system import System
from tournaments.person_fields import GROUPINGS
from tournaments.web.labels import GROUPED_BY

Text = Any
"""A text, translated now or when it is shown."""
Choices = list[tuple[str, Text]]
Controls = dict[str, forms.Field]

STEPPER = forms.NumberInput(attrs={"class": "stepper"})
CHIPS = forms.CheckboxSelectMultiple(attrs={"class": "chips"})
POINTS = re.compile(r"-?[0-9]{1,6}([./][0-9]{1,6})?", re.ASCII)
STEPS = re.compile(r"[0-9]{1,9}", re.ASCII)
TIME = re.compile(r"([0-9]{1,4})(?::([0-5][0-9]))?", re.ASCII)
BETWEEN = re.compile(r"([0-9]{1,9})\s*(?:-|–|—|\.\.|…)\s*([0-9]{1,9})", re.ASCII)
MINUS = str.maketrans("−–—", "---")
NUMBERS = _("Write numbers such as 4 3 2 1.")
ONE_EACH = _("Write one number for each of the %(n)s places.")
MOST = 10_000
SLOTS = 8


@dataclass(frozen=True)
class Now:
    """The regulation that a form begins with, and the system it is for."""

    rules: Mapping[str, Any]
    system: System


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


class RowField(forms.CharField):
    """Whole numbers and fractions by place, best first, as many as there are places if that is known."""

    def __init__(self, *, size: int | None = None, **kwargs: Any) -> None:
        """Ask for so many."""
        super().__init__(required=False, max_length=100, **kwargs)
        self.size = size

    def clean(self, value: Any) -> Any:
        """Read the numbers; none is an empty list."""
        words = [word for word in re.split(r"[\s,;]+", super().clean(value).translate(MINUS)) if word]
        if not all(POINTS.fullmatch(word) for word in words):
            raise forms.ValidationError(NUMBERS)
        try:
            points = [str(Fraction(word)) for word in words]
        except ZeroDivisionError:
            raise forms.ValidationError(NUMBERS) from None
        if points and self.size is not None and len(points) != self.size:
            raise forms.ValidationError(ONE_EACH % {"n": self.size})
        return points


class MoneyField(forms.CharField):
    """An amount as people write it: with a comma or a point, thousands set apart. [RECORD 1]"""

    widget = forms.TextInput(attrs={"inputmode": "decimal"})

    def clean(self, value: Any) -> Any:
        """Read the amount and write it as the regulation does."""
        written = re.sub(r"\s", "", super().clean(value)).replace(",", ".")
        if not re.fullmatch(r"\d{1,12}(\.\d{1,2})?", written, re.ASCII):
            raise forms.ValidationError(_("Write an amount such as 1500 or 1500.50; 0 is none."))
        return money(Decimal(written))


class Part:
    """How one field of the regulation stands in the form."""

    def __init__(self, name: str) -> None:
        """Stand for the field of this name."""
        self.name = name

    def lines(self, now: Now) -> list[Controls]:
        """Return the controls, line by line where they belong together."""
        raise NotImplementedError

    def shown(self, now: Now) -> dict[str, Any]:
        """Return what the controls show."""
        raise NotImplementedError

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Return the value as the regulation writes it."""
        raise NotImplementedError

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """List what is wrong with controls that must fit together, by control."""
        return ()

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the control that a refusal of a part of the value belongs to."""
        return next((name for line in self.lines(now) for name in line), "")


def label_of(name: str) -> Text:
    """Return the name of a field of the regulation for people."""
    return _(FIELDS[name].label)


class Alone(Part):
    """A field with one control, which holds its value."""

    def __init__(self, name: str, make: Callable[[], forms.Field]) -> None:
        """Make the control anew for each form."""
        super().__init__(name)
        self.make = make

    def lines(self, now: Now) -> list[Controls]:
        """Return the one control."""
        return [{self.name: self.make()}]

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the value."""
        return {self.name: now.rules[self.name]}

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Return the value."""
        return data[self.name]


def number(
    name: str, least: int, most: int, *, label: Text = "", is_optional: bool = False, help_text: Text = ""
) -> Alone:
    """Make the part of a whole number; an optional one may be empty."""

    def make() -> forms.Field:
        return forms.IntegerField(
            label=label or label_of(name),
            min_value=least,
            max_value=most,
            required=not is_optional,
            help_text=help_text,
            widget=forms.NumberInput(attrs={"class": "stepper"}),
        )

    return Alone(name, make)


def choice(name: str, sentences: Mapping[Any, Text]) -> Alone:
    """Make the part of a field with a few words for values, each told by a sentence."""

    def make() -> forms.Field:
        choices = [(str(value), _without_full_stop(sentence)) for value, sentence in sentences.items()]
        return forms.ChoiceField(label=label_of(name), choices=choices)

    return Alone(name, make)


def _without_full_stop(sentence: Text) -> str:
    """Return a sentence of the rules in the reader's language, without the full stop of a whole sentence."""
    return gettext(str(sentence)).removesuffix(".")


class KeptApart(Alone):
    """What players at one table shall not have in common."""

    def __init__(self, name: str) -> None:
        """Offer every field that players may share."""
        super().__init__(
            name,
            lambda: forms.MultipleChoiceField(
                label=_("Keep apart at the draw: the same"),
                choices=[(field.value, _(GROUPINGS[field].within)) for field in PlayerField],
                widget=CHIPS,
                required=False,
            ),
        )

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write them as they stand, or, if others were chosen, in one order."""
        chosen = set(data[self.name])
        if chosen == set(now.rules[self.name]):
            return now.rules[self.name]
        return [field.value for field in PlayerField if field.value in chosen]


class TournamentPoints(Part):
    """A row of points for each size of tables; none at all where none are given. [SBR 2.7.5] [RULES 8.33]"""

    SIZES: Mapping[int, tuple[Text, Text]] = {
        4: (_("Tournament points at a table of four"), _("From first place to last, for example 4 3 2 1.")),
        3: (_("Tournament points at a table of three"), _("From first place to last, for example 4 3 2.")),
        2: (_("Tournament points at a table of two"), _("From first place to last, for example 4 3.")),
    }

    def lines(self, now: Now) -> list[Controls]:
        """Return a row for each size that there is."""
        return [
            {self._row(size): RowField(label=label, help_text=help_text, size=size)}
            for size, (label, help_text) in self.SIZES.items()
        ]

    def _row(self, size: int) -> str:
        return f"{self.name}_{size}"

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the rows that there are."""
        rows = now.rules[self.name] or {}
        return {self._row(size): " ".join(rows.get(str(size), [])) for size in self.SIZES}

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the rows that are not empty."""
        rows = {str(size): data[self._row(size)] for size in self.SIZES if data[self._row(size)]}
        return rows or None

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """A table that plays needs its row, once there are any, unless it came without."""
        size, smallest = data.get("table_size"), data.get("smallest_table")
        if size is None or smallest is None or not any(data.get(self._row(one)) for one in self.SIZES):
            return
        before = now.rules[self.name]
        came_without = {
            one
            for one in self.SIZES
            if before
            and str(one) not in before
            and now.rules["smallest_table"] <= one <= now.rules["table_size"]
        }
        for one in self.SIZES:
            if (
                smallest <= one <= size
                and self._row(one) in data
                and not data[self._row(one)]
                and one not in came_without
            ):
                yield self._row(one), ONE_EACH % {"n": one}

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the row of the size."""
        size = path[0] if path else str(now.rules["table_size"])
        return f"{self.name}_{size}"


class Uma(Alone):
    """What places bring beside the points, in thousands, where the system knows it. [RULES 1.7]"""

    def __init__(self, name: str) -> None:
        """Ask for one number for each place."""
        super().__init__(
            name,
            lambda: RowField(
                label=label_of(name),
                help_text=_(
                    "In thousands, from first place to last, for example 15 5 −5 −15; empty is no uma."
                ),
            ),
        )

    def lines(self, now: Now) -> list[Controls]:
        """Ask where the system knows uma, or the regulation has it all the same."""
        return super().lines(now) if now.system.has_uma or now.rules[self.name] else []

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the row."""
        return {self.name: " ".join(now.rules[self.name] or [])} if self.lines(now) else {}

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the row; an empty one is none."""
        return data.get(self.name) or None


class UmaNumber(Alone):
    """The points that everybody returns at the end, where the system knows uma. [RULES 9.31]"""

    def __init__(self, name: str) -> None:
        """Ask for a number, which may be left out."""
        super().__init__(
            name,
            lambda: forms.IntegerField(
                label=label_of(name),
                min_value=1,
                max_value=10**6,
                required=False,
                help_text=_(
                    "What is above the points of the start goes to the first, for example 30000 with a start of 25000; empty is no oka."
                ),
                widget=STEPPER,
            ),
        )

    def lines(self, now: Now) -> list[Controls]:
        """Ask where the system knows uma, or the regulation returns points all the same."""
        return super().lines(now) if now.system.has_uma or now.rules.get(self.name) else []

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the number, if the regulation has one."""
        return {self.name: now.rules.get(self.name)} if self.lines(now) else {}

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the number; an empty one is none."""
        return data.get(self.name)


class Given(Part):
    """A result that comes from no table. [RULES 8.32]"""

    PARTS: tuple[tuple[str, Text], ...] = (
        ("tournament_points", _("TP")),
        ("game_points", _("GP")),
        ("place", _("place")),
    )

    def lines(self, now: Now) -> list[Controls]:
        """Return points, points and place in one line, whose first control is named for the whole."""
        whole = label_of(self.name)
        points, game, place = (f"{self.name}_{part}" for part, _label in self.PARTS)
        return [
            {
                points: RowField(label=_join(whole, self.PARTS[0][1]), size=1),
                game: forms.IntegerField(
                    label=_join(whole, self.PARTS[1][1]),
                    min_value=-(10**6),
                    max_value=10**6,
                    widget=STEPPER,
                ),
                place: forms.IntegerField(
                    label=_join(whole, self.PARTS[2][1]),
                    min_value=1,
                    max_value=4,
                    required=False,
                    widget=STEPPER,
                ),
            }
        ]

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the three."""
        value = now.rules[self.name]
        points = value["tournament_points"]
        return {
            f"{self.name}_tournament_points": points or "",
            f"{self.name}_game_points": value["game_points"],
            f"{self.name}_place": value["place"],
        }

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the three."""
        points = data[f"{self.name}_tournament_points"]
        return {
            "tournament_points": points[0] if points else None,
            "game_points": data[f"{self.name}_game_points"],
            "place": data[f"{self.name}_place"],
        }

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the one of the three."""
        return f"{self.name}_{path[0]}" if path else super().control_of(path, now)


def _join(whole: Text, part: Text) -> str:
    return f"{whole}: {part}"


class Groups(Part):
    """Tables of teams and groups: which, what members bring, and by what they are ranked. [SBR 2.4.3]"""

    MODES: Choices = [
        (GroupMode.SUM.value, _("Sum of all members")),
        (GroupMode.AVERAGE.value, _("Average of all members")),
        (GroupMode.BEST.value, _("Sum of the best")),
    ]

    def lines(self, now: Now) -> list[Controls]:
        """Return what is asked of all of them alike."""
        ranked = [(code, _(one.heading)) for code, one in CRITERIA.items() if one.is_of_groups]
        return [
            {
                "group_tables": forms.MultipleChoiceField(
                    label=_("Tables of"), choices=list(GROUPED_BY.items()), widget=CHIPS, required=False
                )
            },
            {
                "group_mode": forms.ChoiceField(
                    label=_("What members bring"), choices=self.MODES, required=False
                )
            },
            {
                "group_best": forms.IntegerField(
                    label=_("How many best members count"),
                    min_value=1,
                    max_value=1000,
                    required=False,
                    widget=STEPPER,
                )
            },
            {
                "group_ranking": InOrderField(
                    label=_("Groups are ranked by"),
                    choices=ranked,
                    required=False,
                    help_text=_(
                        "Empty: by the criteria of the players, but for those that groups cannot have."
                    ),
                )
            },
        ]

    def shown(self, now: Now) -> dict[str, Any]:
        """Show which tables of groups there are; they are set alike."""
        tables = now.rules[self.name]
        first = tables[0] if tables else {"mode": GroupMode.SUM.value, "best": None, "ranking": []}
        usual = self._usual(now.rules["ranking"])
        return {
            "group_tables": [table["by"] for table in tables],
            "group_mode": first["mode"],
            "group_best": first["best"],
            "group_ranking": [] if first["ranking"] == usual else first["ranking"],
        }

    @staticmethod
    def _usual(ranking: list[str]) -> list[str]:
        return [code for code in ranking if CRITERIA[code].is_of_groups] or ranking[:1]

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the tables; those that differ among themselves stay so until something is set for all."""
        shown = self.shown(now)
        mode = data["group_mode"] or GroupMode.SUM.value
        said = {
            "group_tables": data["group_tables"],
            "group_mode": mode,
            "group_best": data["group_best"] if mode == GroupMode.BEST.value else None,
            "group_ranking": data["group_ranking"] or [],
        }
        same_tables = set(said["group_tables"]) == set(shown["group_tables"])
        is_same = same_tables and all(said[name] == shown[name] for name in said if name != "group_tables")
        if is_same and (said["group_ranking"] or data["ranking"] == now.rules["ranking"]):
            return now.rules[self.name]
        ranking = said["group_ranking"] or self._usual(data["ranking"])
        return [
            {"by": by, "mode": mode, "best": said["group_best"], "ranking": ranking}
            for by in GROUPED_BY
            if by in said["group_tables"]
        ]

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the control of a part of any of the tables."""
        return {"best": "group_best", "ranking": "group_ranking"}.get(
            path[-1] if path else "", "group_tables"
        )


class Stages(Part):
    """When a new stage begins, what is carried over, and who plays on. [RULES 9.7]"""

    LEAST = 2
    CARRIES: Choices = [
        (Carry.FULL.value, _("all points")),
        (Carry.HALF.value, _("half of the points")),
        (Carry.NONE.value, _("nothing")),
    ]
    NAMES: tuple[tuple[str, str], ...] = (("from", "from_session"), ("carry", "carry"), ("cut", "cut"))

    def _places(self, now: Now) -> range:
        return range(1, max(self.LEAST, len(now.rules[self.name]) + 1) + 1)

    def lines(self, now: Now) -> list[Controls]:
        """Return a line for each stage there is, and for one more."""
        return [self._line(place) for place in self._places(now)]

    def _line(self, place: int) -> Controls:
        return {
            f"stage_{place}_from": forms.IntegerField(
                label=_("Begins with session"), min_value=2, max_value=100, required=False, widget=STEPPER
            ),
            f"stage_{place}_carry": forms.ChoiceField(
                label=_("Carried over"), choices=self.CARRIES, required=False
            ),
            f"stage_{place}_cut": forms.IntegerField(
                label=_("How many play on"),
                min_value=1,
                max_value=MOST,
                required=False,
                help_text=_("Empty: everybody."),
                widget=STEPPER,
            ),
        }

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the stages there are."""
        return {
            f"stage_{place}_{part}": stage[name]
            for place, stage in enumerate(now.rules[self.name], start=1)
            for part, name in self.NAMES
        }

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the stages whose first session is named."""
        return [
            {
                "from_session": data[f"stage_{place}_from"],
                "carry": data[f"stage_{place}_carry"] or Carry.FULL.value,
                "cut": data[f"stage_{place}_cut"],
            }
            for place in self._places(now)
            if data[f"stage_{place}_from"]
        ]

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the control of the stage."""
        if not path:
            return "stage_1_from"
        parts = {name: part for part, name in self.NAMES}
        return f"stage_{int(path[0]) + 1}_{parts.get(path[-1], 'from')}"


class Penalties(Part):
    """When penalties count, what repeated offences cost, and what others cost. [RULES 1.8]"""

    MODES: Choices = [
        (LadderMode.TOTAL.value, _("the step reached is what all cost together")),
        (LadderMode.EACH.value, _("each costs its own step")),
    ]
    EVERY = "*"

    def _ladders(self, now: Now) -> range:
        return range(1, len(now.rules[self.name]["ladders"]) + 2)

    def _prices(self, now: Now) -> range:
        return range(1, len(now.rules[self.name]["fixed"]) + 3)

    def _decisions(self, now: Now) -> range:
        return range(1, len(now.rules[self.name]["decision"]) + 3)

    def lines(self, now: Now) -> list[Controls]:
        """Return the timing, then the ladders, the fixed prices and the decisions, with room for more of each."""
        timing = forms.ChoiceField(
            label=_("Penalties and lateness count"),
            choices=[("before", _("before the places at the table")), ("after", _("after them"))],
        )
        offences = self._offences(now)
        return [
            {"penalty_timing": timing},
            *(self._ladder(place, offences) for place in self._ladders(now)),
            *(self._price(place, offences) for place in self._prices(now)),
            *(self._decision(place, offences) for place in self._decisions(now)),
        ]

    def _offences(self, now: Now) -> Choices:
        """List the offences of the system, and those of the organizer's own that have a price."""
        known: Choices = [(offence.code, _(offence.name)) for offence in now.system.offences]
        value = now.rules[self.name]
        priced = [code for ladder in value["ladders"] for code in ladder["offences"]]
        priced += [code for code in (*value["fixed"], *value["decision"]) if code != self.EVERY]
        codes = {code for code, _name in known}
        return [*known, *((code, code) for code in dict.fromkeys(priced) if code not in codes)]

    def _ladder(self, place: int, offences: Choices) -> Controls:
        return {
            f"ladder_{place}_offences": forms.MultipleChoiceField(
                label=_("Counted together"), choices=offences, widget=CHIPS, required=False
            ),
            f"ladder_{place}_steps": forms.CharField(
                label=_("Points, from the first offence on"),
                required=False,
                max_length=200,
                help_text=_("For example 0 2 4 8; 0 is a warning. Empty: these are not counted."),
            ),
            f"ladder_{place}_mode": forms.ChoiceField(
                label=_("What they cost"), choices=self.MODES, required=False
            ),
            f"ladder_{place}_scope": forms.ChoiceField(
                label=_("Counted"),
                choices=[(str(scope), _(words)) for scope, words in description.SCOPES.items()],
                required=False,
            ),
        }

    def _price(self, place: int, offences: Choices) -> Controls:
        return {
            f"price_{place}_offence": forms.ChoiceField(
                label=_("Fixed price of"), choices=[("", "—"), *offences], required=False
            ),
            f"price_{place}_points": forms.IntegerField(
                label=_("Points"), min_value=1, max_value=10**6, required=False, widget=STEPPER
            ),
        }

    def _decision(self, place: int, offences: Choices) -> Controls:
        every: Choices = [("", "—"), (self.EVERY, _(description.ANY_OTHER))]
        return {
            f"decision_{place}_offence": forms.ChoiceField(
                label=_("The referee decides on"), choices=[*every, *offences], required=False
            ),
            f"decision_{place}_points": forms.CharField(
                label=_("Points"),
                required=False,
                max_length=100,
                help_text=_("Some amounts, such as 8000 12000, or from one to another, such as 5–60."),
            ),
        }

    def shown(self, now: Now) -> dict[str, Any]:
        """Show every ladder, price and bound."""
        value = now.rules[self.name]
        shown = {"penalty_timing": value["timing"]}
        for place, ladder in enumerate(value["ladders"], start=1):
            shown |= {f"ladder_{place}_{part}": ladder[part] for part in ("offences", "mode", "scope")}
            shown[f"ladder_{place}_steps"] = " ".join(map(str, ladder["steps"]))
        for place, (offence, points) in enumerate(value["fixed"].items(), start=1):
            shown |= {f"price_{place}_offence": offence, f"price_{place}_points": points}
        for place, (offence, bounds) in enumerate(value["decision"].items(), start=1):
            shown |= {f"decision_{place}_offence": offence, f"decision_{place}_points": self._bounds(bounds)}
        return shown

    @staticmethod
    def _bounds(bounds: Mapping[str, Any]) -> str:
        if "amounts" in bounds:
            return " ".join(map(str, bounds["amounts"]))
        return f"{bounds['from']}–{bounds['up_to']}"

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """Steps and prices are numbers, and each line says both what and how much."""
        for place in self._ladders(now):
            steps, offences = data.get(f"ladder_{place}_steps", ""), data.get(f"ladder_{place}_offences", [])
            if steps and not all(STEPS.fullmatch(word) for word in re.split(r"[\s,;]+", steps)):
                yield f"ladder_{place}_steps", _("Write whole numbers such as 0 2 4 8.")
            elif steps and not offences:
                yield f"ladder_{place}_offences", _("Choose what is counted together.")
        for kind, places in (("price", self._prices(now)), ("decision", self._decisions(now))):
            for place in places:
                offence, points = data.get(f"{kind}_{place}_offence"), data.get(f"{kind}_{place}_points")
                if offence and not points:
                    yield f"{kind}_{place}_points", _("Write what it costs, or choose no offence.")
                elif points and not offence:
                    yield f"{kind}_{place}_offence", _("Choose the offence that costs this.")
                elif kind == "decision" and points and self._read_bounds(points) is None:
                    yield (
                        f"{kind}_{place}_points",
                        _("Write amounts such as 8000 12000, or from one to another: 5–60."),
                    )

    @staticmethod
    def _read_bounds(written: str) -> dict[str, Any] | None:
        if between := BETWEEN.fullmatch(written.strip()):
            return {"from": int(between[1]), "up_to": int(between[2])}
        words = [word for word in re.split(r"[\s,;]+", written) if word]
        return {"amounts": [int(word) for word in words]} if all(map(STEPS.fullmatch, words)) else None

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write ladders, prices and bounds as the regulation does."""
        value = now.rules[self.name]
        return {
            "timing": data["penalty_timing"],
            "ladders": [
                self._read_ladder(place, data, value["ladders"])
                for place in self._ladders(now)
                if data[f"ladder_{place}_steps"] and data[f"ladder_{place}_offences"]
            ],
            "fixed": {
                data[f"price_{place}_offence"]: data[f"price_{place}_points"]
                for place in self._prices(now)
                if data[f"price_{place}_offence"]
            },
            "decision": {
                data[f"decision_{place}_offence"]: self._read_bounds(data[f"decision_{place}_points"])
                for place in self._decisions(now)
                if data[f"decision_{place}_offence"]
            },
        }

    @staticmethod
    def _read_ladder(place: int, data: Mapping[str, Any], ladders: Sequence[Any]) -> dict[str, Any]:
        """Write a ladder; offences keep the order they had, those chosen anew come last."""
        before = ladders[place - 1]["offences"] if place <= len(ladders) else []
        chosen = data[f"ladder_{place}_offences"]
        kept = [code for code in before if code in chosen]
        return {
            "offences": [*kept, *(code for code in chosen if code not in kept)],
            "mode": data[f"ladder_{place}_mode"] or LadderMode.TOTAL.value,
            "scope": data[f"ladder_{place}_scope"] or "session",
            "steps": [int(word) for word in re.split(r"[\s,;]+", data[f"ladder_{place}_steps"].strip())],
        }

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the control of the ladder, price or decision."""
        kinds = {"ladders": "ladder", "fixed": "price", "decision": "decision"}
        if len(path) < 2 or path[0] not in kinds:
            return "penalty_timing"
        if path[0] == "ladders":
            return f"ladder_{int(path[1]) + 1}_{path[-1] if path[-1] in ('offences', 'steps') else 'steps'}"
        places = list(now.rules[self.name][path[0]])
        place = places.index(path[1]) + 1 if path[1] in places else len(places) + 1
        return f"{kinds[path[0]]}_{place}_points"


class Lateness(Part):
    """Bands of lateness, the first that fits; none where lateness costs nothing by itself. [SBR 2.8.4.5] [RIICHI 5.7]"""

    LIMITS: Choices = [("below", _("less than")), ("up_to", _("up to"))]
    COSTS: Choices = [("points", _("in all")), ("per_minute", _("for every begun minute"))]

    def _places(self, now: Now) -> range:
        bands = (now.rules[self.name] or {"bands": []})["bands"]
        return range(1, len(bands) + 2)

    def lines(self, now: Now) -> list[Controls]:
        """Return a line for each band there is, and for one more."""
        return [self._line(place) for place in self._places(now)]

    def _line(self, place: int) -> Controls:
        return {
            f"lateness_{place}_limit": forms.ChoiceField(
                label=_("Late by"), choices=self.LIMITS, required=False
            ),
            f"lateness_{place}_time": forms.CharField(
                label=_("Minutes, or minutes:seconds"), max_length=7, required=False
            ),
            f"lateness_{place}_points": forms.IntegerField(
                label=_("Points"), min_value=0, max_value=10**6, required=False, widget=STEPPER
            ),
            f"lateness_{place}_cost": forms.ChoiceField(
                label=_("Counted"), choices=self.COSTS, required=False
            ),
        }

    def shown(self, now: Now) -> dict[str, Any]:
        """Show every band."""
        shown: dict[str, Any] = {}
        bands = (now.rules[self.name] or {"bands": []})["bands"]
        for place, band in enumerate(bands, start=1):
            limit = "below" if "below" in band else "up_to"
            cost = "per_minute" if "per_minute" in band else "points"
            minutes, seconds = divmod(band[limit], 60)
            shown |= {
                f"lateness_{place}_limit": limit,
                f"lateness_{place}_time": f"{minutes}:{seconds:02d}" if seconds else str(minutes),
                f"lateness_{place}_points": band[cost],
                f"lateness_{place}_cost": cost,
            }
        return shown

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """Each line says both how late and what it costs."""
        for place in self._places(now):
            time, points = data.get(f"lateness_{place}_time", ""), data.get(f"lateness_{place}_points")
            if time and not TIME.fullmatch(time):
                yield f"lateness_{place}_time", _("Write minutes such as 10, or minutes and seconds: 9:30.")
            elif time and points is None:
                yield f"lateness_{place}_points", _("Write what it costs; 0 is nothing.")
            elif points is not None and not time:
                yield f"lateness_{place}_time", _("Write how late.")

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the bands; none are no rule of lateness."""
        bands = [
            {
                data[f"lateness_{place}_limit"] or "below": _seconds(data[f"lateness_{place}_time"]),
                data[f"lateness_{place}_cost"] or "points": data[f"lateness_{place}_points"],
            }
            for place in self._places(now)
            if data[f"lateness_{place}_time"]
        ]
        return {"bands": bands} if bands else None

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the time of the band."""
        place = int(path[1]) + 1 if len(path) > 1 else 1
        return f"lateness_{place}_time"


def _seconds(written: str) -> int:
    found = TIME.fullmatch(written)
    assert found is not None, written
    return int(found[1]) * 60 + int(found[2] or 0)


class Appeals(Part):
    """Until when, at what deposit, and to whom decisions may be appealed. [SBR 2.9] [RULES 8.37]"""

    USUAL: Mapping[str, Any] = {"minutes": 30, "deposit_fees": 2, "committee": False}

    def lines(self, now: Now) -> list[Controls]:
        """Return whether there are appeals, and how."""
        return [
            {
                "has_appeals": forms.BooleanField(
                    label=_("Decisions of referees can be appealed"), required=False
                )
            },
            {
                "appeal_minutes": forms.IntegerField(
                    label=_("Time for an appeal after the session, minutes"),
                    min_value=1,
                    max_value=1440,
                    required=False,
                    widget=STEPPER,
                )
            },
            {
                "deposit_fees": forms.IntegerField(
                    label=_("Deposit with an appeal, entry fees"),
                    min_value=0,
                    max_value=100,
                    required=False,
                    widget=STEPPER,
                )
            },
            {"committee": forms.BooleanField(label=_("There is an arbitration committee"), required=False)},
        ]

    def shown(self, now: Now) -> dict[str, Any]:
        """Show the policy; without one, what a new one would begin with."""
        policy = now.rules[self.name] or self.USUAL
        return {
            "has_appeals": now.rules[self.name] is not None,
            "appeal_minutes": policy["minutes"],
            "deposit_fees": policy["deposit_fees"],
            "committee": policy["committee"],
        }

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """An event with appeals says until when and at what deposit. [SBR 2.9.2]"""
        if data.get("has_appeals"):
            for name in ("appeal_minutes", "deposit_fees"):
                if name in data and data[name] is None:
                    yield name, _("Write a number; 0 is none.")

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write the policy, or that there is none."""
        if not data["has_appeals"]:
            return None
        return {
            "minutes": data["appeal_minutes"],
            "deposit_fees": data["deposit_fees"],
            "committee": data["committee"],
        }


class SystemRules(Part):
    """The settings of the rules themselves, as the system offers them. [RULES 8.23] [RULES 8.27]"""

    def lines(self, now: Now) -> list[Controls]:
        """Return a line for each setting."""
        return [
            self._controls(name, now.system.settings[name], value) for name, value in self._meant(now).items()
        ]

    def _meant(self, now: Now) -> dict[str, Any]:
        """Return every setting, those that the regulation is older than with what it means by that. [RULES 8.44]"""
        said = now.rules[self.name]
        settings = now.system.settings.items()
        return {
            name: said.get(name, setting.unsaid)
            for name, setting in settings
            if name in said or setting.unsaid is not None
        }

    @staticmethod
    def control(name: str, row: str = "") -> str:
        """Name the control of a setting, or of one of its rows."""
        return f"rules_{name}_{row}" if row else f"rules_{name}"

    def _controls(self, name: str, setting: Setting, value: Any) -> Controls:
        label = gettext(setting.label) if setting.label else label_of(self.name)
        least, most = setting.bounds
        if setting.rows:
            return {
                self.control(name, row): forms.IntegerField(
                    label=str(label) % {"name": gettext(words)},
                    min_value=least,
                    max_value=most,
                    required=False,
                    widget=STEPPER,
                )
                for row, words in setting.rows.items()
            }
        if setting.parts:
            parts = [(one, gettext(words)) for one, words in setting.parts.items()]
            field = forms.MultipleChoiceField(label=label, choices=parts, widget=CHIPS, required=False)
            return {self.control(name): field}
        if setting.values:
            choices = [(_written(one), _sentences(setting, one)) for one in setting.values]
            return {self.control(name): forms.ChoiceField(label=label, choices=choices)}
        number = forms.IntegerField(label=label, min_value=least, max_value=most, widget=STEPPER)
        return {self.control(name): number}

    def shown(self, now: Now) -> dict[str, Any]:
        """Show every setting."""
        shown: dict[str, Any] = {}
        for name, value in self._meant(now).items():
            setting = now.system.settings[name]
            if setting.rows:
                shown |= {self.control(name, row): _least(value, row) for row in setting.rows}
            elif setting.parts:
                shown[self.control(name)] = list(value)
            else:
                shown[self.control(name)] = _written(value) if setting.values else value
        return shown

    def faults(self, data: Mapping[str, Any], now: Now) -> Iterable[tuple[str, Text]]:
        """Of two rows only one can begin at a number."""
        for name, setting in now.system.settings.items():
            begun: set[int] = set()
            for row in setting.rows:
                number = data.get(self.control(name, row))
                if number is not None and number in begun:
                    yield (
                        self.control(name, row),
                        _("Another line begins at this number; write a different one."),
                    )
                begun |= {number} if number is not None else set()

    def read(self, data: Mapping[str, Any], now: Now) -> Any:
        """Write every setting; one that was not said and stays what was meant is not said now either."""
        read = {
            name: self._read(name, now.system.settings[name], value, data)
            for name, value in self._meant(now).items()
        }
        said = now.rules[self.name]
        return {
            name: value
            for name, value in read.items()
            if name in said or value != now.system.settings[name].unsaid
        }

    def _read(self, name: str, setting: Setting, before: Any, data: Mapping[str, Any]) -> Any:
        if setting.rows:
            said = {row: data[self.control(name, row)] for row in setting.rows}
            if all(_least(before, row) == number for row, number in said.items()):
                return before
            numbered = sorted((number, row) for row, number in said.items() if number is not None)
            return {str(number): row for number, row in numbered}
        written = data[self.control(name)]
        if setting.parts:
            return before if set(written) == set(before) else [one for one in setting.parts if one in written]
        return next((one for one in setting.values if _written(one) == written), written)

    def control_of(self, path: Sequence[str], now: Now) -> str:
        """Name the control of the setting."""
        if not path or path[0] not in now.system.settings:
            return super().control_of(path, now)
        rows = now.system.settings[path[0]].rows
        return self.control(path[0], next(iter(rows), ""))


def _written(value: Any) -> str:
    return str(value).lower()


def _sentences(setting: Setting, value: Any) -> str:
    told = [(gettext(sentence), details) for sentence, details in setting.told(value)]
    return " ".join(words % details if details else words for words, details in told).removesuffix(".")


def _least(value: Mapping[str, str], row: str) -> int | None:
    return min((int(number) for number, name in value.items() if name == row), default=None)
