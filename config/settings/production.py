"""Many people, one address on the internet: HTTPS only, secrets from the environment, logs for programs."""

import logging
import os

from config.operator import sentry
from config.settings.base import *  # noqa: F403
from config.settings.base import LOGGING, ROLE, STORAGES
from config.settings.environment import flag, listed, number, optional_secret, secret, words_of

SECRET_KEY = secret("SECRET_KEY")
SECRET_KEY_FALLBACKS = words_of(optional_secret("SECRET_KEY_FALLBACKS"))
ALLOWED_HOSTS = listed("ALLOWED_HOSTS")
if not ALLOWED_HOSTS:
    raise SystemExit("ALLOWED_HOSTS is not set. Name the site's host names, parted by commas.")
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS")

HTTPS = flag("HTTPS", default=True)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = number("HSTS_SECONDS", 365 * 24 * 3600) if HTTPS else 0
# Names below this one and the lists that browsers are shipped with are the operator's to decide: the way back takes months.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and flag("HSTS_SUBDOMAINS")
SECURE_HSTS_PRELOAD = HTTPS and flag("HSTS_PRELOAD")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
if flag("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if HTTPS:
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"

HASHED_STATIC = True
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "config.server.statics.HashedFiles"}}
WHITENOISE_USE_FINDERS = False
WHITENOISE_AUTOREFRESH = False

LOG_FORMAT = os.environ.get("LOG_FORMAT") or "json"
logging.captureWarnings(True)
LOGGING["handlers"]["out"]["formatter"] = LOG_FORMAT  # type: ignore[index]

sentry.start(optional_secret("SENTRY_DSN"), ROLE)
