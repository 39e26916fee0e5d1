"""Content that open pages poll: the version, notices above the sheet, news of a hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop, ngettext_lazy

from scoring.competition import NextTableNotice, Notice, competition
from scoring.models import LogEntry, Match

DIGEST_LENGTH = 8


def poll_version(match: Match) -> str:
    """Return the log's version, with a digest of other state that decides who may enter hands.

    The digest covers whether the match is closed or counts unfinished, its secret, its
    agreement and the state of its competition. A friendly match that is open has none.
    """
    agreement, competition_state = (
        competition().confirmation_rules(match),
        competition().poll_state(match),
    )
    state = (
        match.closed,
        match.as_it_stands,
        match.secret,
        agreement,
        competition_state,
    )
    if state == (False, False, "", None, None):
        return str(match.version)
    digest = sha256(repr(state).encode()).hexdigest()
    return f"{match.version}-{digest[:DIGEST_LENGTH]}"


MOVED = gettext_noop(
    "This match was moved here from another server. Join again on every phone and "
    "continue only here. The phone that enters the next hand becomes the scorer’s "
    "phone."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetNotices:
    """The lines above a sheet, for one viewer."""

    lines: Sequence[Notice] = ()
    next_table: NextTableNotice | None = None

    @property
    def mark(self) -> str:
        """Return a digest of the notices; empty if there are none."""
        if not self.lines and self.next_table is None:
            return ""
        # Lazy translations are evaluated here, in the viewer's language.
        lines = [
            (str(line.text), line.address, line.urgent, line.ends_at, line.paused_at)
            for line in self.lines
        ]
        next_table = self.next_table and (
            str(self.next_table.sentence),
            [str(seat) for seat in self.next_table.seats],
            self.next_table.address,
        )
        return sha256(repr((lines, next_table)).encode()).hexdigest()[:12]


def match_notices(match: Match, request: HttpRequest) -> SheetNotices:
    """Return the current notices of a match for a request."""
    lines = []
    if match.is_just_imported:
        lines.append(Notice(text=gettext(MOVED), urgent=True))
    if not match.finished:
        # Two offline phones may each have started a rematch.
        template = ngettext_lazy(
            "There’s another rematch at this table, with %(hands)s hand. Open it",
            "There’s another rematch at this table, with %(hands)s hands. Open it",
            "hands",
        )
        lines += [
            Notice(
                text=template % {"hands": rematch.hands_played},
                address=rematch.get_absolute_url(),
                urgent=True,
            )
            for rematch in match.other_rematches
        ]
    return SheetNotices(
        lines=[*lines, *competition().notices(match)],
        next_table=competition().next_table_notice(match, request),
    )


Kind = LogEntry.Kind
NewsKind = Literal["saved", "begun", "changed", "pen"]

NEWS_BY_KIND: dict[str, NewsKind] = {
    Kind.ENTER: "saved",
    Kind.CONFLICT: "saved",
    Kind.CONTRACT: "begun",
    Kind.REPLACE: "changed",
    Kind.VOID: "changed",
    Kind.RESTORE: "changed",
    Kind.KEEP: "changed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The latest action of a kind by another phone."""

    kind: NewsKind
    name: str
    at: datetime


def list_hand_news(
    match: Match, number: int, *, since: int, phone: str = ""
) -> list[News]:
    """Return the news after the version `since`, without actions of this phone.

    If this phone is the scorer again, an earlier change of scorer is no longer news; neither is
    a hand that was begun, once it is saved.
    """
    news: dict[NewsKind, News] = {}
    for entry in match.log.filter(version__gt=since).in_order():
        is_mine = bool(phone) and entry.phone == phone
        if entry.kind == Kind.PEN:
            kind: NewsKind | None = "pen"
        else:
            is_here = entry.hand_number == number
            kind = NEWS_BY_KIND.get(entry.kind) if is_here else None
        if kind is None:
            continue
        news.pop(kind, None)
        if kind == "saved":
            news.pop("begun", None)
        if not is_mine:
            news[kind] = News(kind=kind, name=entry.maker, at=entry.made_at)
    return list(news.values())
