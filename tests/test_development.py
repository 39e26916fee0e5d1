"""What developers are served: plain files and tools, with DEBUG and never without."""

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
"""A page that no database is asked for: a fresh folder has none yet."""


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """Return the environment of somebody who has set nothing and has no file yet."""
    own = {"TRICKY_VAR": str(folder / "var"), "STATIC_ROOT": str(folder / "static")}
    return {**own, **variables}


@contextmanager
def runserver(folder: Path) -> Iterator[str]:
    """Run `manage.py runserver` as it is; give its address once it answers."""
    port, log = free_port(), folder / "log"
    command = (sys.executable, "manage.py", "runserver", "--noreload", f"{port}")
    unset = dict.fromkeys(("DATABASE_URL", "CELERY_BROKER_URL"), "")
    with running_program(log, *command, **environment(folder, **unset)):
        wait_until(lambda: is_taken(port), log.read_text)
        yield f"http://127.0.0.1:{port}"


def get(url: str, **headers: str) -> tuple[str, str, str]:
    """Return the text at an address, its type and its policy; what fails raises."""
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

        plain = get(site + "/sw.js")[0]
        in_a_browser = get(site + "/sw.js", **{"Service-Worker": "script"})[0]
        assert in_a_browser.endswith(plain)
        assert "caches.match" in in_a_browser.removesuffix(plain)


def installed(folder: Path, before: str = "", **variables: str) -> str:
    """Return the apps and middleware of the settings, read in a process of its own."""
    code = (
        "from tricky_site import settings as s; print(s.INSTALLED_APPS, s.MIDDLEWARE)"
    )
    return read_output(
        sys.executable, "-c", before + code, **environment(folder, **variables)
    )


@pytest.mark.parametrize("tool", [*TOOLS, "NetworkFirstMiddleware"])
def test_development_tools_are_absent_without_debug(tool: str, tmp_path: Path) -> None:
    assert tool in installed(tmp_path, DEBUG="1")
    assert tool not in installed(tmp_path)


def test_debug_works_without_uninstalled_tools(tmp_path: Path) -> None:
    missing = f"import sys; sys.modules |= dict.fromkeys({TOOLS!r}); "
    there = installed(tmp_path, missing, DEBUG="1")
    assert [tool for tool in TOOLS if tool in there] == []
    assert "scoring" in there
