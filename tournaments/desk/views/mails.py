"""Mails to players from the desk: how many went out, what failed and why, and how each kind reads."""

from django.conf import settings
from django.http import Http404, HttpResponse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournaments.desk.forms.mails import MEANING, MailTextForm
from tournaments.models import Mail, Tournament
from tournaments.people.operations import mails as operations
from tournaments.people.queries import mails as queries
from tournaments.people.rules.mail_texts import words_of
from tournaments.web.access import page
from tournaments.web.frame import do, done, show, status_of, tried
from tournaments.web.paging import choice_of
from tournaments.web.requests import Request

MOST_SHOWN = 50


@page("manage_people")
def mails(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the queue by state, the failures with their reasons, and a sample of each kind in either language."""
    languages = dict(settings.LANGUAGES)
    language = choice_of(request.GET, "language", languages) or get_language() or tournament.own_language
    own = queries.own_texts(tournament)
    rows = tournament.mails.select_related("registration__player")
    return show(
        request,
        "organizer/mails",
        tournament,
        counts=[(label, queries.counts(tournament)[state]) for state, label in Mail.State.choices],
        failed=list(rows.filter(state=Mail.State.FAILED)[:MOST_SHOWN]),
        tried=list(rows.filter(state=Mail.State.WAITING, attempts__gt=0)[:MOST_SHOWN]),
        samples=[
            (kind, label, (kind, language) in own, *queries.sample(tournament, kind, language))
            for kind, label in Mail.Kind.choices
        ],
        languages=languages.items(),
        language=language,
        sends_mail=operations.sends_mail(),
    )


@page("manage_people", methods=("GET", "POST"))
def text(request: Request, tournament: Tournament, kind: str, language: str) -> HttpResponse:
    """Write the words of a kind of mail, and see how they read; empty fields bring the shipped words back."""
    if kind not in Mail.Kind.values or language not in dict(settings.LANGUAGES):
        raise Http404
    own = queries.own_texts(tournament).get((kind, language))
    subject, body = (own.subject, own.body) if own else queries.shipped(kind, language)
    form = MailTextForm(request.POST or None, kind=kind, initial={"subject": subject, "body": body})
    is_kept = "look" not in request.POST
    if is_kept and tried(form, lambda: _written(request, tournament, kind, language, form)):
        return done(request, _("Mails have these words from now on."), "tournaments:mails", tournament.slug)
    form.is_valid()
    tried_text = form.text() if form.is_bound and not form.errors else None
    return show(
        request,
        "organizer/mail_text",
        tournament,
        form=form,
        label=Mail.Kind(kind).label,
        kind=kind,
        language=language,
        language_name=dict(settings.LANGUAGES)[language],
        is_own=own is not None,
        shipped=queries.shipped(kind, language),
        words=[(f"{{{word}}}", MEANING[word]) for word in words_of(kind)],
        reads=queries.sample(tournament, kind, language, tried_text),
        status=status_of(form),
    )


def _written(request: Request, tournament: Tournament, kind: str, language: str, form: MailTextForm) -> bool:
    data = form.cleaned_data
    operations.write_text(
        tournament, kind, language, subject=data["subject"], body=data["body"], by=request.actor
    )
    return True


@page("manage_people", methods=("POST",))
def send_again(request: Request, tournament: Tournament) -> HttpResponse:
    """Try every mail that failed once more."""
    number = tournament.mails.filter(state=Mail.State.FAILED).count()
    said = ngettext("%(n)s mail is tried again.", "%(n)s mails are tried again.", number) % {"n": number}
    return do(request, lambda: operations.send_again(tournament), said, "tournaments:mails", tournament.slug)
