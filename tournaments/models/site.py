"""What the site's operator keeps: what was done and why, reports of abuse, and requests to be erased."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Player
from tournaments.models.tournament import Tournament


class OperatorEntry(models.Model):
    """One act of an operator: who, when, what, to whom and why; append-only, with ids in place of names."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(max_length=60)
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=60)
    reason = models.CharField(max_length=5000, blank=True)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        """Newest first."""

        ordering = ["-id"]
        verbose_name = _("entry of the operator's log")
        verbose_name_plural = _("the operator's log")

    def __str__(self) -> str:
        """Return kind and subject."""
        return f"{self.kind} {self.subject}"


class AbuseReport(models.Model):
    """What a visitor finds wrong with the page of an event, until an operator has looked at it."""

    class Kind(models.TextChoices):
        """What is wrong."""

        SPAM = "spam", _("Advertising, or not an event at all")
        OFFENSIVE = "offensive", _("Insulting or unlawful words")
        PERSONAL = "personal", _("Somebody's personal data")
        OTHER = "other", _("Something else")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="reports")
    kind = models.CharField(_("what is wrong"), max_length=9, choices=Kind.choices)
    text = models.TextField(_("in your words"), max_length=2000)
    email = models.EmailField(_("e-mail"), blank=True)
    reported_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """In the order received."""

        ordering = ["id"]
        verbose_name = _("report of abuse")
        verbose_name_plural = _("reports of abuse")

    def __str__(self) -> str:
        """Return what is wrong, and where."""
        return f"{self.get_kind_display()}: {self.tournament}"


class ErasureRequest(models.Model):
    """A player's request to be erased, which the organizer answers until a day."""

    class State(models.TextChoices):
        """Whether it was answered, and how."""

        OPEN = "open", pgettext_lazy("request", "Open")
        DONE = "done", _("Erased")
        DECLINED = "declined", _("Declined")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="erasure_requests")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="erasure_requests")
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    requested_at = models.DateTimeField(auto_now_add=True)
    due_on = models.DateField(_("answer until"))
    answer = models.CharField(_("answer"), max_length=5000, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """The most urgent first; one open request a player."""

        ordering = ["due_on", "id"]
        verbose_name = _("request to be erased")
        verbose_name_plural = _("requests to be erased")
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(state="open"), name="erasure_request_open_once"
            ),
        ]

    def __str__(self) -> str:
        """Return the player, and until when."""
        return f"{self.player}: {self.due_on}"
