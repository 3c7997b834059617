"""An organizer's directory: who played at the own events, doubles, and what is known of each."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.people.operations import directory as operations
from tournaments.people.queries.directory import (
    Known,
    directory_of,
    doubles,
    found_in,
    known_as,
    merges_of,
    namesakes_of,
    places_of,
)
from tournaments.web.access import page
from tournaments.web.frame import do
from tournaments.web.requests import AccountRequest

POST = ("POST",)
MOST_SHOWN, MOST_DOUBLES = 200, 20


@page("own_account")
def directory(request: AccountRequest) -> HttpResponse:
    """List the people of the own events, each once, and who may be one person. [RULES 9.38]"""
    known = directory_of(request.user)
    query = request.GET.get("q", "")[:100]
    found = found_in(known, query)
    pairs = [] if query else doubles(request.user, known)
    context = {
        "people": found[:MOST_SHOWN],
        "found": len(found),
        "total": len(known),
        "query": query,
        "doubles": pairs[:MOST_DOUBLES],
        "more_doubles": len(pairs[MOST_DOUBLES:]),
    }
    return render(request, "tournaments/directory/directory.html", context)


@page("own_account")
def person(request: AccountRequest, player: int) -> HttpResponse:
    """Show somebody's events, names and numbers, and what was merged."""
    everybody = directory_of(request.user)
    known = _known(everybody, player)
    places = places_of(known)
    context = {
        "known": known,
        "lines": [{"entry": entry, "place": places.get(entry.pk)} for entry in known.entries],
        "merges": merges_of(request.user, known),
        "namesakes": namesakes_of(request.user, known),
        "others": [one for one in found_in(everybody, request.GET.get("q", "")[:100]) if one != known]
        if request.GET.get("q")
        else [],
        "query": request.GET.get("q", "")[:100],
    }
    return render(request, "tournaments/directory/person.html", context)


@page("own_account", methods=("GET", "POST"))
def merge(request: AccountRequest, player: int, other: int) -> HttpResponse:
    """Show two entries side by side before they are called one person, or two, and do it. [RULES 9.38]"""
    everybody = directory_of(request.user)
    pair = _known(everybody, player), _known(everybody, other)
    if request.method == "POST" and request.POST.get("answer") == "two":
        return do(
            request,
            lambda: operations.keep_apart(request.user, player, other),
            _("They are two people; you are not asked about them again. Below you can take this back."),
            "tournaments:directory_person",
            player,
        )
    if request.method == "POST":
        return do(
            request,
            lambda: operations.merge(request.user, player, other),
            _("They are one person in your directory. Below you can take this back."),
            "tournaments:directory_person",
            player,
        )
    return render(
        request, "tournaments/directory/merge.html", {"pair": pair, "player": player, "other": other}
    )


@page("own_account", methods=POST)
def take_apart(request: AccountRequest, merge: int) -> HttpResponse:
    """Take a decision on two entries back."""
    row = get_object_or_404(request.user.same_persons, pk=merge)
    first = row.first_id
    back = (
        _("The list of possible doubles asks about them again.")
        if row.are_two
        else _("They are two people again.")
    )
    return do(
        request,
        lambda: operations.take_apart(row),
        back,
        "tournaments:directory_person",
        first,
    )


def _known(everybody: Sequence[Known], player: int) -> Known:
    known = known_as(everybody, player)
    if known is None:
        raise Http404
    return known
