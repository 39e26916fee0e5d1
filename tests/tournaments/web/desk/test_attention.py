"""The desk is never silent: what wants the director stands above it, with the way to it."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache, caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from backups.archive import file_name
from scoring.models import Match, Seat
from scoring.queue import SWEPT, note_sweep
from tests.factories import author
from tests.factories.commands import correct_hand, enter_hand, void_hand
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.models import Entry, Table, Tournament
from tournaments.tasks import request_standings

pytestmark = pytest.mark.django_db


def wants(client: Client, tournament: Tournament) -> list[tuple[str, str]]:
    desk = client.get(at("desk", tournament)).context["desk"]
    return [(line.kind, line.message) for line in desk.attention]


@pytest.mark.parametrize(
    ("verb", "question", "state"),
    [
        ("publish", "Round 1: publish the seating as it is?", "published"),
        ("start", "Round 1: start with these seats?", "running"),
    ],
)
def test_names_leavers_and_unseated_players_before_a_round_starts(
    verb: str, question: str, state: str
) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    (one, *_more) = drawing.draw(tournament_id=tournament.pk)
    if verb == "start":
        one = rounds.publish(round_id=one.pk)
    assert wants(client, tournament) == []
    gone = tournament.entries.get(number=1)
    entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
    entries.add_entries(
        tournament_id=tournament.pk,
        names=["Late Lea"],
        state=Entry.State.PRESENT,
        now=timezone.now(),
    )
    table = Table.objects.get(places__entry=gone, round=one)
    sentences = [
        f"{gone.name} has left but still has a seat at table {table.number} (Round 1).",
        "Late Lea is here but has no seat (Round 1).",
    ]
    assert [words for _what, words in wants(client, tournament)] == sentences
    before, act = one.state, at("round_action", tournament, 1, verb)
    confirmation = submit(client, act)
    assert question in confirmation
    assert sentences[0] in confirmation
    one.refresh_from_db()
    assert one.state == before
    submit(client, act, sure="1")
    one.refresh_from_db()
    assert one.state == state


def test_hand_with_two_versions_comes_first_at_the_desk_and_on_its_tile() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    one = running_round(tournament)
    first, second = one.tables.order_by("number")
    Table.objects.filter(pk=first.pk).update(disputed=True)
    play_table(second, [20, 12, 5, 1])
    last = match_of(second).hands_played
    # As a second phone would.
    other: dict[str, Any] = {"raw": {"points": [1, 2, 3, 4]}, "author": author()}
    enter_hand(match_id=match_of(second).pk, key=uuid4(), number=last, **other)
    words = f"Table 2: hand {last} has two versions."
    assert wants(client, tournament) == [
        ("undecided", words),
        ("disputed", "Table 1 disputes its result."),
    ]
    answer = client.get(at("desk", tournament))
    page, desk = answer.content.decode(), answer.context["desk"]
    strip = page.split('class="alert-undecided"')[1].split("</li>")[0]
    tile = page.split("state-undecided")[1].split("</li>\n")[0]
    assert f"two versions of hand {last}" in tile
    hand = reverse("scoring:hand", args=[match_of(second).address, last])
    assert f'href="{hand}"' in strip
    assert page.count(f'href="{hand}"') == 2
    assert [(line.tables, line.description) for line in desk.round_blockers] == [
        ("Table 1", "to settle"),
        ("Table 2", "with two versions of a hand"),
    ]
    assert desk.table_counts == "2 tables · 0 playing · 0 done"
    assert words in rounds.closing_obstacles(one)
    rounds.close(round_id=one.pk, now=timezone.now(), override="It was late.")
    running_round(tournament)
    assert wants(client, tournament)[0] == (
        "undecided",
        f"Round 1, table 2: hand {last} has two versions.",
    )
    shown = client.get(hand).content.decode()
    base = re.search(r'name="base" value="(\d+)"', shown)
    assert base
    keep = {"kind": "keep", "base": base[1], "key": str(uuid4())}
    client.post(f"{hand}choose/", keep)
    assert "undecided" not in dict(wants(client, tournament))


def test_silent_worker_is_reported_until_the_desk_updates_standings(
    settings: Any,
) -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    long_ago = timezone.now() - timedelta(minutes=3)
    request_standings(tournament.pk)
    Tournament.objects.filter(pk=tournament.pk).update(
        waiting_since=long_ago, asked_at=long_ago
    )
    # However often tables ask, they have waited since then.
    request_standings(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.asked_at is not None
    assert tournament.asked_at > long_ago
    [(what, words)] = wants(client, tournament)
    assert what == "silent"
    assert "for 3 minutes" in words
    settings.CELERY_TASK_ALWAYS_EAGER = True
    assert wants(client, tournament) == []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    assert "Standings updated." in submit(client, at("count_standings", tournament))
    assert tournament.standings.exists()
    assert wants(client, tournament) == []


def correct(match: Match, points: list[int]) -> None:
    """Correct the first hand of a match, as any phone may."""
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"points": points},
        author=author(now=timezone.now()),
    )


def test_table_changed_in_a_closed_round_is_listed_until_seen() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    assert wants(client, tournament) == []
    table = one.tables.select_related("match").get(number=2)
    correct(match_of(table), [19, 13, 5, 1])
    words = "Round 1, table 2 was changed after the round closed."
    assert wants(client, tournament) == [("changed", words)]
    assert "Dismiss" in text(client, at("desk", tournament))
    client.post(at("desk_table_action", tournament, 1, 2, "seen"))
    assert wants(client, tournament) == []
    correct(match_of(table), [20, 12, 5, 1])
    assert wants(client, tournament) == [("changed", words)]


FINAL = {"rounds_planned": 1, "final_size": 4, "points": "raw"}
KNOCKOUT = {"format": "knockout", "advance": 1, "least_size": 2}


@pytest.mark.parametrize(
    ("settings", "leaves", "is_restored"),
    [
        (FINAL, False, False),
        (KNOCKOUT, False, False),
        (FINAL, True, False),
        (FINAL, True, True),
    ],
    ids=["final", "knockout", "left after the draw", "draw put back"],
)
def test_names_finalists_by_corrected_results(
    settings: dict[str, Any], *, leaves: bool, is_restored: bool
) -> None:
    tournament = tournament_with(8, **settings)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    if tournament.final_size:
        drawing.cut_to_final(tournament_id=tournament.pk, size=4, now=timezone.now())
    else:
        drawing.draw(tournament_id=tournament.pk)
    table = one.tables.select_related("match").get(number=1)
    last = table.places.get(index=3).entry
    correct(match_of(table), [0, 12, 5, 90])
    if leaves:
        entries.set_state(entry_id=last.pk, state=Entry.State.DROPPED)
    if is_restored:
        rounds.withdraw_rounds(round_id=tournament.rounds.latest("number").pk)
        drawing.restore_draws(tournament_id=tournament.pk)
    (what, words), *_others = wants(client, tournament)
    assert what == "unsettled"
    sentence = f"Final: after the latest changes, {last.name} would play instead of"
    assert sentence in words


def test_earlier_rounds_with_unconfirmed_results_are_listed() -> None:
    tournament = tournament_with(8, rounds_planned=2, quorum="one")
    client = director(tournament)
    closed_round(tournament, now=timezone.now(), override="late")
    running_round(tournament)
    words = "Round 1: tables 1, 2 haven’t confirmed their results."
    assert ("unconfirmed", words) in wants(client, tournament)
    client.post(at("desk_table_action", tournament, 1, 1, "agree"))
    (left,) = wants(client, tournament)
    assert left[1] == "Round 1: table 2 hasn’t confirmed its result."


def void_first(match: Match) -> None:
    void_hand(match_id=match.pk, number=1, author=author())


CHANGED = "Round 1, table 2 was changed after the round closed."


@pytest.mark.parametrize(
    ("change", "hands", "words"),
    [
        (
            lambda match: enter_points(match, [9, 5, 3, 1]),
            1,
            "Round 1, table 2: a late hand came in.",
        ),
        (lambda match: correct(match, [8, 5, 3, 1]), 1, CHANGED),
        (void_first, 1, CHANGED),
        # A match that was over is open once a hand of it is voided.
        (void_first, 4, "Round 1, table 2 is open again."),
    ],
)
def test_change_in_a_closed_round_is_described(
    change: Callable[[Match], None], hands: int, words: str
) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    one = running_round(tournament)
    first, second = one.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    for _hand in range(hands):
        enter_points(match_of(second), [9, 5, 3, 1])
    rounds.close(round_id=one.pk, now=timezone.now(), override="it is late")
    running_round(tournament)
    assert [what for what, _words in wants(client, tournament)] == []
    change(match_of(second))
    assert ("reopened", words) in wants(client, tournament)


def test_calls_and_held_hands_of_earlier_rounds_are_listed_and_settled() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    running_round(tournament)
    first, second = one.tables.order_by("number")
    results.dispute(table_id=second.pk, now=timezone.now())
    results.call_director(table_id=first.pk, now=timezone.now())
    Match.objects.filter(table=first).update(kept={"a": 1})
    assert wants(client, tournament) == [
        ("disputed", "Round 1, table 2 disputes its result."),
        ("called", "Round 1, table 1 is calling."),
        ("kept", "Round 1, table 1: 1 entry is still on a phone."),
    ]
    page = text(client, at("desk", tournament))
    assert 'data-call-count="2"' in page
    shown = page.partition('class="alert-list"')[2].partition("</ul>")[0]
    for number in (1, 2):
        assert at("desk_table_action", tournament, 1, number, "settle") in shown
    client.post(at("desk_table_action", tournament, 1, 2, "settle"))
    assert "disputed" not in dict(wants(client, tournament))


def test_backup_older_than_two_days_is_reported(settings: Any, tmp_path: Path) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    assert wants(client, tournament) == []
    settings.BACKUP_FOLDER = str(tmp_path)
    (line,) = wants(client, tournament)
    assert line == (
        "backup",
        "This server has no backup yet. Tell the person who runs it.",
    )
    old = timezone.now() - timedelta(days=2, minutes=1)
    (tmp_path / file_name(old)).touch()
    caches["drawn"].clear()
    ((_what, words),) = wants(client, tournament)
    day = date_format(timezone.localtime(old), "DATE_FORMAT")
    assert (
        words == f"The last backup was on {day}. Tell the person who runs this server."
    )
    (tmp_path / file_name(timezone.now())).touch()
    caches["drawn"].clear()
    assert wants(client, tournament) == []


def test_director_confirms_all_waiting_tables_at_once() -> None:
    tournament = tournament_with(12, quorum="all", writing="open")
    client = director(tournament)
    round_ = running_round(tournament)
    first, second, third = round_.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    play_table(second, [20, 12, 5, 1])
    assert "agreeing" not in {what for what, _words in wants(client, tournament)}
    play_table(third, [20, 12, 5, 1])
    results.dispute(table_id=third.pk, now=timezone.now())
    words = "Everyone has finished. Tables 1, 2 haven’t confirmed yet."
    assert ("agreeing", words) in wants(client, tournament)
    act = at("round_action", tournament, 1, "agree")
    question = submit(client, act)
    assert "Table 1: " in question
    assert "Table 3: " not in question
    done = submit(client, act, sure="1")
    assert "You confirmed the results of tables 1, 2." in done
    seats = Seat.objects.filter(match__table__round=round_)
    agreed = seats.exclude(match__table=third).values_list("confirmed_by", flat=True)
    assert set(agreed) == {"director"}
    assert not seats.filter(match__table=third, confirmed_at__isnull=False).exists()
    assert "agreeing" not in {what for what, _words in wants(client, tournament)}


def test_automatic_night_reports_missing_worker_without_pending_standings(
    settings: Any,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    night, other = tournament_with(4, autopilot="run"), tournament_with(4)
    note_sweep()
    assert wants(director(night), night) == []
    four_minutes_ago = time.time() - 4 * 60
    cache.set(SWEPT, four_minutes_ago, timeout=None)
    [(what, words)] = wants(director(night), night)
    assert what == "silent"
    assert "The worker hasn’t responded for 4 minutes" in words
    assert wants(director(other), other) == []
