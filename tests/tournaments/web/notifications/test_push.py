"""Push notifications: delivered, failing, and never sent to unsubscribed devices."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scoring.matchlog.commands import Author
from scoring.pages.sheet import load_sheet
from scoring.queue import wait_for_background
from tests.factories import author
from tests.factories.commands import Kind, correct_hand, stored
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    match_of,
    own_phone,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.outgoing.push_service import PushService, receiving_pushes
from tournaments.event import draw as drawing
from tournaments.event import entries, push, results, rounds
from tournaments.event.desk.announcements import announce
from tournaments.models import Entry, Role, Round, Subscription, Table, Tournament
from tournaments.tasks import run_nights

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.OUTGOING_TRUSTED = ["127.0.0.1"]
    with receiving_pushes() as running:
        yield running
        running.hangs.set()
        wait_for_background()


def asked_by(entry: Entry, service: PushService) -> Client:
    """Return the phone of a player who wants to be told."""
    client = own_phone(entry)
    at = f"{entry.tournament.get_absolute_url()}me/tell/"
    assert client.post(at, service.fields()).status_code == 201
    return client


@pytest.fixture
def tournament(service: PushService) -> Tournament:
    """Return a tournament of four, with a phone that wants to be told."""
    tournament = tournament_with(4)
    asked_by(tournament.entries.get(number=1), service)
    return tournament


def titles(service: PushService) -> list[str]:
    wait_for_background()
    return [message["title"] for message in service.told]


def say(tournament: Tournament, text: str) -> None:
    """Let the director say something to everybody."""
    announce(tournament_id=tournament.pk, text=text, user=None, now=NOW)


def seated(tournament: Tournament) -> Round:
    (first, *_later) = drawing.draw(tournament_id=tournament.pk)
    return rounds.publish(round_id=first.pk)


def seat_of(entry: Entry, round_: Round) -> str:
    place = round_.places.select_related("table").get(entry=entry)
    return f"table {place.table.number}, seat {place.index + 1}"


def desk_of(tournament: Tournament, service: PushService) -> Client:
    """Return the device of a scorer who wants to be told."""
    scorer = signed_in(tournament.club, Role.SCORER)
    at = f"{tournament.get_absolute_url()}desk/tell/"
    assert scorer.post(at, service.fields()).status_code == 201
    return scorer


def test_player_is_notified_of_seat_and_start(
    service: PushService,
) -> None:
    tournament = tournament_with(8)
    entry = tournament.entries.get(number=3)
    asked_by(entry, service)
    round_ = seated(tournament)
    where = seat_of(entry, round_)
    assert titles(service) == [f"Round 1: you’re at {where}"]
    message = service.told[0]
    assert message["body"] == f"{entry.name} · {tournament.name}"
    assert message["url"] == f"{tournament.get_absolute_url()}me/for/3/"
    rounds.start(round_id=round_.pk, now=NOW)
    assert titles(service)[1:] == [f"Round 1 is starting: {where}"]


def test_players_are_asked_to_reconfirm_unless_settled(
    service: PushService,
) -> None:
    tournament = tournament_with(4, quorum=Tournament.Quorum.ALL)
    asked_by(tournament.entries.get(number=1), service)
    round_ = running_round(tournament)
    play_round(round_)
    table = round_.tables.select_related("match").get()
    match = match_of(table)

    def times_asked() -> int:
        notified = titles(service)
        return notified.count("Table 1 is done. Please confirm the result")

    assert times_asked() == 1
    for times, points in enumerate(([1, 2, 3, 4], [4, 3, 2, 1]), start=2):
        raw = {"points": points}
        correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
        assert times_asked() == times
        match.refresh_from_db()
        # Others who agree are no reason to ask again.
        seat = table.places.get(entry__number=1).index
        for other in {0, 1, 2, 3} - {seat}:
            body = {"seat": other, "words": load_sheet(match).result_words}
            stored(Kind.CONFIRM, match_id=match.pk, body=body)
        assert times_asked() == times
    results.dispute(table_id=table.pk, now=NOW)
    results.settle(table_id=table.pk, author=Author(name="Di"), now=NOW)
    assert times_asked() == 3


def test_only_moved_players_are_notified_of_a_new_seat(
    service: PushService,
) -> None:
    tournament = tournament_with(8)
    moved, other = tournament.entries.filter(number__in=[3, 4]).by_number()
    for entry in (moved, other):
        asked_by(entry, service)
    round_ = seated(tournament)
    first = f"Round 1: you’re at {seat_of(moved, round_)}"
    wait_for_background()
    service.told.clear()
    table = round_.places.get(entry=moved).table
    stranger = round_.places.exclude(table=table).exclude(entry=other)[0].entry_id
    swapped = {"round_id": round_.pk, "entry_id": moved.pk, "other_id": stranger}
    rounds.swap_and_count_repeats(**swapped)
    assert titles(service) == [f"Round 1: you’re at {seat_of(moved, round_)}"]
    assert titles(service) != [first]
    rounds.swap_and_count_repeats(**swapped)
    assert titles(service)[1:] == [first]


def test_calls_and_disputes_notify_the_desk_only(
    service: PushService,
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    desk_of(tournament, service)
    asked_by(tournament.entries.get(number=1), service)
    table = Table.objects.get(round__tournament=tournament, round__number=1)
    results.call_director(table_id=table.pk, now=NOW)
    results.dispute(table_id=table.pk, now=timezone.now())
    expected = ["Table 1 is calling", "Table 1 disputes its result"]
    assert sorted(titles(service)) == sorted(expected)


def test_desk_is_notified_once_when_an_automatic_night_waits(
    service: PushService,
) -> None:
    began = timezone.now() - timedelta(minutes=10)
    night = tournament_with(4, autopilot="run", quorum="all", starts_at=began)
    round_ = running_round(night)
    desk_of(night, service)
    play_round(round_)
    table = round_.tables.get()
    results.dispute(table_id=table.pk, now=timezone.now())
    for _look in range(3):
        run_nights()
    waits = "Waiting for you: settle table 1."
    # Each is sent by a thread of its own: whichever is quicker comes first.
    disputed = "Table 1 disputes its result"
    assert sorted(titles(service)) == sorted([waits, disputed])
    notification = next(
        message for message in service.told if waits in message.values()
    )
    assert notification["url"] == f"{night.get_absolute_url()}desk/"


def test_removed_role_stops_desk_notifications(
    service: PushService,
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    desk_of(tournament, service)
    tournament.club.memberships.all().delete()
    table = Table.objects.get(round__tournament=tournament, round__number=1)
    results.call_director(table_id=table.pk, now=NOW)
    assert titles(service) == []


def test_one_tap_unsubscribes_without_session_or_csrf_token(
    service: PushService, tournament: Tournament
) -> None:
    say(tournament, "Soup is ready")
    wait_for_background()
    stranger = Client(enforce_csrf_checks=True)
    at = f"/subscriptions/{service.told[0]['ends']}/"
    assert "Turn off notifications for" in stranger.get(at).content.decode()
    assert stranger.post(at).status_code == 204
    say(tournament, "And cake")
    assert titles(service) == ["Soup is ready"]
    assert "You no longer need this link." in stranger.get(at).content.decode()


@pytest.mark.parametrize("status", [307, 404])
def test_subscription_of_an_unknown_device_is_deleted_at_once(
    service: PushService, tournament: Tournament, status: int
) -> None:
    service.status = status
    say(tournament, "Soup is ready")
    wait_for_background()
    assert service.asked == 1
    assert not Subscription.objects.exists()


def test_failing_push_service_is_retried_twice_then_deleted(
    service: PushService, tournament: Tournament
) -> None:
    service.status = 503
    for number in range(3):
        assert Subscription.objects.get().failures == number
        say(tournament, f"{number}")
        wait_for_background()
    assert service.asked == 6
    assert not Subscription.objects.exists()


def test_hanging_push_service_blocks_no_request(
    service: PushService, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "WITHIN", 0.2)
    service.hangs.clear()
    say(tournament, "Soup is ready")
    assert Subscription.objects.get().failures == 0
    wait_for_background()
    assert Subscription.objects.get().failures == 1


NO_SERVICES = [
    *("http://push.example.com/x", "https://127.0.0.1/x", "https://localhost/x"),
    *("https://router/x", "https://ann@push.example.com/x", "file:///etc/passwd"),
    *("https://[x/", "", "https://push.example.com/" + "x" * 800),
]


def test_rejects_invalid_subscription(service: PushService, settings: Any) -> None:
    settings.OUTGOING_TRUSTED = []
    entry = tournament_with(4).entries.get(number=1)
    phone, at = own_phone(entry), f"{entry.tournament.get_absolute_url()}me/tell/"
    wrong = [("endpoint", endpoint) for endpoint in NO_SERVICES]
    for key in ("", "short", "ü" * 20, "!" * 87):
        wrong += [("p256dh", key), ("auth", key)]
    fields = service.fields() | {"endpoint": "https://push.example.com/x"}
    for field, value in wrong:
        answer = phone.post(at, {**fields, field: value})
        assert (answer.status_code, answer.json()["field"]) == (400, field), value
    assert not Subscription.objects.exists()


def test_cannot_subscribe_for_another_player(service: PushService) -> None:
    tournament = tournament_with(4)
    at = f"{tournament.get_absolute_url()}me/tell/"
    answer = Client().post(at, service.fields())
    assert (answer.status_code, answer.json()["field"]) == (404, "entry")
    own = own_phone(tournament.entries.get(number=1))
    other = f"{tournament.get_absolute_url()}me/for/2/tell/"
    assert own.post(other, service.fields()).status_code == 404
    assert not Subscription.objects.exists()


def test_device_is_stored_once_and_old_ones_are_replaced(service: PushService) -> None:
    entry = tournament_with(4).entries.get(number=1)
    client = own_phone(entry)
    at = f"{entry.tournament.get_absolute_url()}me/tell/"
    for device in [0, 0, 1, 2, 3, 4, 5]:
        client.post(at, service.fields(str(device)))
    endpoints = entry.subscriptions.values_list("endpoint", flat=True)
    assert sorted(at[-1] for at in endpoints) == ["1", "2", "3", "4", "5"]


def test_waiting_player_is_notified_of_a_place(service: PushService) -> None:
    tournament = tournament_with(["Ada"], capacity=1)
    waiting = [
        entries.register(tournament_id=tournament.pk, name=name, now=NOW)
        for name in ("Bea", "Cleo")
    ]
    for entry in waiting:
        asked_by(entry, service)
    entries.set_state(
        entry_id=tournament.entries.get(number=1).pk, state=Entry.State.NO_SHOW
    )
    assert titles(service) == ["You’ve got a place!"]
    assert service.told[0]["body"] == f"Bea · {tournament.name}"
    assert service.told[0]["url"] == f"{tournament.get_absolute_url()}me/for/2/"
    # The same player is notified again after another wait.
    entries.report_own_state(entry_id=waiting[0].pk, verb="away", now=NOW)
    entries.report_own_state(entry_id=waiting[0].pk, verb="coming", now=NOW)
    entries.set_state(
        entry_id=tournament.entries.get(number=3).pk, state=Entry.State.NO_SHOW
    )
    assert titles(service) == ["You’ve got a place!"] * 3


def test_notifications_resume_when_a_removed_player_is_reentered(
    service: PushService,
) -> None:
    tournament, phone = tournament_with(8), Client()
    night = tournament.get_absolute_url()
    phone.post(f"{night}join/", {"name": "Zoe"})
    assert phone.post(f"{night}me/tell/", service.fields()).status_code == 201
    entries.remove_entry(entry_id=tournament.entries.get(name="Zoe").pk)
    say(tournament, "Soup!")
    assert titles(service) == []
    entries.add_entries(tournament_id=tournament.pk, names=["Zoe"], now=NOW)
    say(tournament, "Cake!")
    assert len(titles(service)) == 1
    stop = f"/subscriptions/{Subscription.objects.get().address}/"
    assert stop in phone.get(f"{night}me/").content.decode()


def test_bye_player_taking_a_free_seat_is_notified(
    service: PushService,
) -> None:
    began = timezone.now() - timedelta(minutes=10)
    night = tournament_with(
        9, autopilot="run", starts_at=began, least_size=4, most_size=4
    )
    (first, *_later) = drawing.draw(tournament_id=night.pk)
    out = first.byes.get().entry
    asked_by(out, service)
    rounds.publish_with_pads(round_id=first.pk, now=timezone.now())
    assert titles(service) == ["Round 1: you’re sitting out"]
    gone = first.places.order_by("pk")[0].entry
    where = seat_of(gone, first)
    entries.report_own_state(entry_id=gone.pk, verb="leave", now=timezone.now())
    run_nights()
    assert titles(service)[1:] == [f"Round 1: you’re at {where}"]


def test_push_host_resolving_to_a_private_address_is_not_contacted(
    service: PushService, tournament: Tournament, settings: Any
) -> None:
    settings.OUTGOING_TRUSTED = []
    # As a name would that passes for one of the internet until it is looked up.
    Subscription.objects.update(
        endpoint=f"https://localhost.localdomain:{service.server_port}/x"
    )
    say(tournament, "Soup is ready")
    wait_for_background()
    assert service.asked == 0
