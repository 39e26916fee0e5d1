"""How to play a game: its rules in short, with examples computed by the rules."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.games.examples import NAMES, Worked, WorkedTrick
from scoring.games.registry import table_game, table_games
from scoring.games.table_game import TableGame
from scoring.locales.sentences import translate
from scoring.rules import GAMES, Explanation


@require_safe
def how_to_play(request: HttpRequest, game: str = "") -> HttpResponse:
    """Show the essentials of a game, with an anchor for each clause, and the examples."""
    game = game or next(iter(GAMES))
    if game not in GAMES:
        raise Http404
    table = table_game(game)
    context = {
        "game": table,
        "others": [other_game for other_game in table_games() if other_game.id != game],
        "page": select_template(table.templates("how_to_play")),
        "examples": {
            name: _example_context(table, worked)
            for name, worked in table.worked_examples.items()
        },
        "kinds": table.kind_drawings,
        "clauses": {clause: gettext(text) for clause, text in table.clauses.items()},
        **table.tables,
    }
    return render(request, "scoring/how_to_play.html", context)


def _example_context(game: TableGame, worked: Worked) -> dict[str, Any]:
    """Return the template context of an example.

    A trick has its winner; a hand has its scores, or the state of the match after it.
    """
    title = gettext(worked.example.title)
    if isinstance(worked, WorkedTrick):
        document, result = worked.example.trick, worked.result
        plays = zip(NAMES, game.draw_trick(document), strict=False)
        return {
            "title": title,
            "plays": [(name, *play) for name, play in plays],
            "winner": NAMES[result.winner],
            "why": game.translate_sentence(
                result.message, NAMES, str(document.get("trump") or "")
            ),
            "clause": result.clause,
            "ante_won": result.ante_won,
        }
    example, scored, state = worked.example, worked.scored, worked.state
    names = NAMES[: example.seats]
    if example.explained_seats:
        why = [
            line for line in scored.explanation if line.seat in example.explained_seats
        ]
        why.sort(key=lambda line: example.explained_seats.index(line.seat or 0))
        return {
            "title": title,
            "entered": game.describe(example.hands[-1], names),
            "lines": [_explanation_context(line, scored.scores) for line in why],
        }
    assert state.end_reason is not None
    totals = ", ".join(map("{} {}".format, names, scored.totals))
    return {
        "title": title,
        "entered": [gettext("Totals: %(totals)s") % {"totals": totals}],
        "winners": [names[seat] for seat in state.winners],
        "lines": [
            _explanation_context(state.end_reason._replace(seat=None), scored.scores)
        ],
    }


def _explanation_context(line: Explanation, scores: tuple[int, ...]) -> dict[str, Any]:
    return {
        "name": "" if line.seat is None else NAMES[line.seat],
        "points": None if line.seat is None else scores[line.seat],
        "text": translate(line.text, NAMES),
        "clause": line.clause,
    }
