"""What the site remembers about its own operation; nothing here belongs to a tournament."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Report(models.Model):
    """How one kind of operation, such as the backup, went the last time, and when it last went well."""

    class Name(models.TextChoices):
        """The operations that report."""

        BACKUP = "backup", _("Backup")
        COPY = "copy", _("Copy elsewhere")
        DRILL = "drill", _("Restore drill")
        CHAINS = "chains", _("History chains")
        CHORES = "chores", _("Daily chores")
        CERTIFICATE = "certificate", _("Certificate")
        MAIL = "mail", _("Mail")

    name = models.CharField(max_length=20, choices=Name.choices, primary_key=True)
    at = models.DateTimeField()
    is_good = models.BooleanField()
    facts = models.JSONField(default=dict)
    good_at = models.DateTimeField(null=True)

    class Meta:
        """One of each."""

        verbose_name = _("report")
        verbose_name_plural = _("reports")

    def __str__(self) -> str:
        """Return the operation and how it went."""
        return f"{self.name}: {'good' if self.is_good else 'failed'}"
