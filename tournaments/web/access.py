"""Who may do what: one table of capabilities and roles, and one decorator by which every page asks it."""

import functools
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast, overload
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from scoring.terms import speak
from tournaments.models import Device, Player, Registration, Role, Session, Table, Tournament
from tournaments.record.actors import ANYONE, Actor, ActorKind, device_actor, digest_of
from tournaments.record.limits import Rate
from tournaments.record.refusal import refuse
from tournaments.table_numbers import count_from, shown_number
from tournaments.web.callers import spend_reading
from tournaments.web.requests import AccountView, DjangoView, Request, View, with_actor

MOST_GIVEN_BACK = 500
SAFE = frozenset({"GET", "HEAD"})
SECRETS = frozenset({"link", "code"})
"""Parts of an address that open it: a player's private link, the code that a tablet shows."""
ANYBODY = "anyone"
SIGNED_IN = "signed_in"
PLAYER = "player"
DEVICE = ActorKind.DEVICE.value
OPERATOR = "operator"
ORGANIZER = Role.Kind.ORGANIZER.value
CHIEF_REFEREE = Role.Kind.CHIEF_REFEREE.value
REFEREE = Role.Kind.REFEREE.value
SCORER = Role.Kind.SCORER.value
COMMITTEE = Role.Kind.COMMITTEE.value

STAFF = frozenset(Role.Kind.values)
EVERYBODY = STAFF | {ANYBODY, SIGNED_IN, PLAYER, DEVICE, OPERATOR}

CAPABILITIES: Mapping[str, frozenset[str]] = {
    # for everybody: what a tournament shows once it is announced
    "look": EVERYBODY,
    "register": EVERYBODY,
    # for everybody with an account
    "create_tournament": STAFF | {SIGNED_IN},
    "own_account": STAFF | {SIGNED_IN},
    # for whoever runs the site: accounts, events and persons, never a score
    "operate_site": frozenset({OPERATOR}),
    # by private link
    "own_page": frozenset({PLAYER}),
    # the organizer's desk
    "see_desk": STAFF,
    "change_tournament": frozenset({ORGANIZER}),
    "grant_roles": frozenset({ORGANIZER}),
    "manage_people": frozenset({ORGANIZER, CHIEF_REFEREE}),
    "check_in": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE, SCORER}),
    "draw": frozenset({ORGANIZER, CHIEF_REFEREE}),
    "run_sessions": frozenset({ORGANIZER, CHIEF_REFEREE}),
    "admit_devices": frozenset({ORGANIZER, CHIEF_REFEREE}),
    "close_tournament": frozenset({ORGANIZER}),
    "see_history": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE, COMMITTEE}),
    # the table
    "open_tablet": EVERYBODY,
    "record_hands": frozenset({DEVICE, SCORER, REFEREE, CHIEF_REFEREE, ORGANIZER}),
    "see_tables": frozenset({DEVICE, SCORER, REFEREE, CHIEF_REFEREE, ORGANIZER}),
    # judgement
    "correct_hands": frozenset({REFEREE, CHIEF_REFEREE}),
    "judge": frozenset({REFEREE, CHIEF_REFEREE}),
    "give_penalties": frozenset({REFEREE, CHIEF_REFEREE, COMMITTEE}),
    "see_judging": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE, COMMITTEE}),
    "approve_penalties": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE, COMMITTEE}),
    "seat_substitutes": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE}),
    "adjust": frozenset({CHIEF_REFEREE}),
    "take_appeals": frozenset({ORGANIZER, CHIEF_REFEREE, REFEREE, COMMITTEE}),
    "rule_appeals": frozenset({CHIEF_REFEREE, COMMITTEE}),
}


@dataclass(frozen=True)
class Access:
    """The row of one address: what it takes, which methods it answers, how often it may be read.

    Of a page that is shared every stranger gets the same bytes (`config/server/page_cache.py`). One that keeps the freeze tells
    no result of the sessions after it; every other is closed to strangers while standings are frozen. [RULES 9.15]
    """

    capability: str
    methods: tuple[str, ...]
    is_api: bool
    reading: Rate | None = None
    is_shared: bool = False
    keeps_freeze: bool = False


class Guarded(DjangoView, Protocol):
    """A view behind the access table."""

    access: Access


ForAccounts = Literal["create_tournament", "own_account", "operate_site"]
"""Capabilities that nobody has without being signed in; their views may rely on the account."""


@overload
def page(
    capability: ForAccounts, *, methods: tuple[str, ...] = ("GET",), reading: Rate | None = None
) -> Callable[[AccountView], Guarded]: ...


@overload
def page(
    capability: str,
    *,
    methods: tuple[str, ...] = ("GET",),
    reading: Rate | None = None,
    is_shared: bool = False,
    keeps_freeze: bool = False,
) -> Callable[[View], Guarded]: ...


def page(
    capability: str,
    *,
    methods: tuple[str, ...] = ("GET",),
    reading: Rate | None = None,
    is_shared: bool = False,
    keeps_freeze: bool = False,
) -> Callable[[AccountView], Guarded] | Callable[[View], Guarded]:
    """Open a page to everybody with the capability: find tournament, session and table, refuse everybody else."""
    return _guarded(
        Access(
            capability, methods, is_api=False, reading=reading, is_shared=is_shared, keeps_freeze=keeps_freeze
        )
    )


def api(
    capability: str,
    *,
    methods: tuple[str, ...] = ("POST",),
    reading: Rate | None = None,
    keeps_freeze: bool = False,
) -> Callable[[View], Guarded]:
    """Open an address to programs in the same way: no redirects, no forms."""
    return _guarded(Access(capability, methods, is_api=True, reading=reading, keeps_freeze=keeps_freeze))


def _guarded(access: Access) -> Callable[[View], Guarded]:
    if access.capability not in CAPABILITIES:
        raise KeyError(access.capability)
    allowed = [*access.methods, *(["HEAD"] if "GET" in access.methods else [])]

    def decorate(view: View) -> Guarded:
        @functools.wraps(view)
        def guarded(plain: HttpRequest, **kwargs: Any) -> HttpResponse:
            if plain.method not in allowed:
                return HttpResponseNotAllowed(allowed)
            request, found = _find(plain, kwargs)
            if "tournament" in found:
                speak(SYSTEMS[found["tournament"].system].terms)
                count_from(found["tournament"].first_table)
            if not access.is_api and "tournament" in found:
                _speak_its_language(plain, found["tournament"])
            turned_away = _turn_away(request, access, found.get("tournament"), found)
            _keep_frozen(request, access, found)
            if access.reading is not None and request.method in SAFE:
                spend_reading(request, access.reading)
            by_link = bool(SECRETS & set(kwargs))
            return _kept_private(turned_away or view(request, **found), access, by_link=by_link)

        opened = cast(Guarded, guarded)  # a function; the next line gives it what makes it one
        opened.access = access
        return opened

    return decorate


def _speak_its_language(request: HttpRequest, tournament: Tournament) -> None:
    """Speak the event's own language to whoever says nothing of theirs: programs that make previews of links, search engines."""
    if settings.LANGUAGE_COOKIE_NAME in request.COOKIES or request.headers.get("Accept-Language"):
        return
    translation.activate(tournament.own_language)
    request.LANGUAGE_CODE = tournament.own_language


def _kept_private(response: HttpResponse, access: Access, *, by_link: bool) -> HttpResponse:
    """Forbid browsers to store a page that a secret link opens or that shows how to reach people.

    The site's referrer policy stays: with none at all a browser hides where a form comes from, and it is refused.
    """
    if by_link:
        response["X-Robots-Tag"] = "noindex"
    if by_link or access.capability in {"manage_people", "operate_site", "own_account"}:
        add_never_cache_headers(response)
    return response


def _find(request: HttpRequest, kwargs: dict[str, Any]) -> tuple[Request, dict[str, Any]]:
    """Replace slug, session, table and link of the address by what they name, and note who asks.

    404 when they name nothing.
    """
    found = dict(kwargs)
    if "slug" not in found:
        return with_actor(request, _signed_in(request)), found
    found |= _named(found.pop("slug"), found)
    tournament = found["tournament"]
    if "link" in found:
        found["registration"] = _registration_of(tournament, found.pop("link"))
        player = found["registration"].player_id
        actor = Actor(ActorKind.PLAYER, player, frozenset({PLAYER}), player_ids=frozenset({player}))
    else:
        actor = actor_of(request, tournament)
    return with_actor(request, actor), found


def _named(slug: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tournament, session and table that an address names, in one query."""
    if "table" in named:
        table = _get(
            Table.objects.select_related("session__tournament", "protocol"),
            session__tournament__slug=slug,
            session__number=_small(named["session"]),
            number=_small(named["table"]),
        )
        return {"tournament": table.session.tournament, "session": table.session, "table": table}
    if "session" in named:
        sessions = Session.objects.select_related("tournament")
        session = _get(sessions, tournament__slug=slug, number=_small(named["session"]))
        return {"tournament": session.tournament, "session": session}
    return {"tournament": _get(Tournament.objects.all(), slug=slug)}


def _turn_away(
    request: Request, access: Access, tournament: Tournament | None, found: dict[str, Any]
) -> HttpResponse | None:
    """Return None for whoever may enter; else redirect to the sign-in, refuse, or raise 404."""
    actor = request.actor
    if tournament is not None and _is_closed_to(actor, tournament):
        raise Http404
    held = actor.roles | {ANYBODY}
    if held & CAPABILITIES[access.capability]:
        if actor.device_id is not None and "table" in found:
            check_table(actor, found["table"])
        return None
    if actor.kind == ActorKind.ANYONE:
        if access.is_api:
            refuse("login_required", gettext_noop("Sign in first."))
        if request.method == "POST":
            _say_nothing_was_done(request)
        return redirect_to_login(_way_back(request, access), settings.LOGIN_URL)
    if not actor.roles & (STAFF | {DEVICE}):
        raise Http404
    return refuse(
        "forbidden",
        gettext_noop("Your role cannot do this; ask the organizer or the chief referee."),
    )


def _keep_frozen(request: Request, access: Access, found: Mapping[str, Any]) -> None:
    """Refuse strangers a page that may tell what a freeze hides; a session before the freeze hides nothing. [RULES 9.15]"""
    tournament: Tournament | None = found.get("tournament")
    if tournament is None or not tournament.is_frozen or access.capability != "look" or access.keeps_freeze:
        return
    session = found.get("session")
    is_hidden = session is None or tournament.hides_session(session.number)
    if is_hidden and not sees_frozen(request.actor):
        refuse(
            "standings_frozen",
            gettext_noop(
                "The standings are frozen after session %(n)s until the places are revealed; this page opens again then."
            ),
            n=tournament.frozen_after,
        )


def sees_frozen(actor: Actor) -> bool:
    """Return whether somebody sees the true standings while they are frozen: those who work at the event. [RULES 9.15]"""
    return bool(actor.roles & STAFF)


def _is_closed_to(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor may not see the tournament at all: a draft, or one that the operator withholds.

    The operator may look at both; a player's own link still opens where the operator has closed the pages to strangers.
    """
    if tournament.is_deleted:
        return True
    players = frozenset() if tournament.state == Tournament.State.DRAFT else frozenset({PLAYER})
    return not (tournament.is_public or actor.roles & (STAFF | {DEVICE, OPERATOR} | players))


def _say_nothing_was_done(request: HttpRequest) -> None:
    """Add a message for somebody whose sign-in ended while they filled in a form, with the reason that was typed."""
    messages.warning(request, _("You are signed out, so nothing was changed. Sign in and do it once more."))
    if typed := request.POST.get("reason", "").strip()[:MOST_GIVEN_BACK]:
        messages.info(request, _("You had written: %(text)s") % {"text": typed})


def _way_back(request: HttpRequest, access: Access) -> str:
    """Return the page to open after the sign-in: this one, or the page with the button if this address only takes forms."""
    if request.method != "POST" or "GET" in access.methods:
        return request.get_full_path()
    came_from = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return urlsplit(came_from)._replace(scheme="", netloc="", fragment="").geturl()
    return "/"


def actor_of(request: HttpRequest, tournament: Tournament) -> Actor:
    """Return who sends the request: an admitted tablet by its credential, else the signed-in user, else anyone."""
    scheme, _, credential = request.headers.get("Authorization", "").partition(" ")
    if scheme == "Device":
        return _device(tournament, credential)
    user = _signed_in(request)
    if user.kind == ActorKind.ANYONE:
        return user
    rows = Role.objects.filter(tournament=tournament, user_id=user.id).values_list("kind", "player_id")
    roles = frozenset(kind for kind, _ in rows)
    players = frozenset(player for _, player in rows if player)
    return Actor(ActorKind.USER, user.id, roles | user.roles, player_ids=players)


def _signed_in(request: HttpRequest) -> Actor:
    user = request.user
    if not user.is_authenticated:
        return ANYONE
    return Actor(
        ActorKind.USER, user.pk, frozenset({SIGNED_IN} | ({OPERATOR} if user.is_superuser else set()))
    )


def _device(tournament: Tournament, credential: str) -> Actor:
    """Return the tablet of a credential; one that was signed off is told so and keeps its unsent hands."""
    device = Device.objects.filter(tournament=tournament, credential_digest=digest_of(credential)).first()
    if device is None:
        refuse(
            "login_required", gettext_noop("This tablet is not admitted here. Ask the organizer for a code.")
        )
    if device.revoked_at is not None:
        at = timezone.localtime(device.revoked_at, tournament.zone).strftime("%H:%M")
        refuse(
            "device_revoked",
            gettext_noop("This tablet was signed off at %(time)s; unsent hands stay here. Call the referee."),
            time=at,
        )
    return device_actor(device.pk, device.tables)


def check_table(actor: Actor, table: Table) -> None:
    """Refuse a tablet at a table that it was not admitted for."""
    if not actor.may_enter(table.number):
        refuse(
            "wrong_table",
            gettext_noop("This tablet belongs to table %(tables)s."),
            tables=", ".join(str(shown_number(number)) for number in actor.tables),
        )


def link_of(registration: Registration) -> str:
    """Return the player's private link: number and a token that nobody can guess and the database does not hold."""
    return f"{registration.number}-{_token(registration, settings.SECRET_KEY)}"


def table_code_of(table: Table) -> str:
    """Return the code by which a phone at the table opens its last hand; another session has another. [RULES 9.24]"""
    return _table_code(table, settings.SECRET_KEY)


def _table_code(table: Table, key: str | bytes) -> str:
    return salted_hmac("tournaments.table-code", str(table.pk), key, algorithm="sha256").hexdigest()[:20]


def is_table_code(table: Table, code: str) -> bool:
    """Return whether a code is that of the table."""
    return _is_made(code, lambda key: _table_code(table, key))


def _is_made(given: str, made: Callable[[str | bytes], str]) -> bool:
    """Return whether a secret was made by this site's key, or by an earlier one that is still accepted."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(given.encode(), made(key).encode()) for key in keys)


def pin_of(player: Player) -> str:
    """Return the four digits by which a player confirms a result; a new private link brings a new PIN with it."""
    return _pin(_pin_text(player), settings.SECRET_KEY)


def is_pin_of(player: Player, pin: str) -> bool:
    """Return whether four digits are the player's."""
    text = _pin_text(player)
    return _is_made(pin, lambda key: _pin(text, key))


def _pin_text(player: Player) -> str:
    row = Registration.objects.filter(player=player).values_list("link_version", flat=True).first()
    return f"{player.tournament_id}:{player.pk}:{row or 0}"


def _pin(text: str, key: str | bytes) -> str:
    digits = int(salted_hmac("tournaments.player-pin", text, key, algorithm="sha256").hexdigest(), 16)
    return f"{digits % 10_000:04}"


def _token(registration: Registration, key: str | bytes) -> str:
    text = f"{registration.tournament_id}:{registration.pk}:{registration.link_version}"
    return salted_hmac("tournaments.player-link", text, key, algorithm="sha256").hexdigest()[:40]


def _registration_of(tournament: Tournament, link: str) -> Registration:
    number, _, token = link.partition("-")
    rows = Registration.objects.select_related("player").filter(tournament=tournament)
    registration = rows.filter(number=_small(number)).first()
    if registration is None:
        raise Http404
    registration.tournament = tournament
    if not _is_made(token, lambda key: _token(registration, key)):
        raise Http404
    return registration


def _small(text: object) -> int:
    """Read a number of an address; raise 404 for one that no table or session can have."""
    digits = str(text)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 6:
        raise Http404
    return int(digits)


def _get(rows: QuerySet[Any], **wanted: Any) -> Any:
    found = rows.filter(**wanted).order_by().first()
    if found is None:
        raise Http404
    return found
