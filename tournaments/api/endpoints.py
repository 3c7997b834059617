"""Every address of the API in one list: what it takes, what it answers, who works it out; and the document made of it."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import reverse

from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from tournaments.api import answers, shapes
from tournaments.api.schema import REFERENCE, Schema, components
from tournaments.web.paging import LONGEST_QUERY, MOST_ON_A_PAGE

OPENAPI = "3.1.0"
JSON, PROBLEM = "application/json", "application/problem+json"


@dataclass(frozen=True)
class Parameter:
    """Something that may be asked for in an address."""

    name: str
    says: str
    choices: Sequence[str] = ()
    is_number: bool = False
    most: int | None = None
    in_path: bool = False

    @property
    def schema(self) -> Schema:
        """Describe what it may be."""
        if self.is_number:
            return {"type": "integer", "minimum": 1, **({"maximum": self.most} if self.most else {})}
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return {"type": "string", **({"maxLength": self.most} if self.most else {})}


@dataclass(frozen=True)
class Endpoint:
    """One address: its route, what it says of itself, its parameters, and what it answers."""

    name: str
    route: str
    summary: str
    answer: Any
    work: Callable[..., Any]
    path: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    keeps_freeze: bool = True

    @property
    def template(self) -> str:
        """Return the address with its parts in braces."""
        return self.route.replace("<int:", "<").replace("<", "{").replace(">", "}")


SLUG = Parameter("slug", gettext_noop("The event's word in addresses"), in_path=True)
SESSION = Parameter("session", gettext_noop("Number of the session"), is_number=True, in_path=True)
TABLE = Parameter("table", gettext_noop("Number of the table"), is_number=True, in_path=True)
NUMBER = Parameter("number", gettext_noop("Number on the list"), is_number=True, in_path=True)
PAGES = (
    Parameter("page", gettext_noop("Number of the page, from 1"), is_number=True),
    Parameter("page_size", gettext_noop("Rows on a page"), is_number=True, most=MOST_ON_A_PAGE),
)
WORDS = Parameter("q", gettext_noop("A part of the name, without regard to case"), most=LONGEST_QUERY)


def _order(choices: Sequence[str]) -> Parameter:
    return Parameter("order_by", gettext_noop("By what the list is sorted"), choices=tuple(choices))


EVENT = "/api/1/tournaments/<slug>/"
ENDPOINTS = (
    Endpoint("index", "/api/1/", gettext_noop("Where to begin"), shapes.Index, answers.index),
    Endpoint(
        "tournaments",
        "/api/1/tournaments/",
        gettext_noop("Events: those open for registration, in play, and finished"),
        shapes.TournamentList,
        answers.tournaments,
        query=(
            WORDS,
            Parameter("state", gettext_noop("Only events of this state"), choices=answers.STATES),
            Parameter("system", gettext_noop("Only events of this system"), choices=tuple(SYSTEMS)),
            _order(list(answers.TOURNAMENT_ORDERS)),
            *PAGES,
        ),
    ),
    Endpoint(
        "tournament",
        EVENT,
        gettext_noop("An event with its regulation and sessions"),
        shapes.TournamentWhole,
        answers.tournament,
        (SLUG,),
    ),
    Endpoint(
        "players",
        EVENT + "players/",
        gettext_noop("Who takes part, waits, or has left"),
        shapes.PlayerList,
        answers.players,
        (SLUG,),
        (
            WORDS,
            Parameter("status", gettext_noop("Only players of this status"), choices=answers.SHOWN),
            _order(list(answers.PLAYER_ORDERS)),
            *PAGES,
        ),
    ),
    Endpoint(
        "player",
        EVENT + "players/<int:number>/",
        gettext_noop("A player with seats, results, place and account"),
        shapes.PlayerWhole,
        answers.player,
        (SLUG, NUMBER),
    ),
    Endpoint(
        "sessions",
        EVENT + "sessions/",
        gettext_noop("All sessions"),
        shapes.SessionList,
        answers.sessions,
        (SLUG,),
    ),
    Endpoint(
        "session",
        EVENT + "sessions/<session>/",
        gettext_noop("The seating of a session, once it is published"),
        shapes.SessionWhole,
        answers.session,
        (SLUG, SESSION),
    ),
    Endpoint(
        "table",
        EVENT + "sessions/<session>/tables/<table>/",
        gettext_noop("The protocol of a table, hand by hand"),
        shapes.TableWhole,
        answers.table,
        (SLUG, SESSION, TABLE),
        keeps_freeze=False,
    ),
    Endpoint(
        "standings",
        EVENT + "standings/",
        gettext_noop("The standings, with the tables of teams and groups"),
        shapes.Standings,
        answers.standings,
        (SLUG,),
        (
            WORDS,
            Parameter("country", gettext_noop("Only players of this country")),
            Parameter("club", gettext_noop("Only players of this club")),
            Parameter("team", gettext_noop("Only players of this team")),
            _order(list(answers.STANDING_ORDERS)),
            *PAGES,
        ),
    ),
    Endpoint(
        "history",
        EVENT + "history/",
        gettext_noop("Digests of the history: heads of all chains, seals of closed sessions"),
        shapes.History,
        answers.history,
        (SLUG,),
        PAGES,
    ),
)


@cache
def document() -> Schema:
    """Describe the whole API for programs, as OpenAPI 3.1."""
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Four Winds",
            "version": f"{answers.VERSION}.0",
            "summary": "Mahjong tournaments: seating, protocols, standings",
            "description": (
                "Public data, read only. Every answer has an ETag; send it as If-None-Match and get 304 while "
                "nothing has changed. Points are exact: “31/3”. Errors follow RFC 9457."
            ),
            "license": {"name": "Data of public events", "url": reverse("tournaments:public_api_docs")},
        },
        "servers": [{"url": "/"}],
        "paths": {endpoint.template: {"get": _operation(endpoint)} for endpoint in ENDPOINTS},
        "components": {"schemas": components(*(one.answer for one in ENDPOINTS), shapes.ProblemAnswer)},
    }


def _operation(endpoint: Endpoint) -> Schema:
    parameters = [*endpoint.path, *endpoint.query]
    return {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": [
            {
                "name": one.name,
                "in": "path" if one.in_path else "query",
                "required": one.in_path,
                "description": one.says,
                "schema": one.schema,
            }
            for one in parameters
        ],
        "responses": {
            "200": {
                "description": "Found",
                "headers": {"ETag": {"schema": {"type": "string"}}},
                "content": {JSON: {"schema": {"$ref": REFERENCE + endpoint.answer.__name__}}},
            },
            "304": {"description": "Not changed since the ETag that was sent"},
            "400": _problem(
                "A request that cannot be understood, or a text with NUL in it; any other text is looked for"
            ),
            "401": _problem("A tablet's credential that does not hold here; none is needed"),
            **(
                {}
                if endpoint.keeps_freeze
                else {"403": _problem("The standings are frozen until they are revealed")}
            ),
            **({"404": _problem("No such event, player, session or table")} if endpoint.path else {}),
            "405": _problem("Only GET, HEAD and OPTIONS are answered"),
            "422": _problem("A parameter that is not known or cannot be"),
            "429": _problem("Too many requests; wait as many seconds as Retry-After says"),
            "503": _problem("The database is not there for the moment"),
        },
    }


def _problem(description: str) -> Schema:
    return {
        "description": description,
        "content": {PROBLEM: {"schema": {"$ref": REFERENCE + "ProblemAnswer"}}},
    }


@cache
def fingerprint() -> str:
    """Tell one description from another: answers of another shape have other ETags."""
    text = json.dumps(document(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
