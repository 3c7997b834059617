"""The history as people read it: who did what to whom, with names for ids and links to what an entry is about."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import (
    Admission,
    Device,
    Hand,
    HistoryEntry,
    Invitation,
    Player,
    Registration,
    Tournament,
    User,
)
from tournaments.record import history
from tournaments.record.queries import words_of_objections
from tournaments.web.labels import KINDS

CORRECTIONS = {
    "hand_corrected",
    "hand_undone",
    "hand_voided",
    "hand_restored",
    "seats_repaired",
    "protocol_resumed",
    "confirmation_withdrawn",
    "seating_changed",
    "seating_withdrawn",
    "session_reopened",
    "tournament_reopened",
    "adjustment_reversed",
}

Names = dict[tuple[str, str], str]

READERS: Mapping[str, Callable[[Tournament, set[str]], Iterable[tuple[int, str]]]] = {
    "user": lambda of, ids: ((row.pk, row.title) for row in User.objects.filter(pk__in=ids)),
    "player": lambda of, ids: (
        (row.pk, str(row)) for row in Player.objects.filter(tournament=of, pk__in=ids)
    ),
    "device": lambda of, ids: (
        (row.pk, row.name) for row in Device.objects.filter(tournament=of, pk__in=ids)
    ),
    "admission": lambda of, ids: (
        (row.pk, row.name) for row in Admission.objects.filter(tournament=of, pk__in=ids)
    ),
    "invitation": lambda of, ids: (
        (row.pk, str(row)) for row in Invitation.objects.filter(tournament=of, pk__in=ids)
    ),
    "hand": lambda of, ids: ((row.pk, str(row)) for row in Hand.objects.filter(pk__in=ids)),
    "registration": lambda of, ids: (
        (row.pk, str(row))
        for row in Registration.objects.filter(tournament=of, pk__in=ids).select_related("player")
    ),
}


def described(tournament: Tournament, rows: Iterable[HistoryEntry]) -> list[dict[str, Any]]:
    """Return entries in words; the number of queries does not depend on the number of entries."""
    rows = list(rows)
    contents = [history.read(row.content) for row in rows]
    names, words = _names(tournament, contents), words_of_objections(rows)
    return [
        _described(tournament, row, {**content, "reason": words.get(row.pk, content["reason"])}, names)
        for row, content in zip(rows, contents, strict=True)
    ]


def _names(tournament: Tournament, contents: Iterable[Mapping[str, Any]]) -> Names:
    wanted: dict[str, set[str]] = defaultdict(set)
    for content in contents:
        for reference in (content["by"], content["subject"]):
            kind, _colon, number = reference.partition(":")
            if number.isdigit():
                wanted[kind].add(number)
    return {
        (kind, str(number)): name
        for kind, read in READERS.items()
        if wanted[kind]
        for number, name in read(tournament, wanted[kind])
    }


def _described(
    tournament: Tournament, row: HistoryEntry, content: Mapping[str, Any], names: Names
) -> dict[str, Any]:
    kind, _colon, number = content["subject"].partition(":")
    return {
        "row": row,
        "label": KINDS.get(row.kind, row.kind),
        "by": _who(content["by"], names),
        "subject": _subject(kind, number, names),
        "place": f"{row.protocol.table.session}, {str(row.protocol.table).lower()}" if row.protocol else "",
        "url": _address(tournament, row, kind, names.get((kind, number), "")),
        "reason": content["reason"],
        "is_correction": row.kind in CORRECTIONS,
    }


def _who(reference: str, names: Names) -> str:
    kind, _colon, number = reference.partition(":")
    if kind == "system":
        return _("automatically")
    if kind == "anyone":
        return _("a visitor")
    return names.get((kind, number), reference)


def _subject(kind: str, number: str, names: Names) -> str:
    """Name what the entry is about; a session names itself."""
    if kind == "session":
        return _("Session %(number)s") % {"number": number}
    return names.get((kind, number), "")


def _address(tournament: Tournament, row: HistoryEntry, kind: str, name: str) -> str:
    """Return where the thing can be looked at from the desk."""
    if row.protocol:
        table = row.protocol.table
        address = reverse(
            "tournaments:table_desk", args=[tournament.slug, table.session.number, table.number]
        )
        return f"{address}#hand-{name.rpartition(' ')[2]}" if kind == "hand" and name else address
    if kind == "registration" and name:
        return reverse("tournaments:edit_player", args=[tournament.slug, int(name.partition(".")[0])])
    return ""
