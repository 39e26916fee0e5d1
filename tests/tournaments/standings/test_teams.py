"""Tests of the standings of teams."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import MemberScore, RankedTeam, team_standings

TIE_BREAKS = ["wins", "head_to_head", "lot"]


def member(points: int, wins: int = 0, lot: int | None = None) -> MemberScore:
    values = {
        "wins": Fraction(wins),
        "head_to_head": Fraction(1),
        "lot": None if lot is None else Fraction(lot),
    }
    return MemberScore(Fraction(points), values)


def ranks(lines: list[RankedTeam]) -> list[tuple[int, str]]:
    return [(line.rank, line.team) for line in lines]


def test_points_of_members_add_up_and_wins_break_ties() -> None:
    lines = team_standings(
        {
            "Foxes": [member(4, wins=1), member(3)],
            "Owls": [member(5, wins=2), member(2)],
            "Bears": [member(6)],
        },
        TIE_BREAKS,
    )
    assert ranks(lines) == [(1, "Owls"), (2, "Foxes"), (3, "Bears")]
    assert [line.points for line in lines] == [7, 7, 6]
    assert str(lines[0].reason) == "tied on 7, 2 wins to 1"
    assert lines[1].reason is lines[2].reason is None


def test_best_lot_of_a_team_counts_and_teams_without_one_come_last() -> None:
    lines = team_standings(
        {
            "Owls": [member(1), member(1)],
            "Foxes": [member(2, lot=3), member(0, lot=2)],
            "Bears": [member(1, lot=1), member(1)],
            "Hens": [member(1), member(1)],
        },
        TIE_BREAKS,
    )
    assert ranks(lines) == [(1, "Bears"), (2, "Foxes"), (3, "Owls"), (3, "Hens")]
    assert str(lines[2].reason) == "tied on 2, all tie-breaks equal"


scores = st.builds(
    MemberScore,
    st.fractions(max_denominator=12),
    st.fixed_dictionaries({"wins": st.none() | st.fractions(max_denominator=4)}),
)


@given(st.dictionaries(st.text(max_size=3), st.lists(scores, min_size=1, max_size=4)))
def test_order_of_teams_and_members_does_not_matter(
    scores_by_team: dict[str, list[MemberScore]],
) -> None:
    lines = team_standings(scores_by_team, ["wins"])
    turned = {
        team: scores_by_team[team][::-1] for team in reversed(scores_by_team.keys())
    }
    assert sorted(ranks(lines)) == sorted(ranks(team_standings(turned, ["wins"])))
    assert [line.points for line in lines] == sorted(
        (line.points for line in lines), reverse=True
    )
