"""Every promise in docs/reference/promises.md names tests that exist."""

import re
from pathlib import Path

from django.conf import settings

from tests.test_security_table import TESTS

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/reference/promises.md").read_text()
ROWS = re.findall(r"^\| ([A-Z][^|]+) \| ([^|]+) \| [^|]*\|$", PAGE, re.MULTILINE)


def test_every_promise_has_a_test() -> None:
    assert len(ROWS) > 30
    for promise, tests in ROWS:
        names = re.findall(r"`(test_\w+)`", tests)
        assert names, promise
        assert [name for name in names if name not in TESTS] == [], promise
