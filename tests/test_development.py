"""What developers are served: plain files and tools, with DEBUG and never without."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PATIENCE = 60
TOOLS = ("debug_toolbar", "django_browser_reload")
PAGE = "/how-to-play/"
"""A page that no database is asked for: a fresh folder has none yet."""


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """Return the environment of somebody who has set nothing and has no file yet."""
    own = {"TRICKY_VAR": str(folder / "var"), "STATIC_ROOT": str(folder / "static")}
    return {"PATH": os.environ["PATH"], **own, **variables}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def runserver(folder: Path) -> Iterator[str]:
    """Run `manage.py runserver` as it is; give its address once it answers."""
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "manage.py", "runserver", "--noreload", address]
    log = folder / "log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder), stdout=written, stderr=written
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", int(address[10:]))).close()
                break
            except OSError:
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
        yield f"http://{address}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


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
    return subprocess.run(
        [sys.executable, "-c", before + code],
        cwd=ROOT,
        env=environment(folder, **variables),
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("tool", [*TOOLS, "tricky_site.development"])
def test_no_tool_of_developers_is_there_without_debug(
    tool: str, tmp_path: Path
) -> None:
    assert tool in installed(tmp_path, DEBUG="1")
    assert tool not in installed(tmp_path)


def test_debug_does_without_tools_that_are_not_installed(tmp_path: Path) -> None:
    missing = f"import sys; sys.modules |= dict.fromkeys({TOOLS!r}); "
    there = installed(tmp_path, missing, DEBUG="1")
    assert [tool for tool in TOOLS if tool in there] == []
    assert "scoring" in there
