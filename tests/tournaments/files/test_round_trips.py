"""Every exported file is read back unchanged."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as site_settings
from django.utils import timezone
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.models import Player
from scoring.rules.names import find_name_fault, normalize_text, same_name_key
from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory
from tournaments.event.setup.entry_lists import (
    first_name_first,
    names_in_file,
    read_names,
)
from tournaments.files import tables
from tournaments.files.writing import FORMATS, Cell, FileTable
from tournaments.history.imports.columns import read_days, read_points
from tournaments.history.imports.crosstables import unpivot
from tournaments.history.imports.files import (
    cells_in_file,
    cells_in_text,
    csv_from_cells,
)
from tournaments.history.imports.imports import import_results
from tournaments.history.imports.past_results import (
    PastResultsReading,
    has_list_headings,
    read_past_results,
    with_column,
)
from tournaments.history.leaderboard import BoardQuery, leaderboard
from tournaments.history.team_leaderboard import team_leaderboard
from tournaments.models import Tournament
from tournaments.people.identities import find_played_tournaments, people_in_club
from tournaments.standings.tie_breaks import TIE_BREAKS

pytestmark = pytest.mark.django_db

TODAY, DAY = date(2026, 6, 1), date(2025, 3, 4)
BERLIN = ZoneInfo("Europe/Berlin")
LANGUAGES = [code for code, _name in site_settings.LANGUAGES]
EXPORTED_TABLES: dict[str, Callable[..., FileTable]] = {
    name: function
    for name, function in vars(tables).items()
    if inspect.isfunction(function)
    and not name.startswith("_")
    and function.__annotations__.get("return") is FileTable
}
"""Every table that the product exports."""
HARD_NAMES = (
    *("=1+1", "+Ann", "-Ann", "@sum", "＝1", "'=x", "'t Hooft", "''", "O’Brien"),
    *('Bo "Bobby" Lee', '"Ann"', "Ann;Bo", "Ann,=1", "Ann\u060c B", "Größe, Jürgen"),
    *(
        "می\u200cترا",
        "👩\u200d🌾",
        "🏴‍☠️ Jack",
        "山田 太郎",
        "3/4",
        "1.2",
        "12,375",
        "10½",
    ),
    *("1. Ann", "bye", "[Ann]", "{Ann}", "NULL", "TRUE", "1e5", "Name", "Total", "-"),
)
HARD_NUMBERS = ("1/3", "10.125", "1.001", "-2.125", "999.999", "1234567.5", "23/8")

names = st.one_of(
    st.sampled_from(HARD_NAMES),
    st.text(
        st.one_of(st.sampled_from("=+-@';,\"’.1A"), st.characters(codec="utf-8")),
        min_size=1,
        max_size=20,
    ).map(normalize_text),
).filter(lambda name: name and not find_name_fault(name))
numbers = st.one_of(
    st.sampled_from(HARD_NUMBERS).map(Fraction),
    st.fractions(-(10**6), 10**6, max_denominator=10**4),
    st.integers(-2000, 2000).map(lambda halves: Fraction(halves, 2)),
)
CELLS: dict[type, st.SearchStrategy[Any]] = {
    str: names,
    int: st.integers(-(10**9), 10**9),
    Fraction: numbers,
    float: numbers.map(float),
    date: st.one_of(
        st.sampled_from([date(2025, 3, 4), date(2025, 4, 3)]),
        st.dates(date(1950, 1, 1), TODAY),
    ),
    datetime: st.datetimes(
        datetime(1950, 1, 2),  # noqa: DTZ001 - the zone is drawn
        datetime(2026, 5, 31),  # noqa: DTZ001
        timezones=st.just(UTC),
    ),
}


def export_table(name: str, tournament: Tournament) -> FileTable:
    """Return an exported table of a tournament or of its club."""
    club = tournament.club
    query = BoardQuery(club=club)
    arguments: dict[str, object] = {
        "tournament": tournament,
        "club": club,
        "people": people_in_club(club),
        "tournaments": find_played_tournaments(
            club, [Player.objects.get(name="Ann").pk]
        ),
        "query": query,
        "lines": leaderboard(query, TODAY),
        "teams": team_leaderboard(query, TODAY),
        "standings": tournament.standings.latest("pk"),
    }
    function = EXPORTED_TABLES[name]
    return function(
        *[arguments[parameter] for parameter in inspect.signature(function).parameters]
    )


def rows_like(table: FileTable) -> st.SearchStrategy[list[tuple[Cell, ...]]]:
    """Return a strategy for rows with other values of the same types, column by column."""
    kinds = [
        {type(value) for value in column} - {type(None)}
        for column in zip(*table.rows, strict=True)
    ]
    cells = [
        st.one_of(
            st.none(), *(CELLS[kind] for kind in sorted(column_kinds or {str}, key=str))
        )
        for column_kinds in kinds
    ]
    return st.lists(st.tuples(*cells), min_size=1, max_size=4)


def files_in_every_language(
    tables: Sequence[tuple[str, FileTable]], rows: Sequence[Sequence[Cell]]
) -> Iterator[tuple[FileTable, str, bytes]]:
    """Yield a table with these rows in every language and file format."""
    for language, table in tables:
        with override(language):
            changed_table = replace(table, zone=BERLIN, rows=rows)
            for ending, file_format in FORMATS.items():
                yield (
                    changed_table,
                    f"table.{ending}",
                    b"".join(file_format.write(changed_table)),
                )


def tables_by_language(
    name: str, tournament: Tournament
) -> list[tuple[str, FileTable]]:
    """Return pairs of language and table, of a tournament or of its club."""
    tables = []
    for language in LANGUAGES:
        with override(language):
            tables.append((language, export_table(name, tournament)))
    return tables


def played_tournament() -> Tournament:
    tournament = counted_tournament(
        "2026-05-12",
        ["Ann", "Bo", "Cy", "Di", "Ed"],
        most_size=5,
        played=2,
        team_size=2,
    )
    tournament.entries.filter(name__in=["Ann", "Bo"]).update(team="Foxes")
    return tournament


def rounded_as_in_file(number: Fraction | float, file: str) -> Fraction:
    """Return a number as stored in a file: exact in JSON, else with six decimal places."""
    if file.endswith("json"):
        return Fraction(number)
    return Fraction(f"{float(number):.6f}")


def assert_same(texts: Sequence[str], values: Sequence[Cell], file: str) -> None:
    """Check that the texts of a column mean its values, whatever the reader's language."""
    pairs = list(zip(texts, values, strict=True))
    for text, value in pairs:
        if value is None or isinstance(value, str):
            assert text == (value or "")
        if isinstance(value, datetime) and file.endswith("json"):
            assert datetime.fromisoformat(text) == value
    number_cells = [
        (text, rounded_as_in_file(value, file))
        for text, value in pairs
        if isinstance(value, int | float | Fraction)
    ]
    numbers_read = read_points([text for text, _value in number_cells], proposed=".")
    assert numbers_read.is_settled
    assert list(numbers_read.values) == [value for _text, value in number_cells]
    day_cells = [
        (text, value.astimezone(BERLIN).date() if type(value) is datetime else value)
        for text, value in pairs
        if isinstance(value, date)
        and not (isinstance(value, datetime) and file.endswith("json"))
    ]
    days_read = read_days(
        [text for text, _day in day_cells], today=TODAY, proposed="mdy"
    )
    assert days_read.is_settled
    assert list(days_read.values) == [day for _text, day in day_cells]


@pytest.mark.parametrize("name", EXPORTED_TABLES)
def test_exported_tables_are_read_back_unchanged(name: str) -> None:
    tables = tables_by_language(name, played_tournament())

    @settings(max_examples=10)
    @given(rows=rows_like(tables[0][1]))
    def check(rows: list[tuple[Cell, ...]]) -> None:
        for table, file, content in files_in_every_language(tables, rows):
            heads, *read_rows = cells_in_file(file, content, today=TODAY, sheet=0)
            padded = [row + [""] * (len(heads) - len(row)) for row in read_rows]
            texts = dict(zip(heads, zip(*padded, strict=True), strict=True))
            columns = zip(table.columns.items(), zip(*rows, strict=True), strict=True)
            for (key, head), values in columns:
                # Only JSON has columns without a heading.
                if name := key if file.endswith("json") else head:
                    assert_same(texts.pop(name), values, file)
            assert texts == {}

    check()


lists_of_names = st.lists(names, min_size=1, max_size=6, unique_by=same_name_key)


@pytest.mark.parametrize("name", ["entries_table", "players_table"])
def test_exported_names_are_imported_unchanged(name: str) -> None:
    tables = tables_by_language(name, played_tournament())
    keys = list(tables[0][1].columns)

    @settings(max_examples=20)
    @given(player_names=lists_of_names)
    def check(player_names: list[str]) -> None:
        rows = [
            make_row(keys, {"number": 7, "name": player_name})
            for player_name in player_names
        ]
        expected = [first_name_first(player_name) for player_name in player_names]
        for _table, file, content in files_in_every_language(tables, rows):
            assert names_in_file(file, content) == expected
            if not file.endswith("xlsx"):
                assert read_names(content.decode("utf-8-sig")) == expected

    check()


def make_row(keys: Sequence[str], values: Mapping[str, Cell]) -> tuple[Cell, ...]:
    return tuple(values.get(key) for key in keys)


def read_results(file: str, content: bytes) -> list[tuple[object, ...]]:
    """Return the results that the import page reads, once a day is given."""
    cells = cells_in_file(file, content, today=TODAY)
    # The page sends its preview again as text, and imports the settled form of it.
    preview = read_cells(cells_in_text(csv_from_cells(cells)))
    return rows_of_night(read_cells(preview.settled))


def read_cells(cells: Sequence[Sequence[str]]) -> PastResultsReading:
    rows = unpivot(cells, has_list_headings=has_list_headings, today=TODAY)
    past = read_past_results(
        with_column(rows, "date", DAY.isoformat()), game="tricky", today=TODAY
    )
    assert past.faults == []
    assert past.is_unambiguous
    return past


def rows_of_night(past: PastResultsReading) -> list[tuple[object, ...]]:
    (event,) = past.events
    assert event.day == DAY
    return [
        (
            *(row.player, row.place, row.score, row.round, row.table, row.game),
            row.is_void,
        )
        for row in sorted(event.rows, key=lambda row: row.line)
    ]


def test_exported_standings_are_imported_unchanged() -> None:
    tables = tables_by_language("standings_table", played_tournament())
    keys = list(tables[0][1].columns)

    @settings(max_examples=20)
    @given(player_names=lists_of_names, data=st.data())
    def check(player_names: list[str], data: st.DataObject) -> None:
        points = [data.draw(numbers) for _name in player_names]
        rows = [
            make_row(
                keys,
                {
                    **dict.fromkeys(keys, Fraction(40_001, 2)),
                    "name": player_name,
                    "rank": rank,
                    "number": rank,
                    "points": points[rank - 1],
                    "reason": "19000, 19001; 3/4",
                },
            )
            for rank, player_name in enumerate(player_names, 1)
        ]
        for _table, file, content in files_in_every_language(tables, rows):
            assert read_results(file, content) == [
                (
                    first_name_first(player_name),
                    rank,
                    rounded_as_in_file(points[rank - 1], file),
                    1,
                    0,
                    "tricky",
                    False,
                )
                for rank, player_name in enumerate(player_names, 1)
            ]

    check()


def test_exported_results_are_imported_unchanged() -> None:
    tables = tables_by_language("results_table", played_tournament())
    keys = list(tables[0][1].columns)

    @settings(max_examples=20)
    @given(
        player_names=st.lists(names, min_size=4, max_size=4, unique_by=same_name_key),
        points=st.lists(st.integers(-3, 90_000), min_size=4, max_size=4),
        void=st.sampled_from([0, 1, 2]),
        is_empty=st.booleans(),
    )
    def check(
        player_names: list[str], points: list[int | None], *, void: int, is_empty: bool
    ) -> None:
        if void == 2 and is_empty:
            points[2:] = [None, None]
        seats = list(zip(player_names, points, (1, 1, 2, 2), strict=True))
        rows = [
            make_row(
                keys,
                {
                    "round": 1,
                    "table": table,
                    "seat": 1,
                    "name": player_name,
                    "game": "tricky_bid",
                    "state": "void" if table == void else "finished",
                    "points": total,
                    "rank": None if total is None else 1,
                    "round_name": "Round 1",
                },
            )
            for player_name, total, table in seats
        ]
        for _table, file, content in files_in_every_language(tables, rows):
            assert read_results(file, content) == [
                (
                    *(
                        first_name_first(player_name),
                        None if total is None else 1,
                        total,
                    ),
                    *(1, table, "tricky_bid", table == void),
                )
                for player_name, total, table in seats
            ]

    check()


def test_exported_void_table_stays_void_after_import() -> None:
    tournament = played_tournament()
    void_table = tournament.rounds.get(number=1).tables.get()
    void_table.void = True
    void_table.save()
    table = export_table("results_table", tournament)
    cells = cells_in_text(b"".join(FORMATS["csv"].write(table)).decode("utf-8-sig"))
    club = ClubFactory.create()
    import_ = import_results(
        club_id=club.pk,
        key=uuid4(),
        name="results.csv",
        game="tricky",
        cells=read_cells(cells).settled,
        user=None,
        now=timezone.now(),
    )
    imported_tournament = import_.tournaments.get()
    second_export = b"".join(
        FORMATS["csv"].write(tables.results_table(imported_tournament))
    )
    imported_cells = cells_in_text(second_export.decode("utf-8-sig"))
    assert [row[:8] for row in imported_cells] == [row[:8] for row in cells]
    assert {row[5] for row in imported_cells[1:]} == {"void", "finished"}


@pytest.mark.parametrize("rounds", [20, 30, 100])
def test_seats_of_a_long_night_are_read_back_unchanged(rounds: int) -> None:
    columns = {"number": "Number", "name": "Name"}
    for n in range(1, rounds + 1):
        columns |= {f"{n}": "", f"{n}_table": f"{n}: table", f"{n}_seat": f"{n}: seat"}
    row = (1, "Ann", *("1.2", 1, 2) * rounds)
    table = FileTable(
        name="seats", owner_name="Night", zone=BERLIN, columns=columns, rows=[row]
    )
    for ending, file_format in FORMATS.items():
        content = b"".join(file_format.write(table))
        _heads, row_read = cells_in_file(
            f"seats.{ending}", content, today=TODAY, sheet=0
        )
        cells_of_a_round = ["1.2", "1", "2"] if ending == "json" else ["1", "2"]
        assert row_read == ["1", "Ann", *cells_of_a_round * rounds]


def test_documents_name_every_key_of_the_tables() -> None:
    tournament = played_tournament()
    document = (Path(site_settings.BASE_DIR) / "docs/reference/files.md").read_text()
    for name in EXPORTED_TABLES:
        table = export_table(name, tournament)
        (keys,) = re.findall(
            rf"^\| `{table.name}` \|.*\|(.*)\|$", document, re.MULTILINE
        )
        documented_keys = re.findall("`([a-z_0-9]+)`", keys)
        # Round 1 stands for all rounds, and tie-breaks are documented in their own list.
        expected_keys = [
            key
            for key in table.columns
            if not re.match("round_[2-9]", key)
            and not (table.name == "standings" and key in TIE_BREAKS)
        ]
        # Columns of points that only some nights have.
        optional = {"match_1", "byes", "penalties", "not_counted"} - set(expected_keys)
        assert [key for key in documented_keys if key not in optional] == expected_keys
