"""What is sent of our own scripts."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from pytest_django.fixtures import Settings

from tricky_site.http.statics import HashedStatics, without_comments

SCRIPTS = sorted(
    script.relative_to(settings.BASE_DIR)
    for app in ("scoring", "tournaments")
    for script in Path(settings.BASE_DIR, app, "static", app, "js").rglob("*.js")
)
WRITTEN = """/* A clock. */

/** Returns what is left.
 * @param {number} seconds */
export const left = (seconds) => `${seconds} s`; // of the round
// At once.
/** @type {const} */ (["tick"]).forEach((name) => listen(name));
const at = /** @type {HTMLElement} */ (find("/m/*/"));
"""
SENT = """
export const left = (seconds) => `${seconds} s`; // of the round
(["tick"]).forEach((name) => listen(name));
const at = (find("/m/*/"));
"""


def test_comments_and_types_stay_behind() -> None:
    assert without_comments(WRITTEN) == SENT


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_no_script_of_ours_has_a_comment_of_another_shape(script: Path) -> None:
    assert "/*" not in without_comments((settings.BASE_DIR / script).read_text())


def test_what_was_compressed_before_is_compressed_again_only_where_it_is_not_whole(
    tmp_path: Path, settings: Settings
) -> None:
    settings.STATIC_ROOT = tmp_path
    sheet = ContentFile(b"button { color: red }\n" * 100)
    statics = HashedStatics()
    statics.save("a.css", sheet)
    statics.save("b.css", sheet)
    names = ["a.css", "b.css"]
    assert len(list(statics.compress_files(names))) == 4

    (tmp_path / "a.css").write_bytes(b"button { color: blue }\n" * 100)
    whole = (tmp_path / "b.css.br").read_bytes()
    assert list(statics.compress_files(["b.css"])) == []
    assert {name for name, _ in statics.compress_files(names)} == {"a.css"}
    for spoilt in (whole[:-1], b"", whole[1:]):
        (tmp_path / "b.css.br").write_bytes(spoilt)
        assert {name for name, _ in statics.compress_files(names)} == {"b.css"}
        assert (tmp_path / "b.css.br").read_bytes() == whole
    (tmp_path / "b.css.gz").write_bytes((tmp_path / "b.css.gz").read_bytes()[:-9])
    assert {name for name, _ in statics.compress_files(names)} == {"b.css"}
