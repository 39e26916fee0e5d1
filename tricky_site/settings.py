"""Settings, from the environment; docs/hosting.md lists every variable."""

import base64
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from datetime import timedelta
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

from scoring.locales import catalogs
from tricky_site.connections import open_connections
from tricky_site.http.hosts import ALWAYS, OwnHosts
from tricky_site.locales import pseudo
from tricky_site.observability.logs import init_sentry

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def switch(name: str) -> bool:
    """Return whether the variable is on: "1" or "true"; anything odd is refused."""
    value = env.str(name, default="").lower()
    if value not in {"", "0", "1", "false", "true"}:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in {"1", "true"}


def whole_number(name: str, default: int) -> int:
    """Return the number that the variable says, 1 or more; anything odd is refused."""
    value = env.str(name, default="") or str(default)
    if not re.fullmatch(r"[1-9][0-9]{0,6}", value, re.ASCII):
        raise ImproperlyConfigured(f"{name} must be a number from 1 on, not {value!r}.")
    return int(value)


def one_of(name: str, *values: str) -> str:
    """Return which of the values the variable says, the first by itself; anything else is refused."""
    value = env.str(name, default="") or values[0]
    if value not in values:
        known = " or ".join(values)
        raise ImproperlyConfigured(f"{name} must be {known}, not {value!r}.")
    return value


def secret(name: str) -> str:
    """Return the secret that the variable says, or the file does that `…_FILE` names; empty for none.

    Vaults lay files: credentials of systemd, secrets of containers. Where there is a variable whoever looks
    at the process reads it.
    """
    said, path = env.str(name, default=""), env.str(f"{name}_FILE", default="")
    if said and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE cannot both be set.")
    try:
        return Path(path).read_text().strip() if path else said
    except OSError as unreadable:
        raise ImproperlyConfigured(f"{name}_FILE: {unreadable}.") from unreadable


def networks(name: str) -> list[str]:
    """Return the networks that the variable lists; one that is none is refused."""
    listed: list[str] = env.list(name, default=[])
    try:
        return [str(ip_network(each.strip())) for each in listed]
    except ValueError as unreadable:
        raise ImproperlyConfigured(f"{name}: {unreadable}.") from unreadable


def port(name: str) -> int:
    """Return the port that the variable says, 0 for none; anything odd is refused."""
    value = env.str(name, default="")
    if value and not (
        re.fullmatch(r"[1-9]\d{0,4}", value, re.ASCII) and int(value) < 65536
    ):
        raise ImproperlyConfigured(f"{name} must be a port, 1 to 65535, not {value!r}.")
    return int(value or 0)


def new_vapid_key() -> str:
    """Return a private key of P-256, by which this site tells devices something."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    number = 1 + secrets.randbelow(order - 1)
    return base64.urlsafe_b64encode(number.to_bytes(32)).rstrip(b"=").decode()


def vapid_key(text: str) -> str:
    """Return the key where it is one; anything else is refused."""
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        key = b""
    if len(key) != 32:
        raise ImproperlyConfigured("VAPID_PRIVATE_KEY must be 32 bytes in base64url.")
    return text


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner may read, unless it exists."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"TRICKY_VAR and SECRET_KEY_FILE must be in folders that this user can write; "
            f"{folder}: {error.strerror}."
        ) from error


def kept_secret(
    path: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(64)
) -> str:
    """Return the secret in the file, made once and readable by its owner alone."""
    private_folder(path.parent)
    try:
        if not path.exists():
            # Linked in one step: of two processes that start at once, one wins.
            with tempfile.NamedTemporaryFile("w", dir=path.parent) as made:
                made.write(make())
                made.flush()
                try:
                    os.link(made.name, path)
                except FileExistsError:
                    pass
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} must be a file that this user can read and write: {error.strerror}."
        ) from error


DEBUG = switch("DEBUG")
HTTPS = switch("TRICKY_HTTPS")
"""Whether a proxy in front speaks https."""
HTTPS_PORT = port("HTTPS_PORT")
"""Where the site speaks https itself, by the authority of this machine; 0 where it does not."""
if HTTPS and HTTPS_PORT:
    raise ImproperlyConfigured(
        "HTTPS_PORT must be empty with TRICKY_HTTPS=1: a proxy speaks https there."
    )
IS_SECURE = HTTPS or bool(HTTPS_PORT)
PLAIN_PORT = port("PORT") or 8000
"""Where plain http is answered."""
DATABASE_URL = secret("DATABASE_URL")
REDIS = ("redis://", "rediss://")
"""How the addresses of a Redis begin."""
VAR_DIR = Path(env.str("TRICKY_VAR", default=str(BASE_DIR / "var")))
"""Where the embedded default keeps its database and its secret."""
AUTHORITY_FILE = VAR_DIR / "https" / "authority.pem"
"""The authority of this machine with its key, where it speaks https by one; beside it lies
the certificate of the server."""

SECRET_KEY_FILE = Path(env.str("SECRET_KEY_FILE", default=str(VAR_DIR / "secret-key")))
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(SECRET_KEY_FILE)
# What a secret was before it was changed: what it signed holds on, seat tokens too.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# What devices that asked for it are told is signed with this key; another one ends all of it.
VAPID_KEY_FILE = VAR_DIR / "vapid-key"
VAPID_PRIVATE_KEY = vapid_key(
    secret("VAPID_PRIVATE_KEY") or kept_secret(VAPID_KEY_FILE, new_vapid_key)
)
BACKUP_FOLDER = env.str("BACKUP_FOLDER", default="")
"""Where the site is backed up each night; empty where it is not."""
BACKUP_KEEP = whole_number("BACKUP_KEEP", 7)
BACKUP_PASSPHRASE = secret("BACKUP_PASSPHRASE")
if 0 < len(BACKUP_PASSPHRASE) < 12:
    raise ImproperlyConfigured("BACKUP_PASSPHRASE must be 12 characters or more.")
PUSH_CONTACT = env.str("PUSH_CONTACT", default="")
if not re.match(
    r"$|mailto:[^@\s]+@[\w.-]+\.\w+$|https://[\w-]+\.[\w.-]+$", PUSH_CONTACT
):
    raise ImproperlyConfigured("PUSH_CONTACT must be mailto:… or https://….")
"""Whom the services of browsers may write to, as in `mailto:club@example.org`."""
# Letters, QR codes and links are made of the name under which somebody asked: so it has
# to be one of ours. Phones in the room reach this machine by whatever address it has
# there; a host on the internet names its own.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[]) or (
    list(ALWAYS) if HTTPS else OwnHosts()
)
IS_HOSTED = HTTPS or bool(DATABASE_URL) or not isinstance(ALLOWED_HOSTS, OwnHosts)
"""Whether the settings are those of a server for real use, not of a laptop that is tried out."""
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

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
]

MIDDLEWARE = [
    "tricky_site.http.middleware.RequestIDMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tricky_site.http.polling.PollMiddleware",
    "tricky_site.http.admission.AdmissionMiddleware",
    "tricky_site.http.middleware.ApiErrorMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "tricky_site.http.middleware.LocaleMiddleware",
    "tricky_site.http.middleware.ReadOnlySessionMiddleware",
    "scoring.phone_memory.PhoneMemoryMiddleware",
    "django.middleware.common.CommonMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "tricky_site.http.middleware.ClientNetworkMiddleware",
    "tricky_site.http.middleware.SessionExpiryMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tricky_site.http.middleware.NoStoreMiddleware",
    "tricky_site.http.middleware.ErrorPageMiddleware",
    "tricky_site.http.middleware.ApiAuthMiddleware",
]

DEMAND_SECOND_FACTOR = switch("DEMAND_SECOND_FACTOR")
if DEMAND_SECOND_FACTOR:
    MIDDLEWARE.insert(
        MIDDLEWARE.index("django.contrib.messages.middleware.MessageMiddleware") + 1,
        "tricky_site.http.second_factor.RequireSecondFactorMiddleware",
    )
METRICS_TOKEN = secret("METRICS_TOKEN")
"""Whoever shows it reads `/metrics`; without it and without networks there is no such page."""
if 0 < len(METRICS_TOKEN) < 16:
    raise ImproperlyConfigured("METRICS_TOKEN must be 16 characters or more.")
METRICS_NETWORKS = networks("METRICS_NETWORKS")
"""From where `/metrics` is read without it."""
if METRICS_TOKEN or METRICS_NETWORKS:
    # Files that never change are handed out before it, and not counted.
    MIDDLEWARE.insert(
        MIDDLEWARE.index("tricky_site.http.polling.PollMiddleware"),
        "tricky_site.observability.request_counts.RequestCountMiddleware",
    )

# What helps while something is built: only with DEBUG, and only where it is installed,
# which it is by the dev group alone. Both write into pages, so they come before what
# compresses them; the toolbar shows itself on this machine, not on a phone.
DEVELOPER_TOOLS = {
    "debug_toolbar": "debug_toolbar.middleware.DebugToolbarMiddleware",
    "django_browser_reload": "django_browser_reload.middleware.BrowserReloadMiddleware",
}
if DEBUG:
    INSTALLED_TOOLS = [app for app in DEVELOPER_TOOLS if find_spec(app)]
    INSTALLED_APPS += INSTALLED_TOOLS
    after = MIDDLEWARE.index("django.middleware.gzip.GZipMiddleware") + 1
    MIDDLEWARE[after:after] = [
        "tricky_site.development.FreshFilesMiddleware",
        *(DEVELOPER_TOOLS[app] for app in INSTALLED_TOOLS),
    ]
    INTERNAL_IPS = ["127.0.0.1", "::1"]
    DEBUG_TOOLBAR_CONFIG = {"SHOW_COLLAPSED": True}

ROOT_URLCONF = "tricky_site.urls"
WSGI_APPLICATION = "tricky_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["scoring.templatetags.drawings", "scoring.templatetags.parts"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.offline.context.phone",
                "tricky_site.locales.languages.choice",
                "tricky_site.locales.zones.choice",
            ],
        },
    },
]


def postgresql(name: str, *, patience: int = 3) -> dict[str, Any]:
    """Return the PostgreSQL database that a variable names, reached through a pool."""
    named: dict[str, Any] = environ.Env.db_url_config(secret(name))
    if named.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured(f"{name} must begin with postgres://.")
    # One for each request that Django answers at once (`tricky_site.http.admission`); made when first wanted.
    # While the server is away nobody waits longer for one than a phone does, and it is
    # asked again and again: left alone, the pool would ask ever more rarely.
    pool = {"min_size": 1, "max_size": 10, "timeout": patience, "reconnect_timeout": 3}
    return {
        **named,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        # Behind PgBouncer the next statement may go to another connection than the last.
        "DISABLE_SERVER_SIDE_CURSORS": switch("PGBOUNCER"),
        "OPTIONS": {"pool": pool, **named.get("OPTIONS", {})},
    }


def sqlite(folder: Path) -> dict[str, Any]:
    """Return the embedded database, so set that a saved hand survives a power cut."""
    private_folder(folder)
    path = folder / "tricky.sqlite3"
    # SQLite would make it readable by all; what it keeps beside it follows its rights.
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


def cache_url() -> str:
    """Return the Redis for what processes share: the broker, where that is one and no other is named."""
    url = secret("CACHE_URL")
    broker = CELERY_BROKER_URL if CELERY_BROKER_URL.startswith(REDIS) else ""
    if url and not url.startswith(REDIS):
        raise ImproperlyConfigured("CACHE_URL must begin with redis:// or rediss://.")
    return url or broker


def shared_cache(url: str, *, is_missed: bool) -> dict[str, Any]:
    """Return the cache that all processes share: on Redis, or a table of the database.

    The table takes the place of Redis while that is away, where what is kept is missed.
    """
    in_database = {
        "BACKEND": "tricky_site.storage.shared_counts.ReadableCache",
        "LOCATION": "tricky_cache",
        # Beyond these a third is forgotten: of few, whoever floods would clear their own count.
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
    if not url:
        return in_database
    return {
        "BACKEND": "tricky_site.storage.caches.SharedCache",
        "LOCATION": url,
        "BESIDE": in_database if is_missed else None,
        # As the queue: of several sites that share a Redis each has its own.
        "KEY_PREFIX": CELERY_TASK_DEFAULT_QUEUE,
        # Nobody waits longer for it than a page takes that is slow.
        "OPTIONS": {
            "serializer": "tricky_site.storage.caches.SignedSerializer",
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
        },
    }


DATABASES = {"default": postgresql("DATABASE_URL") if DATABASE_URL else sqlite(VAR_DIR)}
DATABASE_ACCOUNT = ""
"""Whom the owner of the tables gives rights to read and write their rows, with each `migrate`."""
if switch("DATABASE_AS_OWNER") and secret("DATABASE_OWNER_URL"):
    if not DATABASE_URL:
        raise ImproperlyConfigured("DATABASE_OWNER_URL wants DATABASE_URL as well.")
    DATABASE_ACCOUNT = DATABASES["default"].get("USER", "")
    DATABASES["default"] = postgresql("DATABASE_OWNER_URL")
if secret("DATABASE_STANDBY_URL"):
    if not DATABASE_URL:
        raise ImproperlyConfigured("DATABASE_STANDBY_URL wants DATABASE_URL as well.")
    # A page that waits for it in vain is still to come from the primary.
    DATABASES["standby"] = {
        **postgresql("DATABASE_STANDBY_URL", patience=1),
        "TEST": {"MIRROR": "default"},
    }
    DATABASE_ROUTERS = ["tricky_site.storage.standby.Router"]
    # Last: what it answers has passed everything else.
    MIDDLEWARE.append("tricky_site.storage.standby.PagesForEverybody")
CELERY_BROKER_URL = secret("CELERY_BROKER_URL")
if not re.match(r"$|(redis|rediss|amqp|amqps)://", CELERY_BROKER_URL):
    raise ImproperlyConfigured(
        "CELERY_BROKER_URL must begin with redis://, rediss://, amqp:// or amqps://."
    )
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="tricky")
CACHE_URL = cache_url()
"""The Redis on which processes share what they count and draw; empty where the database has it."""
CACHES: dict[str, dict[str, Any]] = {
    # What all processes count together: wrong passwords, letters that were sent.
    "default": shared_cache(CACHE_URL, is_missed=True),
    # Pages and figures that can be drawn again.
    "drawn": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Tables of desks, as each process drew them.
    "tiles": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "tiles",
        "OPTIONS": {"MAX_ENTRIES": 2_000},
    },
    # Versions of matches and tournaments, which all processes have to share (scoring/versions).
    "versions": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    # What polls were answered with, for as long as the clock changes nothing (tricky_site/http/polling.py).
    "polls": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "polls",
        "TIMEOUT": 5,
        "OPTIONS": {"MAX_ENTRIES": 3_000},
    },
    # Sheets of matches that are played: the phones of a table ask for them at once.
    "sheets": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "sheets",
        "OPTIONS": {"MAX_ENTRIES": 1_000},
    },
}
if CACHE_URL:
    # In the database it would take as long to look for one as to draw it.
    CACHES["sheets"] = {
        **shared_cache(CACHE_URL, is_missed=False),
        "KEY_PREFIX": f"{CELERY_TASK_DEFAULT_QUEUE}-sheets",
    }
    CACHES["versions"] = {
        **shared_cache(CACHE_URL, is_missed=False),
        "KEY_PREFIX": f"{CELERY_TASK_DEFAULT_QUEUE}-versions",
        "TIMEOUT": 3600,
    }
elif not DATABASE_URL:
    # All processes of a host on SQLite share its folder.
    CACHES["versions"] = {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "versions",
        "TIMEOUT": 3600,
        # Each change counts the files. Of one that is removed, the next poll asks its view.
        "OPTIONS": {"MAX_ENTRIES": 500},
    }
if DATABASE_URL or CACHE_URL:
    # Several processes draw them once. On SQLite alone there is one.
    CACHES["drawn"] = {
        "BACKEND": "tricky_site.storage.caches.DrawnCache",
        # Sorts first by whatever order of letters: where the table is full they are forgotten, and no
        # count is.
        "FAR": {"KEY_PREFIX": "-drawn", **shared_cache(CACHE_URL, is_missed=False)},
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

COMPETITION = "tournaments.event.competition.Tournaments"
"""What matches are played for: an implementation of `scoring.competition.Competition`."""
AUTH_USER_MODEL = "tournaments.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_LENGTH = {"min_length": 10}
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": PASSWORD_LENGTH,
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {
        "NAME": "tournaments.people.passwords.DressedPasswordValidator",
        "OPTIONS": PASSWORD_LENGTH,
    },
]
LEAKED_PASSWORDS = env.str("LEAKED_PASSWORDS", default="")
if LEAKED_PASSWORDS:
    if not os.access(LEAKED_PASSWORDS, os.R_OK):
        raise ImproperlyConfigured("LEAKED_PASSWORDS must be a file that can be read.")
    AUTH_PASSWORD_VALIDATORS.append(
        {
            "NAME": "tournaments.people.leaked_passwords.LeakedPasswordValidator",
            "OPTIONS": {"path": LEAKED_PASSWORDS},
        }
    )
LOGIN_REDIRECT_URL = "tournaments:clubs"
EMAIL_URL = secret("EMAIL_URL")
try:
    EMAIL_CONFIG = environ.Env.email_url_config(EMAIL_URL or "consolemail://")
except (ValueError, ImproperlyConfigured) as unreadable:
    raise ImproperlyConfigured(
        "EMAIL_URL must be as in smtp+tls://name:password@mail.example:587."
    ) from unreadable
vars().update(EMAIL_CONFIG)
# Without a mail server nobody could answer, so an address is taken at its word.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_URL else "none"
ACCOUNT_ADAPTER = "tournaments.web.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
# Before an address is added or becomes the first: whoever finds a device stays out of it.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    name: f"tournaments.web.forms.accounts.{form}"
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
MFA_ADAPTER = "tournaments.web.accounts.FactorsAdapter"
MFA_FORMS = {
    "activate_totp": "tournaments.web.forms.accounts.AddAppForm",
    "authenticate": "tournaments.web.forms.accounts.AuthenticateForm",
    "reauthenticate": "tournaments.web.forms.accounts.ReauthenticateByCodeForm",
    "add_webauthn": "tournaments.web.forms.accounts.AddPasskeyForm",
    "edit_webauthn": "tournaments.web.forms.accounts.RenamePasskeyForm",
}
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
# As in the letters: the app that shows the codes lists them by it.
MFA_TOTP_ISSUER = "Tricky"
MFA_PASSKEY_LOGIN_ENABLED = True
# After that the site knows no more than whether one is right (tournaments/people/factors.py).
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION == "none"
# Browsers hold passkeys back from plain http; localhost is the exception they make.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_SECURE

# Without a broker a task runs in the process, after the commit that caused it; its
# failure is logged and never reaches the person who saved a hand.
CELERY_TASK_ALWAYS_EAGER = not CELERY_BROKER_URL
if CELERY_TASK_ALWAYS_EAGER:
    # Nothing is ever sent there; without a name Celery warns that it has none.
    CELERY_BROKER_URL = "memory://localhost/"
CELERY_TASK_EAGER_PROPAGATES = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# One worker, started with --beat, finds each minute what a lost message left behind.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournaments.tasks.sweep", "schedule": 60},
    # What a worker that was away has missed is not made up for: the next look sees it all.
    "nights": {
        "task": "tournaments.tasks.run_nights",
        "schedule": 5,
        "options": {"expires": 5},
    },
    "webhooks": {
        "task": "tournaments.tasks.deliver_due",
        "schedule": 2,
        "options": {"expires": 2},
    },
    # Each hour it is asked whether one is due: a site may be off at night.
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
CELERY_BEAT_SCHEDULER = "tricky_site.beat.SteadyPersistentScheduler"
# Celery unpickles it: where others may write, they could lay their own there.
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_TIMEZONE = env.str("TIME_ZONE", default="UTC")
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# However long the broker is away, the worker is there again when it is.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_CONSUMER = "tricky_site.celery:SteadyConsumer"
# Who saves a hand does not wait for a broker that is away: the hand is saved, and
# what the task would have checked can be checked at any later time.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}

LANGUAGE_CODE = "en"
OTHER_LANGUAGES = catalogs.languages()
LANGUAGES = [
    ("en", "English"),
    # Has no words of its own, but days, hours and weeks.
    ("en-us", "English (US)"),
    *((code, name) for code, name, _ in OTHER_LANGUAGES),
]
# What somebody chose is kept for as long as a phone is known.
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = IS_SECURE
FORMAT_MODULE_PATH = ["tricky_site.locales.formats"]
LOCALE_PATHS = [catalogs.LOCALES]
if DEBUG:
    # Shows what was given to no translator, and what grows too wide.
    LANGUAGES.append((pseudo.CODE, "Pseudo"))
    LOCALE_PATHS.append(pseudo.write(VAR_DIR / "pseudo"))
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
"""That of the host: of clubs that are founded here, unless they say another."""
try:
    ZoneInfo(TIME_ZONE)
except (ValueError, OSError, ZoneInfoNotFoundError) as unknown:
    raise ImproperlyConfigured("TIME_ZONE must be as in Europe/Berlin.") from unknown
TIME_ZONE_COOKIE_NAME = "time_zone"
"""What somebody chose, kept as a language is."""

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "tricky_site.http.statics.HashedStatics",
    },
}
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}
# Pyodide comes compressed: to do it anew takes half a minute each time.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "wasm"]

MESSAGE_STORAGE = "tricky_site.storage.messages.MessageStorage"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
# A phone remembers its matches for a year. An account is signed in there for less time.
SIGNED_IN_IDLE = {
    "helper": timedelta(hours=whole_number("SIGN_IN_IDLE_HOURS", 12)),
    "other": timedelta(days=30),
}
"""For how long without use: whoever directs or scores in a club, and everybody else."""
SIGNED_IN_AT_MOST = {
    "helper": timedelta(days=whole_number("SIGN_IN_LONGEST_DAYS", 30)),
    "other": timedelta(days=365),
}
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_SECURE
if IS_SECURE:
    # Neither plain http nor another host of the same domain can set them. Cookies know no ports, either: those
    # of a site that was once served without https stand in nobody's way.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    TIME_ZONE_COOKIE_NAME = "__Host-time_zone"
# With an authority of its own the machine answers plain http too, at its other port: for
# that the first page is, so browsers are told of https neither for that port nor for good.
SECURE_SSL_REDIRECT = HTTPS
# Programs are refused on plain http instead: led on silently, they would show their token there each time.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$", r"^api/(?!v1/reference)"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
# Whom sign-ins and wrong codes are counted for: behind a proxy all have its address.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

OUTGOING_ONLY = [name.strip().lower() for name in env.list("OUTGOING_ONLY", default=[])]
"""Hosts, with all below them, that webhooks and messages to devices reach on the internet; any
where none is named."""
OUTGOING_TRUSTED = env.list(
    "OUTGOING_TRUSTED", default=["localhost", "127.0.0.1"] if DEBUG else []
)
"""Hosts, with a port or without, that webhooks and messages to devices reach in a
private network and by http."""
ROOM_PHONES = whole_number("ROOM_PHONES", 400)
"""How many phones a club's room has on its biggest night, behind one address: what bounds
strangers (scoring/web/limits.py) never stops these."""
API_CALLS_A_MINUTE = {"token": 600, "network": 300}
"""Of one token; of one network for calls that show none."""
LEAST_FREE_MB = whole_number("LEAST_FREE_MB", 200)
"""How much of the disk with `TRICKY_VAR` is to be free: below it the site is not ready."""
# Off but for the sites that a club allows, which tricky_site/api/door.py asks for.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
CORS_ALLOW_HEADERS = ("authorization", "content-type", "if-none-match")
CORS_EXPOSE_HEADERS = (
    "ETag",
    "RateLimit-Limit",
    "RateLimit-Policy",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
)

OUTER_CONNECTIONS = {
    "DATABASE_URL": DATABASE_URL,
    "DATABASE_OWNER_URL": secret("DATABASE_OWNER_URL"),
    "DATABASE_STANDBY_URL": secret("DATABASE_STANDBY_URL"),
    "CELERY_BROKER_URL": "" if CELERY_TASK_ALWAYS_EAGER else CELERY_BROKER_URL,
    "CACHE_URL": CACHE_URL,
    "EMAIL_URL": EMAIL_URL,
}
"""With whom the site speaks as its host has said; whom clubs name it reaches by https alone."""
DEMAND_TLS = switch("DEMAND_TLS")
if DEMAND_TLS:
    if OUTGOING_TRUSTED:
        raise ImproperlyConfigured("OUTGOING_TRUSTED must be empty with DEMAND_TLS=1.")
    for open_to_others in open_connections(OUTER_CONNECTIONS):
        raise ImproperlyConfigured(open_to_others)

SENTRY_DSN = secret("SENTRY_DSN")
if SENTRY_DSN:
    init_sentry(
        SENTRY_DSN, environment=env.str("SENTRY_ENVIRONMENT", default="production")
    )

LOG_FORMAT = one_of("LOG_FORMAT", "text", "json")
LOG_LEVEL = one_of("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")
SECURITY_LOG = env.str("SECURITY_LOG", default="")
if SECURITY_LOG and not os.access(Path(SECURITY_LOG).parent, os.W_OK):
    raise ImproperlyConfigured(
        "SECURITY_LOG must be in a folder that this user can write."
    )
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
            "formatter": LOG_FORMAT,
            "filters": ["request_id"],
        },
        "security": {
            **(
                {
                    "class": "tricky_site.observability.logs.PrivateFileHandler",
                    "filename": SECURITY_LOG,
                }
                if SECURITY_LOG
                else {"class": "logging.StreamHandler"}
            ),
            "formatter": "json",
        },
    },
    # Every job that went well, a line each, would hide what did not.
    "loggers": {
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        # What happens to accounts, a line of JSON each, apart from all else.
        "tricky.security": {
            "handlers": ["security"],
            "level": "INFO",
            "propagate": False,
        },
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
}
