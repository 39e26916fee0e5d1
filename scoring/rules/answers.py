"""What the commands `score` and `trick` answer, as JSON values."""

from collections.abc import Mapping
from typing import Any

from scoring.rules.reading import Faults, read_object
from scoring.rules.record import parse, score_match
from scoring.rules.registry import game_named
from scoring.rules.results import Fault, JudgedTrick, Refusal, ScoredHand


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


def judge_trick(document: object) -> dict[str, Any]:
    """Return what `judged_trick` does, as a JSON value; raises as it does."""
    return _trick(judged_trick(document))


def judged_trick(document: object) -> JudgedTrick:
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
    judged = game_named(raw.get("game")).judge_trick(raw, faults)
    faults.refuse()
    assert judged is not None
    return judged


def _trick(judged: JudgedTrick) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "winner": judged.winner,
        "clause": judged.clause,
        "message": str(judged.message),
    }
    if judged.ante_won is not None:
        answer["ante_won"] = judged.ante_won
    return answer


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
