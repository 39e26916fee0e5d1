"""Match records with their answers, in `tests/cases/`: one file for each game.

`python -m tests.worked_records GAME` writes three matches of legal hands with the answers that the rules give
now. Work these out by hand before you commit them.
"""

import json
import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import django
import pytest

from scoring.rules import GAMES, score_record
from scoring.rules.match_record import write_record

CASES = Path(__file__).parent / "cases"
FILES = {game: CASES / f"{game}.json" for game in GAMES}
RECORDS = [
    pytest.param(case["record"], case["answer"], id=f"{game}-{number}")
    for game, file in FILES.items()
    if file.exists()
    for number, case in enumerate(json.loads(file.read_text()))
]
TRICKS = [
    json.loads(line) for line in (CASES / "tricks.jsonl").read_text().splitlines()
]


def worked_record(game: str, seed: int) -> dict[str, Any]:
    """Return a match of at most three legal hands, and what the rules answer."""
    # Games have forms, and forms need settings.
    from scoring.games.random_match import generate_match

    seats = GAMES[game].seats
    match = generate_match(
        *(game, seats[seed % len(seats)], {}, Random(seed)),
        tricks=seed % 2 == 1,
        most_hands=3,
    )
    record = json.loads(write_record(match))
    scored = score_record(record)
    hands = [
        {
            "scores": hand["scores"],
            "totals": hand["totals"],
            "findings": [
                {key: finding[key] for key in ("trick", "seat", "clause")}
                for finding in hand["findings"]
            ],
        }
        for hand in scored["hands"]
    ]
    result = {key: scored[key] for key in ("finished", "winners", "ranks", "next")}
    return {"record": record, "answer": {"hands": hands, **result}}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    for game_id in sys.argv[1:]:
        cases = [worked_record(game_id, seed) for seed in range(3)]
        FILES[game_id].write_text(json.dumps(cases, indent=1) + "\n")
