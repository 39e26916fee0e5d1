"""What the style guide shows of a tournament, made up and stored nowhere."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from scoring.models import Player
from tournaments.event.desk.holes import Holes
from tournaments.event.desk.overview import TONES
from tournaments.event.setup.proposals import Proposal
from tournaments.models import (
    AutoStep,
    Club,
    Entry,
    Round,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.web.club.nights import Offer
from tournaments.web.night.pages import Segment, holes

NOW = datetime(2026, 10, 27, 20, 30, tzinfo=UTC)
POINTS = ("43/2", "20", "20", "35/2")
HEADINGS = ("2 go on", "", "Not in the final as it stands", "")
STATES = {
    "waiting": "waits",
    "playing": "hand 4",
    "ended": "last hand is in",
    "unconfirmed": "agree",
    "silent": "silent",
    "kept": "kept",
    "called": "called",
    "disputed": "disputed",
    "done": "done",
    "void": "void",
}
"""How a table can stand, and what its tile says of it."""
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff"


def tournament_sample(names: Sequence[str]) -> dict[str, Any]:
    """Return a tournament of four players, the last of whom has a long name."""
    club = Club(name="A club", slug="a-club", colour="#0f5c6e")
    entries = [
        Entry(pk=number, number=number, name=name, player=Player(pk=number))
        for number, name in enumerate([*names[:3], LONG_NAME], start=1)
    ]
    league_forms = [{"played": 9, "won": 5, "last": (1, 1, 2, 1, 3)}]
    league_forms += [{"played": 0, "won": 0}] * 3
    first, second, third, fourth = entries
    return {
        "tournament": Tournament(club=club, address="a" * 22),
        "league": Tournament(
            club=club, address="b" * 22, format=Tournament.Format.LEAGUE
        ),
        "segments": [
            Segment(words, "#tournaments", words == "Standings")
            for words in ("Standings", "Round 3", "Seats")
        ],
        "as_of": "As of 20:52, after round 2; table 4 is still open",
        "standings": _standings(entries, []),
        "league_standings": _standings(entries, league_forms),
        "branch": {
            "words": "To the first semi-final",
            "duels": [
                _duel(1, 1, [(first, 7, "won"), (second, 4, "out")]),
                _duel(1, 2, [(third, 3, "out"), (fourth, 7, "won")]),
            ],
            "into": _duel(2, 1, [(first, 5, "at"), (fourth, 4, "at")]),
        },
        "holes": holes(23, 32),
        "tables": [
            {
                "table": Table(
                    number=number, called_at=timezone.now() - timedelta(minutes=2)
                ),
                "state": state,
                "tone": TONES.get(state, ""),
                "words": words,
                "places": [
                    {"name": entry.name, "confirmed_at": seat == 0}
                    for seat, entry in enumerate(entries)
                ],
                "agreed": 1,
                "is_quiet": state in ("silent", "kept"),
                "hand": "hand 4",
                "heard_at": timezone.now() - timedelta(minutes=12),
                "holes": Holes(count=9, filled=9 if state == "done" else 4),
            }
            for number, (state, words) in enumerate(STATES.items(), start=1)
        ],
        "desk": {"current": Round(tournament=Tournament(), number=3)},
        "offers": [
            _offer(1, "Everybody meets", "planned", sizes=(4, 4, 4), repeats=2),
            _offer(2, "Swiss", "swiss", sizes=(4, 4, 3), sit_out=1, repeats=None),
        ],
    }


def _standings(
    entries: Sequence[Entry], forms: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    lines = []
    for place, entry in enumerate(entries):
        row = StandingsRow(
            place=place + 1,
            rank=place + 1,
            entry=entry,
            points=POINTS[place],
            tables=6,
            reason=f"{POINTS[place]} points against less" if place < 3 else "",
        )
        row.names = entry.name
        lines.append(
            {
                "row": row,
                "heading": HEADINGS[place],
                "moved": (1, -1, 2, 0)[place],
                "form": forms[place] if forms else None,
                "still": "" if place else "ends between 1st and 3rd",
            }
        )
    return {
        "lines": lines,
        "has_parts": True,
        "is_league": bool(forms),
        "has_begun": True,
    }


def _duel(
    round_number: int, number: int, sat: Sequence[tuple[Entry, int, str]]
) -> dict[str, Any]:
    contenders = [
        {"place": entry, "shape": entry.number - 1, "total": total, "state": state}
        for entry, total, state in sat
    ]
    round_ = Round(tournament=Tournament(), number=round_number)
    return {"table": Table(round=round_, number=number), "contenders": contenders}


def _offer(
    number: int,
    name: str,
    format_: str,
    *,
    sizes: tuple[int, ...],
    sit_out: int = 0,
    repeats: int | None,
) -> Offer:
    proposal = Proposal(
        format=format_,
        rounds=4,
        final_size=0,
        table_size=4,
        least_size=3,
        most_size=4,
        sizes=sizes,
        sit_out=sit_out,
        minutes=205,
        round_minutes=45,
        repeats=repeats,
        bound=1,
    )
    return Offer(number=number, name=name, proposal=proposal, query=f"format={format_}")


def night_sample(names: Sequence[str]) -> dict[str, Any]:
    """Return the page of a player: their table, the states of its clock, what is still open."""
    sides = ("across", "right", "own", "left")
    return {
        "sentence": "Round 2: you sit at table 7.",
        "hint": "Round 2 of 4",
        "table": Table(number=7),
        "neighbours": [
            {"seat": seat, "name": names[seat], "side": side}
            for seat, side in enumerate(sides)
        ],
        "rounds": [
            Round(tournament=Tournament(), number=2, **state)
            for state in ({}, {"last_hand_at": NOW}, {"paused_at": NOW})
        ],
        "now": NOW,
        "ends_at": NOW + timedelta(minutes=24, seconds=7),
        "step": AutoStep(due_at=NOW + timedelta(minutes=2, seconds=30)),
        "prospect": {
            "sentence": "You end between 2nd and 6th",
            "claims": [
                {
                    "tone": "ok",
                    "icon": "check",
                    "words": "At worst 6th",
                    "because": "whatever happens at the other tables",
                },
                {
                    "tone": "wait",
                    "icon": "hourglass",
                    "words": "On the podium if you win your table",
                    "because": "or come 2nd at your table and Amir does not win theirs",
                },
            ],
            "footnote": "Every outcome of the open tables was looked at, each played to its end.",
            "lane": {
                "length": "11.01",
                "reach_from": "9.09%",
                "reach_to": "45.45%",
                "reach_length": "4.01",
                "here": "18.18%",
            },
            "best": 2,
            "worst": 6,
            "rank": 3,
            "last": 12,
        },
    }
