"""While a board is in play, nothing that a follower can read reveals face-down tokens."""

import json
import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scoring.matchlog.records import export_match, get_or_import_match
from scoring.models import Match
from scoring.rules import score_record
from scoring.rules.tricks_and_treats.turning import new_board
from tests.factories import author
from tests.factories.commands import correct_hand
from tests.scoring.games.tricks_and_treats.test_board_log import (
    board,
    laid_match,
    play,
    play_deal,
    play_until_usable,
)

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SEED = UUID("5bd5a5b1-6f0c-4f0e-8a43-6f3f4b8a1d2c")
KEY = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


def follower_pages(match: Match) -> dict[str, str]:
    """Return the pages of a match that anyone without rights can read, by path."""
    sheet, follower = match.get_absolute_url(), Client()
    steps = range(len(board(match).last_action_effects) + 1)
    paths = [
        *(sheet, f"{sheet}live/", f"{sheet}record.json", f"{sheet}held.json"),
        *(f"{sheet}board/", f"{sheet}board/live/", f"{sheet}seats/"),
        *(f"{sheet}board/replay/{step}/" for step in steps),
        *(f"/api/v1/matches/{match.address}{end}" for end in ("", "/hands", "/record")),
    ]
    responses = {path: follower.get(path) for path in paths}
    return {
        path: response.content.decode()
        for path, response in responses.items()
        if response.status_code == 200
    }


def match_with_followers(**options: Any) -> Match:
    """Return a match with a board that only phones from its table can write."""
    match = laid_match(SEED.int, **options)
    match.secret = "a card"
    match.save(update_fields=["secret"])
    return match


def test_followers_get_no_key_that_reveals_hidden_pieces() -> None:
    match = match_with_followers()
    play_deal(match)
    grid = new_board(3, board(match).options, SEED.int).grid
    pages = follower_pages(match)
    assert {path.rpartition("/")[2] for path in pages} >= {"record", "record.json"}
    for path, text in pages.items():
        for key in {UUID(found) for found in KEY.findall(text)}:
            assert new_board(3, board(match).options, key.int).grid != grid, path


def test_followers_do_not_see_where_a_spy_looked() -> None:
    match, key = match_with_followers(treats={"spy": 19, "mixer": 3}), uuid4()
    holder, _board = play_until_usable(match, "spy")
    cell = list(board(match).face_down_cells[0].place)
    play(match, "spy", key, seat=holder, cell=cell)
    for path, text in follower_pages(match).items():
        for found in KEY.findall(text):
            peek = f"{match.get_absolute_url()}board/peek/{UUID(found)}/"
            assert Client().get(peek).status_code == 404, path


def test_scorers_get_the_board_to_continue_offline() -> None:
    match = laid_match(SEED.int)
    snapshot = Client().get(f"{match.get_absolute_url()}held.json").json()
    assert snapshot["record"]["meta"]["tricky"]["log"][0]["key"] == str(SEED)


def test_record_for_followers_can_be_scored_and_imported() -> None:
    match = match_with_followers()
    play_deal(match)
    text = export_match(match, for_followers=True)
    assert score_record(text)["hands"] == score_record(export_match(match))["hands"]
    imported = get_or_import_match(
        text.replace(str(match.key), str(uuid4())), now=author().now
    )
    match.refresh_from_db()
    assert (imported.version, imported.hands_played) == (match.version, 1)


def test_publishes_the_whole_board_once_the_match_is_over() -> None:
    match = match_with_followers()
    play_deal(match)
    last_deal = {"tokens": [20, 0, 0], "treats": [{}, {}, {}], "grid_left": 9}
    correct_hand(match_id=match.pk, number=1, raw=last_deal)
    match.refresh_from_db()
    assert match.finished
    record = Client().get(f"{match.get_absolute_url()}record.json").content
    assert record.decode() == export_match(match)
    assert json.loads(record)["meta"]["tricky"]["log"][0]["key"] == str(SEED)
