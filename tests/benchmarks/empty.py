"""The minimum of a Django response: an empty view, and one that inserts a row.

Neither has middleware. `bench_requests` serves them next to the site with the same options.
"""

import os

import environ
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

TABLE = "bare"
"""Created by the benchmark in the database of the site."""

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={
        "default": {
            **environ.Env.db_url_config(os.environ["DATABASE_URL"]),
            "CONN_MAX_AGE": None,
        }
    },
    MIDDLEWARE=[],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for a benchmark",
)


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=204)


def insert(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {TABLE} (body) VALUES (%s)",  # noqa: S608 - our own name
            [request.body.decode()],
        )
    return HttpResponse(status=200)


urlpatterns = [path("", empty), path("insert/", insert)]
application = get_wsgi_application()
