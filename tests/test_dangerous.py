"""What no module of ours does: each of these would run, read or show what a stranger wrote."""

import ast
import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
MODULES = [
    path
    for app in ("backups", "scoring", "stream", "tournaments", "tricky_site")
    for path in sorted((ROOT / app).rglob("*.py"))
]
SCRIPTS = [
    path
    for app in ("scoring", "tournaments")
    for path in sorted((ROOT / app / "static").rglob("*.js"))
    if "vendor" not in path.parts
]
NO_IMPORTS = {"pickle", "marshal", "shelve", "yaml", "code", "jinja2", "ldap3", "lxml"}
NO_CALLS = {
    *("eval", "exec", "compile", "__import__", "system", "popen", "from_string"),
    *("extra", "raw", "RawSQL", "Template", "mktemp", "md5", "sha1"),
}
"""By the last of their names; `re.compile` compiles no program."""
FINE = {"re.compile"}
SINKS = re.compile(
    r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function"
)
OF_THE_SERVER = {"moving.js", "preview.js"}
"""Show a code that they have drawn, and what the phone's own server answers."""


def dangers(source: str) -> list[str]:
    """Return what a module imports or calls that none of ours may.

    >>> dangers("import pickle"), dangers("run(x, shell=True)"), dangers("re.compile(x)")
    (['pickle'], ['shell'], [])
    """
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name in NO_IMPORTS]
        elif isinstance(node, ast.ImportFrom) and node.module in NO_IMPORTS:
            found.append(node.module)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called not in FINE and called.rpartition(".")[2] in NO_CALLS:
                found.append(called)
            found += [word.arg for word in node.keywords if word.arg == "shell"]
    return found


def test_no_module_evaluates_unpickles_or_runs_a_shell() -> None:
    assert len(MODULES) > 400
    found = {
        str(path.relative_to(ROOT)): told
        for path in MODULES
        if (told := dangers(path.read_text()))
    }
    assert found == {}


def test_scripts_show_as_markup_only_what_the_server_made() -> None:
    assert len(SCRIPTS) > 60
    assert {
        path.name for path in SCRIPTS if SINKS.search(path.read_text())
    } == OF_THE_SERVER
