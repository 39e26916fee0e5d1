"""What every build and every start of the site makes sure of."""

from collections.abc import Sequence
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
) -> Sequence[CheckMessage]:
    """Return an error for each game whose examples its rules do not allow.

    So nothing is built or started that could tell a score which no table gets.
    """
    errors = []
    for game in table_games():
        try:
            worked = game.worked_examples
        except Refusal as refusal:
            faults = [fault.message.in_words(NAMES) for fault in refusal.faults]
            errors.append(_error(game, "; ".join(faults)))
            continue
        for name, example in worked.items():
            if not isinstance(example, WorkedTrick) and example.scored.findings:
                errors.append(_error(game, f"somebody breaks a rule in “{name}”."))
    return errors


def _error(game: TableGame, words: str) -> Error:
    hint = f"Mend it in scoring/games/{game.id}/examples.py."
    return Error(f"Examples of {game.id}: {words}", hint=hint, id="scoring.E001")
