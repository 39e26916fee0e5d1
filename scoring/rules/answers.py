"""The answers of the commands `score` and `trick`, as JSON values."""

from collections.abc import Iterator
from typing import Any

from scoring.rules.match_record import NAME, parse_json, score_match
from scoring.rules.reading import Faults, read_object
from scoring.rules.registry import get_game
from scoring.rules.results import FORMAT, Refusal, TrickResult
from scoring.rules.wording import gettext_noop as _

MATCH_RECORD = _(
    "This is the record of a match, not a single trick. Use “score” to score its hands."
)


def split_documents(content: bytes, *, in_lines: bool) -> Iterator[bytes]:
    """Yield the documents of a file: the whole, or its lines that are not empty.

    >>> list(split_documents(b"{}\\n\\n[]\\n", in_lines=True))
    [b'{}', b'[]']
    """
    if not in_lines:
        yield content
        return
    yield from (line for line in content.split(b"\n") if line.strip())


def score_record(document: object) -> dict[str, Any]:
    """Return scores, totals, findings and reasons of every hand of a record.

    `document` is JSON text or its parsed value. Raises Refusal with all its faults.
    """
    match = score_match(document)
    state = match.state
    hands = [
        {
            "number": hand.number,
            "scores": list(hand.scores),
            "totals": list(hand.totals),
            "findings": [
                {**finding._asdict(), "message": str(finding.message)}
                for finding in hand.findings
            ],
            "explanation": [
                {**line._asdict(), "text": str(line.text)} for line in hand.explanation
            ],
        }
        for hand in match.hands
    ]
    return {
        "game": match.record.game,
        "players": list(match.record.players),
        "hands": hands,
        "finished": state.finished,
        "winners": list(state.winners),
        "ranks": list(state.ranks),
        "next": state.next_lead_seats,
    }


def trick_answer(document: object) -> dict[str, Any]:
    """Return the result of `score_trick` as a JSON value. Raises as it does."""
    result = score_trick(document)
    answer: dict[str, Any] = {
        "winner": result.winner,
        "clause": result.clause,
        "message": str(result.message),
    }
    if result.ante_won is not None:
        answer["ante_won"] = result.ante_won
    return answer


def score_trick(document: object) -> TrickResult:
    """Return the winner of the trick that a document describes, and the clause.

    `document` is JSON text or its parsed value. Raises Refusal with all its faults.
    """
    if isinstance(document, str | bytes):
        document = parse_json(document)
    faults = Faults()
    raw = faults.raise_or_return(read_object(document, "", faults))
    if raw.get("format") == NAME:
        faults.add("format", FORMAT, MATCH_RECORD)
        faults.raise_if_any()
    return faults.raise_or_return(get_game(raw.get("game")).score_trick(raw, faults))


def refusal_answer(refusal: Refusal) -> dict[str, Any]:
    """Return the answer to a refused document: the first fault, and the others."""
    first_fault, *other_faults = [
        {
            "hand": fault.hand,
            "field": fault.field,
            "clause": fault.clause,
            "message": str(fault.message),
        }
        for fault in refusal.faults
    ]
    return (
        {"error": first_fault, "others": other_faults}
        if other_faults
        else {"error": first_fault}
    )
