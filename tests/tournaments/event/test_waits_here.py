"""Players who are here while they wait for a place: with a place they are checked in."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import member, own_phone, running_round
from tests.tournaments.event.test_waiting_list import (
    add_a_place,
    delete,
    full_tournament,
    leave,
    mark_absent,
    of,
    remove,
)
from tests.tournaments.web.pages import at, text
from tournaments.event.entries import enter, say_oneself, set_state, substitute
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

State = Entry.State


def check_in(tournament: Tournament, *names: str) -> None:
    """Enter names as the desk does with “They are here”."""
    enter(tournament_id=tournament.pk, names=names, now=NOW, state=State.PRESENT)


def say_here(tournament: Tournament, name: str) -> None:
    say_oneself(entry_id=of(tournament, name).pk, verb="here", now=NOW)


def director(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(member(tournament.club, Role.DIRECTOR))
    return client


@pytest.mark.parametrize("says", [check_in, say_here])
@pytest.mark.parametrize(
    "free_a_place", [leave, mark_absent, remove, delete, add_a_place]
)
def test_player_who_waits_here_moves_up_as_present(
    free_a_place: Callable[[Tournament], None],
    says: Callable[[Tournament, str], None],
) -> None:
    tournament = full_tournament()
    says(tournament, "Cleo")
    assert of(tournament, "Cleo").state == State.WAITING
    free_a_place(tournament)
    moved_up = of(tournament, "Cleo")
    assert (moved_up.state, moved_up.waits_here) == (State.PRESENT, False)


def test_newcomer_entered_as_here_waits_here() -> None:
    tournament = full_tournament()
    check_in(tournament, "Fay")
    tournament.entries.filter(name__in=["Cleo", "Dora", "Emil"]).delete()
    leave(tournament)
    assert of(tournament, "Fay").state == State.PRESENT


def test_name_entered_again_without_check_in_stays_here() -> None:
    tournament = full_tournament()
    check_in(tournament, "Cleo")
    enter(tournament_id=tournament.pk, names=["Cleo"], now=NOW)
    leave(tournament)
    assert of(tournament, "Cleo").state == State.PRESENT


def test_present_player_put_on_the_list_is_still_here() -> None:
    tournament = full_tournament()
    check_in(tournament, "Ada")
    ada = of(tournament, "Ada")
    set_state(entry_id=ada.pk, state=State.WAITING)
    tournament.entries.filter(name__in=["Dora", "Emil"]).delete()
    set_state(entry_id=of(tournament, "Bea").pk, state=State.NO_SHOW)
    assert of(tournament, "Ada").state == State.PRESENT


@pytest.mark.parametrize("state", [State.NO_SHOW, State.DROPPED])
def test_player_who_left_the_list_is_no_longer_here(state: State) -> None:
    tournament = full_tournament()
    check_in(tournament, "Cleo")
    cleo = of(tournament, "Cleo")
    set_state(entry_id=cleo.pk, state=state)
    say_oneself(entry_id=cleo.pk, verb="coming", now=NOW) if (
        state == State.NO_SHOW
    ) else set_state(entry_id=cleo.pk, state=State.WAITING)
    tournament.entries.filter(name__in=["Dora", "Emil"]).delete()
    leave(tournament)
    assert of(tournament, "Cleo").state == State.EXPECTED


def test_player_who_left_and_comes_back_to_a_full_night_waits_here() -> None:
    tournament = full_tournament()
    check_in(tournament, "Ada")
    ada = of(tournament, "Ada")
    set_state(entry_id=ada.pk, state=State.DROPPED)
    check_in(tournament, "Ada")
    waits = of(tournament, "Ada")
    assert (waits.state, waits.waits_here) == (State.WAITING, True)


@pytest.mark.parametrize(("says", "state"), [(True, "present"), (False, "expected")])
def test_substitute_who_waited_here_is_present(*, says: bool, state: str) -> None:
    tournament = full_tournament()
    if says:
        say_here(tournament, "Cleo")
    entry = substitute(entry_id=of(tournament, "Ada").pk, name="Cleo", now=NOW)
    assert (entry.state, entry.name) == (state, "Cleo")
    assert not Entry.objects.get(pk=entry.pk).waits_here


def test_phone_of_a_waiting_player_says_that_they_are_here() -> None:
    tournament = full_tournament()
    phone, page = own_phone(of(tournament, "Dora")), at("me", tournament)
    shown = text(phone, page)
    version = shown.split("live/?v=")[1].split('"')[0]
    assert "I am here" in shown
    answer = phone.post(f"{page}here/", follow=True).content.decode()
    assert "The director sees that you are here. You are 2nd of 3" in answer
    assert "You are checked in." in answer
    assert "I am here" not in answer
    assert phone.get(f"{page}live/", {"v": version}).status_code == 200
    assert "here, on the waiting list" in text(
        director(tournament), at("entries", tournament)
    )


def test_waiting_player_is_here_once_the_night_runs() -> None:
    tournament = full_tournament(4)
    check_in(tournament, "Ada", "Bea", "Guest 0", "Guest 1")
    running_round(tournament)
    phone, page = own_phone(of(tournament, "Cleo")), at("me", tournament)
    assert "I am here" in text(phone, page)
    phone.post(f"{page}here/")
    set_state(entry_id=of(tournament, "Ada").pk, state=State.DROPPED)
    assert of(tournament, "Cleo").state == State.PRESENT


def test_desk_names_players_who_move_up_as_present() -> None:
    tournament = full_tournament()
    check_in(tournament, "Cleo")
    ada = of(tournament, "Ada")
    url = at("entry_act", tournament, ada.number)
    page = director(tournament).post(url, {"state": "no_show"}, follow=True)
    assert "Cleo moves up from the waiting list." in page.content.decode()
