"""An application with small limits, served by granian for `test_request_bodies`."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup(set_prefix=False)

from tricky_site.http.request_bodies import BodyLimit, RequestBodyReader  # noqa: E402

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def echo(
    environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Answer with the body of the request."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or "0"))
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


application = RequestBodyReader(
    echo, small=BodyLimit(2, 3, 1), large=BodyLimit(1, 1, 2)
)
