"""The page that an organizer's link opens: a new password for somebody who works at an event."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.people.operations import passwords
from tournaments.public.forms import NewPasswordForm
from tournaments.web.access import page
from tournaments.web.frame import status_of, tried
from tournaments.web.requests import Request


@page("look", methods=("GET", "POST"))
def new_password(request: Request, link: str) -> HttpResponse:
    """Set a new password by a link that is good once."""
    permission = passwords.permission(link)
    form = NewPasswordForm(request.POST or None, user=permission.user)
    if tried(form, lambda: passwords.set_new_password(link, form.cleaned_data["password1"])):
        messages.success(request, _("The new password is set. Sign in with it."))
        return redirect("account_login")
    context = {"form": form, "member": permission.user, "tournament": permission.tournament}
    return render(request, "tournaments/new_password.html", context, status=status_of(form))
