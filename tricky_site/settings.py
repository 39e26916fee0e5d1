"""Settings, from the environment; docs/reference/settings.md lists every variable."""

import os
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

from scoring.locales import catalogs
from tricky_site import environment as cast
from tricky_site.connection_encryption import describe_insecure_connections
from tricky_site.http.hosts import ALWAYS, MachineHosts, has_only_private_addresses
from tricky_site.observability.logs import init_sentry
from tricky_site.private_files import (
    create_private_folder,
    create_vapid_key,
    load_or_create_secret,
)

BASE_DIR = Path(__file__).resolve().parent.parent
cast.read_environment_file(BASE_DIR / ".env")
env = cast.Env(
    ALLOWED_HOSTS=(list, []),
    BACKUP_FOLDER=(str, ""),
    BACKUP_KEEP=(cast.positive_number_cast(), 30),
    BACKUP_PASSPHRASE=(cast.secret_cast(12), ""),
    CACHE_URL=(cast.redis_url, ""),
    CELERY_BROKER_URL=(cast.broker_url, ""),
    CELERY_QUEUE=(str, "tricky"),
    CSRF_TRUSTED_ORIGINS=(cast.origins, []),
    DATABASE_AS_OWNER=(cast.switch, False),
    DATABASE_OWNER_URL=(cast.postgresql_url, ""),
    DATABASE_URL=(cast.postgresql_url, ""),
    DEBUG=(cast.switch, False),
    DEMAND_SECOND_FACTOR=(cast.switch, False),
    DEMAND_TLS=(cast.switch, False),
    EMAIL_URL=(cast.email_url, ""),
    HTTPS_PORT=(cast.port, 0),
    LEAKED_PASSWORDS=(cast.readable_file, ""),
    LEAST_FREE_MB=(cast.positive_number_cast(), 200),
    LOG_FORMAT=(cast.choice_cast("text", "json"), "text"),
    LOG_LEVEL=(
        cast.choice_cast("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL"),
        "INFO",
    ),
    LOG_REQUESTS=(cast.switch, False),
    METRICS_NETWORKS=(cast.networks, []),
    METRICS_TOKEN=(cast.secret_cast(16), ""),
    OUTGOING_ONLY=(list, []),
    OUTGOING_TRUSTED=(list, []),
    PGBOUNCER=(cast.switch, False),
    PORT=(cast.port, 8000),
    PUSH_CONTACT=(cast.contact, ""),
    ROOM_PHONES=(cast.positive_number_cast(), 400),
    SECRET_KEY=(str, ""),
    SECRET_KEY_FALLBACKS=(list, []),
    SECRET_KEY_FILE=(Path, None),
    SECURITY_LOG=(cast.file_to_write, ""),
    SENTRY_DSN=(str, ""),
    SENTRY_ENVIRONMENT=(str, "production"),
    SIGN_IN_IDLE_HOURS=(cast.hours, timedelta(hours=12)),
    SIGN_IN_LONGEST_DAYS=(cast.days, timedelta(days=30)),
    STATIC_ROOT=(Path, BASE_DIR / "staticfiles"),
    TIME_ZONE=(cast.time_zone, "UTC"),
    TRICKY_HTTPS=(cast.switch, False),
    TRICKY_VAR=(Path, BASE_DIR / "var"),
    VAPID_PRIVATE_KEY=(cast.vapid_key, ""),
)
"""Each setting with its type and default."""

DEBUG = env("DEBUG")
HTTPS = env("TRICKY_HTTPS")
"""Whether a proxy in front serves HTTPS."""
HTTPS_PORT = env("HTTPS_PORT")
"""The port on which the site itself serves HTTPS with its own authority; 0 if it does not."""
if HTTPS and HTTPS_PORT:
    raise ImproperlyConfigured(
        "HTTPS_PORT must be empty with TRICKY_HTTPS=1: a proxy speaks https there."
    )
IS_SECURE = HTTPS or bool(HTTPS_PORT)
PLAIN_PORT = env("PORT")
DATABASE_URL = env("DATABASE_URL")
HAS_PGBOUNCER = env("PGBOUNCER")
if HAS_PGBOUNCER and not DATABASE_URL:
    raise ImproperlyConfigured("PGBOUNCER=1: DATABASE_URL must be set as well.")
VAR_DIR = env("TRICKY_VAR")
AUTHORITY_FILE = VAR_DIR / "https" / "authority.pem"

SECRET_KEY_FILE = env("SECRET_KEY_FILE") or VAR_DIR / "secret-key"
SECRET_KEY = os.environ.get("SECRET_KEY") or load_or_create_secret(SECRET_KEY_FILE)
SECRET_KEY_FALLBACKS = env("SECRET_KEY_FALLBACKS")
VAPID_KEY_FILE = VAR_DIR / "vapid-key"
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY") or cast.vapid_key(
    load_or_create_secret(VAPID_KEY_FILE, create_vapid_key)
)
BACKUP_FOLDER = env("BACKUP_FOLDER")
BACKUP_KEEP = env("BACKUP_KEEP")
BACKUP_PASSPHRASE = env("BACKUP_PASSPHRASE")
PUSH_CONTACT = env("PUSH_CONTACT")
# Links in e-mails and QR codes use the host of the request, so it must be one of ours. Phones in the room use
# any address of this machine; a server on the internet must set its names.
ALLOWED_HOSTS = env("ALLOWED_HOSTS") or (list(ALWAYS) if HTTPS else MachineHosts())
IS_HOSTED = (
    HTTPS
    or bool(DATABASE_URL)
    or not isinstance(ALLOWED_HOSTS, MachineHosts)
    or not has_only_private_addresses(os.environ.get("HOST") or "0.0.0.0")  # noqa: S104 - as script/server listens
)
"""Whether this is a server for real use, not a laptop to try Tricky on."""
CSRF_TRUSTED_ORIGINS = env("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "corsheaders",
    "csp",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "tournaments",
    "scoring",
    "backups",
    "tricky_site",
]

DEMAND_SECOND_FACTOR = env("DEMAND_SECOND_FACTOR")
LOG_REQUESTS = env("LOG_REQUESTS")
METRICS_TOKEN = env("METRICS_TOKEN")
METRICS_NETWORKS = env("METRICS_NETWORKS")
# From the dev dependency group; the toolbar only appears on this machine, not on phones.
DEVELOPER_TOOLS = {
    app: middleware
    for app, middleware in {
        "debug_toolbar": "debug_toolbar.middleware.DebugToolbarMiddleware",
        "django_browser_reload": "django_browser_reload.middleware.BrowserReloadMiddleware",
    }.items()
    if DEBUG and find_spec(app)
}
INSTALLED_APPS += DEVELOPER_TOOLS
INTERNAL_IPS = ["127.0.0.1", "::1"] if DEBUG else []
DEBUG_TOOLBAR_CONFIG = {"SHOW_COLLAPSED": True}

MIDDLEWARE = [
    "tricky_site.http.middleware.RequestIDMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tricky_site.http.middleware.PollCacheAndLoadLimitMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    # These change pages, so they come after compression in this list.
    *(
        ["tricky_site.http.middleware.NetworkFirstServiceWorkerMiddleware"]
        if DEBUG
        else []
    ),
    *DEVELOPER_TOOLS.values(),
    "csp.middleware.CSPMiddleware",
    # Before all middleware that reads cookies.
    "tricky_site.http.middleware.ApiMiddleware",
    "tricky_site.http.middleware.LocaleAndTimeZoneMiddleware",
    "tricky_site.http.middleware.PhoneSessionMiddleware",
    "tricky_site.http.middleware.DialogRedirectMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "tricky_site.http.middleware.ApiKeyAuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    *(
        ["tricky_site.http.middleware.RequireSecondFactorMiddleware"]
        if DEMAND_SECOND_FACTOR
        else []
    ),
    "allauth.account.middleware.AccountMiddleware",
    "tricky_site.http.middleware.AllowedMethodsAndErrorPageMiddleware",
    # Last, so that its responses pass all other middleware.
]
# No X-Frame-Options: `frame-ancestors` below can also allow the sites that a club names.
SILENCED_SYSTEM_CHECKS = ["security.W002"]

ROOT_URLCONF = "tricky_site.urls"
WSGI_APPLICATION = "tricky_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["scoring.templatetags.parts"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.offline.context.phone_context",
                "scoring.web.views.requests.locale_context",
            ],
        },
    },
]


def postgresql_database(url_setting: str) -> dict[str, Any]:
    """Return the PostgreSQL database of a setting, with a connection pool."""
    database = env.db_url_config(env(url_setting))
    # One connection for each concurrent request (`tricky_site.http.middleware`). No request waits longer for one than
    # a phone would; the default `reconnect_timeout` retries an absent server at growing intervals.
    pool = {"min_size": 1, "max_size": 10, "timeout": 3, "reconnect_timeout": 3}
    return {
        **database,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        # With PgBouncer each transaction may use another connection.
        "DISABLE_SERVER_SIDE_CURSORS": HAS_PGBOUNCER,
        "OPTIONS": {"pool": pool, **database.get("OPTIONS", {})},
    }


def prepare_sqlite_database(folder: Path) -> dict[str, Any]:
    """Return the embedded database, in which a saved hand survives a power cut."""
    create_private_folder(folder)
    path = folder / "tricky.sqlite3"
    # SQLite would create a file that everyone can read.
    path.touch(mode=0o600, exist_ok=True)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
        },
    }


DATABASES = {
    "default": postgresql_database("DATABASE_URL")
    if DATABASE_URL
    else prepare_sqlite_database(VAR_DIR)
}
DATABASE_ACCOUNT = ""
"""The account that may read and write rows after each `migrate`, if another one owns the tables."""
if env("DATABASE_AS_OWNER") and env("DATABASE_OWNER_URL"):
    if not DATABASE_URL:
        raise ImproperlyConfigured("DATABASE_OWNER_URL wants DATABASE_URL as well.")
    DATABASE_ACCOUNT = DATABASES["default"].get("USER", "")
    DATABASES["default"] = postgresql_database("DATABASE_OWNER_URL")

CELERY_BROKER_URL = env("CELERY_BROKER_URL")
CELERY_TASK_DEFAULT_QUEUE = env("CELERY_QUEUE")
CACHE_URL = env("CACHE_URL") or (
    CELERY_BROKER_URL if CELERY_BROKER_URL.startswith("redis") else ""
)
"""The Redis for shared caches; empty if they are in the database."""


def local_cache(name: str, **options: Any) -> dict[str, Any]:
    backend = "django.core.cache.backends.locmem.LocMemCache"
    return {"BACKEND": backend, "LOCATION": name, **options}


def shared_cache(suffix: str = "", **options: Any) -> dict[str, Any]:
    """Return a cache that all processes share, in Redis or a database table."""
    if not CACHE_URL:
        return DATABASE_CACHE
    return {
        "BACKEND": "tricky_site.storage.caches.RedisCacheWithFallback",
        "LOCATION": CACHE_URL,
        # The same prefix as the queue, because several sites may share a Redis.
        "KEY_PREFIX": CELERY_TASK_DEFAULT_QUEUE + suffix,
        "OPTIONS": {
            "serializer": "tricky_site.storage.caches.SignedSerializer",
            # At most as long as a slow page.
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
        },
        **options,
    }


DATABASE_CACHE = {
    "BACKEND": "tricky_site.storage.caches.TolerantDatabaseCache",
    "LOCATION": "tricky_cache",
    # A full cache drops a third: in a small one, a flood of requests could evict its own counters.
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}
CACHES: dict[str, dict[str, Any]] = {
    # Counters of rate limits. They are in the database while Redis is away.
    "default": shared_cache(FALLBACK=DATABASE_CACHE),
    # Rendered pages and pictures.
    "drawn": local_cache(""),
    # Tables on desks, rendered by each process.
    "tiles": local_cache("tiles", OPTIONS={"MAX_ENTRIES": 2_000}),
    # Versions of matches and tournaments, which must be shared by all processes (scoring/versions).
    "versions": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    # Unchanged polls, for as long as the clock has no effect (tricky_site/http/middleware.py).
    "polls": local_cache("polls", TIMEOUT=5, OPTIONS={"MAX_ENTRIES": 3_000}),
    # Sheets of current matches, which the phones of a table request at the same time.
    "sheets": local_cache("sheets", OPTIONS={"MAX_ENTRIES": 1_000}),
}
if CACHE_URL:
    # In the database, loading a sheet would take as long as rendering it.
    CACHES["sheets"] = shared_cache("-sheets", FALLBACK=None)
    CACHES["versions"] = shared_cache("-versions", FALLBACK=None, TIMEOUT=3600)
elif not DATABASE_URL:
    # With SQLite all processes are on one machine, so they can share a folder.
    CACHES["versions"] = {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "versions",
        "TIMEOUT": 3600,
        # Every write counts the files, so there are few. If one is evicted, the next poll goes to its view.
        "OPTIONS": {"MAX_ENTRIES": 500},
    }
if DATABASE_URL or CACHE_URL:
    CACHES["drawn"] = {
        "BACKEND": "tricky_site.storage.caches.TwoLevelCache",
        # The prefix sorts first, so that a full table evicts pages before counters.
        "SHARED": {"KEY_PREFIX": "-drawn", **shared_cache(FALLBACK=None)},
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

COMPETITION = "tournaments.event.competition.TournamentCompetition"
"""The implementation of `scoring.competition.Competition` for matches of this site."""
AUTH_USER_MODEL = "tournaments.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
DJANGO_VALIDATORS = "django.contrib.auth.password_validation"
PASSWORD_LENGTH = {"min_length": 10}
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{DJANGO_VALIDATORS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{DJANGO_VALIDATORS}.MinimumLengthValidator", "OPTIONS": PASSWORD_LENGTH},
    {"NAME": f"{DJANGO_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{DJANGO_VALIDATORS}.NumericPasswordValidator"},
    {
        "NAME": "tournaments.people.passwords.GuessablePasswordValidator",
        "OPTIONS": PASSWORD_LENGTH,
    },
]
if leaked := env("LEAKED_PASSWORDS"):
    validator = "tournaments.people.passwords.LeakedPasswordValidator"
    AUTH_PASSWORD_VALIDATORS += [{"NAME": validator, "OPTIONS": {"path": leaked}}]
LOGIN_REDIRECT_URL = "tournaments:clubs"
EMAIL_URL = env("EMAIL_URL")
vars().update(env.email_url_config(EMAIL_URL or "consolemail://"))
# Without a mail server no address can be verified.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_URL else "none"
ACCOUNT_ADAPTER = "tournaments.web.account.sessions.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
# Required to add an e-mail address or make it the primary one, so that a stolen device is not enough.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    name: f"tournaments.web.account.forms.{form}"
    for name, form in {
        "login": "LoginForm",
        "signup": "SignupForm",
        "add_email": "AddEmailForm",
        "change_password": "ChangePasswordForm",
        "set_password": "SetPasswordForm",
        "reset_password": "ResetPasswordForm",
        "reset_password_from_key": "ResetPasswordKeyForm",
        "reauthenticate": "ReauthenticateForm",
    }.items()
}
MFA_ADAPTER = "tournaments.web.account.sessions.SecondFactorsAdapter"
MFA_FORMS = {
    "activate_totp": "tournaments.web.account.forms.AddAuthenticatorAppForm",
    "authenticate": "tournaments.web.account.forms.AuthenticateForm",
    "reauthenticate": "tournaments.web.account.forms.ReauthenticateByCodeForm",
    "add_webauthn": "tournaments.web.account.forms.AddPasskeyForm",
    "edit_webauthn": "tournaments.web.account.forms.RenamePasskeyForm",
}
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
# The same name as in e-mails; authenticator apps list the codes under it.
MFA_TOTP_ISSUER = "Tricky"
MFA_PASSKEY_LOGIN_ENABLED = True
# Afterwards only their digests are stored (tournaments/people/factors.py).
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION == "none"
# Browsers allow no passkeys on plain HTTP, except on localhost.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_SECURE

# Without a broker a task runs in the process, after the commit that caused it; its
# failure is logged and never shown to the player that saved a hand.
CELERY_TASK_ALWAYS_EAGER = not CELERY_BROKER_URL
if CELERY_TASK_ALWAYS_EAGER:
    # Never used, but without a URL Celery warns that it has none.
    CELERY_BROKER_URL = "memory://localhost/"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# One worker is started with --beat. Its sweep finds the work of lost messages each minute.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournaments.tasks.sweep", "schedule": 60},
    # Missed runs are dropped, because the next run handles everything.
    "nights": {
        "task": "tournaments.tasks.run_nights",
        "schedule": 5,
        "options": {"expires": 5},
    },
    "webhooks": {
        "task": "tournaments.tasks.queue_due_webhooks",
        "schedule": 2,
        "options": {"expires": 2},
    },
    # Checked each hour, because a site may be off at night.
    "backup": {
        "task": "backups.tasks.back_up_when_due",
        "schedule": crontab(minute=30),
        "options": {"expires": 1800},
    },
    "old sessions": {
        "task": "tournaments.tasks.forget_sessions",
        "schedule": crontab(hour=4, minute=40),
    },
    "sweep the whole": {
        "task": "tournaments.tasks.sweep",
        "schedule": crontab(hour=4, minute=10),
        "kwargs": {"whole": True},
    },
}
CELERY_BEAT_SCHEDULER = "tricky_site.beat.PersistentClockTolerantScheduler"
# Celery unpickles this file, so no one else may be able to write to its folder.
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_TIMEZONE = TIME_ZONE = env("TIME_ZONE")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# The worker keeps trying to reconnect, however long the broker is away.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_CONSUMER = "tricky_site.celery:ReconnectingConsumer"
# Saving a hand does not wait for a broker that is away: the hand is saved, and
# the check by the task can run at any later time.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}

LANGUAGE_CODE = "en"
OTHER_LANGUAGES = catalogs.translated_languages()
LANGUAGES = [
    ("en", "English"),
    # Without its own catalog, but with its own formats of dates, times and weeks.
    ("en-us", "English (US)"),
    *((code, name) for code, name, _ in OTHER_LANGUAGES),
]
# As long as the session of a phone.
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = IS_SECURE
FORMAT_MODULE_PATH = ["tricky_site.locales.formats"]
LOCALE_PATHS = [catalogs.LOCALES]
TIME_ZONE_COOKIE_NAME = "time_zone"

STATIC_URL = "static/"
STATIC_ROOT = env("STATIC_ROOT")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "tricky_site.http.statics.IncrementallyCompressedStatics"
    },
}
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}
# Pyodide is already compressed; to compress it again would take half a minute.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "wasm"]

MESSAGE_STORAGE = "tricky_site.storage.messages.MessageStorage"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
# A phone remembers its matches for a year. Accounts are signed out earlier.
SIGNED_IN_IDLE = {"helper": env("SIGN_IN_IDLE_HOURS"), "other": timedelta(days=30)}
"""Maximum time without use, for accounts that direct or score in a club, and for others."""
SIGNED_IN_AT_MOST = {
    "helper": env("SIGN_IN_LONGEST_DAYS"),
    "other": timedelta(days=365),
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_SECURE
if IS_SECURE:
    # Neither plain HTTP nor another host of the same domain can set them. As cookies ignore ports, this also
    # makes cookies from an earlier site without HTTPS harmless.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    TIME_ZONE_COOKIE_NAME = "__Host-time_zone"
# With its own authority the machine also serves plain HTTP on the other port, for the page about trust. So there
# is no redirect and no HSTS in that case.
SECURE_SSL_REDIRECT = HTTPS
# API calls on plain HTTP are refused instead: with a redirect, programs would send their key unencrypted each time.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$", r"^api/(?!v1/reference)"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# For the address by which sign-ins are counted: behind a proxy all requests come from the proxy.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

OWN_FILES = ("script-src", "style-src", "font-src", "connect-src", "worker-src")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        **{name: [SELF] for name in (*OWN_FILES, "manifest-src", "form-action")},
        **{name: [NONE] for name in ("base-uri", "frame-ancestors", "object-src")},
        "img-src": [SELF, "data:"],
    }
}

OUTGOING_ONLY = [name.strip().lower() for name in env("OUTGOING_ONLY")]
"""Hosts, including subdomains, to which webhooks and push messages may be sent on the internet; empty
for any."""
OUTGOING_TRUSTED = env("OUTGOING_TRUSTED") or (
    ["localhost", "127.0.0.1"] if DEBUG else []
)
"""Hosts, with or without a port, to which webhooks and push messages may be sent in a private network
and by plain HTTP."""
ROOM_PHONES = env("ROOM_PHONES")
"""Maximum number of phones in a club's room, all behind one address; limits for strangers
(scoring/web/limits.py) must not affect them."""
API_CALLS_A_MINUTE = {"token": 600, "network": 300}
"""For each API key, and for each network for calls without one."""
LEAST_FREE_MB = env("LEAST_FREE_MB")
"""Minimum free space on the disk of `TRICKY_VAR`; below it the site is not ready."""
# Only for sites that a club allows; see `is_club_origin_allowed` in tricky_site/http/middleware.py.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
CORS_ALLOW_HEADERS = ("authorization", "content-type", "if-none-match")
RATE_LIMIT = ("Limit", "Policy", "Remaining", "Reset")
CORS_EXPOSE_HEADERS = ("ETag", "Retry-After", *(f"RateLimit-{x}" for x in RATE_LIMIT))

OUTER_CONNECTIONS = {
    "DATABASE_URL": DATABASE_URL,
    "DATABASE_OWNER_URL": env("DATABASE_OWNER_URL"),
    "CELERY_BROKER_URL": "" if CELERY_TASK_ALWAYS_EAGER else CELERY_BROKER_URL,
    "CACHE_URL": CACHE_URL,
    "EMAIL_URL": EMAIL_URL,
}
"""Services in the settings of the server. URLs of clubs must always be HTTPS."""
if env("DEMAND_TLS"):
    if OUTGOING_TRUSTED:
        raise ImproperlyConfigured("OUTGOING_TRUSTED must be empty with DEMAND_TLS=1.")
    for open_to_others in describe_insecure_connections(OUTER_CONNECTIONS):
        raise ImproperlyConfigured(open_to_others)

if dsn := env("SENTRY_DSN"):
    init_sentry(dsn, environment=env("SENTRY_ENVIRONMENT"))

SECURITY_HANDLER = {"class": "logging.StreamHandler"}
if path := env("SECURITY_LOG"):
    handler = "tricky_site.observability.logs.GroupReadableFileHandler"
    SECURITY_HANDLER = {"class": handler, "filename": path}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
        },
        "json": {"()": "tricky_site.observability.logs.JSONFormatter"},
    },
    "filters": {"request_id": {"()": "tricky_site.observability.logs.RequestIDFilter"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env("LOG_FORMAT"),
            "filters": ["request_id"],
        },
        "security": {**SECURITY_HANDLER, "formatter": "json"},
    },
    # A line for each successful job would hide the failures.
    "loggers": {
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        # Events of accounts, one line of JSON each, in a separate log.
        "tricky.security": {
            "handlers": ["security"],
            "level": "INFO",
            "propagate": False,
        },
    },
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL")},
}
