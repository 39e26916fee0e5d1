"""Tournament documents that cannot be, and the command that reads them."""

import json
import os
import re
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


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"format": "x"}, "format"),
    ({"version": True}, "version"),
    ({"version": 2}, "version"),
    ({"version": 1.0}, "version"),
    ({"name": 5}, "name"),
    ({"meta": []}, "meta"),
    ({"colour": 1}, "colour"),
    ({"tables": {}}, "tables"),
    ({"tables": [7]}, "tables[0]"),
    ({"tables": [{**TABLE, "x": 1}]}, "tables[0].x"),
    ({"tables": [{**TABLE, "round": 0}]}, "tables[0].round"),
    ({"tables": [{**TABLE, "table": "1"}]}, "tables[0].table"),
    ({"tables": [{**TABLE, "scores": {"A": 1}}]}, "tables[0].scores"),
    ({"tables": [{**TABLE, "scores": {"A": 1, " ": 2}}]}, "tables[0].scores"),
    ({"tables": [{**TABLE, "scores": {"A": 1, "\ud800": 2}}]}, "tables[0].scores"),
    ({"tables": [{**TABLE, "scores": [1, 2]}]}, "tables[0].scores"),
    (
        {"tables": [{**TABLE, "scores": dict.fromkeys(map(str, range(100)), 1)}]},
        "tables[0].scores",
    ),
    ({"tables": [{**TABLE, "table": None}]}, "tables[0].table"),
    ({"tables": [{"table": 1, "scores": TABLE["scores"]}]}, "tables[0].round"),
    ({"tables": [{**TABLE, "scores": {"A": 1.5, "B": 2}}]}, "tables[0].scores.A"),
    ({"tables": [{**TABLE, "scores": {"A": "1/0", "B": 2}}]}, "tables[0].scores.A"),
    ({"tables": [{**TABLE, "scores": {"A": None, "B": 2}}]}, "tables[0].scores.A"),
    ({"tables": [{**TABLE, "ranks": {"A": 1}}]}, "tables[0].ranks"),
    ({"tables": [{**TABLE, "ranks": {"A": 1, "B": 0}}]}, "tables[0].ranks.B"),
    ({"tables": [{**TABLE, "ranks": {"A": 1, "B": 3}}]}, "tables[0].ranks"),
    ({"tables": [TABLE, TABLE]}, "tables[1].table"),
    ({"tables": [TABLE, {**TABLE, "table": 2}]}, "tables[1].scores"),
    ({"points": "elo"}, "points"),
    ({"points": "places"}, "points"),
    ({"points": []}, "points"),
    ({"points": {}}, "points"),
    ({"points": {"places": {"1": [1]}}}, "points.places.1"),
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
    ({"byes": [{"day": 1}]}, "byes[0].day"),
    ({"penalties": [{"player": "X", "points": 1}]}, "penalties[0].player"),
    ({"penalties": [{"player": "A"}]}, "penalties[0].points"),
    ({"penalties": [{"player": "A", "points": -1}]}, "penalties[0].points"),
    ({"penalties": [[]]}, "penalties[0]"),
    (
        {"penalties": [{"player": "A", "points": 1, "reason": 1}]},
        "penalties[0].reason",
    ),
    ({"lots": []}, "lots"),
    ({"lots": {"X": 1}}, "lots"),
    ({"lots": {"A": "1"}}, "lots.A"),
]
"""What is changed in a good document, and the field that is refused."""
SENTENCES = Path(__file__).parent / "refusals.txt"


def test_invalid_document_is_rejected_with_field_and_message() -> None:
    """With `WRITE_SENTENCES=1` the file is rewritten, to be reviewed and committed."""
    messages = []
    for changes, field in REFUSED:
        with pytest.raises(DocumentRefusal) as refused:
            standings_document(json.dumps({**GOOD, **changes}))
        assert refused.value.field == field
        messages.append(f"{field} | {refused.value.message}")
    if "WRITE_SENTENCES" in os.environ:
        SENTENCES.write_text("\n".join(messages) + "\n", encoding="utf-8")
    assert messages == SENTENCES.read_text(encoding="utf-8").splitlines(), (
        "WRITE_SENTENCES=1 writes them again, to be read"
    )


def test_a_penalty_may_have_a_reason_and_cost_nothing() -> None:
    penalties = [
        {"player": "A", "points": 1, "reason": "late"},
        {"player": "B", "points": 0},
    ]
    rows = standings_document(json.dumps({**GOOD, "penalties": penalties}))["standings"]
    assert {row["player"]: row["points"] for row in rows} == {"A": "0", "B": "4"}


def test_table_size_limit_matches_the_error_message() -> None:
    crowd = {f"P{number}": number for number in range(99)}
    table = {"round": 1, "table": 1, "scores": crowd}
    rows = standings_document(json.dumps({**GOOD, "tables": [table]}))["standings"]
    assert len(rows) == 99


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "[" * 100_000, b"\xff", '{"format": NaN}', "9" * 5_000]
)
def test_rejects_input_that_is_not_a_document(text: str | bytes) -> None:
    with pytest.raises(DocumentRefusal) as refused:
        standings_document(text)
    assert refused.value.field == ""


def test_rejects_player_listed_twice_at_one_table() -> None:
    text = json.dumps({**GOOD, "tables": [TABLE, TABLE]})
    twice = text[::-1].replace('"B":'[::-1], '"A":'[::-1], 1)[::-1]
    with pytest.raises(DocumentRefusal) as refused:
        standings_document(twice)
    assert refused.value.field == "tables[1].scores"
    assert str(refused.value.message) == "“A” appears twice. Keep one."


def test_unnumbered_tables_give_no_final_table() -> None:
    scores = {"A": 1, "B": 1, "C": 0}
    tables = [{"round": number, "scores": scores} for number in (1, 2)]
    order = ["final_table"]
    rows = standings_document(
        json.dumps({**GOOD, "tables": tables, "tie_breaks": order})
    )["standings"]
    assert [row["rank"] for row in rows] == [1, 1, 3]
    assert {row["values"]["final_table"] for row in rows} == {None}


def test_long_values_are_written_in_full() -> None:
    tables = [
        {"round": number, "scores": {"A": 10**17 + number, "B": 10**17 - 2 * number}}
        for number in range(1, 400)
    ]
    changes = {"points": "wins", "tie_breaks": ["percentage"], "tables": tables}
    first, second = standings_document(json.dumps({**GOOD, **changes}))["standings"]
    assert first["values"]["percentage"] == "399"
    assert re.fullmatch(r"\d{4300,}/\d{4300,}", second["values"]["percentage"])


def test_rejects_scores_that_no_scale_makes_whole() -> None:
    tables = [
        {"round": number, "scores": {"A": f"1/{10**8 + number}", "B": 1}}
        for number in range(1, 500)
    ]
    with pytest.raises(
        DocumentRefusal, match="Too many different fractions"
    ) as refused:
        standings_document(json.dumps({**GOOD, "tables": tables}))
    assert refused.value.field.endswith(".scores.A")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.sampled_from(["A", "1/2", "linear", "wins"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["round", "table", "scores", "player", "points", "2", "A"])
            | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
FULL: dict[str, Any] = {
    **GOOD,
    "name": "Thursday",
    "points": {"places": {"2": [3, 1], "3": ["7/2", 2, 1]}},
    "tie_breaks": ["wins", "head_to_head", "lot"],
    "tables": [TABLE, {"round": 1, "table": 2, "scores": {"C": 1, "D": 1, "E": 0}}],
    "penalties": [{"player": "C", "points": "1/2", "reason": "late"}],
    "byes": [{"round": 2, "player": "E"}],
    "bye": "average",
    "lots": {"C": 2, "D": 1},
}


def paths(raw: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside: Any = ()
    if isinstance(raw, dict | list):
        inside = raw.items() if isinstance(raw, dict) else enumerate(raw)
    return [path] + [one for key, inner in inside for one in paths(inner, (*path, key))]


@given(st.sampled_from(paths(FULL)[1:]), st.none() | st.just("leave out") | JSON)
def test_document_with_arbitrary_values_is_ranked_or_rejected(
    path: tuple[Any, ...], value: object
) -> None:
    document = json.loads(json.dumps(FULL))
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    if value == "leave out":
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    try:
        rows = standings_document(json.dumps(document))["standings"]
    except DocumentRefusal as refusal:
        # Some faults show elsewhere: without table 2, C has no result to penalise.
        assert str(refusal.message).endswith(".")
        assert refusal.field
    else:
        assert rows[0]["rank"] == 1


@given(st.binary(max_size=40) | st.text(max_size=40), st.integers(0, 500))
def test_document_with_garbage_is_ranked_or_rejected(
    rubbish: str | bytes, at: int
) -> None:
    text = json.dumps(FULL).encode()
    inserted = (
        rubbish.encode("utf-8", "replace") if isinstance(rubbish, str) else rubbish
    )
    try:
        assert standings_document(text[:at] + inserted + text[at:])["standings"]
    except DocumentRefusal as refusal:
        assert str(refusal.message)


def test_command_answers_each_input_line(tmp_path: Path) -> None:
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


@pytest.mark.long(2)
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
