"""Settings of the test suite: quick passwords, a SQLite file that need not survive a power cut or the database of
DATABASE_URL, nothing shared between two runs at a time."""

import os
from urllib.parse import urlsplit, urlunsplit

os.environ.setdefault("ALLOWED_HOSTS", "localhost,127.0.0.1,testserver")

from config.settings.base import *  # noqa: F403
from config.settings.base import CACHES, CELERY_BROKER_TRANSPORT_OPTIONS, DATABASES, REDIS_URL, VAR_DIR

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw")
VAR_DIR.mkdir(parents=True, exist_ok=True)
SECRET_KEY = "only for tests"  # noqa: S105
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
SENDS_MAIL = True
CHANCES = False  # worked out where a test asks for them, not beside every site that one starts
STYLEGUIDE = True
if "sqlite" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / f"test-{os.getpid()}.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
if REDIS_URL:
    # A number of Redis for each of the processes that run tests side by side.
    parts = urlsplit(REDIS_URL)
    REDIS_URL = urlunsplit(parts._replace(path=f"/{int(WORKER[2:] or 0) + 8}"))
    CACHES["default"]["LOCATION"] = REDIS_URL
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = f"four-winds-test-{WORKER}:"
LIVE_CHANNEL = f"four-winds-test-{WORKER}:live"
