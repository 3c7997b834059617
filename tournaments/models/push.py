"""Notifications to devices: who asked for which, and what was queued for them."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Registration
from tournaments.models.tournament import Tournament


class PushSubscription(models.Model):
    """A browser that wants to hear of one player: where its messages are left, with which keys, and of what it wants to hear.

    `is_own` was asked for on the player's private page and tells of appeals, too.
    """

    class Sort(models.TextChoices):
        """What is told."""

        SEATS = "seats", _("Table and seat when the seating is published")
        STARTS = "starts", _("The session starts in ten minutes")
        RESULT = "result", _("The result of the table")
        PLACE = "place", _("The place when a session is closed")
        APPEAL = "appeal", _("An appeal is decided")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="push_subscriptions")
    registration = models.ForeignKey(
        Registration, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000)
    endpoint_digest = models.CharField(max_length=64)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    sorts = models.JSONField(_("what is told"), default=list)
    is_own = models.BooleanField(default=False)
    language = models.CharField(max_length=10)
    quiet_from = models.PositiveSmallIntegerField(_("quiet from"), null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(_("quiet until"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """One row a browser and player."""

        ordering = ["id"]
        verbose_name = _("subscription to notifications")
        verbose_name_plural = _("subscriptions to notifications")
        constraints = [
            models.UniqueConstraint(fields=["registration", "endpoint_digest"], name="push_once_a_browser"),
        ]

    def __str__(self) -> str:
        """Name the player."""
        return str(self.registration)


class PushNotice(models.Model):
    """One notification to one browser; its words are made from its sort and facts when it is sent."""

    class State(models.TextChoices):
        """How far a notification is."""

        WAITING = "waiting", pgettext_lazy("notification", "Waiting")
        SENDING = "sending", pgettext_lazy("notification", "Being sent")
        SENT = "sent", pgettext_lazy("notification", "Sent")
        FAILED = "failed", pgettext_lazy("notification", "Not sent")
        DROPPED = "dropped", pgettext_lazy("notification", "No longer true")

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="notices")
    sort = models.CharField(max_length=6, choices=PushSubscription.Sort.choices)
    key = models.CharField(max_length=80)
    facts = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each once; what is due is found by state and time."""

        ordering = ["id"]
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints = [
            models.UniqueConstraint(fields=["subscription", "key"], name="push_notice_once"),
        ]
        indexes = [models.Index(fields=["state", "due_at"], name="push_notice_due")]

    def __str__(self) -> str:
        """Return what it tells."""
        return str(self.get_sort_display())
