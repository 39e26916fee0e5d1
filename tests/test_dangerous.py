"""Dangerous code that ruff's rules S miss: it would run, read or show input of strangers."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
MODULES = [
    path
    for app in ("backups", "scoring", "tournaments", "tricky_site")
    for path in sorted((ROOT / app).rglob("*.py"))
]
SCRIPTS = [
    path
    for app in ("scoring", "tournaments")
    for path in sorted((ROOT / app / "js").rglob("*.js"))
]
DANGEROUS = re.compile(
    r"""
    ^\s*(?:import|from)\s+
      # These unpickle or evaluate; the rest wait for ever or follow redirects.
      (?:pickle|marshal|shelve|yaml|code|jinja2|ldap3|lxml|requests|httpx|aiohttp
        |urllib3|urllib\.request|http\.client|ftplib|telnetlib)\b
    | (?<![\w.])(?:eval|exec|compile|__import__)\(
    | \.(?:system|popen|from_string|extra|raw|extractall)\(
    | \b(?:RawSQL|Template|mktemp|md5|sha1|urlopen|_create_unverified_context)\(
    | \b(?:shell|verify|check_hostname)=
    | ^@csrf_exempt
    | \b(?:redirect|HttpResponseRedirect)\([^)]*
      (?:request\.(?:GET|POST|META|headers|COOKIES)|get_full_path)
    | create_connection\(\([^)]*\)\)
    """,
    re.VERBOSE | re.MULTILINE,
)
WHOLE_TABLE = re.compile(r"objects\.all\(\)(?!\.)")
"""In a view this shows the rows of all clubs."""
ALLOWED = {
    # Requests there are not authenticated by cookies.
    "scoring/web/views/sync.py": "@csrf_exempt",
    "tournaments/web/notifications/views.py": "@csrf_exempt",
    # Connects with a time limit, only to checked addresses.
    "tournaments/outgoing.py": "from http.client",
}
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
UNESCAPED = re.compile(r"\|\s*safe(seq)?\b|autoescape off")
UNESCAPED_OUTPUT = {
    "allauth/elements/fields.html": "hints that Django writes as a list",
    "tournaments/display/cards.html": "a code that was drawn here",
    "tournaments/display/club_cards.html": "a code that was drawn here",
}
"""Templates with unescaped output, and what it is; plain text needs no escaping."""
SINKS = re.compile(
    r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function"
)
TRUSTED_SCRIPTS = {"dialog.js", "preview.js", "transfer.js"}
"""Show a QR code drawn here, and HTML from the server."""


def find_dangers(source: str, module: str = "") -> list[str]:
    found = [match[0].strip() for match in DANGEROUS.finditer(source)]
    if "/web/views/" in module or "/api/" in module:
        found += WHOLE_TABLE.findall(source)
    return [danger for danger in found if danger != ALLOWED.get(module)]


@pytest.mark.parametrize(
    "code",
    [
        "from urllib.request import urlopen",
        "import requests",
        "Match.objects.raw(asked)",
        "@csrf_exempt\ndef take(request): pass",
        "shown = Player.objects.all()",
        "redirect(request.GET['next'])",
        "HttpResponseRedirect(request.META['HTTP_REFERER'])",
        "socket.create_connection((host, 80))",
        "ask(url, verify=False)",
    ],
)
def test_finds_planted_dangerous_code(code: str) -> None:
    assert find_dangers(code, "tournaments/web/views/planted.py")
    assert not find_dangers(
        "Player.objects.all().of(club)\nredirect(match)", "a/api/b.py"
    )


def test_no_module_evaluates_unpickles_or_runs_a_shell() -> None:
    assert len(MODULES) > 300
    dangers_by_module = {
        name: dangers
        for path in MODULES
        if (
            dangers := find_dangers(
                path.read_text(), name := str(path.relative_to(ROOT))
            )
        )
    }
    assert dangers_by_module == {}


def test_templates_leave_only_our_own_drawings_unescaped() -> None:
    unescaped = {
        str(path.relative_to(ROOT / "templates"))
        for path in TEMPLATES
        if path.suffix != ".txt" and UNESCAPED.search(path.read_text())
    }
    assert unescaped == set(UNESCAPED_OUTPUT)


@pytest.mark.skipif(
    shutil.which("node") is None and os.environ.get("CI") != "true",
    reason="there is no Node",
)
def test_scripts_do_not_pollute_prototypes() -> None:
    command = ["node", "--test", "tests/js/prototypes.test.js"]
    completed = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stdout


def test_scripts_insert_only_html_from_the_server() -> None:
    assert len(SCRIPTS) > 40
    assert {
        path.name for path in SCRIPTS if SINKS.search(path.read_text())
    } == TRUSTED_SCRIPTS
