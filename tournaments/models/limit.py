"""How much of what a caller may do is used up; no part of the record."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class UsedLimit(models.Model):
    """One row for each limit of each caller that is not whole; gone once it is whole again.

    The key is a digest: what people type as their name is sometimes their password.
    """

    key = models.CharField(primary_key=True, max_length=32)
    whole_at = models.FloatField(_("whole again"), db_index=True)

    class Meta:
        """Read and written by `tournaments/record/limits.py` alone."""

        verbose_name = _("used limit")
        verbose_name_plural = _("used limits")

    def __str__(self) -> str:
        """Name the key."""
        return self.key
