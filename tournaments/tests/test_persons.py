"""People over the events: followed without an account, joined by a federation's number alone, gone everywhere once erased. [RULES 9.36]"""

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils.html import strip_tags

from tournaments.models import FrozenStandings, Player, Protocol, Seat, Standing, Tournament
from tournaments.people.queries.persons import appearances, keys_of
from tournaments.public.queries.career import career_of, head_to_head
from tournaments.public.queries.following import followed_events, parse_keys
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.standings.queries import revision_cache
from tournaments.standings.queries.records import marks_of, site_records
from tournaments.standings.rules.figures import Dealt, Sitter, TableHands, figures_of
from tournaments.tests import factories as make

NUMBERS = {1: "11110001", 2: "11110002"}


def words(response):
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def page(client, name, *args, **query):
    return client.get(reverse(f"tournaments:{name}", args=args), query, headers={"accept-language": "en"})


def event(fans, *, is_over=True):
    """An event of one session: players 1 and 2 have a number, 3 and 4 have names alone; East wins one hand from South."""
    of = make.tournament(sessions=1)
    for row in make.players(of, 4):
        ids = {"EMA": NUMBERS[row.number]} if row.number in NUMBERS else {}
        Player.objects.filter(pk=row.player_id).update(
            name=f"Player {row.number}", search_key=f"player {row.number}", federation_ids=ids
        )
    session = make.in_play(of)
    row = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(row, make.east_from_south(fans))
    if is_over:
        make.settle(session)
        play.close_session(session, by=make.organizer_of(of))
        Tournament.objects.filter(pk=of.pk).update(state=Tournament.State.CLOSED)
    recompute.recompute(of.pk)
    return Tournament.objects.get(pk=of.pk)


@pytest.fixture
def events(db):
    cache.clear()
    revision_cache._near.clear()
    return event(1), event(3)


def row(of, number):
    return of.registrations.select_related("player", "tournament").get(number=number)


def joined(events):
    """A number joins events, a name does not."""
    first, second = events
    assert [one.tournament for one in appearances(row(first, 1))] == [second, first]
    assert [one.tournament for one in appearances(row(first, 3))] == [first]
    found = career_of(row(first, 1))
    assert found.sums["events"] == found.sums["games"] == 2
    assert len(found.plots) == 2
    assert {met.player.name: met.tables for met in found.opponents if met.player.name == "Player 2"} == {
        "Player 2": 2
    }
    assert sorted(met.tables for met in found.opponents) == [1, 1, 1, 1, 2]
    assert found.styles[0].tally.hands == 2
    assert keys_of({"": "", "EMA": " ", "ema": "1", "EMA1": "2"}) == frozenset()


def shared_first_places(client, events):
    """A first place at a table counts whole for each who shares it, and how many were shared is said. [RULES 8.43]"""
    first, second = events
    before = career_of(row(first, 1)).sums
    assert "shared:" not in words(page(client, "career", first.slug, 1))
    lines = {first: '[[1,1,8,"4","1",1]]', second: '[[1,1,0,"7/2","3/2",1]]'}
    for of, line in lines.items():
        Standing.objects.filter(tournament=of, player=row(of, 1).player_id).update(lines=line)
    sums = career_of(row(first, 1)).sums
    assert (before["tables_shared"], sums["tables_won"], sums["tables_shared"]) == (0, 2, 1)
    assert "First at the table 2 shared: 1" in words(page(client, "career", first.slug, 1))


def joined_by_a_second_number(events):
    """Whoever has a second number in one event is one person in all of them, whichever is asked from."""
    first, second = events
    third = event(2)
    for of, ids in (
        (first, {"EMA": NUMBERS[2]}),
        (second, {"EMA": NUMBERS[2], "RMF": "77"}),
        (third, {"RMF": "77"}),
    ):
        Player.objects.filter(pk=row(of, 2).player_id).update(federation_ids=ids)
    for of in (first, second, third):
        assert [one.tournament for one in appearances(row(of, 2))] == [third, second, first]
    assert [met.tables for met in career_of(row(first, 1)).opponents if met.player.name == "Player 2"] == [3]
    assert len(head_to_head(row(first, 1), row(first, 2)).meetings) == 3


def in_play(events):
    """A place in an event that is in play is shown with it, and is no best place yet."""
    first, _second = events
    assert career_of(row(first, 1)).sums["best"]
    Tournament.objects.filter(pk__in=[of.pk for of in events]).update(state="running")
    found = career_of(row(first, 1))
    assert (found.sums["best"], bool(found.results[0].place)) == (None, True)


def not_joined(events):
    """Events that are unlisted, rehearsed, drafts or of the demo."""
    first, second = events
    for hidden in ({"listing": "unlisted"}, {"rehearsal_of": first}, {"is_demo": True}, {"state": "draft"}):
        kept = {name: getattr(second, name) for name in hidden}
        Tournament.objects.filter(pk=second.pk).update(**hidden)
        assert [one.tournament for one in appearances(row(first, 1))] == [first], hidden
        Tournament.objects.filter(pk=second.pk).update(**kept)
    assert len(appearances(row(first, 1))) == 2


def beside_each_other(client, events):
    """Two persons over all events."""
    first, second = events
    found = head_to_head(row(first, 1), row(first, 2))
    assert [met.tournament for met in found.meetings] == [second, first]
    assert sum(found.ahead.values()) == 2
    duel = found.duels[0]
    assert (duel.one.hands, duel.other.hands) == (2, 2)
    assert (duel.one.wins, duel.one.deals_in) == (duel.other.deals_in, duel.other.wins)
    alone = head_to_head(row(first, 1), row(first, 3))
    assert [met.tournament for met in alone.meetings] == [first]
    assert "Head to head" in words(page(client, "versus", first.slug, 1, 2))
    assert page(client, "versus", first.slug, 1, 1).status_code == 404


def followed(client, events, live):
    """Whom an address names, across events."""
    first, second = events
    asked = f"{first.slug}.1,{first.slug}.3,no-such.5,{first.slug}.99,nonsense,{second.slug}.x"
    found = followed_events(parse_keys(asked))
    assert [(one.tournament, [who.row.number for who in one.people]) for one in found] == [
        (live, [1]),
        (first, sorted([1, 3], key=lambda n: row(first, n).player.standings.get().place)),
    ]
    shown = page(client, "following", who=asked)
    said = words(shown)
    assert "Player 1" in said
    assert "table 1" in said
    assert f'data-events="/live/{live.slug}/events"' in shown.content.decode()
    assert f'data-events="/live/{first.slug}/events"' not in shown.content.decode()
    assert f'data-gone="no-such.5,{first.slug}.99"' in shown.content.decode()
    assert "You follow nobody yet" in words(page(client, "following"))
    assert parse_keys(",".join(f"a.{n}" for n in range(100))) == [("a", n) for n in range(60)]


def erased(client, events):
    """Gone everywhere."""
    first, second = events
    for of in events:
        make.nameless(row(of, 1).player)
    assert page(client, "career", first.slug, 1).status_code == 404
    assert page(client, "versus", first.slug, 1, 2).status_code == 404
    assert page(client, "versus", first.slug, 2, 1).status_code == 404
    assert followed_events([(first.slug, 1), (second.slug, 1)]) == []
    assert "Player 1" not in words(page(client, "career", first.slug, 2))
    assert all(met.player.erased_at is None for met in career_of(row(first, 2)).opponents)
    assert "Player 1" not in words(page(client, "records"))


def records(client, events, live):
    """From sealed sessions alone."""
    found = site_records()
    assert (found.counted, found.events) == (2, 2)
    system = found.systems[0]
    assert [(of, card.won.worth) for of, card in system.hands] == [(events[1], 3), (events[0], 1)]
    assert system.results[0].tournament == events[1]
    assert live.name not in words(page(client, "records"))
    assert "Records of the event" in words(page(client, "statistics", events[0].slug))
    assert "Records of the event" not in words(page(client, "statistics", live.slug))


def two_in_one_seat(events):
    """What two players won in one seat is no record of the second. [RULES 8.35]"""
    first, _second = events
    best = Seat.objects.filter(session__tournament=first).order_by("-hand_points").first()
    other = Seat.objects.filter(session__tournament=first).exclude(pk=best.pk).first()
    assert marks_of(first).results[0].player == best.player_id
    Seat.objects.filter(pk=best.pk).update(kept_for=other.player_id, from_hand=2)
    assert best.player_id not in [one.player for one in marks_of(first).results]
    Seat.objects.filter(pk=best.pk).update(from_hand=1)
    assert marks_of(first).results[0].player == best.player_id


def frozen(events):
    """What a freeze hides is told nowhere. [RULES 9.15]"""
    first, second = events
    Tournament.objects.filter(pk=second.pk).update(frozen_after=0)
    FrozenStandings.objects.create(tournament=second, said={"rows": [], "groups": []})
    recompute.recompute(second.pk)
    found = career_of(row(first, 1))
    assert (found.styles[0].tally.hands, found.sums["games"]) == (1, 1)
    assert [met.tables for met in found.opponents] == [1, 1, 1]
    assert [met.tournament for met in head_to_head(row(first, 1), row(first, 2)).meetings] == [first]
    shown = next(one for one in followed_events([(second.slug, 1)]) if one.tournament == second)
    assert [one.hand for one in shown.people] == [None]
    assert site_records().events == 1


def in_russian(client, events):
    """Every page."""
    first, _second = events
    for name, args in (
        ("following", ()),
        ("records", ()),
        ("career", (first.slug, 1)),
        ("versus", (first.slug, 1, 2)),
    ):
        answer = client.get(reverse(f"tournaments:{name}", args=args), headers={"accept-language": "ru"})
        assert answer.status_code == 200
        for english in (
            "People I follow",
            "Records",
            "Opponents",
            "Head to head",
            "Style",
            "Follow",
            "Sichuan",
        ):
            assert english not in words(answer), name
        assert name == "following" or "Сычуань (SBR)" in words(answer)


def test_people_over_the_events(client, events):
    """One scene, since each of its events is played hand by hand."""
    joined(events)
    beside_each_other(client, events)
    in_russian(client, events)
    live = event(5, is_over=False)
    followed(client, events, live)
    records(client, events, live)
    for of in Tournament.objects.filter(pk=live.pk):
        Player.objects.filter(tournament=of).update(federation_ids={})
    checks = (
        lambda: not_joined(events),
        lambda: two_in_one_seat(events),
        lambda: shared_first_places(client, events),
        lambda: in_play(events),
        lambda: joined_by_a_second_number(events),
        lambda: frozen(events),
        lambda: erased(client, events),
    )
    for check in checks:
        point = transaction.savepoint()
        check()
        transaction.savepoint_rollback(point)


def test_hands_are_counted_by_the_wind_of_the_hand_and_by_opponent():
    """The dealer is East, whatever the seat; a discard that two won counts once for who dealt in, once for each winner."""
    sitters = {wind: Sitter(player) for wind, player in zip("ESWN", (1, 2, 3, 4), strict=True)}
    both = {"type": "win", "from": "E", "winners": [{"seat": "S", "fans": 2}, {"seat": "W", "fans": 1}]}
    alone = {"type": "win", "winners": [{"seat": "E", "fans": 3}]}
    hands = [Dealt(1, "S", {"events": [both]}, {}), Dealt(2, "E", {"events": [alone]}, {})]
    tallies = figures_of("SBR", {}, [TableHands(1, 1, sitters, hands)]).players
    assert (tallies[1].winds["N"].deals_in, tallies[1].winds["E"].wins, tallies[1].deals_in) == (1, 1, 1)
    assert (tallies[2].winds["E"].wins, tallies[2].winds["S"].hands) == (1, 1)
    assert tallies[2].against[1] == type(tallies[2].against[1])(hands=2, wins=1, deals_in=0, worth=2)
    assert (tallies[1].against[2].deals_in, tallies[1].against[3].deals_in) == (1, 1)
    assert tallies[1].against[4].deals_in == tallies[3].against[2].wins == 0


def test_winds_of_a_hand_follow_who_sits_where_in_its_round():
    """In the second round of sport mahjong South deals first and East sits on the dealer's right. [RULES 9.37] [MCR seats]"""
    sitters = {wind: Sitter(player) for wind, player in zip("ESWN", (1, 2, 3, 4), strict=True)}
    hand = Dealt(5, "S", {"events": []}, {}, "S")

    def winds(system, sitters):
        tallies = figures_of(system, {}, [TableHands(1, 1, sitters, [hand])]).players
        return {player: "".join(tally.winds) for player, tally in tallies.items()}

    assert winds("MCR", sitters) == {1: "S", 2: "E", 3: "N", 4: "W"}
    assert winds("RIICHI", sitters) == {1: "N", 2: "E", 3: "S", 4: "W"}
    assert winds("SIAM", {**sitters, "W": Sitter(None)}) == {1: "W", 2: "E", 4: "S"}
