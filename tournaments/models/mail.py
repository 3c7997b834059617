"""Mail to players: what was queued, how far it is, and why one did not go out."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Registration
from tournaments.models.tournament import Tournament

REFUSED = "SMTPRecipientsRefused"


class Mail(models.Model):
    """One mail to one player. Its words are made from its kind and facts when it is sent or read; no address is kept here."""

    class Kind(models.TextChoices):
        """What a mail tells."""

        REGISTERED = "registered", _("Registration with the private link")
        PLACE_OFFERED = "place_offered", _("A place from the waiting list is offered")
        PLACE_GIVEN = "place_given", _("A place from the waiting list")
        CANCELLED = "cancelled", _("The event is cancelled")
        TAKES_PLACE = "takes_place", _("The event takes place after all")
        SEATS = "seats", _("Seats of the next session")

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
