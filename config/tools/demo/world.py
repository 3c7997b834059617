"""The events of the demo, made by the operations by which organizers make theirs: each system and each state somewhere."""

import random
from datetime import timedelta
from typing import Any

from django.utils import timezone

from config.tools.demo import people
from config.tools.demo.play import actor, closed_sessions, organizers, play_on, player_account
from config.tools.demo.series import FINISHED, IN_PLAY, IN_REGISTRATION, WITH_A_DRAFT, Series
from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.models import Role, Session, Tournament, User
from tournaments.people.operations import registration
from tournaments.record.actors import Actor, ActorKind
from tournaments.sessions.operations import tournaments as events
from tournaments.tables.operations import substitutes

TEAM_TABLE = {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "game_points"]}
CUT = {"from_session": 4, "carry": "half", "cut": 8}
WORKS_AS = (Role.Kind.ORGANIZER, Role.Kind.CHIEF_REFEREE, Role.Kind.REFEREE)


def make_world(*, organizer: str, password: str) -> None:
    """Make the account that people sign in with, and an event in each state, with all six systems among them."""
    make_account(organizer, password)
    dice = random.Random(1)
    for series, number, days_ago in zip(FINISHED, (12, 8, 9), (60, 45, 30), strict=True):
        finished(series, dice, number=number, days_ago=days_ago)
    with_a_draft(dice)
    in_registration()
    in_play(dice, has_past=True)


def make_account(organizer: str, password: str) -> None:
    """Make the account that people sign in with; it works at every event of the demo."""
    account = User.objects.create_user(organizer, password=password)
    account.groups.add(organizers())


def in_play(dice: random.Random, *, number: int = 40, has_past: bool = False) -> Tournament:
    """Make a Sichuan event of forty players in teams, with a session in play; the world's first has one behind it."""
    tournament = _event(IN_PLAY, days=0, sessions=6, team_size=4, group_tables=[TEAM_TABLE])
    _register(tournament, people.PEOPLE[:number], teams=people.TEAMS)
    for spare in people.PEOPLE[40:]:
        substitutes.enrol_substitute(tournament, _details(spare), by=actor(tournament))
    if has_past:
        play_on(tournament, dice, lambda: closed_sessions(tournament) == 1)
    play_on(tournament, dice, tournament.sessions.filter(state=Session.State.OPEN).exists)
    return Tournament.objects.get(pk=tournament.pk)


def with_a_draft(dice: random.Random, *, number: int = 16) -> Tournament:
    """Make a riichi event in which a Swiss draw waits at the desk, and after it a stage for the best eight."""
    tournament = _event(WITH_A_DRAFT, days=0, sessions=5, hands_limit=4, seating="swiss", stages=[CUT])
    _register(tournament, people.PEOPLE[8 : 8 + number])
    play_on(tournament, dice, lambda: closed_sessions(tournament) == 2)
    following = tournament.sessions.get(number=3)
    following.tournament = tournament
    draws.propose(tournament, [following], mode=Draw.Mode.SWISS, seed="demo", by=actor(tournament))
    return tournament


def in_registration(*, number: int = 18) -> Tournament:
    """Make an event whose registration is open, and full but for a waiting list."""
    tournament = _event(IN_REGISTRATION, days=14, max_players=16)
    _register(tournament, people.PEOPLE[12 : 12 + number], is_here=False)
    return tournament


def finished(series: Series, dice: random.Random, *, number: int, days_ago: int) -> Tournament:
    """Make an event that was played to its end."""
    tournament = _event(series, days=-days_ago, sessions=2, hands_limit=4)
    _register(tournament, people.PEOPLE[:number])
    play_on(tournament, dice, Tournament.objects.filter(pk=tournament.pk, state="closed").exists)
    return tournament


def _event(series: Series, *, days: int, **changes: Any) -> Tournament:
    """Create one event in so many days, and let whoever signs in to the demo work at it in every role of the desk."""
    maker = player_account()
    by = Actor(ActorKind.USER, maker.pk, frozenset({"signed_in"}))
    first_day = timezone.localdate() + timedelta(days=days)
    number = _next_number(series)
    announcement = events.Announcement(
        name=f"{series.name} {number}" if number > 1 else series.name,
        slug=f"{series.slug}-{number}" if number > 1 else series.slug,
        first_day=first_day,
        last_day=first_day + timedelta(days=1),
        time_zone="Europe/Samara",
        city=people.HOME,
        venue=people.VENUE,
        description=people.ABOUT,
        registration_closes_at=timezone.now() + timedelta(days=max(days, 1)),
        currency="₽",
    )
    tournament = events.create_tournament(
        announcement, preset=series.preset, by=by, changes=changes, is_demo=True
    )
    for user in (maker, *organizers().user_set.all()):
        for kind in WORKS_AS:
            events.grant_role(tournament, user, kind, by=by)
    events.announce_tournament(tournament, by=actor(tournament))
    return Tournament.objects.get(pk=tournament.pk)


def _next_number(series: Series) -> int:
    """Return a number that no event of this series has in its address."""
    taken = set(Tournament.objects.values_list("slug", flat=True))
    number = Tournament.objects.filter(is_demo=True, preset=series.preset).count() + 1
    while {f"{series.slug}-{number}", series.slug if number == 1 else ""} & taken:
        number += 1
    return number


def _register(
    tournament: Tournament,
    who: tuple[people.Person, ...],
    *,
    teams: tuple[str, ...] = (),
    is_here: bool = True,
) -> None:
    """Put people on the list, in teams if there are any, and check them in."""
    by = actor(tournament)
    for index, person in enumerate(who):
        team = teams[index % len(teams)] if teams else ""
        row = registration.register_player(tournament, _details(person, team), by=by)
        if is_here:
            registration.check_in(row, by=by)


def _details(person: people.Person, team: str = "") -> registration.Details:
    return registration.Details(name=person.name, country=person.country, city=person.city, team=team)
