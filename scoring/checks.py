"""What every build and every start of the site makes sure of."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from scoring.examples import EXAMPLES, NAMES, WorkedTrick, worked_examples
from scoring.rules import Refusal


@register
def examples_follow_from_the_rules(
    app_configs: Sequence[AppConfig] | None, **_options: Any
) -> list[CheckMessage]:
    """Return an error for each game whose examples its rules do not allow.

    So nothing is built or started that could tell a score which no table gets.
    """
    return [error for game in EXAMPLES for error in _errors(game)]


def _errors(game: str) -> Iterator[Error]:
    try:
        worked = worked_examples(game)
    except Refusal as refusal:
        yield _error(
            game, "; ".join(fault.message.spoken(NAMES) for fault in refusal.faults)
        )
        return
    for name, example in worked.items():
        if not isinstance(example, WorkedTrick) and example.scored.findings:
            yield _error(game, f"somebody breaks a rule in “{name}”.")


def _error(game: str, words: str) -> Error:
    hint = "Mend it in scoring/examples.py."
    return Error(f"Examples of {game}: {words}", hint=hint, id="scoring.E001")
