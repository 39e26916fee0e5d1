"""The desk lists what needs the director's attention, with links."""

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
from scoring.queue import SWEPT, record_sweep_time
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


def attention_items(client: Client, tournament: Tournament) -> list[tuple[str, str]]:
    desk = client.get(at("desk", tournament)).context["desk"]
    return [(item.kind, item.message) for item in desk.attention]


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
    (round_, *_more) = drawing.draw(tournament_id=tournament.pk)
    if verb == "start":
        round_ = rounds.publish(round_id=round_.pk)
    assert attention_items(client, tournament) == []
    leaver = tournament.entries.get(number=1)
    entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
    entries.add_entries(
        tournament_id=tournament.pk,
        names=["Late Lea"],
        state=Entry.State.PRESENT,
        now=timezone.now(),
    )
    table = Table.objects.get(places__entry=leaver, round=round_)
    sentences = [
        f"{leaver.name} has left but still has a seat at table {table.number} (Round 1).",
        "Late Lea is here but has no seat (Round 1).",
    ]
    assert [
        message for _kind, message in attention_items(client, tournament)
    ] == sentences
    state_before, url = round_.state, at("round_action", tournament, 1, verb)
    confirmation = submit(client, url)
    assert question in confirmation
    assert sentences[0] in confirmation
    round_.refresh_from_db()
    assert round_.state == state_before
    submit(client, url, sure="1")
    round_.refresh_from_db()
    assert round_.state == state


def test_hand_with_two_versions_comes_first_at_the_desk_and_on_its_tile() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    round_ = running_round(tournament)
    first, second = round_.tables.order_by("number")
    Table.objects.filter(pk=first.pk).update(disputed=True)
    play_table(second, [20, 12, 5, 1])
    last = match_of(second).hands_played
    # As a second phone would send it.
    second_version: dict[str, Any] = {
        "raw": {"points": [1, 2, 3, 4]},
        "author": author(),
    }
    enter_hand(match_id=match_of(second).pk, key=uuid4(), number=last, **second_version)
    message = f"Table 2: hand {last} has two versions."
    assert attention_items(client, tournament) == [
        ("undecided", message),
        ("disputed", "Table 1 disputes its result."),
    ]
    response = client.get(at("desk", tournament))
    page, desk = response.content.decode(), response.context["desk"]
    alert = page.split('class="alert-undecided"')[1].split("</li>")[0]
    tile = page.split("state-undecided")[1].split("</li>\n")[0]
    assert f"two versions of hand {last}" in tile
    hand_url = reverse("scoring:hand", args=[match_of(second).address, last])
    assert f'href="{hand_url}"' in alert
    assert page.count(f'href="{hand_url}"') == 2
    assert [(line.tables, line.description) for line in desk.round_blockers] == [
        ("Table 1", "to settle"),
        ("Table 2", "two versions of a hand"),
    ]
    assert desk.table_counts_in_words == "2 tables · 0 playing · 0 done"
    assert message in rounds.closing_obstacles(round_)
    rounds.close(round_id=round_.pk, now=timezone.now(), override="It was late.")
    running_round(tournament)
    assert attention_items(client, tournament)[0] == (
        "undecided",
        f"Round 1, table 2: hand {last} has two versions.",
    )
    hand_page = client.get(hand_url).content.decode()
    base_match = re.search(r'name="base" value="(\d+)"', hand_page)
    assert base_match
    form_data = {"kind": "keep", "base": base_match[1], "key": str(uuid4())}
    client.post(f"{hand_url}choose/", form_data)
    assert "undecided" not in dict(attention_items(client, tournament))


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
    # Further requests don't reset the waiting time.
    request_standings(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.asked_at is not None
    assert tournament.asked_at > long_ago
    [(kind, message)] = attention_items(client, tournament)
    assert kind == "silent"
    assert "for 3 minutes" in message
    settings.CELERY_TASK_ALWAYS_EAGER = True
    assert attention_items(client, tournament) == []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    assert "Standings updated." in submit(client, at("count_standings", tournament))
    assert tournament.standings.exists()
    assert attention_items(client, tournament) == []


def correct_first_hand(match: Match, points: list[int]) -> None:
    """Correct the first hand of a match, as any phone can."""
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
    round_ = closed_round(tournament, now=timezone.now())
    assert attention_items(client, tournament) == []
    table = round_.tables.select_related("match").get(number=2)
    correct_first_hand(match_of(table), [19, 13, 5, 1])
    message = "Round 1, table 2 was changed after the round closed."
    assert attention_items(client, tournament) == [("changed", message)]
    assert "Dismiss" in text(client, at("desk", tournament))
    client.post(at("desk_table_action", tournament, 1, 2, "seen"))
    assert attention_items(client, tournament) == []
    correct_first_hand(match_of(table), [20, 12, 5, 1])
    assert attention_items(client, tournament) == [("changed", message)]


FINAL = {"rounds_planned": 1, "final_size": 4, "points": "raw"}
KNOCKOUT = {"format": "knockout", "advance": 1, "least_size": 2}


@pytest.mark.parametrize(
    ("settings", "is_dropped", "is_restored"),
    [
        (FINAL, False, False),
        (KNOCKOUT, False, False),
        (FINAL, True, False),
        (FINAL, True, True),
    ],
    ids=["final", "knockout", "left after the draw", "draw put back"],
)
def test_names_finalists_by_corrected_results(
    settings: dict[str, Any], *, is_dropped: bool, is_restored: bool
) -> None:
    tournament = tournament_with(8, **settings)
    client = director(tournament)
    round_ = closed_round(tournament, now=timezone.now())
    if tournament.final_size:
        drawing.freeze_and_cut_to_final(
            tournament_id=tournament.pk, size=4, now=timezone.now()
        )
    else:
        drawing.draw(tournament_id=tournament.pk)
    table = round_.tables.select_related("match").get(number=1)
    last = table.places.get(index=3).entry
    correct_first_hand(match_of(table), [0, 12, 5, 90])
    if is_dropped:
        entries.set_state(entry_id=last.pk, state=Entry.State.DROPPED)
    if is_restored:
        rounds.withdraw_rounds(round_id=tournament.rounds.latest("number").pk)
        drawing.restore_draws(tournament_id=tournament.pk)
    (kind, message), *_others = attention_items(client, tournament)
    assert kind == "unsettled"
    sentence = f"Final: after the latest changes, {last.name} should play instead of"
    assert sentence in message


def test_earlier_rounds_with_unconfirmed_results_are_listed() -> None:
    tournament = tournament_with(8, rounds_planned=2, quorum="one")
    client = director(tournament)
    closed_round(tournament, now=timezone.now(), override="late")
    running_round(tournament)
    message = "Round 1: tables 1, 2 haven’t confirmed their results."
    assert ("unconfirmed", message) in attention_items(client, tournament)
    client.post(at("desk_table_action", tournament, 1, 1, "agree"))
    (item,) = attention_items(client, tournament)
    assert item[1] == "Round 1: table 2 hasn’t confirmed its result."


def void_first_hand(match: Match) -> None:
    void_hand(match_id=match.pk, number=1, author=author())


CHANGED_MESSAGE = "Round 1, table 2 was changed after the round closed."


@pytest.mark.parametrize(
    ("change", "hands", "message"),
    [
        (
            lambda match: enter_points(match, [9, 5, 3, 1]),
            1,
            "Round 1, table 2: a late hand came in.",
        ),
        (lambda match: correct_first_hand(match, [8, 5, 3, 1]), 1, CHANGED_MESSAGE),
        (void_first_hand, 1, CHANGED_MESSAGE),
        # Voiding a hand reopens a finished match.
        (void_first_hand, 4, "Round 1, table 2 is open again."),
    ],
)
def test_change_in_a_closed_round_is_described(
    change: Callable[[Match], None], hands: int, message: str
) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    round_ = running_round(tournament)
    first, second = round_.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    for _hand in range(hands):
        enter_points(match_of(second), [9, 5, 3, 1])
    rounds.close(round_id=round_.pk, now=timezone.now(), override="it is late")
    running_round(tournament)
    assert [kind for kind, _message in attention_items(client, tournament)] == []
    change(match_of(second))
    assert ("reopened", message) in attention_items(client, tournament)


def test_calls_and_held_hands_of_earlier_rounds_are_listed_and_settled() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    round_ = closed_round(tournament, now=timezone.now())
    running_round(tournament)
    first, second = round_.tables.order_by("number")
    results.dispute(table_id=second.pk, now=timezone.now())
    results.call_director(table_id=first.pk, now=timezone.now())
    Match.objects.filter(table=first).update(kept={"a": 1})
    assert attention_items(client, tournament) == [
        ("disputed", "Round 1, table 2 disputes its result."),
        ("called", "Round 1, table 1 is calling you."),
        ("kept", "Round 1, table 1: 1 entry is still on a phone."),
    ]
    page = text(client, at("desk", tournament))
    assert 'data-call-count="2"' in page
    alerts = page.partition('class="alert-list"')[2].partition("</ul>")[0]
    for number in (1, 2):
        assert at("desk_table_action", tournament, 1, number, "settle") in alerts
    client.post(at("desk_table_action", tournament, 1, 2, "settle"))
    assert "disputed" not in dict(attention_items(client, tournament))


def test_backup_older_than_two_days_is_reported(settings: Any, tmp_path: Path) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    assert attention_items(client, tournament) == []
    settings.BACKUP_FOLDER = str(tmp_path)
    (item,) = attention_items(client, tournament)
    assert item == (
        "backup",
        "This server has no backup yet. Tell the person who runs it.",
    )
    backup_time = timezone.now() - timedelta(days=2, minutes=1)
    (tmp_path / file_name(backup_time)).touch()
    caches["drawn"].clear()
    ((_kind, message),) = attention_items(client, tournament)
    day = date_format(timezone.localtime(backup_time), "DATE_FORMAT")
    assert (
        message
        == f"The last backup was on {day}. Tell the person who runs this server."
    )
    (tmp_path / file_name(timezone.now())).touch()
    caches["drawn"].clear()
    assert attention_items(client, tournament) == []


def test_director_confirms_all_waiting_tables_at_once() -> None:
    tournament = tournament_with(12, quorum="all", writing="open")
    client = director(tournament)
    round_ = running_round(tournament)
    first, second, third = round_.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    play_table(second, [20, 12, 5, 1])
    assert "agreeing" not in {
        kind for kind, _message in attention_items(client, tournament)
    }
    play_table(third, [20, 12, 5, 1])
    results.dispute(table_id=third.pk, now=timezone.now())
    message = "Everyone has finished. Tables 1, 2 haven’t confirmed yet."
    assert ("agreeing", message) in attention_items(client, tournament)
    url = at("round_action", tournament, 1, "agree")
    question = submit(client, url)
    assert "Table 1: " in question
    assert "Table 3: " not in question
    page = submit(client, url, sure="1")
    assert "You confirmed the results of tables 1, 2." in page
    seats = Seat.objects.filter(match__table__round=round_)
    sources = seats.exclude(match__table=third).values_list("confirmed_by", flat=True)
    assert set(sources) == {"director"}
    assert not seats.filter(match__table=third, confirmed_at__isnull=False).exists()
    assert "agreeing" not in {
        kind for kind, _message in attention_items(client, tournament)
    }


def test_automatic_night_reports_missing_worker_without_pending_standings(
    settings: Any,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    automatic_night, other_night = (
        tournament_with(4, autopilot="run"),
        tournament_with(4),
    )
    record_sweep_time()
    assert attention_items(director(automatic_night), automatic_night) == []
    four_minutes_ago = time.time() - 4 * 60
    cache.set(SWEPT, four_minutes_ago, timeout=None)
    [(kind, message)] = attention_items(director(automatic_night), automatic_night)
    assert kind == "silent"
    assert "The worker hasn’t responded for 4 minutes" in message
    assert attention_items(director(other_night), other_night) == []
