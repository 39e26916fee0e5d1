"""Numbers and sizes of tables; invalid sizes are rejected at their field."""

import pytest

from tournaments.seating import SeatingRefusal, TableSizeLimits, table_sizes


@pytest.mark.parametrize(
    ("least", "preferred", "most"), [(1, 2, 2), (3, 2, 4), (2, 5, 4)]
)
def test_invalid_table_size_order_is_reported_at_its_field(
    least: int, preferred: int, most: int
) -> None:
    with pytest.raises(SeatingRefusal) as refused:
        TableSizeLimits(least=least, preferred=preferred, most=most)
    assert refused.value.field == "table"
    sentence = (
        f"The smallest table needs at least 2 players, and the table size {preferred} "
        f"must be between {least} and {most}."
    )
    assert str(refused.value.message) == str(refused.value) == sentence


@pytest.mark.parametrize(
    ("players", "sizing", "sizes"),
    [
        (3, TableSizeLimits(), [3]),
        (5, TableSizeLimits(), [5]),
        (5, TableSizeLimits(most=4), [4]),
        (11, TableSizeLimits(), [4, 4, 3]),
        (18, TableSizeLimits(least=4, most=4), [4, 4, 4, 4]),
        (24, TableSizeLimits(preferred=5, least=4, most=5), [5, 5, 5, 5, 4]),
        (6, TableSizeLimits(), [3, 3]),
        (8, TableSizeLimits(), [4, 4]),
        (9, TableSizeLimits(), [3, 3, 3]),
        (9, TableSizeLimits(least=4), [5, 4]),
        (10, TableSizeLimits(most=4), [4, 3, 3]),
        (11, TableSizeLimits(least=4), [5, 5]),
        (11, TableSizeLimits(preferred=5, least=5), [5, 5]),
        (7, TableSizeLimits(preferred=2, least=2, most=3), [3, 2, 2]),
        (14, TableSizeLimits(preferred=6, least=2, most=8), [5, 5, 4]),
    ],
)
def test_tables_use_preferred_size_or_the_nearest_within_limits(
    players: int, sizing: TableSizeLimits, sizes: list[int]
) -> None:
    assert table_sizes(players, sizing) == sizes


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (0, "0 players aren’t enough. A table needs at least 3."),
        (1, "One player isn’t enough. A table needs at least 3."),
        (2, "2 players aren’t enough. A table needs at least 3."),
    ],
)
def test_too_few_players_error_names_the_required_number(
    players: int, sentence: str
) -> None:
    with pytest.raises(SeatingRefusal) as refused:
        table_sizes(players, TableSizeLimits())
    assert refused.value.field == "players"
    assert str(refused.value.message) == sentence
