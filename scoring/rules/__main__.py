"""The rules on the command line, with nothing but Python: `python -m scoring.rules score FILE`."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from scoring.rules.answers import (
    refusal_answer,
    score_record,
    split_documents,
    trick_answer,
)
from scoring.rules.match_record import record_schema
from scoring.rules.results import Refusal


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the answers; return 1 if anything was refused, 2 if the file does not exist."""
    parser = ArgumentParser(
        prog="tricky-rules", description="Scores trick-taking games by their rules."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_text in (
        ("score", "the scores of a match record, what every hand added and why"),
        ("trick", "who won a trick, and by which clause"),
    ):
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.add_argument("file", metavar="FILE", help="a path, or - for stdin")
        command.add_argument(
            "--lines", action="store_true", help="one document a line, so the answers"
        )
    commands.add_parser("schema", help="the JSON Schema of the match record")
    options = parser.parse_args(arguments)
    if options.command == "schema":
        sys.stdout.write(json.dumps(record_schema(), indent=2) + "\n")
        return 0
    path = options.file
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        sys.stderr.write(f"{path} cannot be read: {error.strerror}\n")
        return 2
    answer_document = score_record if options.command == "score" else trick_answer
    status = 0
    for document in split_documents(content, in_lines=options.lines):
        try:
            answer = answer_document(document)
        except Refusal as refusal:
            status = 1
            answer = refusal_answer(refusal)
        sys.stdout.write(json.dumps(answer) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
