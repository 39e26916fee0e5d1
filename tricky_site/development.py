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


class NetworkFirstMiddleware(Middleware):
    """Let the service worker request static files again.

    It normally caches them forever, as their names change with their content. In development names
    are fixed, so edited styles would never appear.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; for the service worker script, add a handler that tries the network first."""
        response = self.get_response(request)
        if request.headers.get("Service-Worker") == "script":
            response.content = NETWORK_FIRST + response.content
            response["Content-Length"] = str(len(response.content))
        return response
