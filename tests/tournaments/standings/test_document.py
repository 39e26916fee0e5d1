"""Tournament documents that cannot be, and the command that reads them."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import DocumentRefusal, standings_document

TABLE: dict[str, Any] = {"round": 1, "table": 1, "scores": {"A": 3, "B": "7/2"}}
GOOD: dict[str, Any] = {"format": "trick-tournament", "version": 1, "tables": [TABLE]}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "x"}, "format"),
        ({"version": True}, "version"),
        ({"version": 2}, "version"),
        ({"colour": 1}, "colour"),
        ({"tables": {}}, "tables"),
        ({"tables": [7]}, "tables[0]"),
        ({"tables": [{**TABLE, "x": 1}]}, "tables[0].x"),
        ({"tables": [{**TABLE, "round": 0}]}, "tables[0].round"),
        ({"tables": [{**TABLE, "table": "1"}]}, "tables[0].table"),
        ({"tables": [{**TABLE, "scores": {"A": 1}}]}, "tables[0].scores"),
        ({"tables": [{**TABLE, "scores": {"A": 1, " ": 2}}]}, "tables[0].scores"),
        ({"tables": [{**TABLE, "scores": {"A": 1.5, "B": 2}}]}, "tables[0].scores.A"),
        ({"tables": [{**TABLE, "scores": {"A": "1/0", "B": 2}}]}, "tables[0].scores.A"),
        ({"tables": [{**TABLE, "scores": {"A": None, "B": 2}}]}, "tables[0].scores.A"),
        ({"tables": [TABLE, TABLE]}, "tables[1].table"),
        ({"tables": [TABLE, {**TABLE, "table": 2}]}, "tables[1].scores"),
        ({"points": "elo"}, "points"),
        ({"points": {}}, "points"),
        ({"points": {"places": {"x": []}}}, "points.places.x"),
        ({"points": {"places": {"2": [1]}}}, "points.places.2"),
        ({"points": {"places": {"2": [1, "x"]}}}, "points.places.2[1]"),
        ({"points": {"places": {"3": [3, 2, 1]}}}, "points.places"),
        ({"tie_breaks": "wins"}, "tie_breaks"),
        ({"tie_breaks": ["elo"]}, "tie_breaks[0]"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks[1]"),
        ({"bye": "none"}, "bye"),
        ({"byes": 1}, "byes"),
        ({"byes": [{"round": 1, "player": "A"}]}, "byes[0].player"),
        ({"byes": [{"round": 1}]}, "byes[0].player"),
        ({"byes": [{"day": 1}]}, "byes[0]"),
        ({"penalties": [{"player": "X", "points": 1}]}, "penalties[0].player"),
        ({"penalties": [{"player": "A"}]}, "penalties[0].points"),
        (
            {"penalties": [{"player": "A", "points": 1, "reason": 1}]},
            "penalties[0].reason",
        ),
        ({"lots": []}, "lots"),
        ({"lots": {"X": 1}}, "lots"),
        ({"lots": {"A": "1"}}, "lots.A"),
    ],
)
def test_a_document_that_cannot_be_is_refused_by_its_field(
    changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(DocumentRefusal) as refused:
        standings_document(json.dumps({**GOOD, **changes}))
    assert refused.value.field == field
    assert str(refused.value.message).endswith(".")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, b"\xff"])
def test_what_is_no_document_is_refused(text: str | bytes) -> None:
    with pytest.raises(DocumentRefusal):
        standings_document(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["round", "table", "scores", "player", "points", "2"])
            | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.sampled_from(["tables", "points", "tie_breaks", "bye", "byes", "lots"]), JSON)
def test_nothing_but_a_refusal_comes_of_nonsense(key: str, value: object) -> None:
    try:
        standings_document(json.dumps({**GOOD, key: value}))
    except DocumentRefusal as refusal:
        assert str(refusal.message)


def test_the_command_answers_a_document_a_line(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{json.dumps({**GOOD, 'version': 9})}\n")
    printed = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("standings", str(path), "--lines", stdout=printed)
    assert ended.value.code == 1
    good, refused = map(json.loads, printed.getvalue().splitlines())
    assert [row["player"] for row in good["standings"]] == ["B", "A"]
    assert good["standings"][0]["values"]["head_to_head"] is None
    assert refused["error"]["field"] == "version"


def test_the_command_needs_no_database(tmp_path: Path) -> None:
    path = tmp_path / "evening.json"
    path.write_text(json.dumps(GOOD))
    answered = subprocess.run(
        [sys.executable, "manage.py", "standings", str(path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(answered.stdout)["standings"][0]["rank"] == 1
