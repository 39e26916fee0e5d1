"""Modules of ours that are sent as one script.

Each script is asked for and compressed by itself: forty small ones are half as much again
as one, and a phone waits for one after the other. So a script stands with all that it
imports in one file, every module in a scope of its own:

    const $dom = (() => { …; return { all, find }; })();

Where a module is needed by several scripts, the first of them has it, and the others
import it from there. What changes after it was exported (`export let`) is only to be
read through its module (`import * as network`), for a name of one's own would keep the
first value.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath, relpath
from typing import NamedTuple

IMPORT = re.compile(
    r'^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"(?P<file>\.[^"]+)";\n', re.M
)
EXPORT = re.compile(
    r"^export (?P<kind>(?:async )?function|const|let|class) (?P<name>\w+)", re.M
)


class Joined(NamedTuple):
    """Scripts by their names, and by the name of each module the script that it is in."""

    scripts: Mapping[str, str]
    homes: Mapping[str, str]


def joined(modules: Mapping[str, str], roots: Sequence[str]) -> Joined:
    """Return modules as they are sent: what each root imports within it, the rest alone.

    Raises `ValueError` where a module imports by its name what changes.
    """
    homes: dict[str, str] = {}
    for root in roots:
        for module in _with_imports(root, modules):
            homes.setdefault(module, root)
    scripts = {
        name: _script(name, modules, homes)
        for name in modules
        if homes.get(name, name) == name
    }
    return Joined(scripts, homes)


def _target(module: str, found: re.Match[str]) -> str:
    return normpath(join(dirname(module), found["file"]))


def _with_imports(module: str, modules: Mapping[str, str]) -> Iterator[str]:
    """Give what a module imports, and what that imports, before itself."""
    for found in IMPORT.finditer(modules[module]):
        if (target := _target(module, found)) in modules:
            yield from _with_imports(target, modules)
    yield module


def _script(name: str, modules: Mapping[str, str], homes: Mapping[str, str]) -> str:
    within = [module for module, home in homes.items() if home == name]
    imports: dict[str, list[str]] = {}
    bodies = []
    for module in within or [name]:
        taken = []
        for found in IMPORT.finditer(modules[module]):
            target, names = _target(module, found), found["names"]
            wanted = imports.setdefault(homes.get(target, target), [])
            if target in homes:
                wanted.append(_scope(target))
                taken.append(_taken(names, target, modules[target]))
            elif names:
                wanted.append(names.strip("{} "))
        body = "".join([*taken, IMPORT.sub("", modules[module])])
        bodies.append(_scoped(module, body) if within else body)
    imports.pop(name, None)
    scopes = ", ".join(map(_scope, within))
    exports = f"export {{ {scopes} }};\n" if within else ""
    lines = [_import(name, script, wanted) for script, wanted in imports.items()]
    return "".join([*lines, *bodies, exports])


def _import(name: str, script: str, wanted: Sequence[str]) -> str:
    path = relpath(script, dirname(name))
    path = path if path.startswith(".") else f"./{path}"
    names = ", ".join(dict.fromkeys(wanted))
    return f'import {{ {names} }} from "{path}";\n' if names else f'import "{path}";\n'


def _scope(module: str) -> str:
    """Return what a module's scope is called, which no module calls anything.

    >>> _scope("app/js/phone/kept.js")
    '$phone_kept'
    """
    name = module.partition("/")[2].removeprefix("js/").removesuffix(".js")
    return "$" + re.sub(r"\W", "_", name)


def _taken(names: str | None, target: str, exporting: str) -> str:
    """Return how a module takes what it imports out of another one's scope."""
    if not names:
        return ""
    if names.startswith("*"):
        return f"const {names.removeprefix('* as ')} = {_scope(target)};\n"
    changing = {name for kind, name in EXPORT.findall(exporting) if kind == "let"}
    if first := changing & set(re.findall(r"\w+", names)):
        raise ValueError(f"only the first {first} of {target} would be known")
    return f"const {names} = {_scope(target)};\n"


def _scoped(module: str, body: str) -> str:
    given = ", ".join(
        f"get {name}() {{ return {name}; }}" if kind == "let" else name
        for kind, name in EXPORT.findall(body)
    )
    plain = EXPORT.sub(lambda found: found[0].removeprefix("export "), body)
    end = f"return {{ {given} }};\n" if given else ""
    return f"const {_scope(module)} = (() => {{\n{plain}{end}}})();\n"
