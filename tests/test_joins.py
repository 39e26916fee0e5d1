"""Modules that are sent as one script say together what they say apart."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from django.conf import settings

from tricky_site.http.joins import joined
from tricky_site.http.statics import (
    JOINED_SCRIPTS,
    SCRIPTS,
    is_joined,
    without_comments,
)

DOM = "export const find = (name) => name;\nexport let ready = false;\n"
PAD = 'import "../vendor/idb.js";\nimport { find } from "./dom.js";\nfind("pad");\n'
ENTRY = """import * as dom from "./dom.js";
import { find } from "./dom.js";
export async function open() { return dom.ready && find("entry"); }
"""
CLOCK = 'import { find } from "./dom.js";\nfind("clock");\n'
MODULES = {
    f"app/js/{name}.js": text
    for name, text in [("dom", DOM), ("pad", PAD), ("entry", ENTRY), ("clock", CLOCK)]
}
ROOTS = ["app/js/pad.js", "app/js/entry.js"]


def sources() -> dict[str, str]:
    """Return the modules of the scorepad by their names."""
    static = Path(settings.BASE_DIR, "scoring/static")
    return {
        file.relative_to(static).as_posix(): without_comments(file.read_text())
        for file in sorted(static.rglob("*.js"))
        if is_joined(file.relative_to(static).as_posix())
    }


def test_each_module_stands_in_one_script_after_what_it_imports() -> None:
    assert (
        joined(MODULES, ROOTS).scripts["app/js/pad.js"]
        == """\
import "../vendor/idb.js";
const $dom = (() => {
const find = (name) => name;
let ready = false;
return { find, get ready() { return ready; } };
})();
const $pad = (() => {
const { find } = $dom;
find("pad");
})();
export { $dom, $pad };
"""
    )


def test_what_another_script_has_is_imported_from_there() -> None:
    assert (
        joined(MODULES, ROOTS).scripts["app/js/entry.js"]
        == """\
import { $dom } from "./pad.js";
const $entry = (() => {
const dom = $dom;
const { find } = $dom;
async function open() { return dom.ready && find("entry"); }
return { open };
})();
export { $entry };
"""
    )


def test_so_does_a_script_that_is_sent_alone() -> None:
    assert joined(MODULES, ROOTS).scripts["app/js/clock.js"] == (
        'import { $dom } from "./pad.js";\nconst { find } = $dom;\nfind("clock");\n'
    )


def test_what_changes_is_not_imported_by_its_name() -> None:
    late = {**MODULES, "app/js/pad.js": 'import { ready } from "./dom.js";\n'}
    with pytest.raises(ValueError, match="only the first"):
        joined(late, ROOTS)


def test_every_module_of_the_scorepad_is_in_one_script() -> None:
    modules = sources()
    scripts, homes = joined(modules, JOINED_SCRIPTS)
    assert {homes.get(name, name) for name in modules} == set(scripts)
    assert set(JOINED_SCRIPTS) <= set(scripts)


def test_every_script_that_is_imported_is_sent() -> None:
    scripts, _homes = joined(sources(), JOINED_SCRIPTS)
    imported = {
        normpath(join(dirname(name), path))
        for name, text in scripts.items()
        for path in re.findall(r'(?:^import |from |import\()"(\.[^"]+)"', text, re.M)
    }
    assert {name for name in imported if name.startswith(SCRIPTS)} <= set(scripts)
