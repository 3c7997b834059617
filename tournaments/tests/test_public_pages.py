"""What everybody sees: lists, searches, seats, protocols, standings, registration and the player's own page."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments.models import Protocol, Registration, Tournament
from tournaments.people.operations import registration
from tournaments.public.views.hall import _of_rows, _of_tables
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.markup import tight
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
CONSENT = {"consent": "on"}


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def address(name, of, *args):
    return reverse(f"tournaments:{name}", args=[of.slug, *args])


def words(response):
    """The text of a page, in one line."""
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def names_in(response, pattern):
    return re.findall(pattern, tight(response))


def add(of, name, **details):
    return registration.register_player(
        of, registration.Details(name=name, **details), by=make.organizer_of(of)
    )


def played(preset="sbr", number=4, hands=1):
    """A session in play with hands at table 1 and its standings worked out."""
    protocol = make.protocol(preset, number)
    for _ in range(hands):
        make.record(protocol)
    tournament = protocol.table.session.tournament
    recompute.recompute(tournament.pk)
    return protocol, tournament


def queries_of(client, url, count):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    assert client.get(url).status_code == 200
    with CaptureQueriesContext(
        connection,
    ) as captured:
        client.get(url)
    count.append(len(captured))


# The list of events


def test_home_shows_a_draft_to_its_desk_only(client):
    draft = make.tournament(announced=False)
    assert draft.name not in words(client.get("/"))
    client.force_login(draft.created_by)
    assert draft.name in words(client.get("/"))


def test_home_lists_the_next_event_first_and_of_the_finished_the_latest(client):
    days = {"announced": (12, 10, 11), "closed": (1, 3, 2, 7, 5, 4, 6)}
    for state, months in days.items():
        for month in months:
            day = f"2026-{month:02}-01"
            Tournament.objects.filter(pk=make.tournament().pk).update(
                state=state, name=f"{state} {month}", first_day=day, last_day=day
            )
    shown = names_in(client.get("/"), r">((?:announced|closed) \d+)<")
    assert shown == [*(f"announced {n}" for n in (10, 11, 12)), *(f"closed {n}" for n in (7, 6, 5, 4, 3, 2))]


def test_seats_published_before_the_session_are_called_the_same_on_every_page(client):
    of = make.tournament()
    make.players(of, 4)
    make.seated(of)
    for name, args in (("event", ()), ("seating", ()), ("session", (1,)), ("protocol", (1, 1))):
        page = words(client.get(address(name, of, *args))).partition("Skip to the content")[2]
        assert "Seated" in page, name
    assert "Planned" not in words(client.get(address("seating", of)))


def test_game_points_of_a_player_have_their_sign_wherever_they_stand(client):
    _protocol, of = played()
    number = of.standings.order_by("position")[0].player.registration.number
    page = words(client.get(address("player", of, number)))
    assert "TP 4 GP +1 First places 1" in page


def test_home_calls_registration_open_only_where_it_is(client):
    now = timezone.now()
    for name, closes in (("Open cup", now + timedelta(days=1)), ("Full cup", now - timedelta(days=1))):
        Tournament.objects.filter(pk=make.tournament().pk).update(name=name, registration_closes_at=closes)
    page = words(client.get("/"))
    assert page.index("Registration is open") < page.index("Open cup") < page.index("Coming up")
    assert page.index("Coming up") < page.index("Full cup")


def test_home_without_events_says_what_to_do(client):
    assert "No events yet" in words(client.get("/"))


def test_draft_does_not_exist_for_strangers(client):
    draft = make.tournament(announced=False)
    assert client.get(address("event", draft)).status_code == 404


def test_event_page_names_nobody_in_the_lead_before_it_starts(client):
    tournament = make.tournament()
    make.players(tournament, 4)
    recompute.recompute(tournament.pk)
    assert "In the lead" not in words(client.get(address("event", tournament)))


def test_event_page_of_a_finished_event_plans_nothing_more(client):
    tournament = make.tournament(sessions=3)
    make.players(tournament, 4)
    session = make.in_play(tournament)
    make.settle(session)
    by = make.organizer_of(tournament)
    play.close_session(session, by=by)
    assert "Session 3" in words(client.get(address("event", tournament)))
    events.close_tournament(tournament, by=by)
    page = words(client.get(address("event", tournament)))
    assert ("Session 1" in page, "Session 2" in page, "Session 3" in page) == (True, False, False)


# Players


def test_players_are_listed_by_number_or_by_name(client):
    tournament = make.tournament()
    for name in ("Wren", "Avocet", "Ёж"):
        add(tournament, name)
    url = address("players", tournament)
    pattern = r'<th scope="row"><a href="[^"]+">([^<]+)</a>'
    assert names_in(client.get(url), pattern) == ["Wren", "Avocet", "Ёж"]
    assert names_in(client.get(url, {"sort": "name"}), pattern) == ["Avocet", "Wren", "Ёж"]


@pytest.mark.parametrize("page", ["players", "standings"])
@pytest.mark.parametrize("sort", ["password", "player__email", "-created_at"])
def test_a_list_is_sorted_by_its_own_columns_alone(client, page, sort):
    """[INTEGRITY 146]"""
    url = address(page, make.tournament())
    answer = client.get(url, {"sort": sort}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "filter_unknown")
    assert answer.json()["title"] == f"Cannot sort by “{sort}”."


def test_players_page_tells_the_status_when_somebody_waits(client):
    tournament = make.tournament(max_players=2)
    make.players(tournament, 2)
    assert "Waiting list" not in words(client.get(address("players", tournament)))
    add(tournament, "Avocet")
    assert "Waiting list" in words(client.get(address("players", tournament)))


def test_players_page_never_shows_what_only_the_organizer_may_see(client):
    tournament = make.tournament()
    row = add(tournament, "Avocet", email="avocet@example.org", comment="Late train")
    for name, *args in (("players",), ("player", row.number), ("find",)):
        page = client.get(address(name, tournament, *args), {"q": "avo"}).content.decode()
        assert "avocet@example.org" not in page
        assert "Late train" not in page


@pytest.mark.parametrize("page", ["players", "seating", "standings", "find", "hall"])
def test_public_list_asks_as_often_for_twelve_as_for_four(client, page):
    counts = []
    for number in (4, 12):
        tournament = make.tournament()
        make.players(tournament, number)
        make.in_play(tournament)
        recompute.recompute(tournament.pk)
        queries_of(client, f"{address(page, tournament)}?q=e&number={number}", counts)
    assert counts[0] == counts[1]


# Finding oneself


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("zimo", ["Зимородок"], id="another alphabet"),
        pytest.param("wren", [], id="nobody"),
        pytest.param("зимо", ["Зимородок"], id="a part, in small letters"),
        pytest.param("еж", ["Ёж"], id="е for ё"),
        pytest.param("2", ["Ёж"], id="the number"),
        pytest.param("  зимородок ", ["Зимородок"], id="spaces around"),
    ],
)
def test_find_me_finds_by_part_of_the_name_or_number(client, query, found):
    tournament = make.tournament()
    for name in ("Зимородок", "Ёж"):
        add(tournament, name)
    page = client.get(address("find", tournament), {"q": query})
    assert names_in(page, r'<span class="list-main"><a href="[^"]+">([^<]+)</a>') == found
    assert ("No player by that name" in words(page)) == (not found)


@pytest.mark.parametrize("query", ["зимо", "1", "Зимородок"])
def test_find_me_tells_nobody_who_has_cancelled(client, query):
    """Neither the search nor the list nor the API shows a name that was taken off the list. [INTEGRITY 3]"""
    tournament = make.tournament()
    row = add(tournament, "Зимородок")
    add(tournament, "Ёж")
    registration.withdraw(row, by=make.organizer_of(tournament))
    page = client.get(address("find", tournament), {"q": query}).content.decode()
    assert ("Зимородок" in page.replace(f'value="{query}"', ""), "No player by that name" in page) == (
        False,
        True,
    )
    assert "Зимородок" not in client.get(address("players", tournament)).content.decode()
    listed = client.get(f"/api/1/tournaments/{tournament.slug}/players/").json()["players"]
    assert [one["name"] for one in listed] == ["Ёж"]
    assert client.get(address("player", tournament, row.number)).status_code == 404


def test_find_me_refuses_a_text_of_a_thousand_characters(client):
    """[INTEGRITY 7.7, case 147]"""
    response = client.get(address("find", make.tournament()), {"q": "я" * 1000})
    assert response.status_code == 422
    assert "At most 100 characters." in words(response)


# Registration


def test_registration_leads_to_the_private_page(client):
    tournament = make.tournament()
    response = client.post(
        address("register", tournament), {**CONSENT, "name": "Avocet", "city": "Lund"}, follow=True
    )
    row = Registration.objects.get(tournament=tournament)
    assert response.redirect_chain[-1][0] == address("own_page", tournament, link_of(row))
    assert "You are registered." in words(response)


def test_registration_keeps_what_was_typed_beside_the_mistake(client):
    """[INTEGRITY 7.1, case 5]"""
    tournament = make.tournament()
    typed = {**CONSENT, "name": "<script>", "city": "Lund", "comment": "By train", "is_another": ""}
    response = client.post(address("register", tournament), typed)
    page = response.content.decode()
    assert response.status_code == 422
    assert "The name may contain letters, spaces, apostrophe, hyphen and dot only." in words(response)
    assert 'value="&lt;script&gt;"' in page
    assert 'value="Lund"' in page
    assert 'value="By train"' in page
    assert 'type="checkbox" name="is_another"' not in page
    assert not Registration.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "\u200b"], ids=["nothing", "spaces", "nothing visible"])
def test_registration_without_a_name_says_so(client, name):
    """[INTEGRITY 7.1, cases 1 and 2]"""
    response = client.post(address("register", make.tournament()), {**CONSENT, "name": name})
    assert (response.status_code, Registration.objects.count()) == (422, 0)
    assert "Enter the player's name." in words(response).replace("&#x27;", "'")


def test_registration_names_every_mistake_at_once(client):
    """Who mends one mistake is not told of the next one only then. [INTEGRITY 7.1]"""
    response = client.post(address("register", make.tournament()), {"name": "x" * 101, "ema_number": "12"})
    assert (response.status_code, Registration.objects.count()) == (422, 0)
    assert "The name may have at most 100 characters; this one has 101." in words(response)
    assert "The federation number should have 8 digits; please check it." in words(response)
    assert "Without consent to processing we cannot register you." in words(response)


def test_registration_asks_whether_it_is_another_person(client):
    """[INTEGRITY 7.1, case 7]"""
    tournament = make.tournament()
    add(tournament, "Avocet", city="Lund")
    typed = {**CONSENT, "name": "Avocet", "city": "Lund"}
    refused = client.post(address("register", tournament), typed)
    assert 'type="checkbox" name="is_another"' in refused.content.decode()
    assert Registration.objects.count() == 1
    client.post(address("register", tournament), {**typed, "is_another": "on"})
    assert Registration.objects.count() == 2


def test_registration_of_a_full_event_offers_the_waiting_list(client):
    tournament = make.tournament(max_players=2)
    make.players(tournament, 2)
    assert "Join the waiting list" in words(client.get(address("register", tournament)))
    client.post(address("register", tournament), {**CONSENT, "name": "Avocet"})
    assert Registration.objects.get(player__name="Avocet").status == "waiting"


def test_registration_that_is_closed_has_no_form(client):
    tournament = make.tournament()
    Tournament.objects.filter(pk=tournament.pk).update(
        registration_closes_at=timezone.now() - timedelta(hours=1)
    )
    page = client.get(address("register", tournament))
    assert "Registration is closed" in words(page)
    assert "<textarea" not in page.content.decode()
    assert 'name="name"' not in page.content.decode()


# The player's own page


def test_own_page_opens_by_its_link_only(client):
    tournament = make.tournament()
    row = add(tournament, "Avocet")
    link = link_of(row)
    assert client.get(address("own_page", tournament, link)).status_code == 200
    assert client.get(address("own_page", tournament, f"{link[:-1]}x")).status_code == 404


def test_own_page_offers_the_door_to_staff_alone(client):
    tournament = make.tournament()
    url = address("own_page", tournament, link_of(add(tournament, "Avocet")))
    assert "check this player in" not in words(client.get(url))
    client.force_login(make.user())
    assert "check this player in" not in words(client.get(url))
    client.force_login(make.staff(tournament, "scorer"))
    assert "check this player in" in words(client.get(url))


def test_own_page_offers_no_withdrawal_once_the_event_runs(client):
    tournament = make.tournament()
    row = make.players(tournament, 4)[0]
    url = address("own_page", tournament, link_of(row))
    assert "Withdraw from the event" in words(client.get(url))
    make.in_play(tournament)
    assert "Withdraw from the event" not in words(client.get(url))


def test_player_page_says_where_to_sit_now(client):
    tournament = make.tournament()
    rows = make.players(tournament, 4)
    make.in_play(tournament)
    page = words(client.get(address("player", tournament, rows[0].number)))
    assert "Now: Session 1" in page
    assert re.search(r"Table 1 . (East|South|West|North)", page)


def test_player_page_lists_the_sessions_with_their_points(client):
    protocol, tournament = played()
    east = protocol.table.seats.get(wind="E").player.registration
    page = client.get(address("player", tournament, east.number)).content.decode()
    assert '<td class="number"><span class="signed is-positive">+1</span></td>' in page
    assert f'href="{address("protocol", tournament, 1, 1)}"' in page


# Seating


def test_seating_says_that_there_is_none_yet(client):
    assert "No seating yet" in words(client.get(address("seating", make.tournament())))


def test_session_that_is_not_seated_is_not_there(client):
    tournament = make.tournament()
    assert client.get(address("session", tournament, 1)).status_code == 404


def test_seating_lists_everybody_by_name_with_table_and_wind(client):
    tournament = make.tournament()
    make.players(tournament, 8)
    session = make.seated(tournament)
    page = client.get(address("session", tournament, 1), {"by": "name"})
    shown = names_in(page, r'<span class="list-main"><a href="[^"]+">([^<]+)</a>')
    seats = {seat.player.name: seat for seat in session.seats.select_related("player", "table")}
    assert shown == sorted(seats, key=lambda name: seats[name].player.search_key)
    first = seats[shown[0]]
    assert f"{shown[0]} {first.table.number} {first.wind} {first.get_wind_display()}" in words(page)


def test_seating_shows_points_once_the_session_is_in_play(client):
    tournament = make.tournament()
    make.players(tournament, 4)
    session = make.seated(tournament)
    assert "seat-plan-points" not in client.get(address("seating", tournament)).content.decode()
    play.start_session(session, by=make.organizer_of(tournament))
    assert client.get(address("seating", tournament)).content.decode().count("seat-plan-points") == 4


def test_seating_names_those_without_a_game(client):
    tournament = make.tournament()
    make.players(tournament, 5)
    make.seated(tournament)
    assert "Without a game in this session:" in words(client.get(address("seating", tournament)))


# Protocols


def test_protocol_shows_hands_with_the_running_total(client):
    _protocol, tournament = played(hands=2)
    page = client.get(address("protocol", tournament, 1, 1)).content.decode()
    assert page.count('id="hand-') == 2
    assert '<span class="signed is-positive">+1</span><span class="running">2</span>' in page


def test_protocol_leads_to_its_neighbours(client):
    tournament = make.tournament()
    make.players(tournament, 12)
    make.in_play(tournament)
    page = client.get(address("protocol", tournament, 1, 2)).content.decode()
    assert f'rel="prev" href="{address("protocol", tournament, 1, 1)}"' in page
    assert f'rel="next" href="{address("protocol", tournament, 1, 3)}"' in page


def test_protocol_hides_a_voided_hand_and_says_that_there_was_one(client):
    protocol, tournament = played(hands=2)
    protocols.void_hand(
        protocol,
        number=2,
        intent=make.intent(protocol),
        by=make.referee_of(tournament),
        reason="It was another table.",
    )
    page = client.get(address("protocol", tournament, 1, 1))
    assert page.content.decode().count('id="hand-') == 1
    assert "the history keeps both values" in words(page)


def test_protocol_of_a_session_withdrawn_is_gone(client):
    tournament = make.tournament()
    make.players(tournament, 4)
    session = make.seated(tournament)
    assert client.get(address("protocol", tournament, 1, 1)).status_code == 200
    play.withdraw_seating(session, by=make.organizer_of(tournament), reason="The wrong list was used.")
    assert client.get(address("protocol", tournament, 1, 1)).status_code == 404


# Standings


def names_standing(client, tournament, **query):
    page = client.get(address("standings", tournament), query)
    return names_in(page, r'<span class="who"><a href="[^"]+">([^<]+)</a>')


def test_standings_before_the_first_session_say_what_will_come(client):
    tournament = make.tournament()
    make.players(tournament, 4)
    recompute.recompute(tournament.pk)
    assert "No results yet" in words(client.get(address("standings", tournament)))


def test_standings_are_in_order_provisional_and_lead_to_protocols(client):
    protocol, tournament = played()
    winner = protocol.table.seats.get(wind="E").player.name
    loser = protocol.table.seats.get(wind="S").player.name
    shown = names_standing(client, tournament)
    page = client.get(address("standings", tournament))
    assert (shown[0], shown[-1]) == (winner, loser)
    assert "Provisional" in words(page)
    assert f'href="{address("protocol", tournament, 1, 1)}"' in page.content.decode()


def test_standings_sort_by_a_column_and_back(client):
    _protocol, tournament = played()
    best = names_standing(client, tournament, sort="-game_points")
    worst = names_standing(client, tournament, sort="game_points")
    assert (best[0], best[-1]) == (worst[-1], worst[0])


@pytest.mark.parametrize("sort", ["password", "values__game_points", "-", "name__x"])
def test_standings_refuse_a_column_that_is_not_theirs(client, sort):
    """[INTEGRITY 146]"""
    _protocol, tournament = played()
    assert client.get(address("standings", tournament), {"sort": sort}).status_code == 422


def test_standings_are_narrowed_by_country_club_and_name(client):
    tournament = make.tournament()
    add(tournament, "Avocet", country="SE", club="Lund")
    add(tournament, "Bunting", country="SE", club="Malmö")
    add(tournament, "Crane", country="GB", club="Lund")
    add(tournament, "Dunlin", country="GB", club="York")
    make.in_play(tournament)
    recompute.recompute(tournament.pk)
    assert set(names_standing(client, tournament, country="SE")) == {"Avocet", "Bunting"}
    assert names_standing(client, tournament, country="SE", club="Lund") == ["Avocet"]
    assert names_standing(client, tournament, q="cra") == ["Crane"]
    nobody = client.get(address("standings", tournament), {"q": "zzz"})
    assert "No matches." in words(nobody)


def test_standings_show_the_next_revision_at_once(client):
    """What was drawn for an earlier revision is never shown for a later one."""
    protocol, tournament = played()
    before = client.get(address("standings", tournament)).content.decode()
    make.record(protocol)
    recompute.recompute(tournament.pk)
    after = client.get(address("standings", tournament)).content.decode()
    assert before != after
    assert '<span class="signed is-positive">+2</span>' in after


def test_standings_escape_what_people_wrote(client):
    tournament = make.tournament()
    add(tournament, "O'Connor", club='<b onclick="x">')
    make.players(tournament, 3)
    make.in_play(tournament)
    recompute.recompute(tournament.pk)
    page = client.get(address("standings", tournament)).content.decode()
    assert "<b onclick" not in page
    assert "&lt;b onclick" in page


# The screen of the hall


@pytest.mark.parametrize(
    ("tables", "screens"),
    [
        pytest.param(0, [], id="none"),
        pytest.param(1, [(1, 1)], id="one"),
        pytest.param(4, [(4, 2)], id="four"),
        pytest.param(6, [(4, 2), (2, 2)], id="six"),
        pytest.param(24, [(4, 2)] * 6, id="twenty-four"),
    ],
)
def test_hall_shares_tables_out_over_screens(tables, screens):
    found = [(len(page.items), page.columns) for page in _of_tables(range(tables))]
    assert found == screens


@pytest.mark.parametrize(
    ("rows", "screens"),
    [
        pytest.param(8, [8], id="one screen"),
        pytest.param(18, [8, 8, 2], id="three screens"),
    ],
)
def test_hall_shares_standings_out_over_screens(rows, screens):
    found = [len(page.items) for page in _of_rows(range(rows))]
    assert found == screens


def test_hall_shows_seats_until_the_session_is_closed(client):
    protocol, tournament = played()
    assert 'data-part="seating"' in client.get(address("hall", tournament)).content.decode()
    session = protocol.table.session
    make.settle(session)
    play.close_session(session, by=make.organizer_of(tournament))
    recompute.recompute(tournament.pk)
    page = client.get(address("hall", tournament)).content.decode()
    assert 'data-part="seating"' not in page
    assert 'data-part="standings"' in page


def test_every_protocol_of_a_session_has_its_page(client):
    tournament = make.tournament()
    make.players(tournament, 8)
    make.in_play(tournament)
    for row in Protocol.objects.select_related("table"):
        assert client.get(address("protocol", tournament, 1, row.table.number)).status_code == 200


def test_protocol_names_a_limit_in_the_readers_language(client):
    protocol = make.protocol("riichi_ema")
    by_hand = {"type": "win", "from": "S", "winners": [{"seat": "E", "limit": "haneman"}]}
    make.record(protocol, {"events": [by_hand]})
    url = address("protocol", protocol.table.session.tournament, 1, 1)
    assert "off" in words(client.get(url))
    assert "ханеман." in words(client.get(url, headers={"Accept-Language": "ru"}))


def test_entry_fee_has_the_readers_decimal_mark(client):
    url = address("event", make.tournament(entry_fee="1500.50"))
    assert "1500.50" in words(client.get(url))
    russian = words(client.get(url, headers={"Accept-Language": "ru"}))
    assert "1500,50" in russian
    assert "1500.50" not in russian


def test_player_page_names_no_table_where_there_was_no_game(client):
    tournament = make.tournament("riichi_ema")
    make.players(tournament, 5)
    resting = make.seated_short(tournament).seats.get(table__protocol=None).player.registration
    page = words(client.get(address("player", tournament, resting.number)))
    assert "Session Table GP Place 1 no game" in page


@pytest.mark.parametrize(
    ("preset", "facts", "said"),
    [
        ("sbr", make.east_from_south(2), "2 fans."),
        (
            "mcr",
            {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 40}]}]},
            "40 points.",
        ),
    ],
    ids=["fans double", "fans are points"],
)
def test_a_hand_is_worth_what_its_system_counts_in(client, preset, facts, said):
    protocol = make.protocol(preset)
    make.record(protocol, facts)
    session = protocol.table.session
    page = reverse("tournaments:protocol", args=[session.tournament.slug, 1, protocol.table.number])
    assert said in strip_tags(client.get(page).content.decode())
