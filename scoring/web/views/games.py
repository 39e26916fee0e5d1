"""Pages about a game, without a match: how to play it, and who won a trick."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.games.examples import NAMES, Worked, WorkedTrick
from scoring.games.keypad import LoneTrickForm
from scoring.games.registry import table_game, table_games
from scoring.games.table_game import TableGame
from scoring.locales.sentences import translate
from scoring.rules import GAMES, Explanation, Refusal, score_trick


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
        "kinds": table.piece_kind_drawings,
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
            "why": game.translate_with_pieces(
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
            "entered": game.describe_raw_hand(example.hands[-1], names),
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


def who_won(request: HttpRequest, game: str = "") -> HttpResponse:
    """Ask for the played pieces, and show the winner and the reason."""
    game = game or next(iter(GAMES))
    if game not in GAMES:
        raise Http404
    context: dict[str, Any] = {"game": table_game(game), "games": table_games()}
    form_class = table_game(game).trick_form
    if form_class is None:
        return render(request, "scoring/who_won_none.html", context)
    # The link from a match has its number of players.
    seats = GAMES[game].seats
    player_counts = [seat for seat in seats if str(seat) == request.GET.get("players")]
    players = player_counts[0] if player_counts else min(4, seats[-1])
    form = form_class(request.POST or None, initial={"players": players})
    context |= {"form": form, **_winner_context(form)}
    return render(request, "scoring/who_won.html", context)


def who_won_answer(request: HttpRequest, game: str) -> HttpResponse:
    """Return the result for the pieces so far."""
    form_class = table_game(game).trick_form if game in GAMES else None
    if form_class is None:
        raise Http404
    form = form_class(request.POST)
    return render(
        request, "scoring/_trick_winner.html", {"form": form, **_winner_context(form)}
    )


def _winner_context(form: LoneTrickForm) -> dict[str, Any]:
    if not form.is_valid():
        return {}
    if not form.is_complete:
        return {"missing": form.prompt}
    table = table_game(form.game_id)
    document = form.trick_document()
    try:
        result = score_trick(document)
    except Refusal as refusal:
        faults = [
            table.translate_with_pieces(fault.message, form.names)
            for fault in refusal.faults
        ]
        return {"faults": faults}
    return {
        "winner": form.names[result.winner],
        "why": table.translate_with_pieces(
            result.message, form.names, str(document.get("trump") or "")
        ),
        "clause": result.clause,
        "ante_won": result.ante_won,
    }
