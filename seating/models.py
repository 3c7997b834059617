"""Draws: proposals of who shall sit where, with everything needed to check them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament, User


class Commitment(models.Model):
    """A secret promised before the draw by its SHA-256; it becomes public with the result. [RULES 1.3]"""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="commitments")
    secret = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first."""

        ordering = ["-id"]
        verbose_name = _("commitment")
        verbose_name_plural = _("commitments")

    def __str__(self) -> str:
        """Return what is public of it from the beginning."""
        return self.digest


class Draw(models.Model):
    """One proposal for one or more sessions; every proposal is kept, not only the published one."""

    class Mode(models.TextChoices):
        """How the seats were found."""

        RANDOM = "random", _("Random")
        FIXED = "fixed", _("Fixed for all sessions")
        PROGRAMMED = "programmed", _("Drawn by a program")
        SWISS = "swiss", _("Swiss")
        MANUAL = "manual", _("By hand")

    class State(models.TextChoices):
        """Whether it became the seating."""

        RUNNING = "running", _("Being drawn")
        CANCELLED = "cancelled", _("Given up")
        FAILED = "failed", _("Impossible")
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        DISCARDED = "discarded", _("Set aside")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="draws")
    commitment = models.OneToOneField(
        "Commitment", on_delete=models.PROTECT, related_name="draw", null=True, blank=True
    )
    sessions = models.JSONField(_("sessions"))
    mode = models.CharField(_("mode"), max_length=10, choices=Mode.choices)
    method = models.CharField(_("method"), max_length=60)
    seed = models.CharField(_("seed"), max_length=200)
    settings = models.JSONField(default=dict)
    inputs = models.JSONField()
    inputs_digest = models.CharField(max_length=64)
    plan = models.JSONField(_("plan"), default=dict)
    progress = models.PositiveIntegerField(default=0)
    moved_at = models.DateTimeField(null=True, blank=True)
    problems = models.JSONField(default=list)
    quality = models.JSONField(default=dict)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.DRAFT)
    edits = models.JSONField(default=list)
    pins = models.JSONField(default=list)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    is_repeatable = models.BooleanField(null=True)
    repeated_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first."""

        ordering = ["-id"]
        verbose_name = _("draw")
        verbose_name_plural = _("draws")

    def __str__(self) -> str:
        """Name mode and seed."""
        return f"{self.get_mode_display()}: {self.seed}"
