"""The page that an invitation opens: a role at an event, for whoever signs in or makes an account."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.record.refusal import Refused, sentences
from tournaments.sessions.operations import invitations
from tournaments.web.access import page
from tournaments.web.requests import AccountRequest, Request


@page("look")
def invitation(request: Request, link: str) -> HttpResponse:
    """Show what the invitation is for, and how to take it."""
    row = invitations.invitation_of(link)
    back = urlencode({"next": request.path})
    context = {"invitation": row, "tournament": row.tournament, "link": link, "back": back}
    return render(request, "tournaments/invitation.html", context)


@page("own_account", methods=("POST",))
def take_role(request: AccountRequest, link: str) -> HttpResponse:
    """Take the role by the account that is signed in."""
    try:
        role = invitations.accept(link, request.user)
    except Refused as refused:
        for said in sentences(refused.problems):
            messages.error(request, said)
        return redirect("tournaments:invitation", link)
    messages.success(request, _("You have the role. This is the desk of the event."))
    return redirect("tournaments:desk", role.tournament.slug)
