"""Files and pages that a phone needs to install the scorepad and run it offline."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from scoring.offline.context import python_folder_url
from scoring.offline.pack import build_pack, find_pack, offline_static_urls

WORKER = "scoring/bundles/sw.js"
ICONS = (
    ("scoring/icons/tricky-192.png", "192x192", "any"),
    ("scoring/icons/tricky-512.png", "512x512", "any"),
    ("scoring/icons/tricky-maskable-192.png", "192x192", "maskable"),
    ("scoring/icons/tricky-maskable-512.png", "512x512", "maskable"),
    ("scoring/icons/tricky-monochrome-512.png", "512x512", "monochrome"),
)
SCREENS = (
    ("tournaments/screens/sheet.png", "780x1688", "narrow", _("A score sheet")),
    ("tournaments/screens/entry.png", "780x1688", "narrow", _("Entering a hand")),
    (
        "tournaments/screens/standings.png",
        "780x1688",
        "narrow",
        _("Standings of a club night"),
    ),
    ("tournaments/screens/leaderboard.png", "1280x800", "wide", _("A club’s season")),
    (
        "tournaments/screens/night.png",
        "1280x800",
        "wide",
        _("A tournament in progress"),
    ),
)
"""Screenshots that a browser shows before installing the app; script/screens takes them."""
CACHE_FOREVER = "public, max-age=31536000, immutable"


@require_safe
def shell(request: HttpRequest) -> HttpResponse:
    """Show the shell page in which a phone renders all others."""
    return render(request, "scoring/shell.html")


@require_safe
def needs_network(request: HttpRequest) -> HttpResponse:
    """Show the page that replaces the server's pages while a phone is offline."""
    return render(request, "scoring/needs_network.html")


@require_safe
def match_transfer(request: HttpRequest) -> HttpResponse:
    """Show the page for taking over a match from another phone."""
    return render(request, "scoring/match_transfer.html")


@require_safe
def pack_archive(request: HttpRequest, version: str) -> HttpResponse:
    """Return the archive that a phone runs."""
    found_pack = find_pack(version)
    if found_pack is None:
        raise Http404
    answer = HttpResponse(found_pack.archive, content_type="application/zip")
    answer["Cache-Control"] = CACHE_FOREVER
    return answer


@cache
def release_data_script(language: str) -> str:
    """Return the release data for the service worker, as a line of JavaScript.

    Each language is a separate release, because its pages differ.
    """
    files = [
        url
        for name, url in offline_static_urls().items()
        if not name.startswith("scoring/vendor/py")
    ]
    pages = [reverse("scoring:shell"), reverse("scoring:match_transfer")]
    offline = reverse("scoring:needs_network")
    contents = {
        "files": files,
        "pages": pages,
        "offline": offline,
        "python": python_folder_url(),
    }
    version = (
        sha256(json.dumps(contents).encode()).hexdigest()[:12]
        + build_pack(language).version[:-12]
    )
    return f"const RELEASE = {json.dumps({'version': version, **contents})};\n"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker; its URL is fixed, and it is never cached."""
    script = Path(str(finders.find(WORKER)))
    answer = HttpResponse(
        release_data_script(get_language() or settings.LANGUAGE_CODE)
        + script.read_text(),
        content_type="text/javascript; charset=utf-8",
    )
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def install(request: HttpRequest) -> HttpResponse:
    """Show how to add the app to the home screen."""
    return render(request, "scoring/install.html")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest."""
    description = {
        "id": "/",
        "name": "Tricky",
        "short_name": "Tricky",
        "description": gettext("The scorepad for trick-taking dice and card games"),
        "lang": get_language(),
        "categories": ["games", "sports", "utilities"],
        "start_url": reverse("scoring:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#fdfcf7",
        "theme_color": "#1d2722",
        "icons": [_manifest_image(*icon) for icon in ICONS],
        "screenshots": [
            {**_manifest_image(name, sizes), "form_factor": form, "label": str(label)}
            for name, sizes, form, label in SCREENS
        ],
        "shortcuts": [
            {"name": str(name), "url": url, "icons": [_manifest_image(*ICONS[0])]}
            for name, url in (
                (_("New match"), reverse("scoring:match_new")),
                (_("Join with a code"), "/t/"),
                (_("Who won this trick?"), reverse("scoring:who_won")),
            )
        ],
    }
    return JsonResponse(description, content_type="application/manifest+json")


def _manifest_image(name: str, sizes: str, purpose: str = "") -> dict[str, str]:
    kind = "svg+xml" if name.endswith(".svg") else "png"
    picture = {"src": static(name), "sizes": sizes, "type": f"image/{kind}"}
    return {**picture, "purpose": purpose} if purpose else picture
