"""The rules on the command line, with nothing but Python: `python -m scoring.rules score FILE`."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.rules.answers import refusal_answer, score_record, trick_answer
from scoring.rules.documents import documents
from scoring.rules.record_schema import record_schema
from scoring.rules.results import Refusal

ANSWERS: Mapping[str, Callable[[object], dict[str, Any]]] = {
    "score": score_record,
    "trick": trick_answer,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answers; return 1 where anything was refused, 2 for a file that is not there."""
    asked = _parser().parse_args(arguments)
    if asked.command == "schema":
        sys.stdout.write(json.dumps(record_schema(), indent=2) + "\n")
        return 0
    return _answer(asked)


def _answer(asked: Namespace) -> int:
    try:
        read = (
            sys.stdin.buffer.read()
            if asked.file == "-"
            else Path(asked.file).read_bytes()
        )
    except OSError as error:
        sys.stderr.write(f"{asked.file} cannot be read: {error.strerror}\n")
        return 2
    status = 0
    for document in documents(read, in_lines=asked.lines):
        try:
            answer = ANSWERS[asked.command](document)
        except Refusal as refusal:
            status = 1
            answer = refusal_answer(refusal)
        sys.stdout.write(json.dumps(answer) + "\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="tricky-rules", description="Scores trick-taking games by their rules."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, told in (
        ("score", "the scores of a match record, what every hand added and why"),
        ("trick", "who won a trick, and by which clause"),
    ):
        command = commands.add_parser(name, help=told, description=told)
        command.add_argument("file", metavar="FILE", help="a path, or - for stdin")
        command.add_argument(
            "--lines", action="store_true", help="one document a line, so the answers"
        )
    commands.add_parser("schema", help="the JSON Schema of the match record")
    return parser


if __name__ == "__main__":
    sys.exit(main())
