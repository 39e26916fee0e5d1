"""The autopilot announces each step and does it once; people can pause or undo it."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.timezone import localtime

from scoring.competition import NextTableNotice
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    closed_round,
    director,
    enter_points,
    match_of,
    own_phone,
    play_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import autopilot, entries, rounds
from tournaments.event import draw as drawing
from tournaments.event.autopilot import AutopilotObstacle, WaitReason, pending_step
from tournaments.event.draw import draw
from tournaments.event.next_seat import build_next_table_notice
from tournaments.event.results import draw_missing_lots
from tournaments.event.rights import OwnPlaces
from tournaments.models import AutoStep, Entry, Place, Round, Table, Tournament, User
from tournaments.tasks import run_autopilot_nights_and_notify_desks

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = timedelta(minutes=1)


class Night:
    def __init__(self, players: int = 8, **settings: Any) -> None:
        defaults = {"autopilot": "run", "rounds_planned": 2, "quorum": "none"}
        self.tournament: Tournament = tournament_with(
            players, starts_at=NOW, **{**defaults, **settings}
        )
        self.now: datetime = NOW

    def run(self, minutes: float = 0) -> AutoStep | None:
        """Return the step announced after so many minutes.

        The autopilot runs every five seconds, in a longer wait every half minute.
        """
        end = self.now + minutes * MINUTE
        interval = timedelta(seconds=5 if minutes <= 5 else 30)
        step = autopilot.run_autopilot(tournament_id=self.tournament.pk, now=self.now)
        while self.now < end:
            self.now += interval
            step = autopilot.run_autopilot(
                tournament_id=self.tournament.pk, now=self.now
            )
        return step

    def round(self, number: int) -> Round:
        return self.tournament.rounds.get(number=number)

    @property
    def match(self) -> Match:
        match = self.round(1).tables.get().match
        assert match is not None
        return match

    def waits_for(self) -> WaitReason | None:
        self.tournament.refresh_from_db()
        step = pending_step(self.tournament)
        return step if isinstance(step, WaitReason) else None

    @property
    def completed_steps(self) -> list[str]:
        done_steps = self.tournament.auto_steps.filter(state="done").order_by(
            "done_at", "pk"
        )
        return [f"{step.kind} {step.number}" for step in done_steps]


def announced_step(night: Night) -> tuple[str, int, float]:
    """Return the kind, the round and the minutes until the announced step."""
    step = night.run()
    assert step is not None
    return step.kind, step.number, (step.due_at - night.now) / MINUTE


def check_in(night: Night, *names: str) -> list[Entry]:
    result = entries.add_entries(
        tournament_id=night.tournament.pk,
        names=names,
        now=night.now,
        state=Entry.State.PRESENT,
    )
    return list(result.entries)


@pytest.fixture
def user() -> User:
    new_user: User = UserFactory.create()
    return new_user


def test_autopilot_runs_a_night_from_seating_to_finish() -> None:
    night = Night()
    assert announced_step(night) == ("seat", 1, 1)
    night.run(1)
    assert night.round(1).state == "published"
    assert announced_step(night) == ("start", 1, 2)
    for number in (1, 2):
        night.run(4)
        play_round(night.round(number))
        assert announced_step(night) == ("close", number, 1)
        night.run(2)
    night.run(4)
    night.tournament.refresh_from_db()
    assert night.tournament.phase == "finished"
    assert night.completed_steps == [
        *("seat 1", "start 1", "close 1"),
        *("seat 2", "start 2", "close 2", "finish 2"),
    ]


def test_table_plays_without_leavers_until_too_small_then_is_redrawn() -> None:
    night = Night(8)
    night.run(1)
    table = night.round(1).tables.order_by("number")[0]
    first, second = table.places.order_by("index")[:2]
    entries.apply_own_report(entry_id=second.entry_id, verb="leave", now=night.now)
    night.run()
    table.refresh_from_db()
    seats = match_of(table).seats.order_by("index").values_list("name", flat=True)
    names = table.places.order_by("index").values_list("entry__name", flat=True)
    assert len(names) == 3
    assert list(seats) == list(names)
    entries.apply_own_report(entry_id=first.entry_id, verb="leave", now=night.now)
    assert announced_step(night) == ("seat", 1, 1)
    night.run(1)
    assert night.round(1).places.count() == 6


def test_first_hand_starts_the_round_and_keeps_its_seats_when_a_player_leaves() -> None:
    night = Night(4)
    night.run(1)
    enter_points(night.match, [9, 5, 3, 1])
    leaver = night.round(1).places.get(index=0)
    entries.apply_own_report(entry_id=leaver.entry_id, verb="leave", now=night.now)
    night.run()
    assert night.round(1).state == "running"
    assert night.completed_steps == ["seat 1", "start 1"]
    assert night.round(1).places.count() == 4


def test_late_player_keeps_the_seat_and_the_table_is_notified() -> None:
    night = Night(4)
    night.run(1)
    late_place, other_place = night.round(1).places.order_by("index")[:2]
    phone, neighbour = own_phone(late_place.entry), own_phone(other_place.entry)
    table_url, live_url, own_url = (
        at("table", night.tournament, 1, 1),
        at("table_live", night.tournament, 1, 1),
        at("me", night.tournament),
    )
    version = text(neighbour, table_url).split("/live/?v=")[1].split('"')[0]
    phone.post(at("me_action", night.tournament, "late"))
    assert night.round(1).tables.get().extra_minutes == 5
    assert f"Running late: {late_place.name}" in text(neighbour, own_url)
    desk = text(director(night.tournament), at("desk", night.tournament))
    assert f"waiting for {late_place.name}" in desk
    notice = f"{late_place.name} is running late. The table is waiting."
    assert notice in text(neighbour, night.match.get_absolute_url())
    assert notice in text(neighbour, f"{live_url}?v={version}")
    phone.post(at("me_action", night.tournament, "here"))
    assert "Running late" not in text(neighbour, own_url)
    assert notice not in text(neighbour, table_url)
    neighbour.post(at("me_action", night.tournament, "late"))
    assert f"{other_place.name} is running late" in text(phone, table_url)
    enter_points(night.match, [9, 5, 3, 1])
    assert "running late" not in text(phone, table_url)


def test_newcomer_in_the_countdown_gets_a_free_seat() -> None:
    night = Night(7, most_size=4)
    night.run(1)
    before = set(night.round(1).places.values_list("entry", "table"))
    (zoe,) = check_in(night, "Zoe")
    night.run()
    after = set(night.round(1).places.values_list("entry", "table"))
    ((entry_id, table_id),) = after - before
    assert before < after
    assert entry_id == zoe.pk
    table = night.round(1).tables.get(pk=table_id)
    assert table.places.count() == 4
    assert match_of(table).seats.get(index=3).name == "Zoe"
    check_in(night, "Xena")
    night.run()
    assert night.round(1).places.count() == 8
    enter_points(match_of(night.round(1).tables.get(number=1)), [9, 5, 3, 1])
    Tournament.objects.update(most_size=5)
    check_in(night, "Yul", "Xi")
    night.run()
    sizes = [table.places.count() for table in night.round(1).tables.order_by("number")]
    assert sizes == [4, 5]


def test_autopilot_calls_the_last_hand_and_closes_finished_rounds() -> None:
    night = Night(autopilot="off", minutes=20)
    assert night.run(10) is None
    Tournament.objects.update(autopilot="help")
    assert night.run(10) is None
    draw(tournament_id=night.tournament.pk)
    rounds.publish(round_id=night.round(1).pk)
    assert night.run(5) is None
    rounds.start(round_id=night.round(1).pk, now=night.now)
    assert announced_step(night) == ("last_hand", 1, 15)
    night.run(15)
    assert night.round(1).last_hand_at is not None
    play_round(night.round(1))
    night.run(2)
    assert night.completed_steps == ["last_hand 1", "close 1"]


def test_round_is_not_seated_early_or_with_too_few_players() -> None:
    night = Night(2)
    assert night.run(5) is None
    assert night.waits_for() == WaitReason(AutopilotObstacle.PEOPLE)
    check_in(night, "Cy", "Di")
    Tournament.objects.update(starts_at=night.now + 10 * MINUTE)
    assert announced_step(night) == ("seat", 1, 10)
    Tournament.objects.update(listing="draft")
    assert night.waits_for() == WaitReason(AutopilotObstacle.LISTING)


def test_round_is_redrawn_for_present_players_when_seats_are_shown() -> None:
    night = Night(9)
    draw(tournament_id=night.tournament.pk)
    night.run()
    client, desk_url = director(night.tournament), at("desk", night.tournament)
    redraw_notice = "Seats will be redrawn"
    assert redraw_notice not in text(client, desk_url)
    leaver = night.tournament.entries.get(number=1)
    entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
    (newcomer,) = check_in(night, "Zoe")
    page = text(client, desk_url)
    assert redraw_notice in page
    assert "Zoe is here but has no seat" not in page
    assert "has left but still has a seat" not in page
    Tournament.objects.update(autopilot="help")
    page = text(client, desk_url)
    assert "Zoe is here but has no seat" in page
    assert "has left but still has a seat" in page
    Tournament.objects.update(autopilot="run")
    night.run(1)
    seated_ids = set(night.round(1).places.values_list("entry", flat=True))
    assert newcomer.pk in seated_ids
    assert leaver.pk not in seated_ids


def test_lagging_table_counts_unfinished_only_if_the_club_allows_it() -> None:
    for counts_late in (False, True):
        night = Night(
            4, minutes=20, grace=10, rounds_planned=1, counts_late=counts_late
        )
        night.run(4)
        enter_points(night.match, [9, 5, 3, 1])
        night.run(28)
        assert night.round(1).state == "running"
        night.run(3)
        assert night.round(1).state == ("closed" if counts_late else "running")
        if not counts_late:
            assert night.waits_for() == WaitReason(AutopilotObstacle.TABLES, (1,))


def test_extra_time_for_a_table_delays_the_announced_step() -> None:
    night = Night(4, minutes=20, counts_late=True)
    night.run(4)
    kind, _number, minutes = announced_step(night)
    assert kind == "last_hand"
    rounds.give_five_more_minutes(table_id=night.round(1).tables.get().pk)
    assert announced_step(night) == ("last_hand", 1, minutes + 5)


@pytest.mark.parametrize("moment", ["running", "between"])
def test_dispute_waits_for_a_person(moment: str) -> None:
    night = Night(4, format="swiss")
    night.run(4)
    table = night.round(1).tables.get()
    play_round(night.round(1))
    if moment == "between":
        night.run(1)
        assert night.round(1).state == "closed"
    table.disputed = True
    table.save()
    assert night.run(30) is None
    assert night.waits_for() == WaitReason(AutopilotObstacle.SETTLING, (1,))
    table.disputed = False
    table.save()
    assert night.run() is not None


def test_paused_or_undone_step_waits_for_a_person() -> None:
    night = Night()
    step = night.run()
    assert step is not None
    phone = own_phone(night.tournament.entries.get(number=1))
    page = text(phone, at("me", night.tournament))
    assert f'data-ends-at="{localtime(step.due_at).isoformat()}"' in page
    client, desk_url = director(night.tournament), at("desk", night.tournament)
    page = text(client, desk_url)
    assert "Round 1: seating appears in" in page
    version = page.split("desk/live/?v=")[1].split('"')[0]
    live_url = at("desk_live", night.tournament)
    assert client.get(live_url, {"v": version}).status_code == 204

    def act(step: AutoStep, verb: str) -> str:
        return submit(client, at("auto_step_action", night.tournament, step.pk, verb))

    assert "Round 1: the seating stays hidden until you publish it." in act(
        step, "hold"
    )
    assert client.get(live_url, {"v": version}).status_code == 200
    night.run(30)
    assert not night.tournament.rounds.exists()
    message = act(step, "now")
    assert "Round 1: seating published" in message
    assert "Round 1 starts in" in message
    assert night.round(1).state == "published"
    with pytest.raises(RefusedError, match="already done or no longer needed"):
        autopilot.hold_step(step_id=step.pk, user=UserFactory.create())
    assert "Round 1: seating published, undone" in act(step, "undo")
    assert not Round.objects.exists()
    night.run(30)
    assert not night.tournament.rounds.filter(state="published").exists()
    paused_step = night.run()
    assert paused_step is not None
    act(paused_step, "now")
    assert night.round(1).state == "published"


def test_automatically_closed_round_can_be_reopened(user: User) -> None:
    night = Night(4, minutes=20, counts_late=True, grace=5)
    night.run(4)
    enter_points(night.match, [9, 5, 3, 1])
    night.run(24.5)
    assert night.round(1).state == "closed"
    closing_step = night.tournament.auto_steps.done_or_undone()[0]
    autopilot.undo_step_and_hold_next(step_id=closing_step.pk, user=user, now=night.now)
    assert night.round(1).state == "running"
    assert not night.match.has_counting_result
    assert not night.match.hands.exists()
    for _hand in range(3):
        enter_points(night.match, [9, 5, 3, 1])
    assert night.match.hands.exists()


def test_step_is_announced_again_after_an_idle_hour_and_runs_once() -> None:
    night = Night()
    night.run()
    night.now += 60 * MINUTE
    assert announced_step(night) == ("seat", 1, 1)
    night.run(1)
    assert night.completed_steps == ["seat 1"]


def test_refused_step_waits_for_a_person_with_its_reason(user: User) -> None:
    night = Night(5, format="round_robin", table_size=4, least_size=4, most_size=4)
    night.run(2)
    step = night.tournament.auto_steps.held_or_announced().get()
    assert step.state == "held"
    assert step.refused
    with pytest.raises(RefusedError, match=step.refused[:20]):
        autopilot.do_step_now(step_id=step.pk, user=user, now=night.now)


def test_lagging_table_is_warned_twice_before_it_counts() -> None:
    night = Night(4, minutes=20, grace=10, counts_late=True)
    night.now = timezone.now() - 21 * MINUTE
    Tournament.objects.update(starts_at=night.now - 3 * MINUTE)
    night.run(3)
    sheet_url = night.match.get_absolute_url()
    assert "count as they are" not in text(Client(), sheet_url)
    night.run(16)
    phone, own_url = (
        own_phone(night.tournament.entries.get(number=1)),
        at("me", night.tournament),
    )
    assert "If you’re still playing at" in text(Client(), sheet_url)
    page = text(phone, own_url)
    assert "If you’re still playing at" in page
    ends_at = timezone.now() + timedelta(seconds=1)
    Round.objects.update(ends_at=ends_at)
    version = text(phone, own_url).split("me/live/?v=")[1].split('"')[0]
    # The open page says so as soon as time is over, even if nothing else changes.
    live_url = at("me_live", night.tournament)
    while (response := phone.get(live_url, {"v": version})).status_code == 204:
        assert timezone.now() < ends_at + MINUTE
    assert timezone.now() > ends_at
    for page in (response.content.decode(), text(Client(), sheet_url)):
        assert "Time’s up. At" in page


def test_worker_runs_each_night_even_if_another_fails() -> None:
    broken, night = Night(format="round_robin"), Night()
    Tournament.objects.update(starts_at=timezone.now() - MINUTE)
    Tournament.objects.filter(pk=broken.tournament.pk).update(game="none")
    for _twice in range(2):
        assert run_autopilot_nights_and_notify_desks() == 2
    assert night.tournament.auto_steps.held_or_announced().count() == 1
    old_night = Night()
    Tournament.objects.filter(pk=old_night.tournament.pk).update(
        starts_at=timezone.now() - timedelta(days=7)
    )
    assert run_autopilot_nights_and_notify_desks() == 2


def next_table_notice(table: Table, own_place: Place | None = None) -> NextTableNotice:
    table.refresh_from_db()
    notice = build_next_table_notice(table, OwnPlaces([own_place] if own_place else []))
    assert notice is not None
    return notice


def time_of_next_step(night: Night) -> str:
    step = night.run()
    assert step is not None
    return time_format(localtime(step.due_at), "TIME_FORMAT")


def places_by_entry(night: Night, number: int) -> dict[int, Place]:
    round_places = night.round(number).places.select_related("table__round", "entry")
    return {place.entry_id: place for place in round_places}


def test_players_see_time_table_and_seat_of_the_next_round() -> None:
    night = Night(8, rounds_planned=2)
    night.run(4)
    play_round(night.round(1))
    before = places_by_entry(night, 1)
    own_place = next(iter(before.values()))
    night.run(1.2)
    seated_at = time_of_next_step(night)
    assert (
        next_table_notice(own_place.table, own_place).sentence
        == f"Round 2: seats appear at {seated_at}."
    )
    night.run(1)
    starts_at = time_of_next_step(night)
    next_place = places_by_entry(night, 2)[own_place.entry_id]
    seat = f"table {next_place.table.number}, seat {next_place.index + 1}."
    assert next_table_notice(own_place.table, own_place).sentence == (
        f"Round 2 at {starts_at}: you’re at {seat}"
    )
    public_notice = next_table_notice(own_place.table)
    assert public_notice.sentence == f"Round 2 at {starts_at}: who sits where"
    assert len(public_notice.seats) == 4


def test_final_is_named_and_eliminated_players_are_notified() -> None:
    night = Night(8, rounds_planned=1, final_size=4)
    night.run(4)
    play_round(night.round(1))
    before = places_by_entry(night, 1)
    night.run(1.2)
    seated_at = time_of_next_step(night)
    first = next(iter(before.values()))
    assert next_table_notice(first.table, first).sentence == (
        f"Seats for the final appear at {seated_at}."
    )
    night.run(1)
    starts_at = time_of_next_step(night)
    final_places = places_by_entry(night, 2)
    for entry, place in before.items():
        sentence = next_table_notice(place.table, place).sentence
        if entry in final_places:
            seat = f"seat {final_places[entry].index + 1}."
            assert sentence == f"The final at {starts_at}: you’re at table 1, {seat}"
        else:
            assert sentence == "The final is only for players who advanced."


def test_closed_final_is_no_longer_announced() -> None:
    tournament = tournament_with(8, rounds_planned=1, final_size=4)
    first = closed_round(tournament)
    before = list(first.places.select_related("table__round__tournament", "entry"))
    sentence = "Round 1 is over. The next step will appear here."
    assert {next_table_notice(place.table, place).sentence for place in before} == {
        sentence
    }
    draw_missing_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    final = closed_round(tournament).tables.get()
    for place in before:
        for notice in (
            next_table_notice(place.table, place),
            next_table_notice(place.table),
            next_table_notice(final),
        ):
            assert notice.sentence == "The final is over. The final standings follow."
            assert not notice.seats
