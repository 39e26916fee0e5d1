"""The entry point for a WSGI server."""

import gc
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup(set_prefix=False)

from tricky_site.beat import start_beat  # noqa: E402 - Django is set up first
from tricky_site.http.front import Front  # noqa: E402
from tricky_site.http.request_bodies import RequestBodyReader  # noqa: E402
from tricky_site.storage.held_open import hold_open  # noqa: E402

application = RequestBodyReader(Front())
held_open = hold_open()
start_beat()

# What is loaded by now stays; a request makes more objects than the collector's usual
# patience, and nearly all of them go without it. Measured: an eighth more requests.
gc.freeze()
gc.set_threshold(50_000, 20, 20)

# A hand that is sent asks the database six times, and each time waits until the threads that draw
# pages let it go on: five milliseconds each, if nobody says how soon.
sys.setswitchinterval(0.0005)
