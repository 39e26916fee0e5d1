"""Tables on the director's desk: their states and their order."""

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
from tournaments.event.desk.holes import elapsed_time_holes, played_hands_holes
from tournaments.event.desk.overview import DeskContents, read_desk
from tournaments.models import Role, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def night_of_six_tables() -> Tournament:
    """Return a tournament with six tables in different states."""
    tournament = tournament_with(24, quorum="one")
    tables = list(running_round(tournament).tables.order_by("number"))
    play_table(tables[0], [20, 12, 5, 1])
    for table in tables[1:4]:
        enter_points(match_of(table), [9, 5, 3, 1])
    matches = Match.objects.filter(table=tables[3])
    matches.update(kept={"a": 2})
    Table.objects.filter(pk=tables[4].pk).update(called_at=NOW)
    Table.objects.filter(pk=tables[5].pk).update(disputed=True)
    return tournament


def desk_after(tournament: Tournament, minutes: int = 0) -> DeskContents:
    return read_desk(tournament, NOW + timedelta(minutes=minutes))


def states(desk: DeskContents) -> list[tuple[int, str]]:
    return [(view.table.number, view.state) for view in desk.tables]


def card(page: str, table: int) -> str:
    return page.partition(f"</span> {table}\n")[2].partition("<details")[0]


def test_tables_are_sorted_by_urgency() -> None:
    tournament = night_of_six_tables()
    desk = desk_after(tournament, 1)
    assert states(desk) == [
        (6, "disputed"),
        (5, "called"),
        (1, "unconfirmed"),
        (4, "kept"),
        (2, "playing"),
        (3, "playing"),
    ]
    assert desk.round_summary == "Round 1: 4 tables need you"
    assert desk.table_counts_in_words == "6 tables · 3 playing · 0 done"
    assert [(line.tables, line.description) for line in desk.round_blockers] == [
        ("Tables 6, 5", "to settle"),
        ("Table 1", "to confirm"),
        ("Table 4", "hands not sent yet"),
        ("2 tables", "still playing"),
    ]


def test_table_counts_as_silent_after_the_time_of_two_hands() -> None:
    tournament = night_of_six_tables()
    desk = desk_after(tournament, 1)
    assert desk.digest == desk_after(tournament, 2).digest
    assert (2, "playing") in states(desk_after(tournament, 13))
    later = desk_after(tournament, 14)
    assert (2, "silent") in states(later)
    assert desk.digest != later.digest
    tournament.rounds.update(paused_at=NOW)
    assert (2, "playing") in states(desk_after(tournament, 14))


@pytest.mark.parametrize(
    ("minutes_left", "filled"), [(45, 0), (30, 5), (1, 14), (0, 15), (-9, 15), (60, 0)]
)
def test_clock_progress_fills_as_the_round_passes(
    minutes_left: int, filled: int
) -> None:
    progress = elapsed_time_holes(
        remaining=timedelta(minutes=minutes_left), minutes=45, count=15
    )
    assert progress.filled == filled


def test_table_progress_counts_hands_and_is_full_at_the_end() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    table = running_round(tournament).tables.get()
    for hands in (1, 4):
        while match_of(table).hands_played < hands:
            enter_points(match_of(table), [9, 5, 3, 1])
            match_of(table).refresh_from_db()
        holes = played_hands_holes(match_of(table), 4)
        assert (holes.count, holes.filled) == (4, hands)
    desk = desk_after(tournament)
    assert (desk.round_blockers, desk.round_summary) == ([], "Round 1: running")


def test_cached_card_shows_changes_at_once() -> None:
    tournament = night_of_six_tables()
    client, desk_url = director(tournament), at("desk", tournament)
    table = tournament.rounds.get(number=1).tables.get(number=2)
    assert "hand 2" in card(text(client, desk_url), 2)
    enter_points(match_of(table), [9, 5, 3, 1])
    assert "hand 3" in card(text(client, desk_url), 2)
    table.extra_minutes = 5
    table.save()
    table.voided_by = member(tournament.club, Role.SCORER)
    table.void = True
    table.save()
    zoe = table.voided_by
    zoe.first_name = "Zoë"
    zoe.save()
    page = card(text(client, desk_url), 2)
    assert "+5 min" in page
    assert "Zoë" in page
    german_page = client.get(
        desk_url, headers={"Accept-Language": "de"}
    ).content.decode()
    assert "Anschreibblatt von Tisch 2" in german_page


def test_cached_cards_have_forms_for_directors_only() -> None:
    tournament = night_of_six_tables()
    desk_url, settle_url = (
        at("desk", tournament),
        at("desk_table_action", tournament, 1, 6, "settle"),
    )
    pages = []
    for _director in range(2):
        client = Client(enforce_csrf_checks=True)
        client.force_login(member(tournament.club, Role.DIRECTOR))
        pages.append((client, text(client, desk_url)))
    for client, page in pages[::-1]:
        form = page.partition(f'action="{settle_url}"')[2]
        token = form.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
        assert (
            client.post(settle_url, {"csrfmiddlewaretoken": token}).status_code == 302
        )
    assert "/settle/" in text(pages[0][0], desk_url)
    viewer_page = text(signed_in(tournament.club, Role.VIEWER), desk_url)
    assert 'class="tile' in viewer_page
    assert "/settle/" not in viewer_page
