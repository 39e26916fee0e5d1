"""Players who are here while they wait for a place: with a place they are checked in."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import pytest

from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import director, member, own_phone, running_round
from tests.tournaments.event.test_waiting_list import (
    add_a_place,
    delete,
    full_tournament,
    leave,
    mark_absent,
    of,
    remove,
    waiting,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event.entries import enter, say_oneself, set_state, substitute
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

State = Entry.State


def check_in(tournament: Tournament, *names: str) -> None:
    enter(tournament_id=tournament.pk, names=names, now=NOW, state=State.PRESENT)


def say_here(tournament: Tournament, name: str) -> None:
    say_oneself(entry_id=of(tournament, name).pk, verb="here", now=NOW)


def tap(tournament: Tournament, name: str, button: str) -> str:
    """Tap a name under Players, whose button has this text, and return what the page says."""
    client, players = director(tournament), at("entries", tournament)
    form = next(
        form
        for form in client.get(players).content.decode().split("<form")
        if f"<b>{name}</b>" in form
    )
    assert button in form
    return submit(
        client,
        at("entry_act", tournament, of(tournament, name).number),
        state=form.split('name="state" value="')[1].split('"')[0],
    )


def tap_is_here(tournament: Tournament, name: str) -> None:
    """Tap a player here, and read that they have to wait."""
    assert f"{name} is here and waits for a place." in tap(tournament, name, "is here")


@pytest.mark.parametrize(
    ("says", "free_a_place"),
    [
        *product([check_in], [leave, mark_absent, remove, delete, add_a_place]),
        (say_here, leave),
        (tap_is_here, leave),
    ],
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


def test_tap_on_a_waiting_player_keeps_to_the_capacity() -> None:
    tournament = full_tournament()
    tap_is_here(tournament, "Cleo")
    assert tournament.entries.all().with_place().names() == {"Ada", "Bea"}
    page = tap(tournament, "Cleo", "is not here")
    assert "Cleo: on the waiting list." in page
    leave(tournament)
    assert of(tournament, "Cleo").state == State.EXPECTED
    tap_is_here(tournament, "Dora")
    act = at("entry_act", tournament, of(tournament, "Bea").number)
    page = submit(director(tournament), act, state="no_show")
    assert "Dora moves up from the waiting list." in page


def test_desk_and_players_page_count_who_is_here_in_the_same_sentence() -> None:
    tournament = full_tournament()
    client = director(tournament)

    def both_say(sentence: str) -> bool:
        pages = [text(client, at(name, tournament)) for name in ("desk", "entries")]
        return all(page.count(sentence) == 1 for page in pages)

    check_in(tournament, "Ada")
    assert both_say("1 of 2 is here")
    check_in(tournament, "Bea")
    assert both_say("2 of 2 are here")
    assert not both_say("here and wait")
    check_in(tournament, "Cleo")
    assert both_say("2 of 2 are here · 1 more is here and waits for a place")
    say_here(tournament, "Dora")
    assert both_say("2 of 2 are here · 2 more are here and wait for a place")
    tournament.entries.filter(name="Bea").update(state=State.NO_SHOW)
    assert both_say("1 of 1 is here · 2 more")


def set_to(tournament: Tournament, states: Sequence[State]) -> None:
    for state in states:
        set_state(entry_id=of(tournament, "Ada").pk, state=state)


def enter_again(tournament: Tournament) -> None:
    set_to(tournament, [State.WAITING])
    enter(tournament_id=tournament.pk, names=["Ada"], now=NOW)


def be_absent_and_ask_again(tournament: Tournament) -> None:
    set_to(tournament, [State.WAITING, State.NO_SHOW])
    say_oneself(entry_id=of(tournament, "Ada").pk, verb="coming", now=NOW)


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (partial(set_to, states=[State.WAITING]), State.PRESENT),
        (enter_again, State.PRESENT),
        (be_absent_and_ask_again, State.EXPECTED),
        (partial(set_to, states=[State.NO_SHOW, State.EXPECTED]), State.EXPECTED),
        (
            partial(set_to, states=[State.WAITING, State.DROPPED, State.WAITING]),
            State.EXPECTED,
        ),
    ],
    ids=["moved", "entered again", "asked again", "absent", "dropped"],
)
def test_player_who_moves_up_is_here_unless_they_were_absent(
    act: Callable[[Tournament], None], expected: State
) -> None:
    tournament = full_tournament()
    check_in(tournament, "Ada")
    act(tournament)
    ada = of(tournament, "Ada")
    is_here = expected == State.PRESENT
    assert (ada.state, ada.waits_here) == (State.WAITING, is_here)
    tournament.entries.filter(name__in=["Dora", "Emil"]).delete()
    set_state(entry_id=of(tournament, "Bea").pk, state=State.NO_SHOW)
    assert of(tournament, "Ada").state == expected


def patch_present(tournament: Tournament, name: str) -> None:
    scorer = Caller(member(tournament.club, Role.SCORER))
    number = of(tournament, name).number
    path = f"/tournaments/{tournament.address}/entries/{number}"
    assert scorer.call("PATCH", path, {"state": "present"})["state"] == "waiting"


def post_present(tournament: Tournament, name: str) -> None:
    scorer = Caller(member(tournament.club, Role.SCORER))
    path = f"/tournaments/{tournament.address}/entries"
    scorer.call("POST", path, {"names": [name], "present": True})


def come_and_say_here(tournament: Tournament, name: str) -> None:
    for verb in ("coming", "here"):
        say_oneself(entry_id=of(tournament, name).pk, verb=verb, now=NOW)


@pytest.mark.parametrize(
    ("comes_back", "before"),
    [
        *product(
            [check_in, tap_is_here, patch_present, post_present],
            [State.NO_SHOW, State.DROPPED],
        ),
        (come_and_say_here, State.NO_SHOW),
    ],
)
def test_player_who_comes_back_to_a_full_night_waits_here(
    comes_back: Callable[[Tournament, str], None], before: State
) -> None:
    tournament = full_tournament()
    set_state(entry_id=of(tournament, "Ada").pk, state=before)
    comes_back(tournament, "Ada")
    waits = of(tournament, "Ada")
    assert (waits.state, waits.waits_here) == (State.WAITING, True)
    assert waiting(tournament) == ["Dora", "Emil", "Ada"]
    assert tournament.entries.all().with_place().names() == {"Bea", "Cleo"}


@pytest.mark.parametrize(("says", "state"), [(True, "present"), (False, "expected")])
def test_substitute_who_waited_here_is_present(*, says: bool, state: str) -> None:
    tournament = full_tournament()
    if says:
        say_here(tournament, "Cleo")
    entry = substitute(entry_id=of(tournament, "Ada").pk, name="Cleo", now=NOW)
    assert (entry.state, entry.name) == (state, "Cleo")
    assert not Entry.objects.get(pk=entry.pk).waits_here


def test_phone_of_a_waiting_player_says_that_they_are_here() -> None:
    tournament = full_tournament(4)
    check_in(tournament, "Ada", "Bea", "Guest 0", "Guest 1")
    running_round(tournament)
    phone, page = own_phone(of(tournament, "Dora")), at("me", tournament)
    shown = text(phone, page)
    version = shown.split("live/?v=")[1].split('"')[0]
    assert "I am here" in shown
    answer = phone.post(f"{page}here/", follow=True).content.decode()
    assert "The director sees that you are here. You are 2nd of 3" in answer
    assert "You are checked in." in answer
    assert "I am here" not in answer
    assert phone.get(f"{page}live/", {"v": version}).status_code == 200
    players = text(director(tournament), at("entries", tournament))
    assert "here, on the waiting list" in players
    for name in ("Ada", "Bea"):
        set_state(entry_id=of(tournament, name).pk, state=State.DROPPED)
    assert of(tournament, "Cleo").state == State.EXPECTED
    assert of(tournament, "Dora").state == State.PRESENT
