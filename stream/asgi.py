"""The entry point of the process that streams, for an ASGI server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup()

from stream.serving import application_here  # noqa: E402 - it needs the settings

application = application_here()
