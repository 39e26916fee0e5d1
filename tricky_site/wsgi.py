"""The entry point for a WSGI server."""

import gc
import os
import sqlite3
import sys

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from tricky_site.startup import exit_on_wrong_setting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
with exit_on_wrong_setting():
    django_application = get_wsgi_application()
    # Load all views now: it takes half a second, for which the first request would wait.
    get_resolver().url_patterns  # noqa: B018 - loaded by being asked for

from tricky_site.beat import start_beat_without_broker
from tricky_site.http.request_bodies import RequestBodyReader
from tricky_site.http.responses import DownloadLimiter

application = RequestBodyReader(DownloadLimiter(django_application))
database = settings.DATABASES["default"]
if database["ENGINE"].endswith("sqlite3"):
    # This connection stays open: the last one that closes deletes the WAL, and with a full disk the next reader
    # could not create it again.
    sqlite = sqlite3.connect(database["NAME"], check_same_thread=False)
    sqlite.execute("SELECT count(*) FROM sqlite_master").fetchall()
start_beat_without_broker()

# The loaded modules stay in memory. A request creates more objects than the default threshold,
# and nearly all are freed without the collector. Measured: an eighth more requests.
gc.freeze()
gc.set_threshold(50_000, 20, 20)

# Saving a hand takes six queries, after each of which it waits for the threads that render pages:
# five milliseconds each by default.
sys.setswitchinterval(0.0005)
