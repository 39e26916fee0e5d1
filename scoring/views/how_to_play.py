"""How a game is played: its clauses in short, with examples that the rules worked out."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.examples import NAMES, Worked, WorkedHand, WorkedTrick, worked_examples
from scoring.retelling import tell_hand
from scoring.rules import GAMES, Explanation
from scoring.rules.tricks_and_treats.pieces import DEFAULT_MIX
from scoring.rules.tricky_bid.tricks import DEALS

FIRST_GAME = next(iter(GAMES))
DIE = re.compile(r"(?P<kind>d\d+):(?P<value>\d+)")
CARD_WITH_SUIT = re.compile(r"(?P<value>[2-9TJQKA])(?P<suit>[SHDC])(?P<face>\*?)")

TABLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "tricky_bid": {
            "deals": [
                (seats, deal, deal.most_points(seats)) for seats, deal in DEALS.items()
            ]
        },
        "tricks_and_treats": {"mix": DEFAULT_MIX},
    }
)
"""Tables of the rules that a page shows as they are."""


class Piece(NamedTuple):
    """A piece as it is drawn."""

    text: str
    """As a record writes it; empty where its kind goes without saying."""
    kind: str = ""
    """Of a die, as in d20."""
    value: str = ""
    """What the die shows, or the rank of a card that has one of the four suits."""
    suit: str = ""
    face: str = ""
    """Something, where a suit is on a die."""


@require_safe
def how_to_play(request: HttpRequest, game: str = FIRST_GAME) -> HttpResponse:
    """Show the essentials of a game, an anchor for each clause, and the examples."""
    if game not in GAMES:
        raise Http404
    worked = worked_examples(game)
    context = {
        "game": GAMES[game],
        "others": [one for one in GAMES.values() if one.id != game],
        "page": f"scoring/how_to_play/{game}.html",
        "examples": {name: _told(example) for name, example in worked.items()},
        **TABLES.get(game, {}),
    }
    return render(request, "scoring/how_to_play.html", context)


def _told(worked: Worked) -> dict[str, Any]:
    """Return an example in the words and with the names that a page shows."""
    title = gettext(worked.example.title)
    if isinstance(worked, WorkedTrick):
        return {"title": title, **_trick(worked)}
    return {"title": title, **_hand(worked)}


def _trick(worked: WorkedTrick) -> dict[str, Any]:
    """Return what everybody played, who won, and why."""
    trick, judged = worked.example.trick, worked.judged
    plays = trick["plays"] if "plays" in trick else trick["actors"]
    antes = trick.get("antes", [""] * len(plays))
    return {
        "plays": [
            (name, _drawn(play), _piece(ante) if ante else None, _declared(play))
            for name, play, ante in zip(NAMES, plays, antes, strict=False)
        ],
        "winner": NAMES[judged.winner],
        "why": judged.message.spoken(NAMES, gettext),
        "clause": judged.clause,
        "ante_won": judged.ante_won,
    }


def _drawn(play: Any) -> list[Piece]:
    """Return the pieces that one player put into a trick."""
    if isinstance(play, Mapping):
        return [Piece("", "d6", str(value)) for value in play["dice"]]
    return [_piece(text) for text in ([play] if isinstance(play, str) else play)]


def _piece(text: str) -> Piece:
    found = DIE.fullmatch(text) or CARD_WITH_SUIT.fullmatch(text)
    return Piece(text, **found.groupdict()) if found else Piece(text)


def _declared(play: Any) -> str:
    """Return what an actor declared; empty in games without declarations."""
    if not isinstance(play, Mapping):
        return ""
    declared: str | None = play["declared"]
    return declared.replace("_", " ") if declared else gettext("discarded")


def _hand(worked: WorkedHand) -> dict[str, Any]:
    """Return what was entered and what it scored, or how the match then stands."""
    example, scored, after = worked.example, worked.scored, worked.after
    names = NAMES[: example.seats]
    if example.tells:
        why = [line for line in scored.explanation if line.seat in example.tells]
        why.sort(key=lambda line: example.tells.index(line.seat or 0))
        return {
            "entered": tell_hand(example.hands[-1], names),
            "lines": [_line(line, scored.scores) for line in why],
        }
    assert after.decided is not None
    totals = ", ".join(map("{} {}".format, names, scored.totals))
    return {
        "entered": [gettext("Totals: %(totals)s") % {"totals": totals}],
        "winners": [names[seat] for seat in after.winners],
        "lines": [_line(after.decided._replace(seat=None), scored.scores)],
    }


def _line(line: Explanation, scores: tuple[int, ...]) -> dict[str, Any]:
    """Return one reason as the rules give it, with the clause to look it up."""
    return {
        "name": "" if line.seat is None else NAMES[line.seat],
        "points": None if line.seat is None else scores[line.seat],
        "text": line.text.spoken(NAMES, gettext),
        "clause": line.clause,
    }
