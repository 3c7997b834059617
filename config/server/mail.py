"""Letters go out behind the answer: how long a page takes tells nobody whether an address is known. [INTEGRITY 12]

One thread sends them, and only so many wait: whoever asks for letters in numbers takes no thread from the pages. A letter
that cannot be sent is logged without its words, since it may hold a secret link; whoever waits for it asks again.
"""

import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections
from django.utils import translation

logger = logging.getLogger(__name__)

MOST_WAITING = 200
sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="letters")
places = threading.BoundedSemaphore(MOST_WAITING)


def later(work: Callable[[], object]) -> None:
    """Do what writes and sends a letter in a while, in the language of the request."""
    if not places.acquire(blocking=False):
        logger.error("Too many letters wait to be sent; one was left out.")
        return
    context, language = contextvars.copy_context(), translation.get_language()
    sender.submit(context.run, _do, work, language)


def _do(work: Callable[[], object], language: str | None) -> None:
    try:
        close_old_connections()
        sent(work, language)
    finally:
        close_old_connections()
        places.release()


def sent(work: Callable[[], object], language: str | None = None) -> None:
    """Send, or log why not."""
    try:
        with translation.override(language or translation.get_language()):
            work()
    except Exception as error:
        logger.error("A letter could not be sent (%s).", type(error).__name__)
