"""Mail that tells the operator how it goes: a server that refuses is seen before somebody waits for a letter."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

from config.operator import metrics, reports


class Backend(EmailBackend):
    """SMTP, with a report of the last letter."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Send, and store how it went; an error is raised as before."""
        try:
            sent = super().send_messages(email_messages) or 0
        except Exception as error:
            metrics.add("mails_total", outcome="failed")
            reports.note(reports.Name.MAIL, is_good=False, error=f"{type(error).__name__}: {error}"[:300])
            raise
        if sent:
            metrics.add("mails_total", sent, outcome="sent")
            reports.note(reports.Name.MAIL, is_good=True)
        return sent
