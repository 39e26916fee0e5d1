"""Settings of the scorepad in a phone's browser: one person, one tab, no network.

Nothing here is secret or persistent: the database is in memory, and every entry is in the
browser's outbox before it comes here.
"""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent.parent

DEBUG = False
SECRET_KEY = "every phone is its own server, and signs for nobody else"  # noqa: S105
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "scoring.offline.urls"
COMPETITION = "scoring.offline.competition.OfflineCompetition"
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # There is no other writer.
    "versions": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    # A single phone requests each sheet once.
    "sheets": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
}
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_htmx",
    "scoring.offline.apps.OfflineScorepadConfig",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
SESSION_ENGINE = "django.contrib.sessions.backends.cache"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "builtins": ["scoring.templatetags.parts"],
            # As template_partials configures itself, for which it would need Django's
            # admin.
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "libraries": {"partials": "template_partials.templatetags.partials"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
STATIC_URL = "/static/"
STORAGES = {
    "staticfiles": {"BACKEND": "scoring.offline.statics.ServerUrlStaticFilesStorage"}
}
LOGGING_CONFIG = None
USE_TZ = True
HOST_ZONE = "time_zone.txt"
"""The file of a pack with the host's time zone."""
_zone_file = BASE_DIR / HOST_ZONE
TIME_ZONE = _zone_file.read_text() if _zone_file.exists() else "UTC"
TIME_ZONE_COOKIE_NAME = "time_zone"
LANGUAGE = "language.txt"
"""The file of a pack with the phone's language."""
_language_file = BASE_DIR / LANGUAGE
LANGUAGE_CODE = _language_file.read_text() if _language_file.exists() else "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["formats"]
