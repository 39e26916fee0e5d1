"""An empty view of Django without middleware: the least that an answer of Django takes.

It stands beside the site in `bench_requests`, served alike, and knows nothing of it.
"""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    MIDDLEWARE=[],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for a benchmark",
)


def empty(request: HttpRequest) -> HttpResponse:
    """Answer with nothing."""
    return HttpResponse(status=204)


urlpatterns = [path("", empty)]
application = get_wsgi_application()
