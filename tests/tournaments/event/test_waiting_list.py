"""A free place goes to the first on the waiting list, checked in if present."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    director,
    own_phone,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_two_workers import run_concurrently
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event.desk.overview import read_desk
from tournaments.event.entries import (
    add_entries,
    apply_own_report,
    register,
    remove_entry,
    set_state,
    substitute_entry_player,
)
from tournaments.event.setup.lifecycle import save_and_apply_settings
from tournaments.event.unplayed_players import delete_unplayed_player
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

State = Entry.State


def full_tournament(capacity: int = 2, **settings: object) -> Tournament:
    """Return a full tournament with Cleo, Dora and Emil on the waiting list."""
    tournament: Tournament = TournamentFactory.create(capacity=capacity, **settings)
    names = ["Ada", "Bea", *(f"Guest {n}" for n in range(capacity - 2))]
    for name in [*names, "Cleo", "Dora", "Emil"]:
        register(tournament_id=tournament.pk, name=name, now=NOW)
    return tournament


def waiting_names(tournament: Tournament) -> list[str]:
    return list(tournament.entries.all().waiting().values_list("name", flat=True))


def entry_of(tournament: Tournament, name: str) -> Entry:
    entry: Entry = tournament.entries.get(name=name)
    return entry


def check_in(tournament: Tournament, *names: str) -> None:
    add_entries(tournament_id=tournament.pk, names=names, now=NOW, state=State.PRESENT)


def leave(tournament: Tournament) -> None:
    apply_own_report(entry_id=entry_of(tournament, "Ada").pk, verb="away", now=NOW)


def mark_absent(tournament: Tournament) -> None:
    set_state(entry_id=entry_of(tournament, "Ada").pk, state=State.NO_SHOW)


def remove(tournament: Tournament) -> None:
    remove_entry(entry_id=entry_of(tournament, "Ada").pk)


def delete(tournament: Tournament) -> None:
    player = entry_of(tournament, "Ada").player_id
    delete_unplayed_player(club=tournament.club, player_id=player)


def move_to_the_end(tournament: Tournament) -> None:
    set_state(entry_id=entry_of(tournament, "Ada").pk, state=State.WAITING)


def add_a_place(tournament: Tournament) -> None:
    tournament.capacity += 1
    save_and_apply_settings(tournament=tournament, fields=["capacity"])


@pytest.mark.parametrize(
    "free_a_place",
    [
        leave,
        mark_absent,
        remove,
        delete,
        move_to_the_end,
        add_a_place,
    ],
)
def test_free_place_goes_to_first_in_waiting_list(
    free_a_place: Callable[[Tournament], None],
) -> None:
    tournament = full_tournament()
    free_a_place(tournament)
    assert entry_of(tournament, "Cleo").state == State.EXPECTED
    assert waiting_names(tournament)[:2] == ["Dora", "Emil"]
    newcomer = register(tournament_id=tournament.pk, name="Fay", now=NOW)
    assert newcomer.state == State.WAITING
    assert waiting_names(tournament)[-1] == "Fay"
    check_in(tournament, "Dora")
    assert entry_of(tournament, "Dora").state == State.WAITING
    leaver = entry_of(tournament, "Bea")
    set_state(entry_id=leaver.pk, state=State.NO_SHOW)
    moved_up = entry_of(tournament, "Dora")
    assert (moved_up.state, moved_up.waits_here) == (State.PRESENT, False)


def test_smaller_capacity_removes_no_player_and_empty_means_unlimited() -> None:
    tournament = full_tournament(3)
    tournament.capacity = 1
    save_and_apply_settings(tournament=tournament, fields=["capacity"])
    assert tournament.entries.all().expected_or_present().count() == 3
    mark_absent(tournament)
    assert waiting_names(tournament) == ["Cleo", "Dora", "Emil"]
    tournament.capacity = 0
    save_and_apply_settings(tournament=tournament, fields=["capacity"])
    assert waiting_names(tournament) == []


def test_players_that_are_here_wait_for_a_place_at_the_end_of_the_list() -> None:
    tournament = full_tournament()
    check_in(tournament, "Ada", "Bea", "Fay")
    report_here(tournament, "Dora")
    assert waiting_names(tournament) == ["Cleo", "Dora", "Emil", "Fay"]
    arrivals = "2 of 2 checked in · 2 on the waiting list are here too"
    assert read_desk(tournament, NOW).arrivals == arrivals
    set_state(entry_id=entry_of(tournament, "Ada").pk, state=State.DROPPED)
    check_in(tournament, "Ada")
    ada = entry_of(tournament, "Ada")
    assert (ada.state, ada.waits_here) == (State.WAITING, True)
    assert waiting_names(tournament) == ["Dora", "Emil", "Fay", "Ada"]


def test_refuses_waiting_while_a_place_is_free() -> None:
    tournament = tournament_with(["Ada"], capacity=2)
    with pytest.raises(RefusedError, match="place is free"):
        move_to_the_end(tournament)
    assert entry_of(tournament, "Ada").state == State.PRESENT


def test_returning_player_joins_the_end_of_the_list() -> None:
    tournament = full_tournament()
    mark_absent(tournament)
    ada = entry_of(tournament, "Ada")
    assert (
        apply_own_report(entry_id=ada.pk, verb="coming", now=NOW).state == State.WAITING
    )
    assert waiting_names(tournament) == ["Dora", "Emil", "Ada"]
    # A player who gives up and asks again waits at the end of the list.
    for verb in ("away", "coming"):
        apply_own_report(entry_id=entry_of(tournament, "Dora").pk, verb=verb, now=NOW)
    assert waiting_names(tournament) == ["Emil", "Ada", "Dora"]


@pytest.mark.parametrize(
    ("format_", "rounds", "expected"),
    [("planned", 2, "expected"), ("planned", 1, "waiting"), ("knockout", 3, "waiting")],
)
def test_running_night_fills_places_only_before_another_round(
    format_: str, rounds: int, expected: str
) -> None:
    tournament = tournament_with(
        4, capacity=4, format=format_, rounds_planned=rounds, advance=2
    )
    add_entries(tournament_id=tournament.pk, names=["Zed"], now=NOW)
    running_round(tournament)
    first = tournament.entries.get(number=1)
    apply_own_report(entry_id=first.pk, verb="leave", now=NOW)
    assert entry_of(tournament, "Zed").state == expected


def report_here(tournament: Tournament, name: str) -> None:
    apply_own_report(entry_id=entry_of(tournament, name).pk, verb="here", now=NOW)


def tap(tournament: Tournament, name: str, button: str) -> str:
    """Tap this button at a name under Players; return the page that follows."""
    client, url = director(tournament), at("entries", tournament)
    form = next(
        form
        for form in client.get(url).content.decode().split("<form")
        if f"<b>{name}</b>" in form
    )
    assert button in form
    return submit(
        client,
        at("entry_action", tournament, entry_of(tournament, name).number),
        state=form.split('name="state" value="')[1].split('"')[0],
    )


def test_tap_on_a_waiting_player_respects_capacity() -> None:
    tournament = full_tournament()
    page = tap(tournament, "Cleo", "check in")
    assert "Cleo is here and on the waiting list." in page
    assert tournament.entries.all().expected_or_present().names() == {"Ada", "Bea"}
    page = tap(tournament, "Cleo", "undo check-in")
    assert "Cleo: on the waiting list." in page
    leave(tournament)
    assert entry_of(tournament, "Cleo").state == State.EXPECTED


def set_states(tournament: Tournament, states: Sequence[State]) -> None:
    for state in states:
        set_state(entry_id=entry_of(tournament, "Ada").pk, state=state)


def enter_again(tournament: Tournament) -> None:
    set_states(tournament, [State.WAITING])
    add_entries(tournament_id=tournament.pk, names=["Ada"], now=NOW)


def be_absent_and_ask_again(tournament: Tournament) -> None:
    set_states(tournament, [State.WAITING, State.NO_SHOW])
    apply_own_report(entry_id=entry_of(tournament, "Ada").pk, verb="coming", now=NOW)


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (partial(set_states, states=[State.WAITING]), State.PRESENT),
        (enter_again, State.PRESENT),
        (be_absent_and_ask_again, State.EXPECTED),
        (partial(set_states, states=[State.NO_SHOW, State.EXPECTED]), State.EXPECTED),
        (
            partial(set_states, states=[State.WAITING, State.DROPPED, State.WAITING]),
            State.EXPECTED,
        ),
    ],
    ids=["moved", "entered again", "asked again", "absent", "dropped"],
)
def test_player_moving_up_is_checked_in_unless_absent(
    act: Callable[[Tournament], None], expected: State
) -> None:
    tournament = full_tournament()
    check_in(tournament, "Ada")
    act(tournament)
    ada = entry_of(tournament, "Ada")
    is_here = expected == State.PRESENT
    assert (ada.state, ada.waits_here) == (State.WAITING, is_here)
    tournament.entries.filter(name__in=["Dora", "Emil"]).delete()
    set_state(entry_id=entry_of(tournament, "Bea").pk, state=State.NO_SHOW)
    assert entry_of(tournament, "Ada").state == expected


@pytest.mark.parametrize(
    ("checks_in", "state"), [(True, "present"), (False, "expected")]
)
def test_substitute_from_the_present_waiting_list_is_checked_in(
    *, checks_in: bool, state: str
) -> None:
    tournament = full_tournament()
    if checks_in:
        report_here(tournament, "Cleo")
    entry = substitute_entry_player(
        entry_id=entry_of(tournament, "Ada").pk, name="Cleo", now=NOW
    )
    assert (entry.state, entry.name) == (state, "Cleo")
    assert not Entry.objects.get(pk=entry.pk).waits_here


def test_waiting_player_checks_in_by_phone() -> None:
    tournament = full_tournament(4)
    check_in(tournament, "Ada", "Bea", "Guest 0", "Guest 1")
    response = Client().post(at("join", tournament), {"name": "Fay"}, follow=True)
    assert "You’re 4th of 4 on the waiting list." in response.content.decode()
    running_round(tournament)
    phone, url = own_phone(entry_of(tournament, "Dora")), at("me", tournament)
    own_page = text(phone, url)
    version = own_page.split("live/?v=")[1].split('"')[0]
    new_page = phone.post(f"{url}here/", follow=True).content.decode()
    assert "You’re checked in. You’re 2nd of 4" in new_page
    assert phone.get(f"{url}live/", {"v": version}).status_code == 200
    for name in ("Ada", "Bea"):
        set_state(entry_id=entry_of(tournament, name).pk, state=State.DROPPED)
    assert entry_of(tournament, "Cleo").state == State.EXPECTED
    assert entry_of(tournament, "Dora").state == State.PRESENT


@pytest.mark.services
def test_concurrent_changes_assign_each_place_once() -> None:
    tournament = full_tournament(4)
    ids = [entry_of(tournament, name).pk for name in ("Ada", "Bea")]
    run_concurrently(
        Tournament.objects.filter(pk=tournament.pk),
        *(partial(apply_own_report, entry_id=pk, verb="away", now=NOW) for pk in ids),
        partial(register, tournament_id=tournament.pk, name="Fay", now=NOW),
        partial(
            set_state, entry_id=entry_of(tournament, "Guest 0").pk, state=State.NO_SHOW
        ),
        partial(add_entries, tournament_id=tournament.pk, names=["Gil"], now=NOW),
    )
    assert tournament.entries.all().expected_or_present().count() == 4
    moved_up = {"Cleo", "Dora", "Emil"}
    assert tournament.entries.filter(name__in=moved_up, state="expected").count() == 3
    assert set(waiting_names(tournament)) == {"Fay", "Gil"}
    numbers = (
        tournament.entries.all().waiting().values_list("waiting_number", flat=True)
    )
    assert len(set(numbers)) == 2


@pytest.mark.services
def test_one_free_place_goes_to_one_of_two_newcomers() -> None:
    tournament = full_tournament()
    run_concurrently(
        Tournament.objects.filter(pk=tournament.pk),
        partial(leave, tournament),
        partial(leave, tournament),
        partial(register, tournament_id=tournament.pk, name="Fay", now=NOW),
        partial(register, tournament_id=tournament.pk, name="Gil", now=NOW),
    )
    assert tournament.entries.all().expected_or_present().names() == {"Bea", "Cleo"}
    assert waiting_names(tournament)[:2] == ["Dora", "Emil"]
