"""The board in each state that its page shows, made up and stored nowhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from scoring.games.table_game import BoardSample
from scoring.games.tricks_and_treats.board.forms import trick_form
from scoring.games.tricks_and_treats.board.view import build_view
from scoring.matchlog.commands import LoggedMatch
from scoring.models import LogEntry

SEED = 486
"""By it two of four players claim a token, and three hold treats, within these tricks."""
PLAYED = """
P4 P1 P2 P3 turn
P5 P6 P7 P8 turn
G4 G1 G2 G3 claim
P9 P10 P11 P12 turn
G5 G6 G7 G8 turn
G12 G9 G10 G11 claim
B1 B2 B3 B4 turn
B5 B6 B7 B8 turn
B11 B9 B10 B12
"""
"""The cards of each trick, and what was done with its token."""
LEADER = 2
"""Who holds the card that was turned first."""
SWITCH = {"use": "switch", "seat": "0"}


def board_samples(logged: LoggedMatch) -> Iterator[BoardSample]:
    """Yield a match of four before its board is laid, after a trick, while a treat is used, and before a trick."""
    won: list[dict[str, Any]] = []
    for line in PLAYED.split("\n"):
        cards = [word for word in line.split() if word.isupper()]
        if cards:
            won.append({"kind": "trick", "plays": cards})
        won += [{"kind": word} for word in line.split() if word.islower()]
    won[0]["leader"] = LEADER
    yield BoardSample(logged, {})
    yield _sample(logged, won, {})
    yield _sample(logged, won, {**SWITCH, "first": "5,2"})
    yield _sample(logged, [*won, {"kind": "claim"}], {})


def _sample(
    logged: LoggedMatch,
    actions: Sequence[Mapping[str, Any]],
    query: Mapping[str, str],
) -> BoardSample:
    log = [
        LogEntry(
            match=logged.match,
            version=number,
            key=UUID(int=SEED + number),
            kind=LogEntry.Kind.BOARD,
            body=dict(action),
        )
        for number, action in enumerate([{"kind": "begin"}, *actions])
    ]
    laid = replace(logged, log=log)
    view = build_view(laid, laid.names, query)
    assert view is not None
    return BoardSample(laid, {"view": view, "form": trick_form(view, None)})
