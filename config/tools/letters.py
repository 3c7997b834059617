"""Letters of a site without a mail host: shown on the terminal of whoever runs it, who hands the link on."""

import sys
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

LINE = "-" * 72


class Terminal(BaseEmailBackend):
    """Print each letter in plain words, without headers and encodings."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Print the letters; return how many they were."""
        for letter in messages:
            sys.stdout.write(as_text(letter))
        sys.stdout.flush()
        return len(messages)


def as_text(letter: EmailMessage) -> str:
    """Return what the terminal shows of a letter; signs that would steer the terminal are replaced."""
    heading = f"This site sends no mail. A letter to {', '.join(letter.to)}: {letter.subject}"
    text = "\n".join(("", LINE, heading, "", str(letter.body).strip(), LINE, ""))
    return "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in text)
