"""The audit of papers: the sample that was drawn, and what stood on the papers."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.protocol import Protocol
from tournaments.models.tournament import Tournament


class PaperAudit(models.Model):
    """Tables drawn from a seed, of which somebody types the papers. [RULES 9.25]"""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="paper_audits")
    seed = models.CharField(_("seed"), max_length=100)
    tables = models.PositiveIntegerField(_("tables"))
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """The newest counts."""

        ordering = ["id"]
        verbose_name = _("audit of papers")
        verbose_name_plural = _("audits of papers")

    def __str__(self) -> str:
        """Name the seed."""
        return self.seed


class PaperSheet(models.Model):
    """One paper of a sample: what each hand moved, by seat, as somebody typed it without seeing the record."""

    audit = models.ForeignKey(PaperAudit, on_delete=models.PROTECT, related_name="sheets")
    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="+")
    hands = models.JSONField(_("hands"), null=True)
    typed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """A table once in a sample."""

        ordering = ["id"]
        verbose_name = _("typed paper")
        verbose_name_plural = _("typed papers")
        constraints = [models.UniqueConstraint(fields=["audit", "protocol"], name="one_paper_in_an_audit")]

    def __str__(self) -> str:
        """Name the table."""
        return str(self.protocol)
