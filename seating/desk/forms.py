"""Forms of the draw: they check types alone; what cannot be drawn is said by the rules."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from seating.drafts.plans import Options
from seating.drafts.queries import Person, people_of, to_be_seated
from seating.models import Draw
from seating.rules.plan import Id
from seating.rules.swiss import REPEAT_WEIGHTS, Mode
from tournaments.models import Session, Tournament
from tournaments.people.rules.checkin import points_row
from tournaments.person_fields import CLOSEST_FIRST, GROUP
from tournaments.record.refusal import Refused, say
from tournaments.table_numbers import number_within, shown_number
from tournaments.web.forms import RefusableForm, offer
from tournaments.web.strict import parse_whole

APART = tuple((one.name, _(one.label)) for one in CLOSEST_FIRST if one is not GROUP)
"""What the form offers; groups are kept apart where the regulation says so."""
WINDS = (("", "—"), ("0", _("East")), ("1", _("South")), ("2", _("West")), ("3", _("North")))
SPARE_ROWS = 2
MOST_ROWS = 60
HEAVIEST = 240


class AnsweringForm(RefusableForm):
    """A form that remembers how grave its refusal was, so that a conflict is answered as one. [INTEGRITY 61]"""

    status = 0

    def add_refusal(self, refused: Refused) -> None:
        """Put each sentence by its field, and keep the status."""
        super().add_refusal(refused)
        self.status = refused.status

    @property
    def answer(self) -> int:
        """Return the status of the page: that of the refusal, 422 for what could not be read, else 200."""
        return self.status or (422 if self.is_bound and self.errors else 200)


class DrawForm(AnsweringForm):
    """What an organizer asks of a draw; pairs kept apart and locked seats come in rows of their own."""

    mode = forms.ChoiceField(
        label=_("How the seats are found"),
        choices=[choice for choice in Draw.Mode.choices if choice[0] != Draw.Mode.MANUAL],
        widget=forms.RadioSelect(attrs={"class": "chips"}),
    )
    swiss_mode = forms.ChoiceField(
        label=_("Standings or new opponents"),
        choices=(
            (Mode.STRICT, _("Strict")),
            (Mode.BALANCED, _("Balanced")),
            (Mode.NO_REPEATS, _("No repeats")),
        ),
        initial=Mode.BALANCED,
        required=False,
        widget=forms.RadioSelect(attrs={"class": "chips"}),
    )
    repeat_weight = forms.IntegerField(
        label=_("Between the standings and new opponents"),
        min_value=0,
        max_value=HEAVIEST,
        required=False,
        widget=forms.NumberInput(attrs={"type": "range", "step": "5"}),
    )
    keep_apart = forms.MultipleChoiceField(
        label=_("Keep apart players of one"),
        choices=APART,
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
    )
    no_repeats = forms.BooleanField(label=_("Draw only if nobody meets anybody twice"), required=False)
    winds = forms.ChoiceField(
        label=_("Winds at the table"),
        choices=(
            ("plan", _("Balanced by the plan")),
            ("seed", _("Drawn with the tables")),
            ("cards", _("With cards at the table")),
        ),
        required=False,
        widget=forms.RadioSelect(attrs={"class": "chips"}),
    )
    leftover = forms.ChoiceField(label=_("Those who fill no table"), required=False, widget=forms.RadioSelect)
    with_absent = forms.BooleanField(
        label=_("Seat also those who have not checked in: a deputy draws for them"), required=False
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=100,
        required=False,
        help_text=_(
            "Left empty, the software throws the dice. Players may call out digits to be typed here."
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("Everybody can read it on the page of the seating."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        tournament: Tournament,
        sessions: list[Session],
        is_redraw: bool,
        is_promised: bool = False,
        **kwargs: Any,
    ) -> None:
        """Offer what makes sense for these sessions and this list."""
        super().__init__(data, **kwargs)
        self.tournament, self.sessions, self.is_redraw = tournament, sessions, is_redraw
        here = {row.number for row in to_be_seated(tournament, 0, with_absent=True, with_late=True)}
        self.people = sorted(
            (one for one in people_of(tournament).values() if one.is_substitute or one.number in here),
            key=lambda person: person.player.search_key,
        )
        self.pool = [person for person in self.people if person.is_substitute]
        self._forget_the_gone()
        self.field_errors: dict[str, list[str]] = {}
        self.only_way = ""
        if is_promised:
            self.fields["seed"].label = _("Public chance")
            self.fields["seed"].help_text = _("The digits that the players called or the dice showed.")
        self._offer_labels()
        self._offer_leftover()
        self._offer_deputies(is_redraw)
        if not is_redraw:
            del self.fields["reason"]
        elif len(sessions) > 1:
            self.initial["mode"] = Draw.Mode.FIXED
            offer(self, "mode", [(Draw.Mode.FIXED, Draw.Mode.FIXED.label)])

    def _forget_the_gone(self) -> None:
        """Drop the wishes of an earlier draw about people who are gone."""
        here = {str(person.number) for person in self.people}
        self.initial["pairs"] = [row for row in self.initial.get("pairs", ()) if here.issuperset(row)]
        self.initial["locks"] = [row for row in self.initial.get("locks", ()) if row[0] in here]

    def _offer_labels(self) -> None:
        """Keep apart by what somebody on the list has, and by what the regulation says."""
        asked = self.tournament.regulation["keep_apart"]
        had = {
            kind
            for kind, _name in APART
            if kind in asked or any(getattr(person.player, kind) for person in self.people)
        }
        offer(self, "keep_apart", [pair for pair in APART if pair[0] in had])
        if not had:
            del self.fields["keep_apart"]

    def _offer_leftover(self) -> None:
        """Ask what becomes of a remainder only where there is one: substitutes first. [SBR 3.1.3]"""
        regulation = self.tournament.regulation
        size = regulation["table_size"]
        over = self._over(with_absent=False) or self._over(with_absent=True)
        choices = []
        if over and len(self.pool) >= size - over:
            names = ", ".join(str(person.player) for person in self.pool[: size - over])
            choices.append(("substitutes", str(FILLED) % {"names": names}))
        if over:
            choices.append(("regulation", _by_regulation(regulation, over)))
        if not choices:
            del self.fields["leftover"]
            return
        offer(self, "leftover", choices)
        self.fields["leftover"].initial = choices[0][0]
        if len(choices) == 1:
            self.fields["leftover"].widget = forms.HiddenInput()
            self.only_way = choices[0][1]

    def _over(self, *, with_absent: bool) -> int:
        """Count those who fill no table."""
        if not self.sessions:
            return 0
        people = to_be_seated(
            self.tournament,
            self.sessions[-1].number,
            with_absent=with_absent or self.is_redraw,
            with_late=self.is_redraw,
        )
        return len(people) % int(self.tournament.regulation["table_size"])

    def _offer_deputies(self, is_redraw: bool) -> None:
        active = self.tournament.registrations.filter(status="active")
        if is_redraw or not (
            active.filter(checked_in_at__isnull=False).exists() and active.filter(checked_in_at=None).exists()
        ):
            del self.fields["with_absent"]

    @property
    def pair_rows(self) -> list[list[str]]:
        """Return the rows of pairs that must not meet, with spare ones."""
        return self._rows("pair_first", "pair_second", said=self.initial.get("pairs", ()))

    @property
    def lock_rows(self) -> list[list[str]]:
        """Return the rows of locked seats, with spare ones."""
        return self._rows("lock_player", "lock_table", "lock_wind", said=self.initial.get("locks", ()))

    @property
    def has_pairs(self) -> bool:
        """Return whether any pair is named, so that the rows stand open."""
        return any(map(any, self.pair_rows))

    @property
    def has_locks(self) -> bool:
        """Return whether any seat is locked, so that the rows stand open."""
        return any(map(any, self.lock_rows))

    def _rows(self, *names: str, said: Iterable[Iterable[str]] = ()) -> list[list[str]]:
        rows = [list(row) for row in zip(*(self._list(name) for name in names), strict=False)]
        kept = [row for row in rows if any(row)] if self.is_bound else [list(row) for row in said]
        return [*kept[:MOST_ROWS], *([[""] * len(names)] * SPARE_ROWS)]

    def _list(self, name: str) -> list[str]:
        return list(self.data.getlist(name)) if hasattr(self.data, "getlist") else []

    def clean(self) -> dict[str, Any]:
        """Read the rows; a slider at the place of its chosen word counts as untouched."""
        data = super().clean() or self.cleaned_data
        data["pairs"] = self._clean_rows("pairs", self._pair, self._rows("pair_first", "pair_second"))
        data["locks"] = self._clean_rows(
            "locks", self._lock, self._rows("lock_player", "lock_table", "lock_wind")
        )
        if data.get("repeat_weight") in (None, *REPEAT_WEIGHTS.values()):
            data["repeat_weight"] = None
        return data

    def _clean_rows(self, name: str, read: Any, rows: list[list[str]]) -> list[Any]:
        found = []
        for row in rows:
            try:
                if any(row):
                    found.append(read(*row))
            except Refused as refused:
                for problem in refused.problems:
                    self._say(name, say(problem))
        return found

    def _say(self, name: str, sentence: str) -> None:
        self.field_errors.setdefault(name, []).append(sentence)
        self.add_error(None, sentence)

    def _pair(self, first: str, second: str) -> tuple[int, int]:
        return (
            parse_whole(first, field="pairs", least=1, most=999_999),
            parse_whole(second, field="pairs", least=1, most=999_999),
        )

    def _lock(self, player: str, table: str, wind: str) -> tuple[int, int | None, int | None]:
        return (
            parse_whole(player, field="locks", least=1, most=999_999),
            number_within(parse_whole(table, field="locks", least=shown_number(1), most=shown_number(9999)))
            if table
            else None,
            parse_whole(wind, field="locks", least=0, most=3) if wind else None,
        )

    def options(self, pins: Iterable[Iterable[Any]] = ()) -> Options:
        """Return what was asked; before anything was said, what the regulation says."""
        data: Mapping[str, Any] = self.cleaned_data if self.is_bound else self.initial_data()
        numbers = [session.number for session in self.sessions]
        locks = [
            (number, who, table, seat) for who, table, seat in data.get("locks", ()) for number in numbers
        ]
        here = {person.number for person in self.people}
        kept: list[tuple[int, Id, int | None, int | None]] = [
            (one, who, table, seat) for one, who, table, seat in pins if one in numbers and who in here
        ]
        known = {(lock[0], lock[1]) for lock in kept}
        leftover = data.get("leftover") or ""
        return Options(
            keep_apart=tuple(data.get("keep_apart") or ()),
            no_repeats=bool(data.get("no_repeats")),
            swiss_mode=data.get("swiss_mode") or Mode.BALANCED,
            repeat_weight=data.get("repeat_weight"),
            locks=(*kept, *(lock for lock in locks if (lock[0], lock[1]) not in known)),
            must_not_meet=tuple(data.get("pairs", ())),
            winds=data.get("winds") or "plan",
            with_absent=bool(data.get("with_absent")),
            substitutes=tuple(
                person.player.pk for person in self._fillers(with_absent=bool(data.get("with_absent")))
            )
            if leftover == "substitutes"
            else (),
            leftover="regulation" if leftover else "",
        )

    def _fillers(self, *, with_absent: bool) -> list[Person]:
        """Return as many substitutes as the last table needs."""
        over = self._over(with_absent=with_absent)
        return self.pool[: self.tournament.regulation["table_size"] - over] if over else []

    def initial_data(self) -> dict[str, Any]:
        """Return what the fields begin with."""
        values = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        weight = values.get("repeat_weight")
        return {
            **values,
            "repeat_weight": None if weight in REPEAT_WEIGHTS.values() else weight,
            "pairs": [(int(one), int(other)) for one, other in self.initial.get("pairs", ())],
            "locks": [
                (int(who), number_within(int(table)) if table else None, int(seat) if seat else None)
                for who, table, seat in self.initial.get("locks", ())
                if who.isdigit()
            ],
        }


def _as_typed(player: int, table: int | None, wind: int | None) -> list[str]:
    """Return a locked seat as it is typed: its table by the number in the hall. [RULES 9.41]"""
    shown = shown_number(table) if table else None
    return ["" if value is None else str(value) for value in (player, shown, wind)]


FILLED = _("Substitutes fill the incomplete table: %(names)s. They have no standing.")
SHORT = _("They play at one incomplete table.")
SHORT_POINTS = _("They play at one incomplete table; its places bring %(row)s TP.")
NO_GAME = _("They have no game and get the awarded result.")
NO_GAME_POINTS = _("They have no game and are awarded %(tp)s TP.")


def _by_regulation(regulation: Mapping[str, Any], over: int) -> str:
    """Say what becomes of so many who fill no table, and what it brings them. [SBR 3.1.3] [SBR 3.1.4]"""
    if over >= regulation["smallest_table"]:
        row = points_row(regulation["tournament_points"], over)
        return str(SHORT_POINTS) % {"row": row} if row else str(SHORT)
    award = (regulation["awarded_result"] or {}).get("tournament_points")
    has_points = regulation["tournament_points"] and award is not None
    return str(NO_GAME_POINTS) % {"tp": award} if has_points else str(NO_GAME)


def remembered_wishes(tournament: Tournament, *, is_redraw: bool = False) -> dict[str, Any]:
    """Begin from the draw that was published last: what was chosen once is chosen for the next session as well."""
    rows = tournament.draws.filter(state=Draw.State.PUBLISHED).exclude(mode=Draw.Mode.MANUAL)
    last = None if is_redraw else rows.order_by("-published_at", "-pk").first()
    if last is None:
        return first_wishes(tournament, is_redraw=is_redraw)
    return wishes_of(last) | {"reason": "", "locks": []}


def first_wishes(tournament: Tournament, *, is_redraw: bool = False) -> dict[str, Any]:
    """Begin from what the regulation says."""
    regulation = tournament.regulation
    mode = Draw.Mode.FIXED if is_redraw else regulation["seating"]
    is_drawn = regulation["seat_winds"] == "draw" and mode in (Draw.Mode.SWISS, Draw.Mode.RANDOM)
    return {
        "mode": mode,
        "keep_apart": list(regulation["keep_apart"]),
        "winds": "seed" if is_drawn else "plan",
        "swiss_mode": Mode.BALANCED,
        "repeat_weight": REPEAT_WEIGHTS[Mode.BALANCED],
    }


def wishes_of(draw: Draw) -> dict[str, Any]:
    """Begin from what an earlier draw was asked."""
    options = Options.from_json(draw.settings)
    weight = options.repeat_weight
    locks: dict[tuple[Any, ...], None] = dict.fromkeys(lock[1:] for lock in options.locks)
    everywhere = [
        lock for lock in locks if sum(other[1:] == lock for other in options.locks) == len(draw.sessions)
    ]
    return {
        "mode": draw.mode,
        "keep_apart": list(options.keep_apart),
        "winds": options.winds,
        "swiss_mode": options.swiss_mode,
        "repeat_weight": REPEAT_WEIGHTS[Mode(options.swiss_mode)] if weight is None else weight,
        "no_repeats": options.no_repeats,
        "with_absent": options.with_absent,
        "reason": draw.reason,
        "pairs": [[str(one), str(other)] for one, other in options.must_not_meet],
        "locks": [_as_typed(*lock) for lock in everywhere],
    }


class PlanForm(AnsweringForm):
    """A plan from elsewhere, pasted or as a file."""

    text = forms.CharField(
        label=_("Plan"),
        max_length=400_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "class": "code"}),
        help_text=_(
            "One table on each line: 1-5-9-13 or 1 5 9 13, East first, 0 for an empty seat. A blank line or a "
            "heading begins the next session. Or columns: session; table; East; South; West; North, with numbers or names."
        ),
    )
    file = forms.FileField(label=_("Or a file (CSV or text)"), required=False)
    is_dealt = forms.BooleanField(
        label=_("The numbers 1, 2, 3 … are places of the plan: deal them to the players by lot"),
        required=False,
    )
    seed = forms.CharField(label=_("Seed"), max_length=100, required=False)
    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("Everybody can read it on the page of the seating.")
    )

    LARGEST = 1024 * 1024

    def __init__(self, *args: Any, is_redraw: bool = False, **kwargs: Any) -> None:
        """Ask for a reason only where a seating is replaced."""
        super().__init__(*args, **kwargs)
        if not is_redraw:
            del self.fields["reason"]

    def clean(self) -> dict[str, Any]:
        """Take the text of the file when there is one."""
        data = super().clean() or self.cleaned_data
        file = data.get("file")
        if file is not None and file.size > self.LARGEST:
            self.add_error("file", _("The file is too large; at most 1 MB."))
        elif file is not None:
            try:
                data["text"] = file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("The file is not UTF-8 text; save it as “CSV UTF-8”."))
        return data


class ChangeForm(AnsweringForm):
    """Two players of a published session change places, with a reason."""

    first = forms.ChoiceField(label=_("First"))
    second = forms.ChoiceField(label=_("Second"))
    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("Everybody can read it on the page of the seating.")
    )

    def __init__(self, *args: Any, people: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        """Offer who sits in the session."""
        super().__init__(*args, **kwargs)
        choices = [("", "—"), *people]
        offer(self, "first", choices)
        offer(self, "second", choices)


class ReasonForm(RefusableForm):
    """Why published tables are changed."""

    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("Everybody can read it on the page of the seating.")
    )
