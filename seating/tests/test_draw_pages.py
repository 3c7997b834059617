"""The draw at the desk: proposed, changed, published, set aside; and the page by which anybody checks it."""

import json
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from seating.drafts import operations
from seating.models import Draw
from tournaments.models import Protocol
from tournaments.people.operations import registration
from tournaments.tests import factories as make
from tournaments.tests.markup import tight

pytestmark = pytest.mark.django_db


def words(response):
    """The text of a page, in one line."""
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def address(name, of, *args):
    return reverse(f"seating:{name}", args=[of.slug, *args])


@pytest.fixture
def event(client):
    """An event of eight players whose organizer is at the desk."""
    tournament = make.tournament()
    make.players(tournament, 8)
    client.force_login(tournament.created_by)
    return tournament


def draft_of(client, event, seed="42"):
    client.post(address("draw", event), {"seed": seed, "mode": "random"})
    return Draw.objects.get(state="draft")


def test_draw_without_players_says_where_to_begin(client):
    tournament = make.tournament()
    client.force_login(tournament.created_by)
    assert "There is nobody to seat" in words(client.get(address("draw", tournament)))


def test_draw_says_whom_it_would_seat(client, event):
    url = address("draw", event)
    assert "Nobody is checked in, so everybody on the list is seated." in words(client.get(url))
    registration.check_in(event.registrations.first(), by=make.organizer_of(event))
    page = words(client.get(url))
    assert "Players: 1. Not checked in and without a seat: 7." in page
    assert "At least 4 players are needed." in page


def test_the_desk_leads_to_a_draft_instead_of_drawing_again(client, event):
    desk = reverse("tournaments:desk", args=[event.slug])
    draft_of(client, event)
    page = words(client.get(desk))
    assert "Session 1 is drawn, and nobody sees it yet" in page
    assert "Look at the draft" in page
    assert "Draw session 1" not in page
    operations.discard(Draw.objects.get(state="draft"), by=make.organizer_of(event))
    assert "check in the players who come" in words(client.get(desk))


def test_the_desk_says_that_a_session_is_being_drawn(client, event):
    draft_of(client, event)
    Draw.objects.update(state="running")
    page = words(client.get(reverse("tournaments:desk", args=[event.slug])))
    assert "Session 1 is being drawn." in page
    assert "See how far the draw is" in page


def test_a_draft_of_another_draw_is_named_beside_what_comes_next(client, event):
    make.seated(event)
    client.post(address("redraw", event), {"seed": "43", "mode": "random", "reason": "Two came in late."})
    assert Draw.objects.get(state="draft").inputs["replaces"]
    page = words(client.get(reverse("tournaments:desk", args=[event.slug])))
    assert "Start session 1" in page
    assert "A draft of a draw waits to be published (sessions: 1). To the draw" in page


def test_draft_is_shown_to_the_desk_and_to_nobody_else(client, event):
    draft_of(client, event)
    page = client.get(address("draw", event))
    assert "Until it is published nobody sees the draw." in words(page)
    assert len(re.findall(r'data-swap="\d+"', page.content.decode())) == 8
    client.logout()
    assert client.get(reverse("tournaments:session", args=[event.slug, 1])).status_code == 404
    assert "No seating yet" in words(client.get(reverse("tournaments:seating", args=[event.slug])))


def test_seed_that_is_too_long_is_refused_and_kept(client, event):
    response = client.post(address("draw", event), {"seed": "7" * 101, "mode": "random"})
    assert response.status_code == 422
    assert f'value="{"7" * 101}"' in response.content.decode()
    assert not Draw.objects.exists()


def test_the_same_seed_draws_the_same_tables(client, event):
    first = draft_of(client, event, "four winds").plan
    assert draft_of(client, event, "four winds").plan == first


def test_swap_exchanges_two_players_and_is_counted(client, event):
    draft = draft_of(client, event)
    one, other = draft.plan["1"]["tables"][0][0], draft.plan["1"]["tables"][1][2]
    page = client.post(
        address("swap", event, draft.pk), {"first": one, "second": other, "key": uuid4().hex}, follow=True
    )
    draft.refresh_from_db()
    tables = draft.plan["1"]["tables"]
    assert (tables[0][0], tables[1][2]) == (other, one)
    assert "1 change by hand" in words(page)


def key_in(client, event, action):
    """Read the key of the form that leads to the address."""
    page = client.get(address("draw", event)).content.decode()
    form = page.partition(f'action="{action}"')[2].partition("</form>")[0]
    return re.search(r'name="key" value="(\w+)"', form).group(1)


def test_swap_pressed_twice_swaps_once_and_answers_the_same(client, event):
    draft = draft_of(client, event)
    one, other = draft.plan["1"]["tables"][0][0], draft.plan["1"]["tables"][1][2]
    url = address("swap", event, draft.pk)
    chosen = {"first": one, "second": other, "session": "1", "key": key_in(client, event, url)}
    pages = [words(client.post(url, chosen, follow=True)) for _press in range(2)]
    assert ["The two have changed places." in page for page in pages] == [True, True]
    draft.refresh_from_db()
    assert [edit["swap"] for edit in draft.edits] == [[one, other]]
    client.post(url, chosen | {"key": key_in(client, event, url)})
    draft.refresh_from_db()
    assert len(draft.edits) == 2


def test_lock_pressed_twice_leaves_the_seat_locked(client, event):
    draft = draft_of(client, event)
    who, url = draft.plan["1"]["tables"][0][0], address("pin", event, draft.pk)
    chosen = {"who": who, "session": "1", "key": key_in(client, event, url)}
    for _press in range(2):
        assert client.post(url, chosen).status_code == 302
    draft.refresh_from_db()
    assert [lock[1] for lock in draft.pins] == [who]
    client.post(url, chosen | {"key": key_in(client, event, url)})
    draft.refresh_from_db()
    assert draft.pins == []


def test_undo_pressed_twice_takes_back_one_change(client, event):
    draft = draft_of(client, event)
    tables, url = draft.plan["1"]["tables"], address("undo", event, draft.pk)
    for number in range(2):
        chosen = {"first": tables[0][number], "second": tables[1][number], "key": uuid4().hex}
        client.post(address("swap", event, draft.pk), chosen)
    pressed = {"session": "1", "key": key_in(client, event, url)}
    for _press in range(2):
        assert client.post(url, pressed).status_code == 302
    draft.refresh_from_db()
    assert [edit["swap"] for edit in draft.edits] == [[tables[0][0], tables[1][0]]]


@pytest.mark.parametrize("key", ["", "short"])
def test_a_change_of_the_draft_without_a_key_is_refused(client, event, key):
    draft = draft_of(client, event)
    one, other = draft.plan["1"]["tables"][0][0], draft.plan["1"]["tables"][1][2]
    client.post(address("swap", event, draft.pk), {"first": one, "second": other, "key": key})
    client.post(address("pin", event, draft.pk), {"who": one, "key": key})
    draft.refresh_from_db()
    assert (draft.edits, draft.pins) == ([], [])


@pytest.mark.parametrize("second", ["same", "99", "", "x"])
def test_swap_with_nobody_changes_nothing(client, event, second):
    draft = draft_of(client, event)
    first = str(draft.plan["1"]["tables"][0][0])
    chosen = {"first": first, "second": first if second == "same" else second, "key": uuid4().hex}
    response = client.post(address("swap", event, draft.pk), chosen, follow=True)
    assert "flash-error" in response.content.decode()
    assert Draw.objects.get(pk=draft.pk).plan == draft.plan


def test_publishing_makes_the_seating_public(client, event):
    draft = draft_of(client, event)
    client.post(address("publish", event, draft.pk))
    client.logout()
    page = client.get(reverse("tournaments:seating", args=[event.slug]))
    assert page.content.decode().count('class="seat-plan"') == 2


def test_publishing_is_refused_when_the_list_has_changed(client, event):
    draft = draft_of(client, event)
    registration.register_player(event, registration.Details(name="Avocet"), by=make.organizer_of(event))
    response = client.post(address("publish", event, draft.pk), follow=True)
    assert "The list of players has changed since this draw was made; draw again." in words(response)
    assert not event.sessions.get(number=1).is_published


def test_draft_set_aside_stays_on_record(client, event):
    draft = draft_of(client, event, "set aside")
    page = client.post(address("discard", event, draft.pk), follow=True)
    assert Draw.objects.get().state == "discarded"
    assert "set aside" in words(page)


def test_all_sessions_seated_leads_to_the_sessions(client, event):
    for number in (1, 2):
        make.seated(event, number)
    assert "All sessions are seated" in words(client.get(address("draw", event)))


def test_proof_gives_a_stranger_all_that_is_needed(client, event):
    draft = draft_of(client, event, "2026")
    client.post(address("publish", event, draft.pk))
    client.logout()
    page = client.get(address("proof", event, 1)).content.decode()
    face = json.loads(re.search(r'id="draw-face" type="application/json">(.+?)</script>', page)[1])
    assert face["seed"] == "2026"
    assert face["numbers"] == list(range(1, 9))
    assert face["plan"]["1"]["tables"] == draft.plan["1"]["tables"]


def test_proof_of_a_session_not_drawn_is_not_there(client, event):
    assert client.get(address("proof", event, 1)).status_code == 404


@pytest.mark.parametrize("page", ["draw", "proof"])
def test_draw_page_asks_as_often_for_twelve_players_as_for_four(client, page):
    counts = []
    for number in (4, 12):
        tournament = make.tournament()
        make.players(tournament, number)
        client.force_login(tournament.created_by)
        draft = draft_of(client, tournament)
        if page == "proof":
            client.post(address("publish", tournament, draft.pk))
        url = address(page, tournament, *([1] if page == "proof" else []))
        assert client.get(url).status_code == 200
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        counts.append(len(captured))
        Draw.objects.filter(state="draft").update(state="discarded")
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"mode": "random"}, "Chance alone decides who meets whom; meetings can be repeated."),
        ({"mode": "fixed"}, "Sessions 1 to 2 are drawn at once."),
        ({"mode": "fixed"}, "Sessions possible without a repeated meeting: at most 1; this makes 2."),
        (
            {"mode": "fixed", "no_repeats": "on"},
            "Sessions in which nobody meets anybody twice, with 8 players: at most 1.",
        ),
        ({"mode": "fixed", "winds": "cards"}, "Each table draws its winds with cards"),
        ({"mode": "programmed"}, "Session 1 is drawn."),
        ({"mode": "swiss", "swiss_mode": "strict"}, "There are no standings yet"),
        ({"mode": "swiss", "swiss_mode": "balanced"}, "There are no standings yet"),
        (
            {"mode": "random", "lock_player": "1", "lock_table": "9", "lock_wind": ""},
            "Table numbers run from 1 to 2.",
        ),
    ],
)
def test_wishes_say_what_they_come_to_before_anything_is_drawn(client, event, wishes, sentence):
    """[INTEGRITY 55] [INTEGRITY 57]"""
    told = words(client.get(address("foreseen", event), wishes))
    assert sentence in told
    assert "the table of the leaders" not in told, "there are no leaders yet"
    assert not Draw.objects.exists()


def test_looking_at_the_wishes_draws_nothing(client, event):
    page = words(client.post(address("draw", event), {"mode": "fixed", "look": "1"}))
    assert "Sessions 1 to 2 are drawn at once." in page
    assert not Draw.objects.exists()


def test_a_remainder_offers_substitutes_first_and_says_what_else(client):
    """[SBR 3.1.3] [SBR 3.1.4]"""
    tournament = make.tournament()
    make.players(tournament, 7)
    client.force_login(tournament.created_by)
    page = words(client.get(address("draw", tournament)))
    assert "Full tables: 1. Players at one incomplete table in each session: 3." in page
    assert "Those who fill no table They play at one incomplete table; its places bring 4/3/2 TP." in page
    registration.name_substitute(
        tournament, registration.Details(name="Ruff"), by=make.organizer_of(tournament)
    )
    page = words(client.get(address("draw", tournament)))
    assert "Substitutes fill the incomplete table: Ruff. They have no standing." in page
    assert "Substitutes who fill up the tables: 1. They have no standing." in page
    client.post(address("draw", tournament), {"mode": "random", "leftover": "substitutes"})
    assert None not in Draw.objects.get().plan["1"]["tables"][1]


def running_draw(event):
    sessions = list(event.sessions.order_by("number"))
    for session in sessions:
        session.tournament = event
    return operations.propose(event, sessions, mode="fixed", by=make.organizer_of(event), seed="long")


def test_a_long_draw_shows_how_far_it_is_and_can_be_given_up(client, event):
    draw = running_draw(event)
    Draw.objects.filter(pk=draw.pk).update(progress=37)
    page = client.get(address("draw", event)).content.decode()
    assert '<progress value="37" max="100"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    said = client.get(address("progress", event, draw.pk)).json()
    assert said == {"state": "running", "percent": 37}
    client.post(address("cancel", event, draw.pk))
    assert Draw.objects.get().state == "cancelled"


def test_an_impossible_draw_says_why_where_it_was_asked_for(client, event):
    draw = running_draw(event)
    problem = {"code": "x", "sentence": "At least 4 players are needed.", "details": {}}
    Draw.objects.filter(pk=draw.pk).update(state="failed", problems=[problem])
    page = words(client.get(address("draw", event)))
    assert "The last draw was not possible. At least 4 players are needed." in page


@pytest.mark.parametrize(
    ("show", "sentence"),
    [
        ("tables", "To swap two players"),
        ("meetings", "Pairs that meet 2 times"),
        ("players", "Table and wind in each session"),
    ],
)
def test_a_draft_is_looked_at_from_all_sides(client, event, show, sentence):
    operations.run_draw(running_draw(event).pk)
    page = words(client.get(address("draw", event), {"show": show, "session": "2"}))
    assert "Nobody is left over or at an incomplete table twice." in page
    assert sentence in page


def test_beyond_sixty_four_players_meetings_are_summed_up(client):
    tournament = make.tournament()
    make.players(tournament, 68)
    client.force_login(tournament.created_by)
    draft_of(client, tournament)
    page = client.get(address("draw", tournament), {"show": "meetings"})
    assert "cannot be read any more" in words(page)
    assert 'class="matrix"' not in page.content.decode()


def test_a_seat_is_locked_and_the_lock_seen(client, event):
    draft = draft_of(client, event)
    who = draft.plan["1"]["tables"][0][0]
    chosen = {"who": who, "session": "1", "key": uuid4().hex}
    page = client.post(address("pin", event, draft.pk), chosen, follow=True)
    assert "is-pinned" in page.content.decode()
    page = client.post(address("draw", event), {"mode": "random", "seed": "9"}, follow=True)
    assert Draw.objects.get(state="draft").plan["1"]["tables"][0][0] == who


def test_two_proposals_stand_side_by_side_and_the_other_is_taken_up(client, event):
    first = draft_of(client, event, "a")
    second = draft_of(client, event, "b")
    page = client.get(address("compare", event), {"one": second.pk, "other": first.pk})
    assert page.content.decode().count('class="table drawn ') == 2
    client.post(address("take_up", event, first.pk))
    assert {draw.seed: draw.state for draw in Draw.objects.all()} == {"a": "draft", "b": "discarded"}


def test_a_pasted_plan_comes_back_with_all_its_faults_and_nothing_lost(client, event):
    text = "1 2 3 4\n4 6 7 99"
    response = client.post(address("paste", event), {"text": text})
    page = words(response)
    assert response.status_code == 422
    assert "is already at table 1." in page
    assert "99 is not among the players." in page
    assert text in response.content.decode()
    client.post(address("paste", event), {"text": "1 2 3 4\n5 6 7 8"})
    assert Draw.objects.get().mode == "manual"


@pytest.mark.parametrize("seed", ["7" * 101, "two\nlines", "a\u2028b"])
def test_a_seed_that_cannot_be_one_is_refused(client, event, seed):
    """[INTEGRITY 64]"""
    assert client.post(address("draw", event), {"seed": seed, "mode": "random"}).status_code == 422
    assert not Draw.objects.exists()


def test_rows_of_pairs_and_locks_are_read_and_kept_when_wrong(client, event):
    wishes = {"mode": "random", "pair_first": ["1", ""], "pair_second": ["2", ""]}
    client.post(address("draw", event), wishes)
    assert Draw.objects.get().settings["must_not_meet"] == [[1, 2]]
    wrong = {"mode": "random", "lock_player": "3", "lock_table": "x", "lock_wind": ""}
    response = client.post(address("draw", event), wrong)
    assert response.status_code == 422
    assert 'value="x"' in response.content.decode()


def test_wishes_about_who_has_gone_are_forgotten(client, event):
    """Drawn anew after a withdrawal, a pair and a lock of the withdrawn player stand in nobody's way."""
    wishes = {
        "mode": "random",
        "pair_first": ["1", "3"],
        "pair_second": ["2", "4"],
        "lock_player": ["1", "5"],
        "lock_table": ["1", "2"],
        "lock_wind": ["", ""],
    }
    client.post(address("draw", event), wishes)
    draw = operations.run_draw(Draw.objects.get().pk)
    operations.pin(draw, 1, session=1, by=make.organizer_of(event), key=uuid4().hex)
    registration.withdraw(event.registrations.get(number=1), by=make.organizer_of(event))
    response = client.get(address("draw", event) + "?anew")
    form = response.context["form"]
    assert [row for row in form.pair_rows if any(row)] == [["3", "4"]]
    assert [row for row in form.lock_rows if any(row)] == [["5", "2", ""]]
    assert "is not among the players" not in words(response)
    again = {"mode": "random", "pair_first": "3", "pair_second": "4"}
    assert client.post(address("draw", event), again).status_code == 302
    assert Draw.objects.first().settings["locks"] == []


def test_the_consequences_name_people_and_leave_the_rows_open(client, event):
    wishes = {"mode": "random", "pair_first": "2", "pair_second": "2"}
    response = client.post(address("draw", event), wishes)
    name = str(event.registrations.get(number=2).player)
    assert response.status_code == 422
    assert words(response).count(f"{name} cannot be kept apart from themselves.") == 2
    assert response.context["form"].has_pairs


def test_what_is_wrong_in_every_session_is_said_once(client, event):
    wishes = {
        "mode": "fixed",
        "lock_player": ["1", "2"],
        "lock_table": ["1", "1"],
        "lock_wind": ["0", "0"],
    }
    response = client.post(address("draw", event), wishes)
    assert response.status_code == 422
    errors = response.context["form"].non_field_errors()
    assert errors == ["Session 1: 2 players are locked to one seat of table 1."]


def test_pairs_that_must_not_meet_stay_at_the_desk(client, event):
    client.post(address("draw", event), {"mode": "random", "pair_first": "1", "pair_second": "2"})
    operations.publish(operations.run_draw(Draw.objects.get().pk), by=make.organizer_of(event))
    client.logout()
    page = client.get(address("proof", event, 1)).content.decode()
    assert "must_not_meet" not in page
    assert "must not meet" not in page


def test_a_promised_secret_is_public_only_with_the_result(client, event):
    client.post(address("commit", event))
    promise = event.commitments.get()
    public = client.get(address("draws", event)).content.decode()
    assert promise.digest in public
    assert promise.secret not in public
    assert promise.secret not in client.get(address("draw", event)).content.decode()
    draft = draft_of(client, event, "271828")
    client.post(address("publish", event, draft.pk))
    client.logout()
    page = client.get(address("proof", event, 1)).content.decode()
    assert promise.secret in page
    assert "271828" in page


def test_every_proposal_that_was_made_is_seen_by_a_stranger(client, event):
    draft_of(client, event, "first try")
    client.post(address("publish", event, draft_of(client, event, "second try").pk))
    client.logout()
    page = words(client.get(address("proof", event, 1)))
    assert "first try" in page
    assert "All proposals that were made" in page


def test_a_change_after_publication_needs_a_reason_and_is_announced(client, event):
    session = make.seated(event)
    one, other = (session.seats.get(table__number=n, wind="E").player.registration.number for n in (1, 2))
    url = address("change", event, 1)
    without = client.post(url, {"first": one, "second": other, "reason": ""})
    assert without.status_code == 422
    client.post(url, {"first": one, "second": other, "reason": "Weak sight"})
    client.logout()
    page = words(client.get(reverse("tournaments:session", args=[event.slug, 1])))
    assert "The seating has changed since it was published." in page
    assert "Reason: Weak sight" in page


def test_a_table_that_has_begun_is_left_alone(client, event):
    """[INTEGRITY 61]"""
    session = make.in_play(event)
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )
    make.record(protocol)
    one, other = (session.seats.get(table__number=n, wind="E").player.registration.number for n in (1, 2))
    url = address("change", event, 1)
    page = client.post(url, {"first": one, "second": other, "reason": "Weak sight"})
    assert "Table 1 has started; use “wrong seats” with the referee." in words(page)


def test_the_desk_says_who_has_gone_and_offers_ways_out_in_their_order(client, event):
    make.seated(event)
    row = event.registrations.get(number=3)
    registration.withdraw(row, by=make.organizer_of(event))
    page = words(client.get(address("draw", event)))
    assert f"Gone, but still seated: {row.player}" in page
    ways = ["Let a substitute play", "Keep the tables", "Redraw the remaining sessions"]
    assert [page.index(way) for way in ways] == sorted(page.index(way) for way in ways)
    client.post(address("repair", event), {"reason": "One is ill today"})
    draft = Draw.objects.get(state="draft")
    assert draft.mode == "manual"
    client.post(address("publish", event, draft.pk))
    assert not event.sessions.get(number=1).seats.filter(player=row.player).exists()


@pytest.mark.parametrize("what", ["names", "tables", "sessions", "cards", "nonsense"])
def test_everything_goes_on_paper(client, event, what):
    make.seated(event, 1)
    make.seated(event, 2)
    page = words(client.get(address("prints", event), {"what": what}))
    assert all(row.player.name in page for row in event.registrations.select_related("player"))


@pytest.mark.parametrize(("sessions", "is_wide"), [(10, False), (11, True)])
def test_more_sessions_than_upright_paper_holds_lie_on_wide_paper(client, sessions, is_wide):
    event = make.tournament(sessions=sessions)
    make.players(event, 4)
    client.force_login(event.created_by)
    for number in range(1, sessions + 1):
        make.seated(event, number)
    page = client.get(address("prints", event), {"what": "names"}).content.decode()
    assert ("sheet-wide" in page) is is_wide


def test_winds_from_cards_are_written_down_by_table(client, event):
    session = make.seated(event)
    before = dict(session.seats.filter(table__number=1).values_list("wind", "player_id"))
    drawn = {f"drawn_{before[wind]}": other for wind, other in zip("ESWN", "SEWN", strict=True)}
    page = client.get(address("winds", event, 1)).content.decode()
    assert all(f'name="{name}"' in page for name in drawn)
    for _ in range(2):  # sent again after an answer that never came
        client.post(address("winds", event, 1), {"table": "1", **drawn})
    after = dict(session.seats.filter(table__number=1).values_list("wind", "player_id"))
    assert (after["S"], after["E"]) == (before["E"], before["S"])
    page = client.post(address("winds", event, 1), {"table": "7", **drawn}, follow=True)
    assert "There is no such table in this session." in words(page)


def test_paper_names_who_has_no_game(client):
    """Whoever looks for a name on the wall finds it."""
    tournament = make.tournament(smallest_table=4)
    make.players(tournament, 5)
    client.force_login(tournament.created_by)
    session = make.seated_short(tournament)
    resting = session.seats.get(table__protocol=None).player.name
    page = tight(client.get(address("prints", tournament)))
    assert f'<tr><th scope="row">{resting}</th><td class="seat-cell">—</td></tr>' in page


def test_who_was_short_is_not_drawn_short_again_and_the_proof_says_so(client):
    """Nine players: the second session leaves somebody else without a game, and the list is public. [RULES 8.33]"""
    event = make.tournament(sessions=2)
    make.players(event, 9)
    client.force_login(event.created_by)
    for session in (1, 2):
        page = words(client.get(address("draw", event)))
        assert "Nobody need be left over or at an incomplete table twice." in page
        # the seed is one by which a draw that forgets leaves the same player without a game
        draft = draft_of(client, event, seed="x")
        client.post(address("publish", event, draft.pk))
        draft.refresh_from_db()
        assert (draft.state, draft.plan[str(session)]["off"]) == ("published", [4] if session == 1 else [1])
    page = words(client.get(address("proof", event, 2)))
    assert "four-winds/2" in page
    assert "Left over or at an incomplete table before 4" in page
