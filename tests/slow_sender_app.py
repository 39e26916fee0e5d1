"""An application with small limits, for `test_request_bodies`."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup(set_prefix=False)

from tricky_site.http.request_bodies import ConcurrentBodyLimit, RequestBodyReader  # noqa: E402
from tricky_site.http.responses import DownloadLimiter  # noqa: E402

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LARGE, PIECE, PIECES = "/large/", b"x" * 100_000, 300


def echo(
    environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Answer with the body of the request; at /large/ with far more than a connection buffers."""
    if environ["PATH_INFO"] == LARGE:
        start_response("200 OK", [("Content-Length", str(PIECES * len(PIECE)))])
        return (PIECE for _number in range(PIECES))
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or "0"))
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


application = RequestBodyReader(
    DownloadLimiter(echo, downloads=ConcurrentBodyLimit(2, 3, 1)),
    small=ConcurrentBodyLimit(2, 3, 1),
    large=ConcurrentBodyLimit(1, 1, 2),
    anonymous=ConcurrentBodyLimit(1, 1, 1),
)
