"""`manage.py standings FILE`: the standings of a tournament document."""

from typing import Any, ClassVar

from scoring.management.json_document_command import JsonDocumentCommand
from tournaments.standings import DocumentRefusal, compute_document_standings


class Command(JsonDocumentCommand):
    help = "Rank the players of a tournament document, with the reason for each rank."
    refusals: ClassVar[type[Exception]] = DocumentRefusal

    def answer(self, document: bytes) -> dict[str, Any]:
        """Return every player's line, best first."""
        return compute_document_standings(document)

    def refusal_answer(self, refusal: DocumentRefusal) -> dict[str, Any]:
        """Return the field that was refused, and the way out."""
        return {"error": {"field": refusal.field, "message": str(refusal.message)}}
