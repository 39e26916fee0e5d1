"""The entry point for a WSGI server."""

import gc
import os
import sys

from django.core.wsgi import get_wsgi_application

from tricky_site.startup import exit_on_wrong_setting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
with exit_on_wrong_setting():
    django_application = get_wsgi_application()

from tricky_site.beat import start_beat
from tricky_site.http.request_bodies import RequestBodyReader
from tricky_site.http.responses import ResponseLimiter
from tricky_site.storage.held_open import hold_open

application = RequestBodyReader(ResponseLimiter(django_application))
held_open = hold_open()
start_beat()

# What is loaded by now stays; a request makes more objects than the collector's usual
# patience, and nearly all of them go without it. Measured: an eighth more requests.
gc.freeze()
gc.set_threshold(50_000, 20, 20)

# A hand that is sent asks the database six times, and each time waits until the threads that draw
# pages let it go on: five milliseconds each, if nobody says how soon.
sys.setswitchinterval(0.0005)
