"""Events are stored for their subscribers in the transaction that causes them."""

import pytest
from django.db import transaction
from django.utils import timezone

from scoring.matchlog.commands import CommandAuthor
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event import results, rounds
from tournaments.event.results import store_current_standings
from tournaments.models import Club, HookEvent, Tournament

pytestmark = pytest.mark.django_db


def kinds(club: Club) -> list[str]:
    return list(club.hook_events.order_by("pk").values_list("kind", flat=True))


def event_of(club: Club, kind: str) -> HookEvent:
    return club.hook_events.get(kind=kind)


def test_events_of_a_whole_night_are_sent_in_order() -> None:
    night = tournament_with(4)
    hook = new_webhook(night.club)
    round_ = running_round(night)
    store_current_standings(tournament_id=night.pk, now=NOW)
    play_round(round_)
    store_current_standings(tournament_id=night.pk, now=NOW)
    rounds.close(round_id=round_.pk, now=NOW)
    rounds.finish(tournament_id=night.pk, now=NOW)
    assert kinds(night.club) == [
        "round.seated",
        "standings.changed",
        "match.finished",
        "standings.changed",
        "tournament.finished",
    ]
    event = event_of(night.club, "match.finished")
    assert event.title == "Thursday: table 1 is finished (Round 1)"
    assert [seat["total"] for seat in event.content["seats"]] == [80, 48, 20, 4]
    assert event.lines[0].endswith(": 80")
    assert event.path == f"/t/{night.address}/rounds/1/tables/1/"
    seated_event = event_of(night.club, "round.seated")
    assert sorted(seated_event.content["tables"][0]["names"]) == [
        "Ada",
        "Amir",
        "Bea",
        "Bruno",
    ]
    final_event = event_of(night.club, "tournament.finished")
    assert [line["rank"] for line in final_event.content["lines"]] == [1, 2, 3, 4]
    assert hook.deliveries.exists()


def test_rolled_back_events_are_not_sent() -> None:
    night = tournament_with(4)
    new_webhook(night.club)
    round_ = running_round(night)
    events = kinds(night.club)
    with transaction.atomic():
        play_round(round_)
        assert kinds(night.club) != events
        transaction.set_rollback(True)
    assert kinds(night.club) == events


def test_events_without_a_subscriber_are_not_stored() -> None:
    night = tournament_with(4)
    hook = new_webhook(night.club, events=["round.seated"])
    disabled_hook = new_webhook(night.club)
    disabled_hook.off_at = NOW
    disabled_hook.save()
    new_webhook(tournament_with(4).club)
    play_round(running_round(night))
    assert kinds(night.club) == ["round.seated"]
    assert (hook.deliveries.count(), disabled_hook.deliveries.count()) == (1, 0)
    assert HookEvent.objects.count() == 1


def test_unfinished_match_that_counts_is_sent_once() -> None:
    night = tournament_with(4, unfinished="as_it_stands")
    new_webhook(night.club, events=["match.finished"])
    round_ = running_round(night)
    match = round_.tables.get().match
    assert match is not None
    enter_points(match, [20, 12, 5, 1])
    rounds.close(round_id=round_.pk, now=NOW, override="late")
    assert kinds(night.club) == ["match.finished"]
    match.refresh_from_db()
    enter_points(match, [20, 12, 5, 1])
    assert kinds(night.club) == ["match.finished"]


@pytest.mark.parametrize("quorum", ["one", "all"])
def test_result_confirmed_event_is_sent_once_at_quorum(quorum: str) -> None:
    night = tournament_with(4, quorum=quorum)
    new_webhook(night.club, events=["result.confirmed"])
    round_ = running_round(night)
    play_round(round_)
    table = round_.tables.get()
    director = CommandAuthor(name="Di")
    for _twice in range(2):
        now = timezone.now()
        results.confirm_table_as_director(table_id=table.pk, author=director, now=now)
    assert kinds(night.club) == ["result.confirmed"]


def test_director_call_is_sent_once_until_settled() -> None:
    night = tournament_with(4)
    new_webhook(night.club, events=["director.called"])
    table = running_round(night).tables.get()
    results.call_director(table_id=table.pk, now=NOW)
    results.dispute(table_id=table.pk, now=NOW)
    assert [event.content["disputed"] for event in night.club.hook_events.all()] == [
        False
    ]
    results.confirm_disputed_result_or_end_call(
        table_id=table.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    results.dispute(table_id=table.pk, now=NOW)
    assert night.club.hook_events.latest("pk").content["disputed"]


def test_unsent_standings_are_replaced_by_newer_ones() -> None:
    night = tournament_with(8)
    hook = new_webhook(night.club, events=["standings.changed"])
    round_ = running_round(night)
    for table in round_.tables.all():
        store_current_standings(tournament_id=night.pk, now=NOW)
        results.set_void(table_id=table.pk, void=True)
    play_round(round_)
    results.set_void(table_id=round_.tables.all()[0].pk, void=False)
    store_current_standings(tournament_id=night.pk, now=NOW)
    delivery = hook.deliveries.get()
    assert delivery.event == night.club.hook_events.latest("pk")


def test_unchanged_or_private_standings_are_not_sent() -> None:
    night = tournament_with(4)
    new_webhook(night.club, events=["standings.changed"])
    table = running_round(night).tables.get()
    store_current_standings(tournament_id=night.pk, now=NOW)
    count = night.club.hook_events.count()
    results.dispute(table_id=table.pk, now=NOW)
    store_current_standings(tournament_id=night.pk, now=NOW)
    assert night.club.hook_events.count() == count
    Tournament.objects.filter(pk=night.pk).update(standings_shown="finished")
    play_table(table, [20, 12, 5, 1])
    store_current_standings(tournament_id=night.pk, now=NOW)
    assert night.club.hook_events.count() == count
