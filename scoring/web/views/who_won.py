"""The page that decides who won a trick, without a match."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scoring.games.keypad import TrickForm
from scoring.games.registry import table_game, table_games
from scoring.rules import GAMES, Refusal, score_trick


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


def _winner_context(form: TrickForm) -> dict[str, Any]:
    if not form.is_valid():
        return {}
    if not form.is_complete:
        return {"missing": form.prompt}
    table = table_game(form.game_id)
    document = form.document()
    try:
        result = score_trick(document)
    except Refusal as refusal:
        faults = [
            table.translate_sentence(fault.message, form.names)
            for fault in refusal.faults
        ]
        return {"faults": faults}
    return {
        "winner": form.names[result.winner],
        "why": table.translate_sentence(
            result.message, form.names, str(document.get("trump") or "")
        ),
        "clause": result.clause,
        "ante_won": result.ante_won,
    }
