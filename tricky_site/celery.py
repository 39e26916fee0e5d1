"""The job queue: a worker where there is a broker, else in the process."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")

app = Celery("tricky")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
