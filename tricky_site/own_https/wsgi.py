"""The entry point of the process that answers plain http, where the site itself speaks https."""

import os

from django.core.wsgi import get_wsgi_application

# Whatever the environment says: this is another site than the one beside it.
os.environ["DJANGO_SETTINGS_MODULE"] = "tricky_site.own_https.settings"

application = get_wsgi_application()
