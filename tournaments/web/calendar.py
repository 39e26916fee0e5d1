"""A tournament as an appointment, as calendars read it (RFC 5545)."""

from datetime import UTC, datetime, timedelta

from tournaments.models import Tournament

LONGEST_LINE = 75
"""Bytes of a line, without its end."""


def appointment(tournament: Tournament, address: str, now: datetime) -> str:
    """Return the calendar that holds a tournament, from its beginning to its last round."""
    lasts = timedelta(minutes=tournament.rounds_planned * tournament.minutes)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tricky//EN",
        "BEGIN:VEVENT",
        f"UID:{tournament.address}@tricky",
        f"DTSTAMP:{_moment(now)}",
        f"DTSTART:{_moment(tournament.starts_at)}",
        f"DTEND:{_moment(tournament.starts_at + lasts)}",
        f"SUMMARY:{_text(tournament.name)}",
        f"LOCATION:{_text(tournament.venue)}",
        f"URL:{address}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    r"""Return words with what means something to a calendar escaped.

    >>> _text("Café Morgen, back room; ring\n twice")
    'Café Morgen\\, back room\\; ring\\n twice'
    """
    for sign in ("\\", ";", ","):
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\r\n", "\n").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line in parts that are short enough, never within a letter.

    >>> [len(part.encode()) for part in _folded("SUMMARY:" + "é" * 50).split("\\r\\n")]
    [74, 35]
    """
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            parts.append(part)
            part = " "
        part += letter
    return "\r\n".join([*parts, part])
