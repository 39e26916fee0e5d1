"""What is sent of our own scripts."""

from pathlib import Path

import pytest
from django.conf import settings

from tricky_site.http.statics import without_comments

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
