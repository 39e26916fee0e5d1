"""What every build and every start of the site makes sure of."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from scoring.games.examples import NAMES, WorkedTrick
from scoring.games.registry import table_games
from scoring.games.table_game import TableGame
from scoring.rules import Refusal


@register
def examples_follow_from_the_rules(
    app_configs: Sequence[AppConfig] | None, **_options: Any
) -> list[CheckMessage]:
    """Return an error for each game whose examples its rules do not allow.

    So nothing is built or started that could tell a score which no table gets.
    """
    return [error for game in table_games() for error in _errors(game)]


def _errors(game: TableGame) -> Iterator[Error]:
    try:
        worked = game.worked_examples
    except Refusal as refusal:
        yield _error(
            game, "; ".join(fault.message.in_words(NAMES) for fault in refusal.faults)
        )
        return
    for name, example in worked.items():
        if not isinstance(example, WorkedTrick) and example.scored.findings:
            yield _error(game, f"somebody breaks a rule in “{name}”.")


def _error(game: TableGame, words: str) -> Error:
    hint = f"Mend it in scoring/games/{game.id}/examples.py."
    return Error(f"Examples of {game.id}: {words}", hint=hint, id="scoring.E001")
