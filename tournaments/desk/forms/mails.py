"""The form in which an organizer writes the words of mails."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import MailText
from tournaments.people.rules.mail_texts import LONGEST_BODY, LONGEST_SUBJECT, text_problems
from tournaments.record.refusal import say
from tournaments.web.forms import RefusableForm

MEANING = {
    "name": _("the player"),
    "event": _("the event"),
    "page": _("the player's private page"),
    "event_page": _("the event's public page"),
    "number": _("the number on the list"),
    "until": _("until when the place is offered"),
    "reason": _("the reason that was given"),
    "session": _("the session"),
    "table": _("the table"),
    "seat": _("the wind"),
    "start": _("when the session begins, if that is planned"),
    "place": _("the place in the final table"),
    "players": _("how many have a place"),
    "amount": _("the fee with its currency"),
}
"""What the words in braces stand for."""


class MailTextForm(RefusableForm):
    """Subject and text of a kind of mail."""

    subject = forms.CharField(
        label=_("Subject"), max_length=LONGEST_SUBJECT, error_messages={"required": _("Write a subject.")}
    )
    body = forms.CharField(
        label=_("Text"),
        max_length=LONGEST_BODY,
        error_messages={"required": _("Write a text.")},
        widget=forms.Textarea(attrs={"rows": 12}),
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        """Remember which kind of mail is written."""
        super().__init__(*args, **kwargs)
        self.kind = kind

    def clean(self) -> dict[str, Any]:
        """Refuse words in braces that are not known, and a text without what the mail is for."""
        data = super().clean() or self.cleaned_data
        for problem in text_problems(self.kind, data.get("subject", ""), data.get("body", "")):
            if problem.code != "text_missing":  # the field itself has said so
                self.add_error(problem.field, say(problem))
        return data

    def text(self) -> MailText:
        """Return the words as they stand in the form, to be looked at and not stored."""
        return MailText(subject=self.cleaned_data["subject"], body=self.cleaned_data["body"])
