"""A free place goes to the player who has waited longest."""

from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    member,
    own_phone,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_autopilot import Night
from tests.tournaments.event.test_two_workers import together
from tournaments.changes import RefusedError
from tournaments.event.entries import (
    enter,
    register,
    remove_entry,
    say_oneself,
    set_state,
)
from tournaments.event.setup.lifecycle import change_settings
from tournaments.event.unplayed_players import delete_player
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

State = Entry.State


def full_tournament(capacity: int = 2, **settings: object) -> Tournament:
    """Return a tournament whose places are taken and for which Cleo, Dora and Emil wait."""
    tournament: Tournament = TournamentFactory.create(capacity=capacity, **settings)
    names = ["Ada", "Bea", *(f"Guest {n}" for n in range(capacity - 2))]
    for name in [*names, "Cleo", "Dora", "Emil"]:
        register(tournament_id=tournament.pk, name=name, now=NOW)
    return tournament


def waiting(tournament: Tournament) -> list[str]:
    return list(tournament.entries.all().waiting().values_list("name", flat=True))


def of(tournament: Tournament, name: str) -> Entry:
    entry: Entry = tournament.entries.get(name=name)
    return entry


def leave(tournament: Tournament) -> None:
    say_oneself(entry_id=of(tournament, "Ada").pk, verb="away", now=NOW)


def mark_absent(tournament: Tournament) -> None:
    set_state(entry_id=of(tournament, "Ada").pk, state=State.NO_SHOW)


def remove(tournament: Tournament) -> None:
    remove_entry(entry_id=of(tournament, "Ada").pk)


def delete(tournament: Tournament) -> None:
    player = of(tournament, "Ada").player_id
    delete_player(club=tournament.club, player_id=player)


def move_to_the_end(tournament: Tournament) -> None:
    set_state(entry_id=of(tournament, "Ada").pk, state=State.WAITING)


def add_a_place(tournament: Tournament) -> None:
    tournament.capacity += 1
    change_settings(tournament=tournament, fields=["capacity"])


def patch_by_api(tournament: Tournament) -> None:
    scorer = Caller(member(tournament.club, Role.SCORER))
    path = f"/tournaments/{tournament.address}/entries/1"
    scorer.call("PATCH", path, {"state": "dropped"})


def delete_by_api(tournament: Tournament) -> None:
    scorer = Caller(member(tournament.club, Role.SCORER))
    scorer.call("DELETE", f"/tournaments/{tournament.address}/entries/1")


def enlarge_by_api(tournament: Tournament) -> None:
    director = Caller(member(tournament.club, Role.DIRECTOR))
    director.call("PATCH", f"/tournaments/{tournament.address}", {"capacity": 3})


@pytest.mark.parametrize(
    "free_a_place",
    [
        leave,
        mark_absent,
        remove,
        delete,
        move_to_the_end,
        add_a_place,
        patch_by_api,
        delete_by_api,
        enlarge_by_api,
    ],
)
def test_gives_freed_place_to_first_who_waits(
    free_a_place: Callable[[Tournament], None],
) -> None:
    tournament = full_tournament()
    free_a_place(tournament)
    assert of(tournament, "Cleo").state == State.EXPECTED
    assert waiting(tournament)[:2] == ["Dora", "Emil"]
    newcomer = register(tournament_id=tournament.pk, name="Fay", now=NOW)
    assert newcomer.state == State.WAITING
    assert waiting(tournament)[-1] == "Fay"


def test_smaller_capacity_takes_no_place_away_and_none_has_no_limit() -> None:
    tournament = full_tournament(3)
    tournament.capacity = 1
    change_settings(tournament=tournament, fields=["capacity"])
    assert tournament.entries.all().with_place().count() == 3
    mark_absent(tournament)
    assert waiting(tournament) == ["Cleo", "Dora", "Emil"]
    tournament.capacity = 0
    change_settings(tournament=tournament, fields=["capacity"])
    assert waiting(tournament) == []


def test_names_beyond_capacity_wait_by_paste_and_api() -> None:
    tournament = full_tournament()
    entered = enter(
        tournament_id=tournament.pk, names=["Fay"], now=NOW, state=State.PRESENT
    )
    (fay,) = entered.entries
    assert (fay.state, fay.waits_here) == (State.WAITING, True)
    scorer = Caller(member(tournament.club, Role.SCORER))
    path = f"/tournaments/{tournament.address}/entries"
    answer = scorer.call("POST", path, {"names": ["Gil"], "present": True})
    assert [entry["state"] for entry in answer["entries"]] == ["waiting"]
    assert waiting(tournament) == ["Cleo", "Dora", "Emil", "Fay", "Gil"]


def test_refuses_waiting_while_a_place_is_free() -> None:
    tournament = tournament_with(["Ada"], capacity=2)
    with pytest.raises(RefusedError, match="free place"):
        move_to_the_end(tournament)
    assert of(tournament, "Ada").state == State.PRESENT


def test_returning_player_joins_the_end_of_the_list() -> None:
    tournament = full_tournament()
    mark_absent(tournament)
    ada = of(tournament, "Ada")
    assert say_oneself(entry_id=ada.pk, verb="coming", now=NOW).state == State.WAITING
    assert waiting(tournament) == ["Dora", "Emil", "Ada"]
    # Whoever gives up and asks again has a new wait.
    for verb in ("away", "coming"):
        say_oneself(entry_id=of(tournament, "Dora").pk, verb=verb, now=NOW)
    assert waiting(tournament) == ["Emil", "Ada", "Dora"]


@pytest.mark.parametrize(
    ("format_", "rounds", "expected"),
    [("planned", 2, "expected"), ("planned", 1, "waiting"), ("knockout", 3, "waiting")],
)
def test_running_night_fills_places_only_for_a_round_to_come(
    format_: str, rounds: int, expected: str
) -> None:
    tournament = tournament_with(
        4, capacity=4, format=format_, rounds_planned=rounds, advance=2
    )
    enter(tournament_id=tournament.pk, names=["Zed"], now=NOW)
    running_round(tournament)
    first = tournament.entries.get(number=1)
    say_oneself(entry_id=first.pk, verb="leave", now=NOW)
    assert of(tournament, "Zed").state == expected


def test_open_page_shows_the_position_and_lets_go() -> None:
    tournament = full_tournament()
    url = tournament.get_absolute_url()
    answer = Client().post(f"{url}join/", {"name": "Fay"}, follow=True)
    assert "You are 4th of 4 on the waiting list." in answer.content.decode()
    phone = own_phone(of(tournament, "Dora"))
    page = phone.get(f"{url}me/").content.decode()
    assert "You are 2nd of 4 on the waiting list." in page
    live, version = f"{url}me/live/", page.split("live/?v=")[1].split('"')[0]
    assert phone.get(live, {"v": version}).status_code == 204
    leave(tournament)
    news = phone.get(live, {"v": version}).content.decode()
    assert "You are 1st of 3 on the waiting list." in news
    phone.post(f"{url}me/away/")
    assert of(tournament, "Dora").state == State.NO_SHOW


@pytest.mark.services
def test_concurrent_changes_give_each_place_once() -> None:
    tournament = full_tournament(4)
    ids = [of(tournament, name).pk for name in ("Ada", "Bea")]
    together(
        Tournament.objects.filter(pk=tournament.pk),
        *(partial(say_oneself, entry_id=pk, verb="away", now=NOW) for pk in ids),
        partial(register, tournament_id=tournament.pk, name="Fay", now=NOW),
        partial(set_state, entry_id=of(tournament, "Guest 0").pk, state=State.NO_SHOW),
        partial(enter, tournament_id=tournament.pk, names=["Gil"], now=NOW),
    )
    assert tournament.entries.all().with_place().count() == 4
    placed = {"Cleo", "Dora", "Emil"}
    assert tournament.entries.filter(name__in=placed, state="expected").count() == 3
    assert set(waiting(tournament)) == {"Fay", "Gil"}
    numbers = (
        tournament.entries.all().waiting().values_list("waiting_number", flat=True)
    )
    assert len(set(numbers)) == 2


@pytest.mark.services
def test_one_freed_place_and_two_newcomers() -> None:
    tournament = full_tournament()
    together(
        Tournament.objects.filter(pk=tournament.pk),
        partial(leave, tournament),
        partial(leave, tournament),
        partial(register, tournament_id=tournament.pk, name="Fay", now=NOW),
        partial(register, tournament_id=tournament.pk, name="Gil", now=NOW),
    )
    assert tournament.entries.all().with_place().names() == {"Bea", "Cleo"}
    assert waiting(tournament)[:2] == ["Dora", "Emil"]


def test_night_that_runs_itself_seats_the_player_who_moved_up() -> None:
    night = Night(8, capacity=8, rounds_planned=2)
    tournament = night.tournament
    enter(tournament_id=tournament.pk, names=["Zed"], now=NOW)
    assert of(tournament, "Zed").state == State.WAITING
    leaver = tournament.entries.get(number=1)
    set_state(entry_id=leaver.pk, state=State.NO_SHOW)
    zed = of(tournament, "Zed")
    say_oneself(entry_id=zed.pk, verb="here", now=tournament.starts_at)
    night.run(1)
    assert night.round(1).places.filter(entry=zed).exists()
