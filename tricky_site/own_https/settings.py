"""Settings of the process that answers plain HTTP next to the site: no database, no sessions."""

from tricky_site.settings import *  # noqa: F403 - all other settings are the site's
from tricky_site.settings import TEMPLATES

INSTALLED_APPS = ["django.contrib.staticfiles", "csp"]
ROOT_URLCONF = "tricky_site.own_https.views"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "csp.middleware.CSPMiddleware",
]
TEMPLATES = [
    {
        **TEMPLATES[0],
        "OPTIONS": {
            **TEMPLATES[0]["OPTIONS"],  # type: ignore[dict-item]
            "context_processors": ["django.template.context_processors.i18n"],
        },
    }
]
