"""Template context that every page needs to start the scorepad's own server on a phone."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import PrefixNode, static
from django.urls import reverse
from django.utils.translation import get_language

from scoring.offline.pack import build_pack

PYODIDE = "scoring/vendor/pyodide-314.0.7/"


def python_folder_url() -> str:
    """Return the address of the folder with Python for browsers; it includes the version."""
    return PrefixNode.handle_simple("STATIC_URL") + PYODIDE


def phone_context(request: HttpRequest) -> dict[str, object]:
    """Context processor: the addresses of the scorepad's own server, for a page that starts it."""
    return {"phone": _offline_urls(get_language() or settings.LANGUAGE_CODE)}


@cache
def _offline_urls(language: str) -> dict[str, str]:
    return {
        "worker": static("scoring/bundles/worker.js"),
        "pyodide": python_folder_url(),
        "pack": reverse("scoring:offline_pack", args=[build_pack(language).version]),
        # The port with instructions for trusting this server's certificate; empty if
        # not needed.
        "plain_port": str(settings.PLAIN_PORT) if settings.HTTPS_PORT else "",
    }
