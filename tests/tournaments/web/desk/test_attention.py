"""The desk is never silent: what wants the director stands above it, with the way to it."""

import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache, caches
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from backups.archive import file_name
from scoring.models import Match, Seat
from scoring.queue import SWEPT, note_sweep
from tests.factories import author
from tests.factories.commands import correct_hand
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.event.desk.overview import LATEST
from tournaments.event.leagues import begin_match
from tournaments.event.results import count_standings
from tournaments.models import Entry, Table, Tournament
from tournaments.tasks import ask_for_standings

pytestmark = pytest.mark.django_db


def wants(client: Client, tournament: Tournament) -> list[tuple[str, str]]:
    desk = client.get(at("desk", tournament)).context["desk"]
    return [(line.what, line.words) for line in desk.attention]


def test_who_left_and_who_came_without_a_seat_are_named_before_a_round_is_shown() -> (
    None
):
    tournament = tournament_with(8)
    client = director(tournament)
    (one, *_more) = drawing.draw(tournament_id=tournament.pk)
    assert wants(client, tournament) == []
    gone = tournament.entries.get(number=1)
    entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
    entries.enter(
        tournament_id=tournament.pk,
        names=["Late Lea"],
        state=Entry.State.PRESENT,
        now=timezone.now(),
    )
    table = Table.objects.get(places__entry=gone, round=one)
    said = [
        f"{gone.name} has left, and is seated at table {table.number} (Round 1).",
        "Late Lea is here and has no seat (Round 1).",
    ]
    assert [words for _what, words in wants(client, tournament)] == said
    asked = client.post(at("round_act", tournament, 1, "publish")).content.decode()
    assert "Round 1: publish the seating as it is?" in asked
    assert said[0] in asked
    one.refresh_from_db()
    assert one.state == "drawn"
    client.post(at("round_act", tournament, 1, "publish"), {"sure": "1"})
    one.refresh_from_db()
    assert one.state == "published"


def test_starting_a_round_says_who_left_and_who_has_no_seat_and_asks() -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    (one, *_more) = drawing.draw(tournament_id=tournament.pk)
    rounds.publish(round_id=one.pk)
    gone = tournament.entries.get(number=1)
    entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
    asked = client.post(at("round_act", tournament, 1, "start")).content.decode()
    assert "Round 1: start as it is seated?" in asked
    assert f"{gone.name} has left, and is seated at table" in asked
    one.refresh_from_db()
    assert one.state == "published"
    client.post(at("round_act", tournament, 1, "start"), {"sure": "1"})
    one.refresh_from_db()
    assert one.state == "running"


def test_a_round_is_not_published_before_the_one_in_front_of_it() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    drawing.draw(tournament_id=tournament.pk)
    second = at("round_act", tournament, 2, "publish")
    said = client.post(second, follow=True).content.decode()
    assert "Round 1 is not published yet; publish it first." in said
    assert not tournament.rounds.filter(state="published").exists()
    client.post(at("round_act", tournament, 1, "publish"))
    client.post(second)
    published = tournament.rounds.filter(state="published").order_by("number")
    assert list(published.values_list("number", flat=True)) == [1, 2]


def test_calls_and_disputes_come_first_and_are_counted_for_the_title() -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    one = running_round(tournament)
    tables = list(one.tables.order_by("number"))
    Table.objects.filter(pk=tables[0].pk).update(called_at=timezone.now())
    Table.objects.filter(pk=tables[1].pk).update(disputed=True)
    Match.objects.filter(table=tables[0]).update(kept={"a": 2})
    assert wants(client, tournament) == [
        ("disputed", "Table 2 does not agree on its result."),
        ("called", "Table 1 calls."),
        ("kept", "Phones at table 1 still hold 2 entries."),
    ]
    assert 'data-calls="2"' in text(client, at("desk", tournament))


def test_a_correction_that_opens_a_table_of_an_earlier_round_is_seen() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    running_round(tournament)
    assert wants(client, tournament) == []
    table = one.tables.select_related("match").get()
    for hand in range(1, match_of(table).version + 1):
        reason = {"reason": "mistyped", "confirm": "1", "key": str(uuid4())}
        client.post(f"{match_of(table).get_absolute_url()}hands/{hand}/void/", reason)
    assert ("reopened", "Round 1, table 1 is open again.") in wants(client, tournament)
    assert {entry.made_by for entry in match_of(table).log.filter(kind="void")} == {
        "the director"
    }


def test_a_worker_that_is_not_heard_of_is_told(settings: Any) -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    long_ago = timezone.now() - timedelta(minutes=3)
    Tournament.objects.filter(pk=tournament.pk).update(waiting_since=long_ago)
    settings.CELERY_TASK_ALWAYS_EAGER = True
    assert wants(client, tournament) == []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    [(what, words)] = wants(client, tournament)
    assert what == "silent"
    assert "since 3 minutes" in words
    tournament.standings.all().delete()
    said = client.post(at("count", tournament), follow=True).content.decode()
    assert "The standings are counted." in said
    assert tournament.standings.exists()
    assert wants(client, tournament) == []


def test_a_night_that_runs_itself_misses_its_worker_though_no_standings_wait(
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
    assert "last heard of 4 minutes ago" in words
    assert wants(director(other), other) == []


def test_a_worker_is_missed_however_often_tables_ask_for_standings(
    settings: Any,
) -> None:
    tournament = tournament_with(4)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    long_ago = timezone.now() - timedelta(minutes=3)
    ask_for_standings(tournament.pk)
    Tournament.objects.filter(pk=tournament.pk).update(
        waiting_since=long_ago, asked_at=long_ago
    )
    ask_for_standings(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.asked_at is not None
    assert tournament.asked_at > long_ago
    assert [what for what, _words in wants(director(tournament), tournament)] == [
        "silent"
    ]
    count_standings(tournament_id=tournament.pk, now=timezone.now())
    tournament.refresh_from_db()
    assert tournament.waiting_since is None


def correct(match: Match, points: list[int]) -> None:
    """Correct the first hand of a match, as any phone may."""
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"points": points},
        author=author(now=timezone.now()),
    )


def test_a_table_that_was_changed_after_its_round_was_closed_stays_named_until_seen() -> (
    None
):
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    assert wants(client, tournament) == []
    table = one.tables.select_related("match").get(number=2)
    correct(match_of(table), [19, 13, 5, 1])
    words = "Round 1, table 2: changed after the round was closed."
    assert wants(client, tournament) == [("changed", words)]
    assert "Seen" in text(client, at("desk", tournament))
    client.post(at("table_act", tournament, 1, 2, "seen"))
    assert wants(client, tournament) == []
    correct(match_of(table), [20, 12, 5, 1])
    assert wants(client, tournament) == [("changed", words)]


def test_who_would_play_the_final_by_what_is_known_now_is_said() -> None:
    tournament = tournament_with(8, rounds_planned=1, final_size=4, points="raw")
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    drawing.cut(tournament_id=tournament.pk, size=4, now=timezone.now())
    table = one.tables.select_related("match").get(number=1)
    last = table.places.order_by("index").last()
    assert last is not None
    correct(match_of(table), [0, 12, 5, 90])
    unsettled, changed = wants(client, tournament)
    assert unsettled[0] == "unsettled"
    assert (
        f"Final: by what is known now, {last.entry.name} would play instead of"
        in unsettled[1]
    )
    assert changed[0] == "changed"


def test_who_left_before_the_final_is_not_said_to_belong_into_it() -> None:
    tournament = tournament_with(8, rounds_planned=1, final_size=4, points="raw")
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    best = one.places.get(table__number=1, index=0).entry
    entries.set_state(entry_id=best.pk, state=Entry.State.DROPPED)
    # Lots, so that nobody is level where the line is drawn.
    results.draw_lots(tournament_id=tournament.pk, shuffle=lambda _lots: None)
    drawing.cut(tournament_id=tournament.pk, size=4, now=timezone.now())
    table = one.tables.select_related("match").get(number=2)
    correct(match_of(table), [21, 12, 5, 1])
    assert [what for what, _words in wants(client, tournament)] == ["changed"]


def test_earlier_rounds_to_whose_results_nobody_agreed_are_named() -> None:
    tournament = tournament_with(8, rounds_planned=2, quorum="one")
    client = director(tournament)
    closed_round(tournament, now=timezone.now(), override="late")
    running_round(tournament)
    words = "Round 1: tables 1, 2 have not agreed to their results."
    assert ("unconfirmed", words) in wants(client, tournament)
    client.post(at("table_act", tournament, 1, 1, "agree"))
    (left,) = wants(client, tournament)
    assert left[1] == "Round 1: table 2 has not agreed to its result."


def test_a_table_that_was_closed_unfinished_is_not_said_to_be_open_again() -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    one = running_round(tournament)
    first, second = one.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    enter_points(match_of(second), [9, 5, 3, 1])
    rounds.close(round_id=one.pk, now=timezone.now(), override="it is late")
    running_round(tournament)
    assert [what for what, _words in wants(client, tournament)] == []
    enter_points(match_of(second), [9, 5, 3, 1])
    assert ("reopened", f"Round 1, table {second.number} is open again.") in wants(
        client, tournament
    )


def test_taking_a_draw_back_takes_those_back_that_were_drawn_after_it() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    play_round(running_round(tournament))
    first = tournament.rounds.get(number=1)
    rounds.close(round_id=first.pk, now=timezone.now())
    asked = client.post(at("round_act", tournament, 2, "cancel")).content.decode()
    assert "Round 3 was drawn after it, and is taken back as well." in asked
    client.post(at("round_act", tournament, 2, "cancel"), {"sure": "1"})
    assert list(tournament.rounds.values_list("number", flat=True)) == [1]


def test_tables_of_earlier_rounds_that_call_or_hold_hands_are_named_and_settled() -> (
    None
):
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    running_round(tournament)
    first, second = one.tables.order_by("number")
    results.dispute(table_id=second.pk, now=timezone.now())
    results.call_director(table_id=first.pk, now=timezone.now())
    Match.objects.filter(table=first).update(kept={"a": 1})
    assert wants(client, tournament) == [
        ("disputed", "Round 1, table 2 does not agree on its result."),
        ("called", "Round 1, table 1 calls."),
        ("kept", "Round 1: a phone at table 1 still holds 1 entry."),
    ]
    page = text(client, at("desk", tournament))
    assert 'data-calls="2"' in page
    shown = page.partition('class="heed"')[2].partition("</ul>")[0]
    for number in (1, 2):
        assert at("table_act", tournament, 1, number, "settle") in shown
    client.post(at("table_act", tournament, 1, 2, "settle"))
    assert "disputed" not in dict(wants(client, tournament))


def test_who_would_go_on_in_a_knockout_by_what_is_known_now_is_said() -> None:
    tournament = tournament_with(8, format="knockout", advance=1, least_size=2)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    drawing.draw(tournament_id=tournament.pk)
    table = one.tables.select_related("match").get(number=1)
    first, last = (table.places.get(index=index).entry for index in (0, 3))
    correct(match_of(table), [0, 12, 5, 90])
    unsettled, changed = wants(client, tournament)
    assert unsettled == (
        "unsettled",
        f"Final: by what is known now, {last.name} would play instead of {first.name}.",
    )
    assert changed[0] == "changed"


def test_who_would_play_on_in_a_final_of_several_tables_is_said() -> None:
    tournament = tournament_with(12, rounds_planned=1, final_size=8, points="raw")
    client = director(tournament)
    closed_round(tournament, now=timezone.now())
    results.draw_lots(tournament_id=tournament.pk, shuffle=lambda _lots: None)
    drawing.cut(tournament_id=tournament.pk, size=8, now=timezone.now())
    half = running_round(tournament)
    assert half.tables.count() == 2
    play_and_close(half, now=timezone.now())
    (last,) = drawing.draw(tournament_id=tournament.pk)
    assert wants(client, tournament) == []
    table = half.tables.select_related("match").get(number=1)
    second, behind = (table.places.get(index=index).entry for index in (1, 3))
    assert last.places.filter(entry=second).exists()
    correct(match_of(table), [0, 12, 5, 90])
    words = f"{behind.name} would play instead of {second.name}."
    assert ("unsettled", f"Final: by what is known now, {words}") in wants(
        client, tournament
    )


def test_earlier_matches_of_a_league_that_want_somebody_are_named_by_their_table() -> (
    None
):
    league = tournament_with(["Ada", "Bo", "Cy"], format="league")
    client = director(league)
    members = list(league.entries.by_number().values_list("pk", flat=True))
    for _match in range(LATEST + 3):
        table = begin_match(
            tournament_id=league.pk,
            key=uuid4(),
            entry_ids=members,
            game="tricky_bid",
            now=timezone.now(),
        )
        play_table(table, [9, 5, 1])
    tables = Table.objects.filter(round__tournament=league)
    tables.filter(number=1).update(called_at=timezone.now())
    tables.filter(number=2).update(disputed=True)
    Match.objects.filter(table__number=3).update(kept={"a": 1})
    assert wants(client, league) == [
        ("disputed", "Table 2 does not agree on its result."),
        ("called", "Table 1 calls."),
        ("kept", "A phone at table 3 still holds 1 entry."),
    ]


def test_a_backup_that_is_older_than_two_days_is_told(
    settings: Any, tmp_path: Path
) -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    assert wants(client, tournament) == []
    settings.BACKUP_FOLDER = str(tmp_path)
    (line,) = wants(client, tournament)
    assert line == ("backup", "This site has no backup yet: tell whoever runs it.")
    old = timezone.now() - timedelta(days=2, minutes=1)
    (tmp_path / file_name(old)).touch()
    caches["drawn"].clear()
    ((_what, words),) = wants(client, tournament)
    day = date_format(timezone.localtime(old), "DATE_FORMAT")
    assert words == f"The last backup is of {day}: tell whoever runs this site."
    (tmp_path / file_name(timezone.now())).touch()
    caches["drawn"].clear()
    assert wants(client, tournament) == []


def test_a_director_agrees_at_once_for_all_tables_that_only_wait_for_that() -> None:
    tournament = tournament_with(12, quorum="all", writing="open")
    client = director(tournament)
    round_ = running_round(tournament)
    first, second, third = round_.tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    play_table(second, [20, 12, 5, 1])
    assert "agreeing" not in {what for what, _words in wants(client, tournament)}
    play_table(third, [20, 12, 5, 1])
    results.dispute(table_id=third.pk, now=timezone.now())
    words = "All have played. Tables 1, 2 have not agreed yet."
    assert ("agreeing", words) in wants(client, tournament)
    act = at("round_act", tournament, 1, "agree")
    asked = client.post(act).content.decode()
    assert "Table 1: " in asked
    assert "Table 3: " not in asked
    done = client.post(act, {"sure": "1"}, follow=True).content.decode()
    assert "You agreed for tables 1, 2." in done
    seats = Seat.objects.filter(match__table__round=round_)
    agreed = seats.exclude(match__table=third).values_list("confirmed_by", flat=True)
    assert set(agreed) == {"director"}
    assert not seats.filter(match__table=third, confirmed_at__isnull=False).exists()
    assert "agreeing" not in {what for what, _words in wants(client, tournament)}
