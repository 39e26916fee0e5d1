"""The base class of commands that score JSON documents."""

import json
import sys
from abc import abstractmethod
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from scoring.rules import Refusal, refusal_answer
from scoring.rules.answers import split_documents

UNREADABLE = 2
"""The exit status if the file cannot be read, as for `python -m scoring.rules`."""


class JsonDocumentCommand(BaseCommand):
    """A command that prints a JSON answer for each JSON document, without the database."""

    requires_system_checks = []

    refusals: ClassVar[type[Exception]] = Refusal
    """The exception that `answer` raises for an impossible document."""

    @abstractmethod
    def answer(self, document: bytes) -> dict[str, Any]:
        """Return the answer to a JSON document. Raises `refusals` if it is impossible."""

    def refusal_answer(self, refusal: Any) -> dict[str, Any]:
        return refusal_answer(refusal)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a path, or - for stdin")
        parser.add_argument(
            "--lines", action="store_true", help="one document a line, so the answers"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the answers; exit with 1 if any document was refused, with 2 if the file cannot be read."""
        name, has_refusal = options["file"], False
        try:
            content = (
                sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            )
        except OSError as error:
            raise CommandError(
                f"{name} cannot be read: {error.strerror}", returncode=UNREADABLE
            ) from error
        for document in split_documents(content, in_lines=options["lines"]):
            try:
                answer = self.answer(document)
            except self.refusals as refusal:
                has_refusal = True
                answer = self.refusal_answer(refusal)
            self.stdout.write(json.dumps(answer))
        if has_refusal:
            sys.exit(1)
