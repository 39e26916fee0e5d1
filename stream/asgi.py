"""The entry point of the process that streams, for an ASGI server."""

import os

import django

from tricky_site.startup import exit_on_wrong_setting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
with exit_on_wrong_setting():
    django.setup()

from stream.serving import application_here

application = application_here()
