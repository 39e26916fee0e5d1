"""`manage.py trick FILE`: the winner of a trick."""

from typing import Any

from scoring.management.json_document_command import JsonDocumentCommand
from scoring.rules import trick_answer


class Command(JsonDocumentCommand):
    """Score single tricks, without the database."""

    help = "Find the winner of a trick, and the rule that decides it."

    def answer(self, document: bytes) -> dict[str, Any]:
        return trick_answer(document)
