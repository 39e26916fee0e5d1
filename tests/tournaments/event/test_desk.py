"""What the director's desk says of its tables, and in which order they stand."""

from datetime import timedelta

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    member,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event.desk.holes import elapsed_holes, hand_holes
from tournaments.event.desk.overview import Desk, read_desk
from tournaments.models import Role, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def evening() -> Tournament:
    """Return a tournament whose six tables are disputed, called, to be agreed, and so on."""
    tournament = tournament_with(24, quorum="one")
    tables = list(running_round(tournament).tables.order_by("number"))
    play_table(tables[0], [20, 12, 5, 1])
    for table in tables[1:4]:
        enter_points(match_of(table), [9, 5, 3, 1])
    kept = Match.objects.filter(table=tables[3])
    kept.update(kept={"a": 2})
    Table.objects.filter(pk=tables[4].pk).update(called_at=NOW)
    Table.objects.filter(pk=tables[5].pk).update(disputed=True)
    return tournament


def seen(tournament: Tournament, minutes: int = 0) -> Desk:
    return read_desk(tournament, NOW + timedelta(minutes=minutes))


def states(desk: Desk) -> list[tuple[int, str]]:
    return [(view.table.number, view.state) for view in desk.tables]


def card(page: str, table: int) -> str:
    return page.partition(f"</span> {table}\n")[2].partition("<details")[0]


def test_tables_are_sorted_by_urgency() -> None:
    tournament = evening()
    desk = seen(tournament, 1)
    assert states(desk) == [
        (6, "disputed"),
        (5, "called"),
        (1, "unconfirmed"),
        (4, "kept"),
        (2, "playing"),
        (3, "playing"),
    ]
    assert desk.title == "Round 1: 4 tables need you"
    assert desk.table_counts == "6 tables · 3 playing · 0 done"
    assert [(line.tables, line.description) for line in desk.round_blockers] == [
        ("Tables 6, 5", "to settle"),
        ("Table 1", "to confirm"),
        ("Table 4", "with hands still on a phone"),
        ("2 tables", "still playing"),
    ]


def test_table_counts_as_silent_after_the_time_of_two_hands() -> None:
    tournament = evening()
    desk = seen(tournament, 1)
    assert desk.digest == seen(tournament, 2).digest
    assert (2, "playing") in states(seen(tournament, 13))
    silent = seen(tournament, 14)
    assert (2, "silent") in states(silent)
    assert desk.digest != silent.digest
    tournament.rounds.update(paused_at=NOW)
    assert (2, "playing") in states(seen(tournament, 14))


@pytest.mark.parametrize(
    ("left", "filled"), [(45, 0), (30, 5), (1, 14), (0, 15), (-9, 15), (60, 0)]
)
def test_clock_progress_fills_as_the_round_passes(left: int, filled: int) -> None:
    time = elapsed_holes(remaining=timedelta(minutes=left), minutes=45, count=15)
    assert time.filled == filled


def test_table_progress_counts_hands_and_is_full_at_the_end() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    table = running_round(tournament).tables.get()
    for hands in (1, 4):
        while match_of(table).hands_played < hands:
            enter_points(match_of(table), [9, 5, 3, 1])
            match_of(table).refresh_from_db()
        holes = hand_holes(match_of(table), 4)
        assert (holes.count, holes.filled) == (4, hands)
    desk = seen(tournament)
    assert (desk.round_blockers, desk.title) == ([], "Round 1: running")


def test_cached_card_shows_changes_at_once() -> None:
    tournament = evening()
    client, desk = director(tournament), at("desk", tournament)
    table = tournament.rounds.get(number=1).tables.get(number=2)
    assert "hand 2" in card(text(client, desk), 2)
    enter_points(match_of(table), [9, 5, 3, 1])
    assert "hand 3" in card(text(client, desk), 2)
    table.extra_minutes = 5
    table.save()
    table.voided_by = member(tournament.club, Role.SCORER)
    table.void = True
    table.save()
    zoe = table.voided_by
    zoe.first_name = "Zoë"
    zoe.save()
    page = card(text(client, desk), 2)
    assert "+5 min" in page
    assert "Zoë" in page
    german = client.get(desk, headers={"Accept-Language": "de"}).content.decode()
    assert "Anschreibblatt von Tisch 2" in german


def test_cached_cards_have_forms_for_directors_only() -> None:
    tournament = evening()
    desk, act = (
        at("desk", tournament),
        at("desk_table_action", tournament, 1, 6, "settle"),
    )
    pages = []
    for _director in range(2):
        client = Client(enforce_csrf_checks=True)
        client.force_login(member(tournament.club, Role.DIRECTOR))
        pages.append((client, text(client, desk)))
    for client, page in pages[::-1]:
        form = page.partition(f'action="{act}"')[2]
        token = form.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
        assert client.post(act, {"csrfmiddlewaretoken": token}).status_code == 302
    assert "/settle/" in text(pages[0][0], desk)
    viewer = text(signed_in(tournament.club, Role.VIEWER), desk)
    assert 'class="tile' in viewer
    assert "/settle/" not in viewer
