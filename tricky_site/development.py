"""Middleware for development, used with DEBUG only."""

from django.http import HttpRequest, HttpResponse

from tricky_site.http.middleware import Middleware

NETWORK_FIRST = b"""\
/* With DEBUG: files under their plain names change, so a cached one serves only while
   the network is away. */
addEventListener("fetch", (event) => {
  if (!new URL(event.request.url).pathname.startsWith("/static/")) return;
  event.stopImmediatePropagation();
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreVary: true })));
});
"""


class FreshFilesMiddleware(Middleware):
    """Let the service worker ask for each file again.

    Otherwise an edited style would look as before, however often its page is loaded: the worker
    keeps files for good, whose names change with their content.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; of the service worker, with a handler that asks the network first."""
        response = self.get_response(request)
        if request.headers.get("Service-Worker") == "script":
            response.content = NETWORK_FIRST + response.content
            response["Content-Length"] = str(len(response.content))
        return response
