"""What no module of ours does beyond what ruff's rules S find: each would run, read or show what a stranger wrote."""

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
"""In a view it shows the rows of all clubs."""
ALLOWED = {
    # Nobody's cookie speaks for who posts there.
    "scoring/web/views/sync.py": "@csrf_exempt",
    "tournaments/web/notifications/views.py": "@csrf_exempt",
    # Connects itself, with a time limit and to addresses that were checked.
    "tournaments/outgoing.py": "from http.client",
}
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
UNESCAPED = re.compile(r"\|\s*safe(seq)?\b|autoescape off")
DRAWN = {
    "allauth/elements/fields.html": "hints that Django writes as a list",
    "tournaments/display/cards.html": "a code that was drawn here",
    "tournaments/display/club_cards.html": "a code that was drawn here",
}
"""Templates that show something as it stands, and what; what is no page has nothing to escape."""
SINKS = re.compile(
    r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function"
)
OF_THE_SERVER = {"preview.js", "transfer.js"}
"""Show a code that they have drawn, and what the phone's own server answers."""


def dangers(source: str, module: str = "") -> list[str]:
    found = [match[0].strip() for match in DANGEROUS.finditer(source)]
    if "/web/views/" in module or "/api/" in module:
        found += WHOLE_TABLE.findall(source)
    return [each for each in found if each != ALLOWED.get(module)]


@pytest.mark.parametrize(
    "planted",
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
def test_finds_planted_dangerous_code(planted: str) -> None:
    assert dangers(planted, "tournaments/web/views/planted.py")
    assert not dangers("Player.objects.all().of(club)\nredirect(match)", "a/api/b.py")


def test_no_module_evaluates_unpickles_or_runs_a_shell() -> None:
    assert len(MODULES) > 300
    found = {
        name: told
        for path in MODULES
        if (told := dangers(path.read_text(), name := str(path.relative_to(ROOT))))
    }
    assert found == {}


def test_templates_leave_only_our_own_drawings_unescaped() -> None:
    shown = {
        str(path.relative_to(ROOT / "templates"))
        for path in TEMPLATES
        if path.suffix != ".txt" and UNESCAPED.search(path.read_text())
    }
    assert shown == set(DRAWN)


@pytest.mark.skipif(
    shutil.which("node") is None and os.environ.get("CI") != "true",
    reason="there is no Node",
)
def test_scripts_do_not_pollute_prototypes() -> None:
    asked = ["node", "--test", "tests/js/prototypes.test.js"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_scripts_insert_only_html_from_the_server() -> None:
    assert len(SCRIPTS) > 40
    assert {
        path.name for path in SCRIPTS if SINKS.search(path.read_text())
    } == OF_THE_SERVER
