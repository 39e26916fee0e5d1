"""The rules on a phone give the same answers as on the server.

PHONE_RECORDS is the number of records.
"""

import json
import os
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from scoring.games.random_match import generate_match
from scoring.rules import (
    GAMES,
    Game,
    Refusal,
    refusal_answer,
    score_record,
    write_record,
)
from scoring.rules.db2t.tiers import DICE_SETS, TIERS
from scoring.rules.tricks_and_treats.pieces import DEFAULT_MIX
from tests.browser.offline import app_script, wait_until_offline_ready

pytestmark = pytest.mark.django_db(transaction=True)

RECORDS = int(os.environ.get("PHONE_RECORDS", "200"))
BATCH_SIZE = 100
SCORE = """async (documents) => {
  const { callWorker } = await APP;
  const answers = [];
  for (const one of documents) answers.push(await callWorker("score", one));
  return answers;
}""".replace("APP", app_script("(app) => app"))


def random_record(number: int) -> str:
    """Return a random match as JSON; every third one has a wrong number."""
    rng = Random(number)
    game = list(GAMES.values())[number % len(GAMES)]
    seats = rng.choice(game.seats)
    match = generate_match(
        game.id,
        seats,
        random_options(game, seats, rng),
        rng,
        tricks=rng.random() < 0.5,
        most_hands=rng.randint(1, 6),
    )
    document = json.loads(write_record(match))
    if number % 3 == 0 and document["hands"]:
        _change_number(rng.choice(document["hands"]), rng)
    return json.dumps(document)


def random_options(game: Game, seats: int, rng: Random) -> dict[str, Any]:
    choices: dict[str, list[Any]] = {
        "target": [1, 12, 52, 250, 1_000 * seats],
        "tricks_scored": ["team", "own"],
        "minimum_bid": [1, 30 * seats],
        "passed_out_loss": [0, 20],
        "made_bonus": [0, 5],
        "set_penalty": [3, 5],
        "multiple": [1, 2, 3],
        "treats": [DEFAULT_MIX, {**DEFAULT_MIX, "candy": 5, "bomb": 0}],
        "shrinking_deck": [False, True],
        "contests": [None, 1, 3],
        "trump": [None, *TIERS],
        "difficulty": [False, True],
        "title": ["", "Hearts"],
        "lowest_wins": [False, True],
        "hands": [None, 1, 3],
        "bids": [False, True],
        "dice": list(DICE_SETS),
    }
    names = game.option_defaults(seats)
    return {name: rng.choice(choices[name]) for name in names if rng.random() < 0.5}


def _change_number(value: Any, rng: Random) -> None:
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    rng.shuffle(keys)
    for key in keys:
        if type(value[key]) is int:
            value[key] += rng.choice([-1, 1, 100])
            return
        if isinstance(value[key], dict | list) and value[key]:
            _change_number(value[key], rng)
            return


def score_on_server(document: str) -> dict[str, Any]:
    try:
        return score_record(document)
    except Refusal as refusal:
        return refusal_answer(refusal)


@pytest.mark.long(10)
def test_random_records_score_the_same_on_a_phone(pub_phone: Page) -> None:
    pub_phone.goto("/")
    wait_until_offline_ready(pub_phone)
    refused = 0
    for first in range(0, RECORDS, BATCH_SIZE):
        documents = [random_record(first + number) for number in range(BATCH_SIZE)]
        for document, answer in zip(
            documents, pub_phone.evaluate(SCORE, documents), strict=True
        ):
            expected = json.loads(json.dumps(score_on_server(document)))
            assert json.loads(answer) == expected, document
            refused += "error" in json.dumps(expected)
    assert RECORDS / 10 < refused < RECORDS / 2
