"""Mail to players: what was queued, how far it is, and why one did not go out."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Registration
from tournaments.models.tournament import Tournament

REFUSED = "SMTPRecipientsRefused"


class MailText(models.Model):
    """What an organizer wrote in place of the shipped words of a kind of mail, in one language. A row never changes: mails that
    were sent keep the words they were sent with."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="mail_texts")
    kind = models.CharField(_("kind"), max_length=13)
    language = models.CharField(max_length=10)
    subject = models.CharField(_("subject"), max_length=200)
    body = models.TextField(_("text"), max_length=5000)
    is_current = models.BooleanField(default=True)
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """At most one of a kind and a language is used for new mails."""

        ordering = ["id"]
        verbose_name = _("text of mails")
        verbose_name_plural = _("texts of mails")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "kind", "language"],
                condition=models.Q(is_current=True),
                name="mail_text_current_once",
            )
        ]

    def __str__(self) -> str:
        """Return its subject."""
        return self.subject


class Mail(models.Model):
    """One mail to one player, without an address. Its words are made of its kind and facts when it is sent or read, and of the
    event's own text if there was one when it was queued."""

    class Kind(models.TextChoices):
        """What a mail tells."""

        REGISTERED = "registered", _("Registration with the private link")
        PLACE_OFFERED = "place_offered", _("A place from the waiting list is offered")
        PLACE_GIVEN = "place_given", _("A place from the waiting list")
        CANCELLED = "cancelled", _("The event is cancelled")
        TAKES_PLACE = "takes_place", _("The event takes place after all")
        SEATS = "seats", _("Seats of the next session")
        SEAT_CHANGED = "seat_changed", _("A seat was changed")
        RESULTS = "results", _("Result of the event")
        RECEIPT = "receipt", _("Receipt for the fee")

    class State(models.TextChoices):
        """How far a mail is."""

        WAITING = "waiting", pgettext_lazy("mail", "Waiting")
        SENDING = "sending", pgettext_lazy("mail", "Being sent")
        SENT = "sent", pgettext_lazy("mail", "Sent")
        FAILED = "failed", pgettext_lazy("mail", "Not sent")
        DROPPED = "dropped", pgettext_lazy("mail", "No longer true")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="mails")
    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="mails")
    kind = models.CharField(_("kind"), max_length=13, choices=Kind.choices)
    key = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=10)
    facts = models.JSONField(default=dict, blank=True)
    text = models.ForeignKey(
        "MailText", on_delete=models.PROTECT, related_name="mails", null=True, blank=True
    )
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order queued; what is due is found by state and time."""

        ordering = ["id"]
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        indexes = [models.Index(fields=["state", "due_at"], name="mail_due")]

    def __str__(self) -> str:
        """Return what it tells."""
        return str(self.get_kind_display())

    @property
    def is_refused(self) -> bool:
        """Return whether the mail server did not take the address."""
        return self.error == REFUSED
