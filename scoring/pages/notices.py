"""What the rest of the site has to say of a match, above its sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop, ngettext_lazy

from scoring.competition import NextTable, Notice, competition
from scoring.models import Match

MOVED = gettext_noop(
    "This match was moved from another server. Join again with each phone and go on "
    "only here. The phone that enters the next hand keeps score."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """The lines above a sheet, as somebody sees them."""

    lines: Sequence[Notice] = ()
    next_table: NextTable | None = None

    @property
    def mark(self) -> str:
        """Return what tells these from any others; empty where nothing is said."""
        if not self.lines and self.next_table is None:
            return ""
        # Words are translated no sooner than somebody reads them.
        lines = [
            (str(line.words), line.address, line.urgent, line.ends_at, line.paused_at)
            for line in self.lines
        ]
        next_table = self.next_table and (
            str(self.next_table.sentence),
            [str(seat) for seat in self.next_table.seats],
            self.next_table.address,
        )
        return sha256(repr((lines, next_table)).encode()).hexdigest()[:12]


def match_notices(match: Match, request: HttpRequest) -> Notices:
    """Return what there is to say of a match now to whoever asks."""
    lines = []
    if match.has_just_moved:
        lines.append(Notice(words=gettext(MOVED), urgent=True))
    if not match.finished:
        # Two phones may have begun a rematch each, offline.
        words = ngettext_lazy(
            "This table has another rematch, with %(hands)s hand. Go to it",
            "This table has another rematch, with %(hands)s hands. Go to it",
            "hands",
        )
        lines += [
            Notice(
                words=words % {"hands": other.hands_played},
                address=other.get_absolute_url(),
                urgent=True,
            )
            for other in match.other_rematches
        ]
    return Notices(
        lines=[*lines, *competition().notices(match)],
        next_table=competition().next_table(match, request),
    )
