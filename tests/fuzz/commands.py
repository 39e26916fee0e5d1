"""The commands that need no database: documents that are piped in, and what is asked of them."""

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any

from django.core.management import CommandError, call_command

from scoring.rules.__main__ import main
from scoring.rules.documents import documents
from tests.fuzz.attempt import Fault
from tests.fuzz.faults import fault_of
from tests.fuzz.hostile import changed, mangled, written
from tests.scoring.rules.test_worked_records import RECORDS, TRICKS
from tests.tournaments.standings.test_document import GOOD, REFUSED

ENDED = {0, 1, 2}
"""All is well, something was refused, nothing could be read."""
MOST_LINES = 12
ODD_ARGUMENTS = [
    [],
    [""],
    ["/"],
    ["none.json"],
    ["-", "-"],
    ["--lines"],
    ["-x"],
    ["\udcff"],
]


def _managed(arguments: Sequence[str]) -> int:
    name, *others = arguments
    try:
        call_command(name, *others)
    except CommandError as told:
        # As manage.py says it, which ends then with the status of the error.
        sys.stderr.write(f"{told}\n")
        return 2
    return 0


WAYS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "python -m scoring.rules": main,
    "manage.py": _managed,
}


@dataclass(frozen=True)
class Piped:
    """A command with what it is told, and what is piped into it."""

    way: str
    arguments: tuple[str, ...]
    content: bytes
    kind: str = "commands"

    @property
    def inputs(self) -> int:
        """Return how many documents it is told."""
        in_lines = "--lines" in self.arguments
        return len(list(documents(self.content, in_lines=in_lines)))

    def with_content(self, content: bytes) -> "Piped":
        """Return the same with something else piped in."""
        return replace(self, content=content)

    def play(self, site: object) -> Fault | None:
        """Run it here; return what it should not have done."""
        said, complained = io.StringIO(), io.StringIO()
        with _stdin(self.content), redirect_stdout(said), redirect_stderr(complained):
            try:
                status: object = WAYS[self.way](self.arguments)
            except SystemExit as ended:
                status = ended.code
            except Exception as error:
                return fault_of(error, f"{self.way} {self.arguments[0]}")
        told = _not_as_documented(self, status, said.getvalue(), complained.getvalue())
        return Fault(f"{self.way} {self.arguments[0]}: {told}") if told else None


def _not_as_documented(
    piped: Piped, status: object, said: str, complained: str
) -> str | None:
    """Return what is wrong about how a command ended; None for nothing."""
    if status not in ENDED:
        return f"ended with {status!r}"
    if "Traceback" in complained:
        return "showed a traceback"
    if status == 2:
        return None if complained.strip() and not said else "said nothing of why"
    if complained:
        return "complained, and went on"
    answers = [json.loads(line) for line in said.splitlines()]
    asked = list(documents(piped.content, in_lines="--lines" in piped.arguments))
    if len(answers) != len(asked):
        return f"gave {len(answers)} answers to {len(asked)} documents"
    refused = [answer["error"] for answer in answers if "error" in answer]
    if any(not error["message"].strip() for error in refused):
        return "refused something without a word"
    return None if bool(refused) == (status == 1) else f"ended with {status}"


@contextmanager
def _stdin(content: bytes) -> Iterator[None]:
    kept = sys.stdin
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(content))
    try:
        yield
    finally:
        sys.stdin = kept


RECORD_DOCUMENTS: list[Any] = [case.values[0] for case in RECORDS]
TRICK_DOCUMENTS: list[Any] = [case["question"] for case in TRICKS]
TOURNAMENT_DOCUMENTS: list[Any] = [{**GOOD, **changes} for changes, _field in REFUSED]
SHORT_RECORDS = [
    {**record, "hands": record["hands"][:2]} for record in RECORD_DOCUMENTS
]
DOCUMENTS: Mapping[str, Sequence[Any]] = {
    "score": SHORT_RECORDS,
    "trick": TRICK_DOCUMENTS,
    "standings": TOURNAMENT_DOCUMENTS,
}


def drawn(chance: Random) -> Piped:
    """Return a command with hostile documents, mostly a line each: that is quicker."""
    name = chance.choice(("score", "score", "trick", "trick", "standings"))
    in_lines = chance.random() < 0.7
    content = b"\n".join(
        _document(name, chance) for _line in range(MOST_LINES if in_lines else 1)
    )
    if chance.random() < 0.03:
        content = mangled(content, chance)
    arguments = ["-", "--lines"] if in_lines else ["-"]
    if chance.random() < 0.01:
        arguments = chance.choice(ODD_ARGUMENTS)
    is_managed = name == "standings" or chance.random() < 0.1
    way = "manage.py" if is_managed else "python -m scoring.rules"
    return Piped(way, (name, *arguments), content)


def _document(name: str, chance: Random) -> bytes:
    others = DOCUMENTS[chance.choice(list(DOCUMENTS))] if chance.random() < 0.1 else ()
    return written(changed(chance.choice(DOCUMENTS[name]), chance, others), chance)
