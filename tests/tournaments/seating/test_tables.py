"""Numbers and sizes of tables; invalid sizes are rejected at their field."""

import pytest

from tournaments.seating import SeatingRefusal, Sizing, table_sizes


@pytest.mark.parametrize(
    ("least", "preferred", "most"), [(1, 2, 2), (3, 2, 4), (2, 5, 4)]
)
def test_invalid_table_size_order_is_reported_at_its_field(
    least: int, preferred: int, most: int
) -> None:
    with pytest.raises(SeatingRefusal) as refused:
        Sizing(least=least, preferred=preferred, most=most)
    assert refused.value.field == "table"
    sentence = (
        f"The table size {preferred} must be between the smallest ({least}, at least 2) "
        f"and the largest ({most})."
    )
    assert str(refused.value.message) == str(refused.value) == sentence


@pytest.mark.parametrize(
    ("players", "sizing", "sizes"),
    [
        (3, Sizing(), [3]),
        (5, Sizing(), [5]),
        (5, Sizing(most=4), [4]),
        (11, Sizing(), [4, 4, 3]),
        (18, Sizing(least=4, most=4), [4, 4, 4, 4]),
        (24, Sizing(preferred=5, least=4, most=5), [5, 5, 5, 5, 4]),
        (6, Sizing(), [3, 3]),
        (8, Sizing(), [4, 4]),
        (9, Sizing(), [3, 3, 3]),
        (9, Sizing(least=4), [5, 4]),
        (10, Sizing(most=4), [4, 3, 3]),
        (11, Sizing(least=4), [5, 5]),
        (11, Sizing(preferred=5, least=5), [5, 5]),
        (7, Sizing(preferred=2, least=2, most=3), [3, 2, 2]),
        (14, Sizing(preferred=6, least=2, most=8), [5, 5, 4]),
    ],
)
def test_tables_use_preferred_size_or_the_nearest_within_limits(
    players: int, sizing: Sizing, sizes: list[int]
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
        table_sizes(players, Sizing())
    assert refused.value.field == "players"
    assert str(refused.value.message) == sentence
