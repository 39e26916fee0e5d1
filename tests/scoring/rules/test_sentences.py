"""What the rules say, sentence by sentence, with the numbers that were in it the first time.

Legal matches are played, and each of their first hands is spoilt in every place. Whatever is
said for the first time, of a hand, a fault, a finding or an end, stands in `sentences/<game>.txt`:
one line for each sentence. With `WRITE_SENTENCES=1` the files are written anew; what changed is
then read, and committed with the change.
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
WRONG: tuple[Any, ...] = (None, -1, 0, 3, 9_999, "?", [], {})
"""What is put in the place of every part of a document."""
SPOILT_HANDS = 3
"""Of each match, the first so many are spoilt."""
STEPS = ("trick", "claim", "turn", "pass", "end_deal")
"""What can be done on a board apart from treats."""


class Sentences:
    """Each sentence once, with where it was said first."""

    def __init__(self) -> None:
        """Begin with none."""
        self.lines: dict[str, str] = {}
        self.templates: set[str] = set()

    def note(self, where: str, clause: str, sentence: Sentence) -> None:
        """Keep a sentence unless it was said before."""
        self.templates.add(sentence.template)
        self.lines.setdefault(
            f"{clause} {sentence.template}", f"{clause} | {where} | {sentence}"
        )

    def try_to(self, act: Callable[[], object]) -> None:
        """Keep what is said where something is refused."""
        try:
            act()
        except Refusal as refusal:
            for fault in refusal.faults:
                where = (
                    f"hand {fault.hand}, {fault.field}" if fault.hand else fault.field
                )
                self.note(where, fault.clause, fault.message)

    @property
    def text(self) -> str:
        """Return all of them, by clause."""
        return "\n".join(sorted(self.lines.values())) + "\n"


def spoilt(document: Any, path: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Yield a document with one part left out, one added, or each part something wrong."""
    if isinstance(document, dict):
        yield {**document, "unknown": 1}
        for key, value in document.items():
            yield {other: document[other] for other in document if other != key}
            yield from ({**document, key: wrong} for wrong in WRONG)
            yield from ({**document, key: part} for part in spoilt(value))
    elif isinstance(document, list):
        yield document[:-1]
        yield [*document, *document[-1:]]
        for at, value in enumerate(document[:6]):
            rest = document[at + 1 :]
            yield from ([*document[:at], wrong, *rest] for wrong in WRONG)
            yield from ([*document[:at], part, *rest] for part in spoilt(value))


def matches(game: str) -> Iterator[MatchState]:
    """Yield matches before their first hand, of several sizes and options."""
    sizes = GAMES[game].seats
    for seats in sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]}):
        yield start(game, seats)
    usual = GAMES[game].option_defaults(sizes[-1])
    if "contests" in usual:
        yield start(game, 4, {"contests": 2, "trump": "pair", "difficulty": True})
    if "target" in usual:
        yield start(game, sizes[-1], {"target": 40})


def begun(state: MatchState, raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a hand as it stood before its last piece."""
    whole = state.game.convert_tricks_to_pieces(raw)
    return {**whole, "played": whole["played"][:-1]}


def sentences_of(game: str) -> Sentences:
    """Return everything that is said of a game."""
    said = Sentences()
    for number, state in enumerate(matches(game)):
        rng = Random(number)
        while not state.finished and state.number < 40:
            raw = generate_hand(state, rng, tricks=state.number % 2 == 1)
            if state.number < SPOILT_HANDS:
                spoil(said, state, raw)
            elif "tricks" in raw:
                # Pieces that change hands between two tricks break rules that are found later.
                raw = revoked(state, raw)
            note_tricks(said, state, raw)
            state, scored = play(state, raw)
            for finding in scored.findings:
                where = f"trick {finding.trick} of seat {finding.seat}"
                said.note(where, finding.clause, finding.message)
            for line in scored.explanation:
                said.note(f"seat {line.seat}", line.clause, line.text)
            if state.end_reason is not None:
                decided = state.end_reason
                said.note(f"end, seat {decided.seat}", decided.clause, decided.text)
        said.try_to(lambda state=state: play(state, {}))  # type: ignore[misc]
        said.try_to(lambda state=state: parse_unfinished_hand(state, {}))  # type: ignore[misc]
        said.try_to(lambda state=state: parse_pieces(state, {"played": []}))  # type: ignore[misc]
        said.try_to(lambda state=state: parse_auction(state, []))  # type: ignore[misc]
    for options in spoilt(GAMES[game].option_defaults(4)):
        said.try_to(lambda options=options: start(game, 4, options))  # type: ignore[misc]
    for seats in (1, 99):
        said.try_to(lambda seats=seats: start(game, seats))  # type: ignore[misc]
    return said


def note_tricks(said: Sentences, state: MatchState, raw: dict[str, Any]) -> None:
    """Keep what is said of the winner of each trick."""
    if "tricks" in raw:
        whole = state.game.convert_tricks_to_pieces(raw)
        for won in parse_pieces(state, whole).results:
            said.note(f"trick of seat {won.winner}", won.clause, won.message)


def note_board_sentences(said: Sentences) -> None:
    """Keep what is said on boards: of each kind of action, and of its spoilt forms."""
    lone = {"leader": 0, "box": "left", "evil_eye": [2], "master_trump": [0]}
    trumps = [{"card": "P7", "row": 0, "column": 3}]
    trick = {"game": "tricks_and_treats", "players": 3, "trumps": trumps, **lone}
    for wrong in spoilt({**trick, "plays": ["G3", "P7", "G12"]}):
        said.try_to(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]
    used = dict.fromkeys((*USES, *TRICK_TREATS), 2)
    for seats, is_shrinking in ((3, False), (6, True)):
        treats = {"mixer": 3, "bomb": 1, **used}
        options = {"treats": treats, "shrinking_deck": is_shrinking}
        board = fresh_board(seats, seats, **options)
        played: Counter[str] = Counter()
        for action, following in play_board(board, Random(seats)):
            parts = ", ".join(key for key, value in action.items() if value)
            played[parts] += 1
            wrong_actions: list[Any] = [[], *({"kind": kind} for kind in STEPS)]
            if played[parts] <= SPOILT_HANDS:
                wrong_actions += [*spoilt(action), {**action, "kind": "swap"}]
            for wrong in wrong_actions:
                said.try_to(
                    lambda wrong=wrong, board=board: apply_action(board, wrong)  # type: ignore[misc]
                )
            for event in following.events:
                said.note("board", event.clause, event.text)
            board = following
        said.try_to(lambda board=board: apply_action(board, {}))  # type: ignore[misc]


def spoil(said: Sentences, state: MatchState, raw: dict[str, Any]) -> None:
    """Keep what is said of a hand that is spoilt in each place, whole or begun."""
    for wrong in spoilt(raw):
        said.try_to(lambda wrong=wrong: play(state, wrong))  # type: ignore[misc]
    contract = {key: raw[key] for key in ("contract", "trump", "dealer") if key in raw}
    for wrong in spoilt(contract or raw):
        said.try_to(lambda wrong=wrong: parse_unfinished_hand(state, wrong))  # type: ignore[misc]
    for at, call in enumerate(raw.get("bids", ())):
        for wrong in spoilt(call):
            calls = [*raw["bids"][:at], wrong]
            said.try_to(lambda calls=calls: parse_auction(state, calls))  # type: ignore[misc]
    if "tricks" in raw:
        for wrong in spoilt(begun(state, raw)):
            said.try_to(lambda wrong=wrong: parse_pieces(state, wrong))  # type: ignore[misc]
        for wrong in spoilt(lone_trick(state, raw)):
            said.try_to(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]
    elif not state.game.records_tricks:
        lone = {"game": state.game.id, "players": state.seats, **raw}
        for wrong in spoilt(lone):
            said.try_to(lambda wrong=wrong: trick_answer(wrong))  # type: ignore[misc]


def lone_trick(state: MatchState, raw: Mapping[str, Any]) -> dict[str, Any]:
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


def revoked(state: MatchState, raw: dict[str, Any]) -> dict[str, Any]:
    """Return the hand with what the last seat played in its first two tricks exchanged."""
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
    """Return two tricks in which the last pieces changed places."""
    return [*first[:-1], second[-1]], [*second[:-1], first[-1]]


@pytest.mark.long(4)
@pytest.mark.parametrize("game", list(GAMES))
def test_messages_of_the_rules_are_unchanged(game: str) -> None:
    said, file = sentences_of(game), FILES / f"{game}.txt"
    if game == "tricks_and_treats":
        note_board_sentences(said)
    if "WRITE_SENTENCES" in os.environ:
        file.write_text(said.text, encoding="utf-8")
    assert said.text.splitlines() == file.read_text(encoding="utf-8").splitlines()
    translated = {entry.msgid for entry in polib.pofile(str(GERMAN))}
    assert said.templates - translated == set()
