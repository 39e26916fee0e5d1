"""What no module of ours does: each of these would run, read or show what a stranger wrote."""

import ast
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
NO_IMPORTS = {
    *("pickle", "marshal", "shelve", "yaml", "code", "jinja2", "ldap3", "lxml"),
    # They wait for ever, or follow to wherever they are led: `tournaments.outgoing` does neither.
    *(
        "requests",
        "httpx",
        "aiohttp",
        "urllib3",
        "urllib.request",
        "ftplib",
        "telnetlib",
    ),
}
NO_CALLS = {
    *("eval", "exec", "compile", "__import__", "system", "popen", "from_string"),
    *("extra", "raw", "RawSQL", "Template", "mktemp", "md5", "sha1"),
    *("urlopen", "_create_unverified_context", "extractall"),
}
"""By the last of their names; `re.compile` compiles no program."""
FINE = {"re.compile"}
NO_WORDS = {"shell", "verify", "check_hostname"}
"""What a call may not be told: all are safe as they are."""
CONNECT = {"create_connection": 2, "HTTPConnection": 3, "HTTPSConnection": 3}
"""What waits for ever where it is not told for how long, and after how many words it is."""
SAFE = {"mark_safe", "SafeString"}
LEADING = {"redirect", "HttpResponseRedirect"}
LED = re.compile(
    r"request\.(GET|POST|META|headers|COOKIES)|\.get_full_path\(|HTTP_REFERER"
)
MARKED = {
    *("scoring/games/drawing.py", "scoring/templatetags/drawings.py"),
    *("scoring/templatetags/parts.py", "tournaments/web/standings/views.py"),
    "tricky_site/api/reference.py",
}
"""Modules that call markup safe: of parts that were escaped, or drawings of ours."""
WITHOUT_COOKIES = {
    "scoring/web/views/sync.py",
    "tournaments/web/notifications/views.py",
}
"""Where no token of a form is asked for: no cookie speaks for who posts there."""
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
    """Return what a module imports or calls that none of ours may, or not there.

    >>> dangers("import pickle"), dangers("run(x, shell=True)"), dangers("re.compile(x)")
    (['pickle'], ['shell'], [])
    """
    found: list[str] = []
    tree = ast.parse(source)
    narrowed = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    is_view = "/web/views/" in module or "/api/" in module
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name in NO_IMPORTS]
        elif isinstance(node, ast.ImportFrom) and node.module in NO_IMPORTS:
            found.append(node.module)
        elif isinstance(node, ast.Name) and node.id == "csrf_exempt":
            found += [node.id] * (module not in WITHOUT_COOKIES)
        elif isinstance(node, ast.Call):
            found += dangers_of(node, module)
            if is_view and id(node) not in narrowed and name_of(node) == "all":
                called = ast.unparse(node.func)
                found += [called] * called.endswith("objects.all")
    return found


def dangers_of(call: ast.Call, module: str) -> list[str]:
    """Return what is dangerous about one call."""
    name = name_of(call)
    told = [word.arg for word in call.keywords]
    found = [word for word in told if word in NO_WORDS]
    wrong = (
        name in NO_CALLS
        or (
            name in CONNECT and len(call.args) < CONNECT[name] and "timeout" not in told
        )
        or (name in SAFE and module not in MARKED)
        or (name in LEADING and call.args and LED.search(ast.unparse(call.args[0])))
    )
    if wrong and (called := ast.unparse(call.func)) not in FINE:
        found.append(called)
    return found


def name_of(call: ast.Call) -> str:
    """Return the last name of what is called; empty where it has none."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("from urllib.request import urlopen", "urllib.request"),
        ("import requests", "requests"),
        ("Match.objects.raw(asked)", "Match.objects.raw"),
        ("matches.extra(where=[asked])", "matches.extra"),
        ("return_ = mark_safe(name)", "mark_safe"),
        ("safestring.SafeString(name)", "safestring.SafeString"),
        ("@csrf_exempt\ndef take(request): pass", "csrf_exempt"),
        ("shown = Player.objects.all()", "Player.objects.all"),
        ("redirect(request.GET['next'])", "redirect"),
        ("HttpResponseRedirect(request.META['HTTP_REFERER'])", "HttpResponseRedirect"),
        ("socket.create_connection((host, 80))", "socket.create_connection"),
        ("HTTPSConnection(host)", "HTTPSConnection"),
        ("ask(url, verify=False)", "verify"),
        ("archive.extractall(folder)", "archive.extractall"),
    ],
)
def test_what_is_dangerous_is_found_where_it_is_planted(
    planted: str, found: str
) -> None:
    assert dangers(planted, "tournaments/web/views/planted.py") == [found]


@pytest.mark.parametrize(
    "fine",
    [
        "shown = Player.objects.all().of(club)",
        "redirect(match)",
        "socket.create_connection((ip, port), 5)",
        "HTTPConnection(host, port, timeout=5)",
    ],
)
def test_what_is_fine_is_not(fine: str) -> None:
    assert dangers(fine, "tournaments/web/views/fine.py") == []


def test_templates_show_nothing_unescaped_but_what_was_drawn_here() -> None:
    shown = {
        str(path.relative_to(ROOT / "templates"))
        for path in TEMPLATES
        if path.suffix != ".txt" and UNESCAPED.search(path.read_text())
    }
    assert shown == set(DRAWN)
    assert UNESCAPED.search("{{ name|safe }}{% autoescape off %}")
    assert UNESCAPED.search("{{ names | safeseq }}")


def test_no_module_evaluates_unpickles_or_runs_a_shell() -> None:
    assert len(MODULES) > 400
    found = {
        name: told
        for path in MODULES
        if (told := dangers(path.read_text(), name := str(path.relative_to(ROOT))))
    }
    assert found == {}


@pytest.mark.skipif(
    shutil.which("node") is None and os.environ.get("CI") != "true",
    reason="there is no Node",
)
def test_scripts_change_nothing_that_all_objects_share() -> None:
    asked = ["node", "--test", "tests/js/prototypes.test.js"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_scripts_show_as_markup_only_what_the_server_made() -> None:
    assert len(SCRIPTS) > 50
    assert {
        path.name for path in SCRIPTS if SINKS.search(path.read_text())
    } == OF_THE_SERVER
