"""What others did to a hand, or with the pen, while somebody has its form open."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from scoring.models import LogEntry, Match

Kind = LogEntry.Kind
What = Literal["saved", "begun", "changed", "pen"]

OF_THE_HAND: dict[str, What] = {
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
    """The last thing of a kind that somebody else did."""

    what: What
    name: str
    at: datetime


def news_of_hand(
    match: Match, number: int, *, since: int, phone: str = ""
) -> list[News]:
    """Return what happened after the version `since`, but for what this phone did itself.

    A phone that took the pen back has nothing to hear of whoever held it before. What was
    begun is no news any more once it is saved.
    """
    news: dict[What, News] = {}
    for entry in match.log.filter(version__gt=since).in_order():
        is_mine = bool(phone) and entry.phone == phone
        if entry.kind == Kind.PEN:
            what: What | None = "pen"
        else:
            is_here = entry.hand_number == number
            what = OF_THE_HAND.get(entry.kind) if is_here else None
        if what is None:
            continue
        news.pop(what, None)
        if what == "saved":
            news.pop("begun", None)
        if not is_mine:
            news[what] = News(what=what, name=entry.maker, at=entry.made_at)
    return list(news.values())
