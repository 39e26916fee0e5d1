"""The data of a match in the server's database."""

import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.site import Site

LOG = """
    SELECT log.key::text, log.version, log.kind, log.hand_number, log.body
    FROM scoring_logentry log JOIN scoring_match m ON m.id = log.match_id
    WHERE m.address = %s ORDER BY log.version
"""
START = "SELECT key::text, id FROM scoring_match WHERE address = %s"


@dataclass(frozen=True, slots=True)
class Stored:
    key: str
    version: int
    kind: str
    number: int | None
    body: dict[str, Any] | None

    @property
    def points(self) -> list[int] | None:
        """Return the points of each seat; None if the entry has none."""
        return (self.body or {}).get("points")


def stored_entries(site: Site, address: str) -> Sequence[Stored]:
    with site.database() as database:
        return [Stored(*row) for row in database.execute(LOG, [address]).fetchall()]


def match_id(site: Site, address: str) -> int:
    with site.database() as database:
        ((_key, number),) = database.execute(START, [address]).fetchall()
        return int(number)


def page_of(site: Site, address: str) -> str:
    with urllib.request.urlopen(f"{site.url}/m/{address}/") as page:  # noqa: S310 - our own
        return str(page.read().decode())
