"""The entry point for a WSGI server."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from tricky_site.beat import start_beat
from tricky_site.held_open import hold_open

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")

application = get_wsgi_application()
held_open = hold_open()
start_beat()

# What is loaded by now stays; a request makes more objects than the collector's usual
# patience, and nearly all of them go without it. Measured: an eighth more requests.
gc.freeze()
gc.set_threshold(50_000, 20, 20)
