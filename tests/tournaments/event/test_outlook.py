"""What is still open of the last rounds: when it is told, and on which pages."""

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.test import Client

from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.views.pages import at, text
from tests.tournaments.web.views.test_evening import director
from tournaments.event import rounds
from tournaments.event.outlook import outlook_of, store_outlook, to_stored
from tournaments.event.results import compute_standings
from tournaments.history.personal_data import erase_person
from tournaments.models import Standings, Tournament
from tournaments.tasks import recompute_standings
from tournaments.web.prospects import own_prospect

pytestmark = pytest.mark.django_db(transaction=True)


def night(players: int = 6, **settings: object) -> Tournament:
    """Return a tournament in its last round of two, of which no table is over."""
    tournament = tournament_with(
        players, rounds_planned=2, table_size=3, least_size=3, most_size=3, **settings
    )
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    running_round(tournament)
    return tournament


def stored(tournament: Tournament) -> Standings:
    return tournament.standings.current()[0]


def test_in_the_last_round_the_standings_say_what_follows_from_every_outcome() -> None:
    tournament = night()
    told = outlook_of(tournament)
    assert told is not None
    assert told.every_outcome
    assert stored(tournament).outlook == to_stored(told)


def test_a_result_narrows_what_is_open() -> None:
    tournament = night()

    def width() -> int:
        told = stored(tournament).outlook
        assert told is not None
        prospects = told["prospects"].values()
        return sum(
            prospect["reach"][1] - prospect["reach"][0] for prospect in prospects
        )

    before = width()
    play_table(tournament.rounds.get(number=2).tables.all()[0], [20, 12, 5])
    assert width() < before


def test_nothing_is_told_before_the_last_rounds_and_once_all_tables_are_over() -> None:
    early = tournament_with(6, rounds_planned=5, table_size=3)
    running_round(early)
    assert stored(early).outlook is None
    tournament = night()
    last = tournament.rounds.get(number=2)
    play_round(last)
    rounds.close(round_id=last.pk, now=NOW)
    assert stored(tournament).outlook is None


def test_with_a_round_to_come_it_is_told_from_points() -> None:
    tournament = night()
    Tournament.objects.filter(pk=tournament.pk).update(rounds_planned=3)
    told = outlook_of(Tournament.objects.get(pk=tournament.pk))
    assert told is not None
    assert not told.every_outcome


def test_nothing_is_stored_once_a_newer_result_is_in() -> None:
    tournament = night()
    Standings.objects.filter(tournament=tournament).update(outlook=None)
    match = Match.objects.filter(
        table__round__tournament=tournament, finished=False
    ).order_by("pk")[0]
    Match.objects.filter(pk=match.pk).update(finished=True, version=9)
    assert not store_outlook(tournament_id=tournament.pk)
    assert stored(tournament).outlook is None


def test_it_is_thought_out_once_for_each_standing() -> None:
    tournament = night()
    assert not store_outlook(tournament_id=tournament.pk)
    before = stored(tournament)
    recompute_standings(tournament.pk)
    assert stored(tournament).pk == before.pk


def test_standings_counted_at_the_desk_say_what_is_open() -> None:
    tournament = night()
    tournament.standings.current().delete()
    director(tournament).post(at("count", tournament))
    assert stored(tournament).outlook is not None


def test_standings_that_are_rebuilt_say_what_is_open() -> None:
    tournament = night()
    stored(tournament).rows.update(points="99")
    call_command("rebuild")
    assert stored(tournament).outlook is not None


def test_standings_told_anew_without_a_name_say_what_is_open() -> None:
    tournament = night()
    assert stored(tournament).outlook is not None
    player = tournament.entries.all()[0].player
    erase_person(club=tournament.club, player_id=player.pk, typed=player.name)
    assert stored(tournament).outlook is not None


def test_whoever_plays_sees_what_is_still_open_and_what_is_enough(
    client: Client,
) -> None:
    tournament = night()
    leader = stored(tournament).rows.get(place=1).entry
    session = client.session
    session["joined"] = {tournament.address: leader.pk}
    session.save()
    page = text(client, tournament.get_absolute_url())
    assert "You end between 1st and" in page
    assert "First if you win your table" in page
    assert "Every outcome of the open tables was looked at" in page
    assert "ends between" in page


def test_whoever_looks_while_newer_standings_take_their_place_is_told_a_moment_later() -> (
    None
):
    tournament = night()
    read = stored(tournament)
    entry = read.rows.get(place=1).entry_id
    assert own_prospect(tournament, read, entry) is not None
    Standings.objects.filter(pk=read.pk).delete()
    assert own_prospect(tournament, read, entry) is None


def test_the_page_drawn_before_it_was_thought_out_is_drawn_anew(client: Client) -> None:
    tournament = night()
    current = stored(tournament)
    told = current.outlook
    Standings.objects.filter(pk=current.pk).update(outlook=None)
    caches["drawn"].clear()
    assert "ends between" not in text(client, tournament.get_absolute_url())
    Standings.objects.filter(pk=current.pk).update(outlook=told)
    assert "ends between" in text(client, tournament.get_absolute_url())


def test_the_room_reads_who_can_still_win(client: Client) -> None:
    tournament = night()
    page = text(client, f"{tournament.get_absolute_url()}projector/")
    assert "can still win" in page


def test_standings_that_are_not_public_tell_nobody_what_is_open(client: Client) -> None:
    tournament = night(standings_shown=Tournament.Shown.FINISHED)
    entry = tournament.entries.all()[0]
    session = client.session
    session["joined"] = {tournament.address: entry.pk}
    session.save()
    assert "You end between" not in text(client, tournament.get_absolute_url())


def test_where_only_the_best_of_each_table_go_on_nothing_is_told() -> None:
    tournament = tournament_with(
        6, format=Tournament.Format.KNOCKOUT, table_size=3, least_size=3, most_size=3
    )
    running_round(tournament)
    play_table(tournament.rounds.get().tables.all()[0], [20, 12, 5])
    compute_standings(tournament_id=tournament.pk, now=NOW)
    assert outlook_of(tournament) is None
