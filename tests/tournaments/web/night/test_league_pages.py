"""What the pages of a league count: matches, and those won for certain."""

import pytest

from scoring.matchlog.commands import Author
from tests.factories.matches import NOW
from tests.factories.tournaments import play_and_close, play_table
from tests.tournaments.event.test_leagues import begin, league
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.results import count_standings
from tournaments.models import Tournament
from tournaments.web.charts import race_chart
from tournaments.web.standings.lines import Form, league_forms

pytestmark = pytest.mark.django_db(transaction=True)


def form_of(tournament: Tournament, name: str) -> Form:
    return league_forms(tournament)[tournament.entries.get(name=name).pk]


def test_disputed_match_is_played_and_not_won() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    table = begin(tournament, ["Ada", "Bo", "Cy"])
    play_table(table, [9, 5, 1])
    results.dispute(table_id=table.pk, now=NOW)
    assert form_of(tournament, "Ada") == Form(played=2, won=1, last=[1])
    assert form_of(tournament, "Bo") == Form(played=2, won=0, last=[2])
    results.settle(table_id=table.pk, author=Author(name="Di"), now=NOW)
    assert form_of(tournament, "Ada") == Form(played=2, won=2, last=[1, 1])


def test_match_is_won_once_it_is_confirmed() -> None:
    tournament = league(quorum="all")
    first, second = (begin(tournament, ["Ada", "Bo", "Cy"]) for _number in range(2))
    for table in (first, second):
        play_table(table, [9, 5, 1])
    assert form_of(tournament, "Ada") == Form(played=2, won=0, last=[])
    results.confirm_for_table(table_id=first.pk, author=Author(name="Di"), now=NOW)
    assert form_of(tournament, "Ada") == Form(played=2, won=1, last=[1])
    rounds.close(round_id=first.round_id, now=NOW, override="The season is over.")
    assert form_of(tournament, "Ada") == Form(played=2, won=1, last=[1])
    results.confirm_for_table(table_id=second.pk, author=Author(name="Di"), now=NOW)
    assert form_of(tournament, "Ada") == Form(played=2, won=2, last=[1, 1])


def test_race_of_a_league_is_told_by_its_matches() -> None:
    tournament = league()
    for _number in range(3):
        play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    names = {str(entry.pk): entry.name for entry in tournament.entries.order_by("pk")}
    chart = race_chart(tournament, names)
    assert chart is not None
    assert (chart.title, chart.across) == ("Points after each match", "Match")
    assert chart.labels == ["1", "2", "3"]
    assert chart.caption == "Ada was ahead on points from the first match to the last."


def test_race_of_a_league_ends_with_its_final() -> None:
    tournament = league()
    for _number in range(2):
        play_table(begin(tournament, ["Ada", "Bo", "Cy", "Di"]), [9, 5, 3, 1])
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    (final,) = drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    rounds.publish(round_id=final.pk)
    rounds.start(round_id=final.pk, now=NOW)
    play_and_close(final)
    count_standings(tournament_id=tournament.pk, now=NOW)
    lines = tournament.standings.current().get().lines()
    chart = race_chart(tournament, {str(row.entry_id): row.names for row in lines})
    assert chart is not None
    assert chart.labels == ["1", "2", "Final"]
