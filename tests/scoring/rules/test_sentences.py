"""The sentences of the rules are those in `sentences/<game>.txt`.

The tests play legal matches, and spoil their first hands in every place. Each sentence about a
hand, fault, finding or end has one line in the file, with the numbers of its first use.
`WRITE_SENTENCES=1` writes the files again: review what changed, and commit it with the change.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import polib
import pytest

from scoring.games.random_match import generate_hand
from scoring.locales import catalogs
from scoring.rules import (
    GAMES,
    MatchState,
    Refusal,
    parse_auction,
    parse_pieces,
    parse_unfinished_hand,
    play,
    start,
    trick_answer,
)
from scoring.rules.tricks_and_treats.actions import apply_action
from scoring.rules.tricks_and_treats.treats import TRICK_TREATS, USES
from scoring.rules.wording import Sentence
from tests.scoring.rules.tricks_and_treats.boards import fresh_board, play_board

GERMAN = catalogs.LOCALES / "de" / catalogs.PO_PATH
FILES = Path(__file__).parent / "sentences"
WRONG_VALUES: tuple[Any, ...] = (None, -1, 0, 3, 9_999, "?", [], {})
"""Values that replace each part of a document."""
SPOILT_HAND_COUNT = 3
"""How many hands of each match are spoilt, from the first."""
STEPS = ("trick", "claim", "turn", "pass", "end_deal")
"""Actions on a board other than treats."""


class Sentences:
    """Each sentence once, with the place of its first use."""

    def __init__(self) -> None:
        """Start without sentences."""
        self.lines: dict[str, str] = {}
        self.templates: set[str] = set()

    def note(self, where: str, clause: str, sentence: Sentence) -> None:
        """Add a sentence unless it is already there."""
        self.templates.add(sentence.template)
        self.lines.setdefault(
            f"{clause} {sentence.template}", f"{clause} | {where} | {sentence}"
        )

    def attempt(self, function: Callable[[], object]) -> None:
        """Call the function; if it is refused, add the messages of the faults."""
        try:
            function()
        except Refusal as refusal:
            for fault in refusal.faults:
                where = (
                    f"hand {fault.hand}, {fault.field}" if fault.hand else fault.field
                )
                self.note(where, fault.clause, fault.message)

    @property
    def text(self) -> str:
        """Return all lines, sorted by clause."""
        return "\n".join(sorted(self.lines.values())) + "\n"


def spoilt_versions(document: Any, path: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Yield the document with one part left out, added or replaced by a wrong value."""
    if isinstance(document, dict):
        yield {**document, "unknown": 1}
        for key, value in document.items():
            yield {other: document[other] for other in document if other != key}
            yield from ({**document, key: wrong} for wrong in WRONG_VALUES)
            yield from ({**document, key: part} for part in spoilt_versions(value))
    elif isinstance(document, list):
        yield document[:-1]
        yield [*document, *document[-1:]]
        for position, value in enumerate(document[:6]):
            rest = document[position + 1 :]
            yield from ([*document[:position], wrong, *rest] for wrong in WRONG_VALUES)
            yield from (
                [*document[:position], part, *rest] for part in spoilt_versions(value)
            )


def new_matches(game: str) -> Iterator[MatchState]:
    """Yield matches before their first hand, of several sizes and options."""
    sizes = GAMES[game].seats
    for seats in sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]}):
        yield start(game, seats)
    defaults = GAMES[game].option_defaults(sizes[-1])
    if "contests" in defaults:
        yield start(game, 4, {"contests": 2, "trump": "pair", "difficulty": True})
    if "target" in defaults:
        yield start(game, sizes[-1], {"target": 40})


def without_last_piece(state: MatchState, raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a hand without its last piece."""
    hand = state.game.convert_tricks_to_pieces(raw)
    return {**hand, "played": hand["played"][:-1]}


def collect_sentences(game: str) -> Sentences:
    """Return every sentence of a game."""
    sentences = Sentences()
    for number, state in enumerate(new_matches(game)):
        rng = Random(number)
        while not state.finished and state.number < 40:
            raw = generate_hand(state, rng, tricks=state.number % 2 == 1)
            if state.number < SPOILT_HAND_COUNT:
                spoil(sentences, state, raw)
            elif "tricks" in raw:
                # Pieces that change hands between two tricks break rules that are found later.
                raw = exchange_last_plays(state, raw)
            note_tricks(sentences, state, raw)
            state, scored = play(state, raw)
            for finding in scored.findings:
                where = f"trick {finding.trick} of seat {finding.seat}"
                sentences.note(where, finding.clause, finding.message)
            for line in scored.explanation:
                sentences.note(f"seat {line.seat}", line.clause, line.text)
            if state.end_reason is not None:
                reason = state.end_reason
                sentences.note(f"end, seat {reason.seat}", reason.clause, reason.text)
        sentences.attempt(lambda state=state: play(state, {}))  # type: ignore[misc]
        sentences.attempt(lambda state=state: parse_unfinished_hand(state, {}))  # type: ignore[misc]
        sentences.attempt(lambda state=state: parse_pieces(state, {"played": []}))  # type: ignore[misc]
        sentences.attempt(lambda state=state: parse_auction(state, []))  # type: ignore[misc]
    for options in spoilt_versions(GAMES[game].option_defaults(4)):
        sentences.attempt(lambda options=options: start(game, 4, options))  # type: ignore[misc]
    for seats in (1, 99):
        sentences.attempt(lambda seats=seats: start(game, seats))  # type: ignore[misc]
    return sentences


def note_tricks(sentences: Sentences, state: MatchState, raw: dict[str, Any]) -> None:
    """Add the sentence about the winner of each trick."""
    if "tricks" in raw:
        hand = state.game.convert_tricks_to_pieces(raw)
        for result in parse_pieces(state, hand).results:
            sentences.note(
                f"trick of seat {result.winner}", result.clause, result.message
            )


def note_board_sentences(sentences: Sentences) -> None:
    """Add the sentences of boards: of each kind of action, and of its spoilt versions."""
    setup = {"leader": 0, "box": "left", "evil_eye": [2], "master_trump": [0]}
    trumps = [{"card": "P7", "row": 0, "column": 3}]
    trick = {"game": "tricks_and_treats", "players": 3, "trumps": trumps, **setup}
    for wrong in spoilt_versions({**trick, "plays": ["G3", "P7", "G12"]}):
        sentences.attempt(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]
    treat_counts = dict.fromkeys((*USES, *TRICK_TREATS), 2)
    for seats, is_shrinking in ((3, False), (6, True)):
        treats = {"mixer": 3, "bomb": 1, **treat_counts}
        options = {"treats": treats, "shrinking_deck": is_shrinking}
        board = fresh_board(seats, seats, **options)
        action_counts: Counter[str] = Counter()
        for action, next_board in play_board(board, Random(seats)):
            parts = ", ".join(key for key, value in action.items() if value)
            action_counts[parts] += 1
            wrong_actions: list[Any] = [[], *({"kind": kind} for kind in STEPS)]
            if action_counts[parts] <= SPOILT_HAND_COUNT:
                wrong_actions += [*spoilt_versions(action), {**action, "kind": "swap"}]
            for wrong in wrong_actions:
                sentences.attempt(
                    lambda wrong=wrong, board=board: apply_action(board, wrong)  # type: ignore[misc]
                )
            for effect in next_board.last_action_effects:
                sentences.note("board", effect.clause, effect.text)
            board = next_board
        sentences.attempt(lambda board=board: apply_action(board, {}))  # type: ignore[misc]


def spoil(sentences: Sentences, state: MatchState, raw: dict[str, Any]) -> None:
    """Add the sentences about a hand spoilt in each place, complete or unfinished."""
    for wrong in spoilt_versions(raw):
        sentences.attempt(lambda wrong=wrong: play(state, wrong))  # type: ignore[misc]
    contract = {key: raw[key] for key in ("contract", "trump", "dealer") if key in raw}
    for wrong in spoilt_versions(contract or raw):
        sentences.attempt(lambda wrong=wrong: parse_unfinished_hand(state, wrong))  # type: ignore[misc]
    for position, call in enumerate(raw.get("bids", ())):
        for wrong in spoilt_versions(call):
            calls = [*raw["bids"][:position], wrong]
            sentences.attempt(lambda calls=calls: parse_auction(state, calls))  # type: ignore[misc]
    if "tricks" in raw:
        for wrong in spoilt_versions(without_last_piece(state, raw)):
            sentences.attempt(lambda wrong=wrong: parse_pieces(state, wrong))  # type: ignore[misc]
        for wrong in spoilt_versions(first_trick_document(state, raw)):
            sentences.attempt(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]
    elif not state.game.records_tricks:
        document = {"game": state.game.id, "players": state.seats, **raw}
        for wrong in spoilt_versions(document):
            sentences.attempt(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]


def first_trick_document(state: MatchState, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first trick of a hand as a document of its own."""
    trick = raw["tricks"][0]
    parts = trick if isinstance(trick, dict) else {"plays": trick}
    trump = raw.get("trump", raw.get("contract", {}).get("trump"))
    return {
        "game": state.game.id,
        "players": state.seats,
        "leader": 0,
        "trump": trump[0] if state.game.id == "tricky_bid" else trump,
        **{key: value for key, value in parts.items() if key != "turned"},
    }


def exchange_last_plays(state: MatchState, raw: dict[str, Any]) -> dict[str, Any]:
    """Return the hand with the last plays of its first two tricks exchanged."""
    tricks: list[Any]
    first, second, *others = raw["tricks"]
    if isinstance(first, dict):
        plays = first["plays"], second["plays"]
        exchanged = exchange(*plays)
        tricks = [
            {**trick, "plays": played}
            for trick, played in zip((first, second), exchanged, strict=True)
        ]
    else:
        tricks = [*exchange(first, second)]
    changed = {**raw, "tricks": [*tricks, *others]}
    try:
        play(state, changed)
    except Refusal:
        return raw
    return changed


def exchange(first: list[Any], second: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return two tricks with their last pieces exchanged."""
    return [*first[:-1], second[-1]], [*second[:-1], first[-1]]


@pytest.mark.long(4)
@pytest.mark.parametrize("game", list(GAMES))
def test_messages_of_the_rules_are_unchanged(game: str) -> None:
    sentences, file = collect_sentences(game), FILES / f"{game}.txt"
    if game == "tricks_and_treats":
        note_board_sentences(sentences)
    if "WRITE_SENTENCES" in os.environ:
        file.write_text(sentences.text, encoding="utf-8")
    assert sentences.text.splitlines() == file.read_text(encoding="utf-8").splitlines()
    translated = {entry.msgid for entry in polib.pofile(str(GERMAN))}
    assert sentences.templates - translated == set()
