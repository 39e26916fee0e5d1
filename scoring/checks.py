"""System checks, which run at each build and each start of the site."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from scoring.games.examples import NAMES, WorkedTrick
from scoring.games.registry import table_games
from scoring.games.table_game import TableGame
from scoring.rules import Refusal


@register
def check_examples_are_legal(
    app_configs: Sequence[AppConfig] | None, **_options: Any
) -> Sequence[CheckMessage]:
    """Return an error for each example that is not possible by the rules of its game.

    This ensures that no page shows a score that a table cannot get.
    """
    errors = []
    for game in table_games():
        try:
            examples = game.worked_examples
        except Refusal as refusal:
            faults = [fault.message.in_words(NAMES) for fault in refusal.faults]
            errors.append(_example_error(game, "; ".join(faults)))
            continue
        for name, example in examples.items():
            if not isinstance(example, WorkedTrick) and example.scored.findings:
                errors.append(
                    _example_error(game, f"somebody breaks a rule in “{name}”.")
                )
    return errors


def _example_error(game: TableGame, problem: str) -> Error:
    hint = f"Mend it in scoring/games/{game.id}/examples.py."
    return Error(f"Examples of {game.id}: {problem}", hint=hint, id="scoring.E001")
