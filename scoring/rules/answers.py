"""What the commands `score` and `trick` answer, as JSON values."""

from collections.abc import Mapping
from typing import Any

from scoring.rules.match_record import NAME, parse, score_match
from scoring.rules.reading import Faults, read_object
from scoring.rules.registry import game_named
from scoring.rules.results import FORMAT, Fault, Refusal, ScoredHand, TrickResult
from scoring.rules.wording import gettext_noop as _

MATCH_RECORD = _(
    "This is the record of a match, and no single trick: its hands are scored by “score”."
)


def score_record(document: object) -> dict[str, Any]:
    """Return scores, totals, findings and reasons of every hand of a record.

    `document` is JSON text or what it holds. Raises Refusal with all its faults.
    """
    match = score_match(document)
    state = match.state
    return {
        "game": match.record.game,
        "players": list(match.record.players),
        "hands": [_hand(hand) for hand in match.hands],
        "finished": state.finished,
        "winners": list(state.winners),
        "ranks": list(state.ranks),
        "next": state.next,
    }


def _hand(hand: ScoredHand) -> dict[str, Any]:
    return {
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


def trick_answer(document: object) -> dict[str, Any]:
    """Return what `score_trick` does, as a JSON value; raises as it does."""
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
    """Return who won the trick that a document describes, and by which clause.

    `document` is JSON text or what it holds. Raises Refusal with everything that is
    wrong with it.
    """
    if isinstance(document, str | bytes):
        document = parse(document)
    faults = Faults()
    raw = read_object(document, "", faults)
    faults.refuse()
    assert raw is not None
    if raw.get("format") == NAME:
        faults.add("format", FORMAT, MATCH_RECORD)
        faults.refuse()
    result = game_named(raw.get("game")).score_trick(raw, faults)
    faults.refuse()
    assert result is not None
    return result


def refusal_answer(refusal: Refusal) -> dict[str, Any]:
    """Return the answer to what was refused: the first fault, and the others."""
    first, *others = [_fault(fault) for fault in refusal.faults]
    return {"error": first, "others": others} if others else {"error": first}


def _fault(fault: Fault) -> Mapping[str, Any]:
    return {
        "hand": fault.hand,
        "field": fault.field,
        "clause": fault.clause,
        "message": str(fault.message),
    }
