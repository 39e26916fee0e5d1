"""`manage.py score FILE`: the scores of a match record."""

from typing import Any

from scoring.management.json_document_command import JsonDocumentCommand
from scoring.rules import score_record


class Command(JsonDocumentCommand):
    """Score match records, without the database."""

    help = "Score a match record: points of each hand, the winner, and what is next."

    def answer(self, document: bytes) -> dict[str, Any]:
        return score_record(document)
