"""What a browser is told besides while something is built, with DEBUG alone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

NETWORK_FIRST = b"""\
/* With DEBUG: files under their plain names change, so what was kept serves only while
   the network is away. */
addEventListener("fetch", (event) => {
  if (!new URL(event.request.url).pathname.startsWith("/static/")) return;
  event.stopImmediatePropagation();
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreVary: true })));
});
"""


def fresh_files(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let the service worker ask for each file anew.

    Otherwise a style that was edited would look as before, however often its page is
    loaded: the worker keeps files for good, whose names change with what is in them.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.headers.get("Service-Worker") == "script":
            response.content = NETWORK_FIRST + response.content
            response["Content-Length"] = str(len(response.content))
        return response

    return answer
