"""Development tools: available with DEBUG, absent without."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.processes import PATIENCE, read_output, running_program, wait_until
from tests.site import free_port, is_taken

TOOLS = ("debug_toolbar", "django_browser_reload")
PAGE = "/how-to-play/"
"""A page that needs no database: a new folder has none."""


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """Return the environment of a new site without settings."""
    folders = {"TRICKY_VAR": str(folder / "var"), "STATIC_ROOT": str(folder / "static")}
    return {**folders, **variables}


@contextmanager
def runserver(folder: Path) -> Iterator[str]:
    """Run `manage.py runserver`; yield its URL once the port is open."""
    port, log = free_port(), folder / "log"
    command = (sys.executable, "manage.py", "runserver", "--noreload", f"{port}")
    unset = dict.fromkeys(("DATABASE_URL", "CELERY_BROKER_URL"), "")
    with running_program(log, *command, **environment(folder, **unset)):
        wait_until(lambda: is_taken(port), log.read_text)
        yield f"http://127.0.0.1:{port}"


def get(url: str, **headers: str) -> tuple[str, str, str]:
    """Return text, content type and policy of a page. Raises HTTPError if it fails."""
    request = Request(url, headers=headers)  # noqa: S310 - our own
    with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - our own
        policy = answer.headers.get("Content-Security-Policy", "")
        return answer.read().decode(), answer.headers.get_content_type(), policy


@pytest.mark.long(5)
def test_runserver_serves_pages_with_styles_scripts_and_tools(tmp_path: Path) -> None:
    with runserver(tmp_path) as site:
        page, _type, policy = get(site + PAGE)
        styles = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
        scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
        assert "/static/scoring/bundles/site.css" in styles
        assert {get(site + style)[1] for style in styles} == {"text/css"}
        assert {get(site + script)[1] for script in scripts} == {"text/javascript"}
        assert "/static/debug_toolbar/js/toolbar.js" in scripts
        assert "/static/django-browser-reload/reload-listener.js" in scripts
        assert "unsafe" not in policy
        assert "worker-src 'self'" in policy

        fetched = get(site + "/sw.js")[0]
        registered = get(site + "/sw.js", **{"Service-Worker": "script"})[0]
        assert registered.endswith(fetched)
        assert "caches.match" in registered.removesuffix(fetched)


def installed_apps(folder: Path, setup: str = "", **variables: str) -> str:
    """Return the apps and middleware of the settings, read in another process."""
    code = (
        "from tricky_site import settings as s; print(s.INSTALLED_APPS, s.MIDDLEWARE)"
    )
    return read_output(
        sys.executable, "-c", setup + code, **environment(folder, **variables)
    )


@pytest.mark.parametrize("tool", [*TOOLS, "NetworkFirstServiceWorkerMiddleware"])
def test_development_tools_are_absent_without_debug(tool: str, tmp_path: Path) -> None:
    assert tool in installed_apps(tmp_path, DEBUG="1")
    assert tool not in installed_apps(tmp_path)


def test_debug_works_without_uninstalled_tools(tmp_path: Path) -> None:
    hide_tools = f"import sys; sys.modules |= dict.fromkeys({TOOLS!r}); "
    apps = installed_apps(tmp_path, hide_tools, DEBUG="1")
    assert [tool for tool in TOOLS if tool in apps] == []
    assert "scoring" in apps
