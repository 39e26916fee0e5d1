"""A plausible season of a club: evenings, tables and log entries.

Pure functions of a time and a `random.Random`; nothing is stored here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from scoring.games.random_match import generate_match
from scoring.games.registry import table_game, table_games
from scoring.rules import GAMES

# fmt: off
NAMES = (
    "Ada", "Amir", "Bea", "Bruno", "Clara", "Daan", "Elif", "Emil",
    "Fleur", "Goran", "Hana", "Ida", "Jonas", "Kaya", "Lena", "Milo",
    "Nora", "Otis", "Pia", "Quinn", "Rosa", "Sami", "Tilda", "Vito",
)
# fmt: on
WEEKS = 12
EVENING_HOUR = 19
MINUTES_A_HAND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLogEntry:
    """One entry of a match's log, with its author and time."""

    kind: str
    hand: int
    body: dict[str, Any]
    made_at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoMatch:
    """One match of an evening, with all its log entries."""

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    started_at: datetime
    log: tuple[DemoLogEntry, ...]


def generate_season(now: datetime, rng: Random) -> Iterator[DemoMatch]:
    """Yield the matches of twelve evenings a week apart; the last is not over yet."""
    for weeks_ago in range(WEEKS - 1, -1, -1):
        waiting = rng.sample(NAMES, rng.randint(16, len(NAMES)))
        games = [game.id for game in table_games() if game.demo_table_sizes]
        rng.shuffle(games)
        for game in games * 2:
            tables = table_game(game).demo_table_sizes
            sizes = [size for size in tables if size <= len(waiting)]
            if not sizes:
                continue
            size = rng.choice(sizes)
            names, waiting = tuple(waiting[:size]), waiting[size:]
            if weeks_ago:
                evening = now - timedelta(weeks=weeks_ago)
                started_at = evening.replace(
                    hour=EVENING_HOUR, minute=0, second=0, microsecond=0
                )
                started_at += timedelta(minutes=rng.randint(0, 25))
                yield _generate_match(game, names, started_at, None, rng)
            else:
                yield _generate_match(game, names, now, now, rng)


def _generate_match(
    game: str,
    names: tuple[str, ...],
    started_at: datetime,
    now: datetime | None,
    rng: Random,
) -> DemoMatch:
    """Return a match, unfinished if `now` is given."""
    options = dict(table_game(game).demo_options)
    tricks = rng.random() < 0.25
    record = generate_match(game, len(names), options, rng, tricks=tricks)
    hands = [dict(hand) for hand in record.hands]
    if now is not None:
        hands = hands[: max(len(hands) * 2 // 3, 1)]
        started_at = now - timedelta(minutes=(len(hands) + 1) * MINUTES_A_HAND)
    log: list[DemoLogEntry] = []
    for number, hand in enumerate(hands, start=1):
        entered_at = started_at + timedelta(
            minutes=number * MINUTES_A_HAND, seconds=-rng.randrange(60)
        )
        is_running = now is not None and number == len(hands)
        log += _generate_hand_entries(
            game, number, hand, entered_at, rng, is_running=is_running
        )
    return DemoMatch(
        game=game, options=options, names=names, started_at=started_at, log=tuple(log)
    )


def _generate_hand_entries(
    game: str,
    number: int,
    hand: dict[str, Any],
    entered_at: datetime,
    rng: Random,
    *,
    is_running: bool,
) -> Iterator[DemoLogEntry]:
    """Yield the log entries of one hand: first its contract, sometimes a mistake and its correction."""
    has_contract = GAMES[game].has_contract and "contract" in hand
    if has_contract and (is_running or rng.random() < 0.3):
        contract = {
            key: hand[key] for key in table_game(game).contract_keys if key in hand
        }
        contract_entered_at = entered_at - timedelta(minutes=MINUTES_A_HAND / 2)
        yield DemoLogEntry(
            kind="contract", hand=number, body=contract, made_at=contract_entered_at
        )
        if is_running:
            return
    entered_hand = hand
    if rng.random() < 0.06:
        # The mistake: the sums of the first two seats are swapped.
        sums = [key for key in table_game(game).swappable_keys if key in hand]
        entered_hand = hand | {
            key: [hand[key][1], hand[key][0], *hand[key][2:]] for key in sums
        }
    yield DemoLogEntry(kind="enter", hand=number, body=entered_hand, made_at=entered_at)
    if entered_hand != hand:
        yield DemoLogEntry(
            kind="replace",
            hand=number,
            body=hand,
            made_at=entered_at + timedelta(seconds=45),
            reason="The first two seats were mixed up.",
        )
