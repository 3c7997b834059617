"""Refusals: what a person asked for cannot be done, with all reasons, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, pgettext

from scoring.codes import has_codes, named
from scoring.problems import Offer, Problem, gettext_noop
from scoring.words import counted
from tournaments.table_numbers import shown_number

if TYPE_CHECKING:
    from tournaments.models import Tournament

STATUS: Mapping[str, int] = {
    "account_blocked": 409,
    "already_cancelled": 409,
    "already_confirmed": 409,
    "already_decided": 409,
    "already_registered": 409,
    "appeal_exists": 409,
    "approval_needed": 403,
    "appeal_late": 409,
    "step_changed": 409,
    "appeals_open": 409,
    "arrival_needed": 409,
    "bad_json": 400,
    "bad_request": 400,
    "bad_text": 400,
    "came_too_late": 409,
    "client_too_old": 426,
    "code_expired": 410,
    "code_used": 410,
    "conflict_of_interest": 403,
    "csrf": 403,
    "deposit_unpaid": 409,
    "device_revoked": 401,
    "device_superseded": 409,
    "disqualified": 409,
    "duplicate_key": 400,
    "encoding_unknown": 422,
    "event_finished": 409,
    "events_left": 409,
    "event_full": 409,
    "event_started": 409,
    "fed_id_taken": 409,
    "file_too_large": 413,
    "file_type": 415,
    "forbidden": 403,
    "game_over": 409,
    "game_signed": 409,
    "games_open": 409,
    "has_hands": 409,
    "image_too_large": 413,
    "in_progress": 409,
    "key_invalid": 400,
    "key_required": 400,
    "login_required": 401,
    "looks_doubled": 409,
    "macro_file": 415,
    "malformed_request": 400,
    "media_type": 415,
    "method_not_allowed": 405,
    "no_appeals": 409,
    "no_quorum": 409,
    "not_a_table": 415,
    "not_empty": 409,
    "not_found": 404,
    "not_last": 409,
    "not_party": 403,
    "not_seated": 403,
    "not_started": 409,
    "not_tried": 424,
    "number_not_json": 400,
    "only_recommend": 403,
    "penalty_limit": 403,
    "penalty_unpriced": 409,
    "player_not_found": 404,
    "possible_duplicate": 409,
    "preview_gone": 404,
    "registration_closed": 409,
    "request_timeout": 408,
    "round_closed": 409,
    "round_exists": 409,
    "second_needed": 409,
    "sequence": 409,
    "sequence_gap": 409,
    "slow_down": 429,
    "stale_draw": 409,
    "standings_frozen": 403,
    "still_playing": 409,
    "stale_hand": 409,
    "table_started": 409,
    "time_over": 409,
    "tablets_pending": 409,
    "too_deep": 400,
    "too_large": 413,
    "too_many_drafts": 409,
    "too_many_tries": 429,
    "totals_changed": 409,
    "unpacked_too_large": 413,
    "uploads_full": 503,
    "version": 412,
    "withdraw_needs_referee": 409,
    "writes_paused": 503,
    "wrong_state": 409,
    "wrong_table": 403,
}

TERMS = frozenset({"criterion", "offence", "type"})
"""Details that are names of the rules; those that are codes are known to `scoring.codes`."""


class Refused(Exception):
    """What a person asked for cannot be done, with every reason at once."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; there is at least one."""
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems

    @property
    def status(self) -> int:
        """Return the HTTP status of the gravest problem; 422 unless its code says otherwise."""
        return next((STATUS[problem.code] for problem in self.problems if problem.code in STATUS), 422)

    def as_json(self) -> dict[str, Any]:
        """Return the body of an application/problem+json answer."""
        return {
            "type": "about:blank",
            "status": self.status,
            "code": self.problems[0].code,
            "title": say(self.problems[0]),
            "problems": [
                {
                    "code": problem.code,
                    "field": problem.field,
                    "sentence": say(problem),
                    "clause": problem.clause,
                    **({"offers": [_offered(offer) for offer in problem.offers]} if problem.offers else {}),
                }
                for problem in self.problems
            ],
        }


class Stale(Refused):
    """Somebody else was first: the data has changed since the writer read it."""

    def __init__(self, problem: Problem, *, current: Mapping[str, Any] | None = None) -> None:
        """Keep the current data, so that a person can compare and decide."""
        super().__init__(problem)
        self.current = current or {}

    def as_json(self) -> dict[str, Any]:
        """Add the current data."""
        return {**super().as_json(), "current": dict(self.current)}


def say(problem: Problem) -> str:
    """Return the problem's sentence in the reader's language."""
    sentence = gettext(problem.sentence)
    return sentence % _translated(_in_the_hall(problem.details)) if problem.details else sentence


OF_TABLES = ("table", "t")
"""Details of a problem that are the number of a table: rules know the one within the event, people the one in the hall."""


def _in_the_hall(details: Mapping[str, Any]) -> Mapping[str, Any]:
    shown = {name: shown_number(details[name]) for name in OF_TABLES if isinstance(details.get(name), int)}
    return {**details, **shown}


def _offered(offer: Offer) -> dict[str, Any]:
    """Return facts that could stand instead, with their names in the reader's language."""
    parts = [f"{_said(name, '')} ×{times}" if times > 1 else _said(name, "") for name, times in offer.parts]
    return {"text": ", ".join(parts), "facts": dict(offer.facts)}


def sentences(problems: Sequence[Problem]) -> list[str]:
    """Return all the sentences in the reader's language."""
    return [say(problem) for problem in problems]


def _translated(details: Mapping[str, object]) -> dict[str, object]:
    """Return the details in the reader's language."""
    return {name: _translated_detail(name, value) for name, value in details.items()}


def _translated_detail(name: str, value: object) -> object:
    """Leave numbers and what people wrote as they are; terms and codes of the rules become the reader's words."""
    if isinstance(value, Promise):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return counted(value, get_language() or "en")
    if not isinstance(value, str) or not value:
        return value
    return named(name, value, _said) if name in TERMS or has_codes(name) else value


def _said(sentence: str, context: str) -> str:
    return pgettext(context, sentence) if context else gettext(sentence)


def refuse(code: str, sentence: str, *, field: str = "", **details: object) -> NoReturn:
    """Refuse with a single problem."""
    raise Refused(Problem(code, sentence, field=field, details=details))


FINISHED = gettext_noop("The event is finished. Reopen it first.")
CANCELLED = gettext_noop("The event is cancelled. Take that back first.")


def need_reason(reason: str, *, least: int = 10) -> None:
    """Refuse a change that must be explained and is not."""
    length = len(reason.strip())
    if not length:
        refuse("reason_required", gettext_noop("Give a reason."), field="reason")
    if not least <= length <= 5000:
        refuse(
            "reason_length",
            gettext_noop("Write between %(least)s and 5,000 characters."),
            field="reason",
            least=least,
        )


def refuse_finished(tournament: "Tournament") -> None:
    """Refuse to change a finished or cancelled tournament; somebody has to open it again first."""
    if tournament.is_cancelled:
        refuse("event_cancelled", CANCELLED)
    if tournament.is_finished:
        refuse("event_finished", FINISHED)
