"""What a draw will come to, said before it is drawn: what is possible, what is not, and what follows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.problems import gettext_noop
from seating.drafts.operations import named, open_tables
from seating.drafts.plans import Inputs, Options, inputs_of, problems_of
from seating.drafts.working import method_of
from seating.models import Draw
from seating.rules.bounds import fewest_same_labels
from seating.rules.checks import feasible_shortness
from seating.rules.plan import Id, Round, hall
from seating.rules.random_draw import METHODS
from seating.rules.skeleton import clean_rounds
from seating.rules.swiss import Mode
from tournaments.models import Session, Tournament
from tournaments.person_fields import GROUPINGS

GOOD, PLAIN, WARNING, BAD = "good", "plain", "warning", "bad"


@dataclass(frozen=True)
class Foreseen:
    """One consequence: an English sentence with its details, and how it weighs."""

    level: str
    sentence: str
    details: Mapping[str, object] = field(default_factory=dict)


def foresee(
    tournament: Tournament, sessions: Sequence[Session], mode: str, options: Options
) -> list[Foreseen]:
    """Return what a draw of these sessions will come to with these wishes. [INTEGRITY 55] [INTEGRITY 57]"""
    inputs = inputs_of(tournament, sessions, mode=mode, options=options)
    said = [*_who(tournament, inputs, options)]
    problems = problems_of(inputs.to_json(), mode, options)
    said += [Foreseen(BAD, problem.sentence, problem.details) for problem in named(problems, tournament)]
    if any(problem.code == "too_few_players" for problem in problems):
        return said
    said += _tables(tournament, inputs, options)
    said += _meetings(inputs, mode, options)
    said += _groups(inputs, mode, options)
    said += _winds(mode, options)
    if mode == Draw.Mode.SWISS:
        said += _standings(tournament, sessions[0], inputs, options)
    return said


def _who(tournament: Tournament, inputs: Inputs, options: Options) -> Iterator[Foreseen]:
    active = tournament.registrations.filter(status="active", first_session__lte=inputs.sessions[-1])
    present = active.filter(checked_in_at__isnull=False).count()
    absent = active.count() - present
    people = len(inputs.numbers)
    if not present:
        yield Foreseen(
            PLAIN,
            gettext_noop("Players: %(n)s. Nobody is checked in, so everybody on the list is seated."),
            {"n": people},
        )
    elif absent and (options.with_absent or inputs.replaces):
        sentence = gettext_noop(
            "Players: %(n)s. Of them not checked in: %(absent)s; a deputy draws for them."
        )
        yield Foreseen(WARNING, sentence, {"n": people, "absent": absent})
    elif absent:
        sentence = gettext_noop("Players: %(n)s. Not checked in and without a seat: %(absent)s.")
        yield Foreseen(WARNING, sentence, {"n": people, "absent": absent})
    else:
        yield Foreseen(PLAIN, gettext_noop("Players: %(n)s, all checked in."), {"n": people})
    if inputs.substitutes:
        sentence = gettext_noop("Substitutes who fill up the tables: %(n)s. They have no standing.")
        yield Foreseen(PLAIN, sentence, {"n": len(inputs.substitutes)})


def _tables(tournament: Tournament, inputs: Inputs, options: Options) -> Iterator[Foreseen]:
    """Say how many tables there are, and what becomes of those who fill none. [SBR 3.1.3] [SBR 3.1.4]"""
    people, size = len(inputs.players), inputs.table_size
    room = hall(people, size)
    sessions = len(inputs.sessions)
    if people % size == 0:
        yield Foreseen(GOOD, gettext_noop("Full tables in every session: %(n)s."), {"n": room.tables})
        return
    over = people % size
    if over >= tournament.regulation["smallest_table"]:
        sentence = gettext_noop(
            "Full tables: %(n)s. Players at one incomplete table in each session: %(over)s."
        )
    elif inputs.incomplete or options.leftover:
        sentence = AWARDED_POINTS if tournament.regulation["tournament_points"] else AWARDED_RESULT
    else:
        return
    award = (tournament.regulation.get("awarded_result") or {}).get("tournament_points", "—")
    yield Foreseen(WARNING, sentence, {"n": people // size, "over": over, "tp": award})
    if inputs.short:
        yield _short_again(inputs, over * sessions)
        return
    _, possible = feasible_shortness(people, sessions, size)
    if possible >= sessions:
        yield Foreseen(GOOD, NOBODY_TWICE)
    else:
        sentence = gettext_noop(
            "In more than %(m)s sessions somebody is left over or at an incomplete table twice."
        )
        yield Foreseen(WARNING, sentence, {"m": possible})


NOBODY_TWICE = gettext_noop("Nobody need be left over or at an incomplete table twice.")


def _short_again(inputs: Inputs, wanted: int) -> Foreseen:
    """Say whether those who were never short are enough for the gaps to come. [SBR 3.1.4] [RULES 8.33]"""
    before = set(inputs.short)
    fresh = sum(player["number"] not in before for player in inputs.players)
    if fresh >= wanted:
        return Foreseen(GOOD, NOBODY_TWICE)
    sentence = gettext_noop(
        "Players who were never left over or at an incomplete table: %(fresh)s. So somebody will be for the second time."
    )
    return Foreseen(WARNING, sentence, {"fresh": fresh})


def _meetings(inputs: Inputs, mode: str, options: Options) -> Iterator[Foreseen]:
    people, size = len(inputs.players), inputs.table_size
    most = clean_rounds(people, size)
    wanted = len(inputs.existing) + len(inputs.sessions)
    details = {"most": most, "wanted": wanted}
    if mode == Draw.Mode.RANDOM and method_of(mode, options) in METHODS:
        sentence = gettext_noop("Chance alone decides who meets whom; meetings can be repeated.")
        yield Foreseen(PLAIN, sentence)
    elif mode == Draw.Mode.RANDOM:
        sentence = gettext_noop(
            "Chance decides as far as the wishes allow; earlier meetings are not repeated if that is possible."
        )
        yield Foreseen(PLAIN, sentence)
    elif mode == Draw.Mode.SWISS:
        return
    elif wanted <= most:
        sentence = gettext_noop(
            "Sessions in which nobody need meet anybody twice: up to %(most)s; this makes %(wanted)s."
        )
        yield Foreseen(GOOD, sentence, details)
    elif not options.no_repeats:
        sentence = gettext_noop(
            "Sessions possible without a repeated meeting: at most %(most)s; this makes %(wanted)s. "
            "Repeats are spread as evenly as can be."
        )
        yield Foreseen(WARNING, sentence, details)


def _groups(inputs: Inputs, mode: str, options: Options) -> Iterator[Foreseen]:
    """Say for each label whether those who share it can be kept apart at all; once there are standings, places come first."""
    by_places = mode == Draw.Mode.SWISS and not inputs.is_unplaced
    numbers: list[Id] = [player["number"] for player in inputs.players]
    room = hall(len(numbers), inputs.table_size)
    seated = numbers[: len(numbers) - room.off]
    tables = [tuple(seated[n :: room.tables]) for n in range(room.tables)]
    sketch = Round(tuple(tables), tuple(numbers[len(seated) :]))
    for kind in options.keep_apart:
        said = GROUPINGS[kind]
        labels = Counter(player[kind] for player in inputs.players if player.get(kind))
        if not labels:
            yield Foreseen(WARNING, said.nobody)
            continue
        members = [[p["number"] for p in inputs.players if p.get(kind) == label] for label in labels]
        least = fewest_same_labels(members, [sketch])
        if least:
            yield Foreseen(WARNING, said.too_many, {"n": least * len(inputs.sessions)})
        elif not by_places:
            yield Foreseen(GOOD, said.never_meet)
    if by_places and options.keep_apart:
        yield Foreseen(PLAIN, STRICT_GROUPS if options.swiss_mode == Mode.STRICT else GROUPS_BY_PLACES)


def _winds(mode: str, options: Options) -> Iterator[Foreseen]:
    """Say where the winds come from. [SBR 2.4.6]"""
    if options.winds == "cards":
        sentence = gettext_noop(
            "Each table draws its winds with cards; the scorer writes them down before the first hand."
        )
    elif mode == Draw.Mode.RANDOM or options.winds == "seed":
        sentence = gettext_noop("The same chance that gives the tables gives the winds.")
    elif mode == Draw.Mode.MANUAL:
        sentence = gettext_noop("The winds are those of the plan, East first.")
    elif mode == Draw.Mode.SWISS:
        sentence = gettext_noop(
            "At each table everybody gets, as far as possible, a wind they have had least."
        )
    else:
        sentence = gettext_noop("The plan gives everybody every wind equally often.")
    yield Foreseen(PLAIN, sentence)


def _standings(
    tournament: Tournament, session: Session, inputs: Inputs, options: Options
) -> Iterator[Foreseen]:
    """Say how the standings count; where nobody has a place yet, that chance decides."""
    tables = open_tables(tournament, session.number)
    if tables:
        sentence = gettext_noop(
            "The standings are not settled: tables %(tables)s are not confirmed. Until then nothing is drawn."
        )
        yield Foreseen(BAD, sentence, {"tables": ", ".join(map(str, tables))})
    if inputs.is_unplaced:
        yield Foreseen(
            PLAIN, gettext_noop("There are no standings yet: chance decides who sits at which table.")
        )
        return
    modes: dict[str, str] = {
        "balanced": gettext_noop(
            "Neighbours in the standings meet; a repeated meeting weighs as much as a distance of some tables."
        ),
        "no_repeats": gettext_noop("Nobody meets anybody twice as long as that is possible at all."),
        "strict": gettext_noop(
            "The first four play at the first table, the next four at the second, and so on."
        ),
    }
    yield Foreseen(PLAIN, modes[options.swiss_mode])
    yield Foreseen(
        PLAIN, gettext_noop("The first table is the table of the leaders; a gap moves to the last table.")
    )


GROUPS_BY_PLACES = gettext_noop(
    "Who is to be kept apart is kept apart where the standings allow it; so that neighbours meet, some of them can still meet."
)
STRICT_GROUPS = gettext_noop(
    "Places alone decide who sits together; nobody is kept apart by club, team or the like."
)
AWARDED_POINTS = gettext_noop(
    "Full tables: %(n)s. Players in each session who have no game and are awarded %(tp)s TP: %(over)s."
)
AWARDED_RESULT = gettext_noop(
    "Full tables: %(n)s. Players in each session who have no game and get the awarded result: %(over)s."
)
