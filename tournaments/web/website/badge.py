"""A club's badge: one small picture of its leader and its next night."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.template.loader import render_to_string
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime, now
from django.utils.translation import gettext as _

from scoring.pages.charts import COLOURS
from scoring.pages.plots import width_of
from scoring.pictures.colours import format_hex
from tournaments.models import Club
from tournaments.web.club.colours import cloth_of_club
from tournaments.web.club.nights import UpcomingNight
from tournaments.web.sharing.pictures import picture_of_club

DARK = {"paper": "#151a17", "ink": "#eeeee8", "soft": "#b4b9b3", "rule": "#2d3430"}
"""As `tokens.css` has the sheet at night; by day it is that of charts."""
LEAST_WIDTH, MOST_WIDTH = 240, 560
BEFORE, AFTER = 44, 20
"""What is left and right of the words."""
FIRST, LINE, BELOW = 32, 26, 18
"""The first base line, what is between lines, and what is under the last."""
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """What is drawn."""

    svg: str
    style_source: str
    """By which a content security policy knows the styles that are in it."""


def badge_of(club: Club, nights: Sequence[UpcomingNight], theme: str) -> Badge:
    """Return the badge of a club, in a theme or as the device has it."""
    lines = [_fitting(line) for line in _lines(club, nights)]
    svg = render_to_string(
        "tournaments/website/badge.svg",
        {
            "title": " ".join(f"{line}." for line in lines),
            "lines": [
                (line, FIRST + LINE * number) for number, line in enumerate(lines)
            ],
            "width": min(
                MOST_WIDTH,
                max(LEAST_WIDTH, round(max(map(width_of, lines))) + BEFORE + AFTER),
            ),
            "height": FIRST + LINE * (len(lines) - 1) + BELOW,
            "words_at": BEFORE,
            "day": DARK if theme == "dark" else COLOURS,
            "night": None if theme else DARK,
            "cloth": format_hex(cloth_of_club(club).cloth),
            "peg": COLOURS["peg"],
        },
    )
    style = STYLE.search(svg)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    return Badge(svg=svg, style_source=f"'sha256-{digest}'")


def _lines(club: Club, nights: Sequence[UpcomingNight]) -> list[str]:
    picture = picture_of_club(club, club.day_of(now()), marks=False)
    lines = [club.name]
    if picture.lanes:
        lines.append(picture.under)
    lines.extend(_night_in_words(night, club) for night in nights[:1])
    return lines


def _night_in_words(night: UpcomingNight, club: Club) -> str:
    if night.is_running:
        return _("Now: %(name)s") % {"name": night.tournament.name}
    starts_at: datetime = localtime(night.tournament.starts_at, club.zone)
    day = _("Next: %(weekday)s, %(day)s") % {
        "weekday": date_format(starts_at, "l"),
        "day": date_format(starts_at, "MONTH_DAY_FORMAT"),
    }
    return f"{day}, {time_format(starts_at, 'TIME_FORMAT')}"


def _fitting(line: str) -> str:
    """Return a line as long as the widest badge holds, of signs that XML may hold."""
    words = "".join(sign for sign in line if sign.isprintable())
    if width_of(words) <= MOST_WIDTH - BEFORE - AFTER:
        return words
    while width_of(words) > MOST_WIDTH - BEFORE - AFTER - width_of("…"):
        words = words[:-1]
    return f"{words.rstrip()}…"
