"""An auction as tables write it."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.web.views.auction import auction_table


def test_cells_before_the_opening_bidder_are_empty() -> None:
    lines = auction_table([(2, "90")], 4, highest=0, due=3)
    assert [cell.label for cell in lines[0]] == ["", "", "90", ""]
    assert lines[0][2].is_highest
    assert lines[0][3].is_due


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1)))
    )
)
def test_no_call_is_lost_and_their_order_stays(drawn: tuple[int, list[int]]) -> None:
    seats, order = drawn
    calls = [(seat, str(place)) for place, seat in enumerate(order)]
    lines = auction_table(calls, seats, highest=None, due=None)
    read = [cell.label for line in lines for cell in line if cell.label]
    assert read == [words for _seat, words in calls]
