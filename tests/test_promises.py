"""What docs/reference/promises.md promises is tried: every test that it names is there."""

import re
from pathlib import Path

from django.conf import settings

from tests.test_security_table import TESTS

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/reference/promises.md").read_text()
ROWS = re.findall(r"^\| ([A-Z][^|]+) \| ([^|]+) \| [^|]*\|$", PAGE, re.MULTILINE)


def test_every_promise_has_a_test() -> None:
    assert len(ROWS) > 30
    for promise, tried in ROWS:
        named = re.findall(r"`(test_\w+)`", tried)
        assert named, promise
        assert [name for name in named if name not in TESTS] == [], promise
