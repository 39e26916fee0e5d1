"""Leagues: members start their own matches, over weeks."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest

from tests.factories.matches import NOW
from tests.factories.tournaments import enter_points, play_table, tournament_with
from tests.tournaments.event.test_formats import names_by_table
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.table_results import rank_players
from tournaments.event.tables import begin_league_match
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def league(**settings: Any) -> Tournament:
    return tournament_with(["Ada", "Bo", "Cy", "Di"], format="league", **settings)


def begin(tournament: Tournament, names: Sequence[str], **options: Any) -> Any:
    by_name = dict(tournament.entries.values_list("name", "pk"))
    return begin_league_match(
        **{
            "tournament_id": tournament.pk,
            "key": uuid4(),
            "entry_ids": [by_name[name] for name in names],
            "game": "tricky_bid",
            "now": NOW,
            **options,
        }
    )


def test_any_match_between_members_of_a_league_counts() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    play_table(begin(tournament, ["Ada", "Di", "Bo"]), [9, 5, 1])
    points = {int(row.player): row.points for row in rank_players(tournament)}
    ada = tournament.entries.get(name="Ada")
    assert points[ada.pk] == 8
    unfinished = begin(tournament, ["Cy", "Di", "Bo"])
    enter_points(unfinished.match, [9, 5, 1])
    assert points == {int(r.player): r.points for r in rank_players(tournament)}


def test_first_match_starts_once_and_checks_in_its_players() -> None:
    tournament = league()
    tournament.entries.update(state=Entry.State.EXPECTED)
    key = uuid4()
    first = begin(tournament, ["Ada", "Bo", "Cy"], key=key)
    assert begin(tournament, ["Ada", "Bo", "Cy"], key=key) == first
    assert tournament.entries.present().names() == {"Ada", "Bo", "Cy"}
    assert tournament.entries.get(name="Di").state == Entry.State.EXPECTED


@pytest.mark.parametrize(
    ("names", "game", "message"),
    [
        (["Ada", "Bo", "Ada"], "tricky_bid", "two seats"),
        (["Ada", "Bo", "Cy"], "db2t", "doesn’t play that game"),
        (["Ada"], "tricky_bid", "2 to 6 players, not 1"),
    ],
)
def test_rejects_invalid_league_match(
    names: list[str], game: str, message: str
) -> None:
    with pytest.raises(RefusedError, match=message):
        begin(league(), names, game=game)


def test_league_match_is_refused_for_outsiders_and_other_formats() -> None:
    tournament = league()
    outsider = tournament_with(["Zed"]).entries.get()
    member_ids = list(tournament.entries.values_list("pk", flat=True))
    with pytest.raises(RefusedError, match="members"):
        begin(tournament, [], entry_ids=[*member_ids, outsider.pk])
    with pytest.raises(RefusedError, match="draws"):
        begin(tournament_with(["Ada", "Bo", "Cy"]), ["Ada", "Bo", "Cy"])
    with pytest.raises(RefusedError, match="has no draw"):
        drawing.draw(tournament_id=tournament.pk)


def test_ended_league_starts_no_match_and_can_have_a_final() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy", "Di"]), [9, 5, 3, 1])
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    with pytest.raises(RefusedError, match="over"):
        begin(tournament, ["Ada", "Bo", "Cy"])
    (final,) = drawing.freeze_and_cut_to_final(
        tournament_id=tournament.pk, size=3, now=NOW
    )
    assert names_by_table(final) == [{"Ada", "Bo", "Cy"}]
