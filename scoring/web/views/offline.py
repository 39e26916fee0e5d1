"""What a phone needs to run the scorepad by itself, and to be installed."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.offline.context import python_folder
from scoring.offline.pack import pack, statics

WORKER = "scoring/js/sw.js"
FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Show the page in which a phone draws all others."""
    return render(request, "scoring/shell.html")


@require_safe
def bring(request: HttpRequest) -> HttpResponse:
    """Show where a match is taken over from another phone."""
    return render(request, "scoring/bring.html")


@require_safe
def packed(request: HttpRequest, version: str) -> HttpResponse:
    """Hand out the scorepad as a phone runs it."""
    made = pack()
    if version != made.version:
        raise Http404
    answer = HttpResponse(made.archive, content_type="application/zip")
    answer["Cache-Control"] = FOR_EVER
    return answer


@cache
def release() -> str:
    """Return what the service worker knows of this release, as a line of JavaScript."""
    files = [
        url
        for name, url in statics().items()
        if not name.startswith("scoring/vendor/py")
    ]
    pages = [reverse("scoring:shell"), reverse("scoring:bring")]
    contents = {"files": files, "pages": pages, "python": python_folder()}
    version = (
        sha256(json.dumps(contents).encode()).hexdigest()[:12] + pack().version[:4]
    )
    return f"const RELEASE = {json.dumps({'version': version, **contents})};\n"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Hand out the service worker: at one address for ever, and never kept."""
    script = finders.find(WORKER)
    assert script is not None
    text = release() + Path(script).read_text()
    answer = HttpResponse(text, content_type="text/javascript")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app to a phone that installs it."""
    icons = [
        {
            "src": static(f"scoring/icons/{name}.png"),
            "sizes": sizes,
            "type": "image/png",
            "purpose": purpose,
        }
        for name, sizes, purpose in (
            ("tricky-192", "192x192", "any"),
            ("tricky-512", "512x512", "any"),
            ("tricky-maskable-512", "512x512", "maskable"),
        )
    ]
    description = {
        "id": "/",
        "name": "Tricky",
        "short_name": "Tricky",
        "description": gettext("The scorepad for trick-taking dice and card games"),
        "start_url": reverse("scoring:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#fdfcf7",
        "theme_color": "#1d2722",
        "icons": icons,
        "shortcuts": [
            {"name": gettext("New match"), "url": reverse("scoring:match_new")},
            {"name": gettext("Join with a code"), "url": "/t/"},
        ],
    }
    return JsonResponse(description, content_type="application/manifest+json")
