"""The Django project: settings, URLs, servers and the job queue."""

from tricky_site.celery import app as celery_app

__all__ = ["celery_app"]
