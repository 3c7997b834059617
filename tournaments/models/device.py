"""Tablets: admitted by the organizer, good for given tables, revocable."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament, User


class Device(models.Model):
    """A tablet that may record results. Only the digest of its credential is kept."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="devices")
    name = models.CharField(_("name"), max_length=60)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    credential_digest = models.CharField(max_length=64, unique=True)
    admitted_at = models.DateTimeField(auto_now_add=True)
    admitted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    revoked_at = models.DateTimeField(_("signed off"), null=True, blank=True)
    seen_at = models.DateTimeField(_("last seen"), null=True, blank=True)
    unsent = models.PositiveIntegerField(_("unsent hands"), default=0)
    set_aside = models.JSONField(_("not sent"), default=list, blank=True)
    at_table = models.PositiveIntegerField(_("now at table"), null=True, blank=True)

    class Meta:
        """In the order admitted."""

        ordering = ["id"]
        verbose_name = _("tablet")
        verbose_name_plural = _("tablets")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class Admission(models.Model):
    """An invitation for one tablet: a secret in a QR code and a code to type, good once and for minutes.

    `moved_from` is the tablet that comes from another event in the same hall; it is told the secret by its own event.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="admissions")
    name = models.CharField(_("name"), max_length=60)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    secret_digest = models.CharField(max_length=64, unique=True)
    code_digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    device = models.OneToOneField(
        Device, on_delete=models.PROTECT, related_name="admission", null=True, blank=True
    )
    moved_from = models.ForeignKey(
        Device, on_delete=models.PROTECT, related_name="moves", null=True, blank=True
    )

    class Meta:
        """In the order made."""

        ordering = ["id"]
        verbose_name = _("admission")
        verbose_name_plural = _("admissions")

    def __str__(self) -> str:
        """Return the name."""
        return self.name
