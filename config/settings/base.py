"""Settings that every installation shares; what differs between them is read from the environment, once, here."""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from config.settings.environment import choice, database, flag, listed, number, optional_secret, sqlite

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(os.environ.get("FOUR_WINDS_VAR") or BASE_DIR / "var")
ROLE = choice("FOUR_WINDS_ROLE", "all", {"all", "web", "live"})
HOST = os.environ.get("HOST") or "127.0.0.1"
PORT = number("PORT", 8000)
WEB_PROCESSES = number("WEB_PROCESSES", 1)
WEB_THREADS = number("WEB_THREADS", 4)

SECRET_KEY = ""
DEBUG = False
ALLOWED_HOSTS = listed("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
LAN_ADDRESSES = listed("FOUR_WINDS_LAN")
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "tournaments",
    "seating",
    "penalties",
    "config",
    "django.forms",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_tables2",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
]

MIDDLEWARE = [
    "config.server.headers.Headers",
    "csp.middleware.CSPMiddleware",
    "config.server.logs.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.server.whole_form.WholeFormMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "config.accounts.NumberedBrowsers",
    "tournaments.web.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "tournaments.User"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "config.templatetags.scripts",
                "config.server.whole_form",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

DATABASE_URL = os.environ.get("DATABASE_URL", "")
DATABASES = {"default": database(DATABASE_URL) if DATABASE_URL else sqlite(VAR_DIR / "four-winds.sqlite3")}

# Without Redis one process does everything: a thread recomputes standings, streams are told directly.
# What stands in front of Django for the sake of speed alone; off, Django gives the same answers by itself.
SHARED_PAGES = flag("SHARED_PAGES", default=True)
HAND_BATCHES = flag("HAND_BATCHES", default=True)
# Chances cost a second of a core after a hand of a large event; off, pages say that there are none yet.
CHANCES = flag("CHANCES", default=True)
REDIS_URL = os.environ.get("REDIS_URL", "")
REDIS_PREFIX = os.environ.get("REDIS_PREFIX") or "four-winds:"
EMBEDDED = not REDIS_URL
CACHES = {
    "default": {
        "BACKEND": "config.server.caches.ForgivingCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
        "OPTIONS": {"socket_timeout": 3, "socket_connect_timeout": 2},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
LIVE_CHANNEL = f"{REDIS_PREFIX}live"
LIVE_MOST_STREAMS = number("LIVE_MOST_STREAMS", 20_000)

# A killed worker's task goes to another within seconds; a task never writes a score and may run twice.
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 30
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "visibility_timeout": 60,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 3,
        "socket_connect_timeout": 2,
        # Who tells of a hand asks once: Kombu would try for six seconds, and the referee would wait for it.
        "max_retries": 0,
        "global_keyprefix": REDIS_PREFIX,
    }
    if REDIS_URL
    else {}
)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournaments.tasks.sweep", "schedule": 5.0, "options": {"expires": 5.0}},
    "forget-contacts": {"task": "tournaments.tasks.forget_contacts", "schedule": 3600.0},
    "sweep-draws": {"task": "seating.tasks.sweep", "schedule": 30.0, "options": {"expires": 30.0}},
    "chores": {"task": "config.tasks.do_chores", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

LANGUAGE_CODE = "en"
LANGUAGES = [("ru", "Русский"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_SAMESITE = "Lax"

STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or VAR_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
HASHED_STATIC = flag("HASHED_STATIC")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.server.statics.HashedFiles"
        if HASHED_STATIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not HASHED_STATIC
WHITENOISE_AUTOREFRESH = not HASHED_STATIC
WHITENOISE_ALLOW_ALL_ORIGINS = False

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "media-src": [SELF],
        "form-action": [SELF],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
    },
}
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

AUTHENTICATION_BACKENDS = ["config.accounts.Backend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "tournaments:home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
# Whether an address is known, only its owner learns, by a letter: a new account is made either way.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_FORMS = {
    "signup": "config.accounts.NewAccountForm",
    "reset_password": "config.accounts.ForgottenPasswordForm",
}
ACCOUNT_LOGOUT_REDIRECT_URL = "tournaments:home"
ACCOUNT_ADAPTER = "config.accounts.Adapter"
# By account, never by address; what is left out here is counted in `config/accounts.py`.
ACCOUNT_RATE_LIMITS = {
    "login": False,
    "signup": False,
    "reset_password": False,
    "reset_password_from_key": False,
    "login_failed": "5/5m/key",
    "confirm_email": "3/15m/key",
}
USERSESSIONS_TRACK_ACTIVITY = False
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]

# Only who shows this token may read /metrics; without one there is no such page.
METRICS_TOKEN = optional_secret("METRICS_TOKEN")
CERTIFICATE_VIA = os.environ.get("CERTIFICATE_VIA", "")
BACKUP_AT = os.environ.get("BACKUP_AT") or "03:30"
BACKUP_KEEP_DAYS = number("BACKUP_KEEP_DAYS", 30)
BACKUP_COPY_TO = os.environ.get("BACKUP_COPY_TO", "")

# Without a mail host letters are shown where the site was started, and the pages say so.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = number("EMAIL_PORT", 587)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = optional_secret("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "four-winds@localhost"
SENDS_MAIL = bool(EMAIL_HOST)
EMAIL_BACKEND = "config.operator.mail.Backend" if SENDS_MAIL else "config.tools.letters.Terminal"
# Those who run the site: who may make events, how many, who answers for personal data and for how long it is kept.
NEW_ORGANIZERS = choice("NEW_ORGANIZERS", "open", {"open", "approval"})
MOST_EVENTS_A_DAY = number("MOST_EVENTS_A_DAY", 10)
MOST_DRAFTS = number("MOST_DRAFTS", 10)
OPERATOR_NAME = os.environ.get("OPERATOR_NAME", "")
OPERATOR_CONTACT = os.environ.get("OPERATOR_CONTACT", "")
CONTACTS_KEPT_MONTHS = number("CONTACTS_KEPT_MONTHS", 12)

DJANGO_TABLES2_TEMPLATE = "tables/table.html"
STYLEGUIDE = False
DEMO = flag("FOUR_WINDS_DEMO")
REFUSES_DEMO = bool(os.environ.get("FOUR_WINDS_DEMO")) and not DEMO

LOG_FORMAT = choice("LOG_FORMAT", "text", {"text", "json"})
LOG_LEVEL = choice("LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "config.server.logs.RequestId"},
        "foreign_hosts": {"()": "config.server.logs.ForeignHosts"},
    },
    "formatters": {
        "json": {"()": "config.server.logs.Json"},
        "text": {
            "()": "config.server.logs.Text",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s [%(request_id)s]",
        },
    },
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request_id"]},
    },
    "root": {"handlers": ["out"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "ERROR", "filters": ["foreign_hosts"]},
        "uvicorn.access": {"level": "WARNING"},
    },
}
