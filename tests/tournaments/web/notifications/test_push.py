"""Push notifications: delivered, failing, and never sent to unsubscribed devices."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scoring.matchlog.commands import CommandAuthor
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
from tournaments.tasks import run_autopilot_nights_and_notify_desks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    settings.OUTGOING_TRUSTED = ["127.0.0.1"]
    with receiving_pushes() as running:
        yield running
        running.hangs.set()
        wait_for_background()


def subscribe_phone(entry: Entry, service: PushService) -> Client:
    """Subscribe a player's phone to notifications and return it."""
    client = own_phone(entry)
    url = f"{entry.tournament.get_absolute_url()}me/tell/"
    assert client.post(url, service.fields()).status_code == 201
    return client


@pytest.fixture
def tournament(service: PushService) -> Tournament:
    """Return a tournament of four with one subscribed phone."""
    tournament = tournament_with(4)
    subscribe_phone(tournament.entries.get(number=1), service)
    return tournament


def titles(service: PushService) -> list[str]:
    wait_for_background()
    return [message["title"] for message in service.messages]


def announce_text(tournament: Tournament, text: str) -> None:
    """Send an announcement to all players."""
    announce(tournament_id=tournament.pk, text=text, user=None, now=NOW)


def publish_seating(tournament: Tournament) -> Round:
    (first, *_later) = drawing.draw(tournament_id=tournament.pk)
    return rounds.publish(round_id=first.pk)


def seat_of(entry: Entry, round_: Round) -> str:
    place = round_.places.select_related("table").get(entry=entry)
    return f"table {place.table.number}, seat {place.index + 1}"


def subscribe_desk(tournament: Tournament, service: PushService) -> Client:
    """Subscribe a scorer's device to the desk's notifications and return it."""
    scorer = signed_in(tournament.club, Role.SCORER)
    url = f"{tournament.get_absolute_url()}desk/tell/"
    assert scorer.post(url, service.fields()).status_code == 201
    return scorer


def test_player_is_notified_of_seat_and_start(
    service: PushService,
) -> None:
    tournament = tournament_with(8)
    entry = tournament.entries.get(number=3)
    subscribe_phone(entry, service)
    round_ = publish_seating(tournament)
    seat = seat_of(entry, round_)
    assert titles(service) == [f"Round 1: you’re at {seat}"]
    message = service.messages[0]
    assert message["body"] == f"{entry.name} · {tournament.name}"
    assert message["url"] == f"{tournament.get_absolute_url()}me/for/3/"
    rounds.start(round_id=round_.pk, now=NOW)
    assert titles(service)[1:] == [f"Round 1 is starting: {seat}"]


def test_players_are_asked_to_reconfirm_unless_settled(
    service: PushService,
) -> None:
    tournament = tournament_with(4, quorum=Tournament.Quorum.ALL)
    subscribe_phone(tournament.entries.get(number=1), service)
    round_ = running_round(tournament)
    play_round(round_)
    table = round_.tables.select_related("match").get()
    match = match_of(table)

    def count_requests() -> int:
        notified = titles(service)
        return notified.count("Table 1 is done. Please confirm the result")

    assert count_requests() == 1
    for times, points in enumerate(([1, 2, 3, 4], [4, 3, 2, 1]), start=2):
        raw = {"points": points}
        correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
        assert count_requests() == times
        match.refresh_from_db()
        # Confirmations by others don't repeat the notification.
        seat = table.places.get(entry__number=1).index
        for other in {0, 1, 2, 3} - {seat}:
            body = {"seat": other, "words": load_sheet(match).checksum_words_line}
            stored(Kind.CONFIRM, match_id=match.pk, body=body)
        assert count_requests() == times
    results.dispute(table_id=table.pk, now=NOW)
    results.confirm_disputed_result_or_end_call(
        table_id=table.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    assert count_requests() == 3


def test_only_moved_players_are_notified_of_a_new_seat(
    service: PushService,
) -> None:
    tournament = tournament_with(8)
    moved, other = tournament.entries.filter(number__in=[3, 4]).by_number()
    for entry in (moved, other):
        subscribe_phone(entry, service)
    round_ = publish_seating(tournament)
    first_title = f"Round 1: you’re at {seat_of(moved, round_)}"
    wait_for_background()
    service.messages.clear()
    table = round_.places.get(entry=moved).table
    other_entry_id = round_.places.exclude(table=table).exclude(entry=other)[0].entry_id
    swap = partial(
        rounds.swap_and_count_repeats,
        round_id=round_.pk,
        entry_id=moved.pk,
        other_id=other_entry_id,
    )
    swap()
    assert titles(service) == [f"Round 1: you’re at {seat_of(moved, round_)}"]
    assert titles(service) != [first_title]
    swap()
    assert titles(service)[1:] == [first_title]


def test_calls_and_disputes_notify_the_desk_only(
    service: PushService,
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    subscribe_desk(tournament, service)
    subscribe_phone(tournament.entries.get(number=1), service)
    table = Table.objects.get(round__tournament=tournament, round__number=1)
    results.call_director(table_id=table.pk, now=NOW)
    results.dispute(table_id=table.pk, now=timezone.now())
    expected = ["Table 1 is calling you", "Table 1 disputes its result"]
    assert sorted(titles(service)) == sorted(expected)


def test_desk_is_notified_once_when_an_automatic_night_waits(
    service: PushService,
) -> None:
    started_at = timezone.now() - timedelta(minutes=10)
    night = tournament_with(4, autopilot="run", quorum="all", starts_at=started_at)
    round_ = running_round(night)
    subscribe_desk(night, service)
    play_round(round_)
    table = round_.tables.get()
    results.dispute(table_id=table.pk, now=timezone.now())
    for _look in range(3):
        run_autopilot_nights_and_notify_desks()
    waiting_message = "Waiting for your decision at table 1."
    # Each is sent by its own thread, so the order varies.
    disputed_message = "Table 1 disputes its result"
    assert sorted(titles(service)) == sorted([waiting_message, disputed_message])
    notification = next(
        message for message in service.messages if waiting_message in message.values()
    )
    assert notification["url"] == f"{night.get_absolute_url()}desk/"


def test_removed_role_stops_desk_notifications(
    service: PushService,
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    subscribe_desk(tournament, service)
    tournament.club.memberships.all().delete()
    table = Table.objects.get(round__tournament=tournament, round__number=1)
    results.call_director(table_id=table.pk, now=NOW)
    assert titles(service) == []


def test_one_tap_unsubscribes_without_session_or_csrf_token(
    service: PushService, tournament: Tournament
) -> None:
    announce_text(tournament, "Soup is ready")
    wait_for_background()
    stranger = Client(enforce_csrf_checks=True)
    url = f"/subscriptions/{service.messages[0]['ends']}/"
    assert "Turn off notifications for" in stranger.get(url).content.decode()
    assert stranger.post(url).status_code == 204
    announce_text(tournament, "And cake")
    assert titles(service) == ["Soup is ready"]
    assert "You no longer need this link." in stranger.get(url).content.decode()


@pytest.mark.parametrize("status", [307, 404])
def test_subscription_of_an_unknown_device_is_deleted_at_once(
    service: PushService, tournament: Tournament, status: int
) -> None:
    service.status = status
    announce_text(tournament, "Soup is ready")
    wait_for_background()
    assert service.request_count == 1
    assert not Subscription.objects.exists()


def test_failing_push_service_is_retried_twice_then_deleted(
    service: PushService, tournament: Tournament
) -> None:
    service.status = 503
    for number in range(3):
        assert Subscription.objects.get().failures == number
        announce_text(tournament, f"{number}")
        wait_for_background()
    assert service.request_count == 6
    assert not Subscription.objects.exists()


def test_hanging_push_service_blocks_no_request(
    service: PushService, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "WITHIN", 0.2)
    service.hangs.clear()
    announce_text(tournament, "Soup is ready")
    assert Subscription.objects.get().failures == 0
    wait_for_background()
    assert Subscription.objects.get().failures == 1


INVALID_ENDPOINTS = [
    *("http://push.example.com/x", "https://127.0.0.1/x", "https://localhost/x"),
    *("https://router/x", "https://ann@push.example.com/x", "file:///etc/passwd"),
    *("https://[x/", "", "https://push.example.com/" + "x" * 800),
]


def test_rejects_invalid_subscription(service: PushService, settings: Any) -> None:
    settings.OUTGOING_TRUSTED = []
    entry = tournament_with(4).entries.get(number=1)
    phone, url = own_phone(entry), f"{entry.tournament.get_absolute_url()}me/tell/"
    invalid_fields = [("endpoint", endpoint) for endpoint in INVALID_ENDPOINTS]
    for key in ("", "short", "ü" * 20, "!" * 87):
        invalid_fields += [("p256dh", key), ("auth", key)]
    fields = service.fields() | {"endpoint": "https://push.example.com/x"}
    for field, value in invalid_fields:
        response = phone.post(url, {**fields, field: value})
        assert (response.status_code, response.json()["field"]) == (400, field), value
    assert not Subscription.objects.exists()


def test_cannot_subscribe_for_another_player(service: PushService) -> None:
    tournament = tournament_with(4)
    url = f"{tournament.get_absolute_url()}me/tell/"
    response = Client().post(url, service.fields())
    assert (response.status_code, response.json()["field"]) == (404, "entry")
    phone = own_phone(tournament.entries.get(number=1))
    other_url = f"{tournament.get_absolute_url()}me/for/2/tell/"
    assert phone.post(other_url, service.fields()).status_code == 404
    assert not Subscription.objects.exists()


def test_device_is_stored_once_and_old_ones_are_replaced(service: PushService) -> None:
    entry = tournament_with(4).entries.get(number=1)
    client = own_phone(entry)
    url = f"{entry.tournament.get_absolute_url()}me/tell/"
    for device in [0, 0, 1, 2, 3, 4, 5]:
        client.post(url, service.fields(str(device)))
    endpoints = entry.subscriptions.values_list("endpoint", flat=True)
    assert sorted(url[-1] for url in endpoints) == ["1", "2", "3", "4", "5"]


def test_waiting_player_is_notified_of_a_place(service: PushService) -> None:
    tournament = tournament_with(["Ada"], capacity=1)
    waiting = [
        entries.register(tournament_id=tournament.pk, name=name, now=NOW)
        for name in ("Bea", "Cleo")
    ]
    for entry in waiting:
        subscribe_phone(entry, service)
    entries.set_state(
        entry_id=tournament.entries.get(number=1).pk, state=Entry.State.NO_SHOW
    )
    assert titles(service) == ["You’ve got a place!"]
    assert service.messages[0]["body"] == f"Bea · {tournament.name}"
    assert service.messages[0]["url"] == f"{tournament.get_absolute_url()}me/for/2/"
    # The same player is notified again after another wait.
    entries.apply_own_report(entry_id=waiting[0].pk, verb="away", now=NOW)
    entries.apply_own_report(entry_id=waiting[0].pk, verb="coming", now=NOW)
    entries.set_state(
        entry_id=tournament.entries.get(number=3).pk, state=Entry.State.NO_SHOW
    )
    assert titles(service) == ["You’ve got a place!"] * 3


def test_notifications_resume_when_a_removed_player_is_reentered(
    service: PushService,
) -> None:
    tournament, phone = tournament_with(8), Client()
    night_url = tournament.get_absolute_url()
    phone.post(f"{night_url}join/", {"name": "Zoe"})
    assert phone.post(f"{night_url}me/tell/", service.fields()).status_code == 201
    entries.remove_entry(entry_id=tournament.entries.get(name="Zoe").pk)
    announce_text(tournament, "Soup!")
    assert titles(service) == []
    entries.add_entries(tournament_id=tournament.pk, names=["Zoe"], now=NOW)
    announce_text(tournament, "Cake!")
    assert len(titles(service)) == 1
    stop_url = f"/subscriptions/{Subscription.objects.get().address}/"
    assert stop_url in phone.get(f"{night_url}me/").content.decode()


def test_bye_player_taking_a_free_seat_is_notified(
    service: PushService,
) -> None:
    started_at = timezone.now() - timedelta(minutes=10)
    night = tournament_with(
        9, autopilot="run", starts_at=started_at, least_size=4, most_size=4
    )
    (first, *_later) = drawing.draw(tournament_id=night.pk)
    bye_entry = first.byes.get().entry
    subscribe_phone(bye_entry, service)
    rounds.publish_and_open_pads(round_id=first.pk, now=timezone.now())
    assert titles(service) == ["Round 1: you’re sitting out"]
    leaver = first.places.order_by("pk")[0].entry
    seat = seat_of(leaver, first)
    entries.apply_own_report(entry_id=leaver.pk, verb="leave", now=timezone.now())
    run_autopilot_nights_and_notify_desks()
    assert titles(service)[1:] == [f"Round 1: you’re at {seat}"]


def test_push_host_resolving_to_a_private_address_is_not_contacted(
    service: PushService, tournament: Tournament, settings: Any
) -> None:
    settings.OUTGOING_TRUSTED = []
    # A name that looks public until it is resolved.
    Subscription.objects.update(
        endpoint=f"https://localhost.localdomain:{service.server_port}/x"
    )
    announce_text(tournament, "Soup is ready")
    wait_for_background()
    assert service.request_count == 0
