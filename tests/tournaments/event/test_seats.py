"""Corrections of seats: players who did not sit as drawn, leavers, late arrivals."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.rebuild import rebuild_match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    play_and_close,
    running_round,
    tournament_with,
)
from tests.tournaments.web.desk.test_attention import attention_items
from tests.tournaments.web.pages import at, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries, rounds
from tournaments.event.late_arrivals import seat_late_player
from tournaments.event.seats import seat_and_exchange_entries
from tournaments.event.table_results import derive_standings, rank_players
from tournaments.models import Entry, Round, Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_() -> Round:
    """Return a running round of two tables with a hand at the first."""
    new_round = running_round(tournament_with(9, least_size=4, most_size=4))
    first_table = new_round.tables.all()[0]
    enter_points(match_of(first_table), [20, 12, 5, 1])
    return new_round


def seats_of(table: Table) -> list[str]:
    """Return the names at a table; its places and its match must agree."""
    table = Table.objects.get(pk=table.pk)
    names = [place.entry.name for place in table.places.order_by("index")]
    assert [place.index for place in table.places.order_by("index")] == [
        *range(len(names))
    ]
    if table.match is not None:
        seats = [seat.name for seat in table.match.seats.order_by("index")]
        assert seats == names
        assert rebuild_match(match_id=table.match.pk, check_only=True) == []
    return names


def correct(table: Table, names: list[str], **options: Any) -> Table:
    by_name = dict(table.round.tournament.entries.values_list("name", "pk"))
    details = {"author": CommandAuthor(name="Ann"), "reason": "", "now": NOW}
    arguments = {"key": uuid4(), "from_hand": 1, **details, **options}
    ids = [by_name[name] for name in names]
    return seat_and_exchange_entries(table_id=table.pk, entry_ids=ids, **arguments)


def test_swapped_players_get_the_points_of_their_seats(round_: Round) -> None:
    table = round_.tables.all()[0]
    ada, bo, cy, di = seats_of(table)
    correct(table, [bo, ada, cy, di])
    assert seats_of(table) == [bo, ada, cy, di]
    rows = derive_standings(round_.tournament, as_it_stands=True).rows
    names = dict(round_.tournament.entries.values_list("pk", "name"))
    assert names[int(rows[0].player)] == bo


def test_repeated_seat_correction_is_applied_once(round_: Round) -> None:
    table = round_.tables.all()[0]
    names, key = seats_of(table), uuid4()
    for _twice in range(2):
        correct(table, [names[1], names[0], *names[2:]], key=key, from_hand=2)
    changes = [entry.body or {} for entry in match_of(table).log.seat_changes()]
    assert [change["from_hand"] for change in changes] == [1, 1, 2, 2]


@pytest.mark.parametrize(("from_hand", "first"), [(3, 5), (2, 2), (1, 1)])
def test_player_from_another_table_keeps_hands_played_there(
    round_: Round, from_hand: int, first: int
) -> None:
    tables = round_.tables.all()
    for table, hands in zip(tables, (1, 4), strict=True):
        for _hand in range(hands):
            enter_points(match_of(table), [9, 5, 3, 1])
    names, other_names = map(seats_of, tables)
    correct(tables[0], [other_names[2], *names[1:]], from_hand=from_hand)
    assert seats_of(tables[0]) == [other_names[2], *names[1:]]
    assert seats_of(tables[1]) == [
        other_names[0],
        other_names[1],
        names[0],
        other_names[3],
    ]
    names_by_hand = read_match(match_of(tables[1])).names_by_hand(range(1, 6))
    by_newcomer = [
        number for number, row in enumerate(names_by_hand, 1) if row[2] == names[0]
    ]
    assert by_newcomer == list(range(first, 6))
    assert {row[2] for row in names_by_hand} <= {names[0], other_names[2]}


def test_rejects_invalid_seats(round_: Round) -> None:
    table, other = round_.tables.all()
    seats, other_seats = seats_of(table), seats_of(other)
    for names, from_hand, reason in (
        ([seats[0], seats[0], *seats[2:]], 1, "two seats"),
        (seats[:3], 1, "each seat"),
        (seats, 3, "from 1 to 2. Hand 2 is the next one"),
    ):
        with pytest.raises(RefusedError, match=reason):
            correct(table, names, from_hand=from_hand)
    swapped = [seats[1], seats[0], *seats[2:]]
    with pytest.raises(
        RefusedError, match="Choose the first hand this applies to"
    ) as refusal:
        correct(table, swapped, from_hand=None)
    assert refusal.value.field == "from_hand"
    # Before the first hand there is no such question.
    correct(other, [other_seats[1], other_seats[0], *other_seats[2:]], from_hand=None)
    assert seats_of(other) == [other_seats[1], other_seats[0], *other_seats[2:]]


def test_bye_moves_to_the_replaced_player(
    round_: Round,
) -> None:
    table = round_.tables.all()[0]
    bye_name, names = round_.byes.get().entry.name, seats_of(table)
    correct(table, [*names[:3], bye_name])
    assert round_.byes.get().entry.name == names[3]
    assert seats_of(table)[3] == bye_name


def add_late_player(tournament: Tournament, name: str = "Zoe") -> Entry:
    entries.add_entries(
        tournament_id=tournament.pk,
        names=[name],
        now=timezone.now(),
        state=Entry.State.PRESENT,
    )
    return tournament.entries.get(name=name)


def night_of_seven(**settings: object) -> tuple[Tournament, Round]:
    """Return a night with a table of four and one of three, and its running round."""
    tournament = tournament_with(7, most_size=4, **settings)
    return tournament, running_round(tournament)


def test_desk_offers_late_arrivals_a_seat_at_a_table_without_hands() -> None:
    tournament, round_ = night_of_seven()
    client, entry = director(tournament), add_late_player(tournament)
    small = round_.tables.get(number=2)
    assert small.places.count() == 3
    message = "Zoe is here, and table 2 hasn’t started yet."
    assert attention_items(client, tournament) == [("arrived", message)]
    client.post(at("entry_seat", tournament, entry.number))
    small.refresh_from_db()
    seats = [seat.name for seat in match_of(small).seats.order_by("index")]
    assert seats == [p.entry.name for p in small.places.order_by("index")]
    assert seats[-1] == "Zoe"
    assert attention_items(client, tournament) == []
    assert "Zoe" in text(client, at("round", tournament, 1))


REDRAW = "To seat late players, draw the next round again."
NEXT_ROUND = "Late players get a seat in the next round."


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({}, REDRAW),
        ({"format": "swiss"}, NEXT_ROUND),
        ({"rounds_planned": 1}, ""),
        ({"format": "knockout"}, ""),
    ],
)
def test_desk_says_when_a_late_arrival_plays(
    settings: dict[str, Any], hint: str
) -> None:
    tournament, round_ = night_of_seven(**settings)
    client, entry = director(tournament), add_late_player(tournament)
    for table in round_.tables.select_related("match"):
        enter_points(match_of(table), [9, 5, 3, 1][: table.places.count()])
    [(kind, message)] = attention_items(client, tournament)
    assert kind == "arrived"
    assert message.startswith("Zoe is here but has no seat (")
    assert message.partition("). ")[2] == hint
    with pytest.raises(RefusedError, match="Every table has started or is full"):
        seat_late_player(entry_id=entry.pk, now=timezone.now())
    assert not entry.places.exists()


def test_late_seat_is_refused_for_seated_or_absent_players_and_round_robins() -> None:
    tournament, _round = night_of_seven()
    entry = add_late_player(tournament)
    seat_late_player(entry_id=entry.pk, now=timezone.now())
    with pytest.raises(RefusedError, match="Zoe already has a seat"):
        seat_late_player(entry_id=entry.pk, now=timezone.now())
    other = add_late_player(tournament, "Yan")
    entries.set_state(entry_id=other.pk, state=Entry.State.DROPPED)
    with pytest.raises(RefusedError, match="who are checked in"):
        seat_late_player(entry_id=other.pk, now=timezone.now())
    tournament = tournament_with(4, format="round_robin", table_size=2, least_size=2)
    running_round(tournament)
    entry = add_late_player(tournament)
    with pytest.raises(RefusedError, match="Every table has started or is full"):
        seat_late_player(entry_id=entry.pk, now=timezone.now())


def choose_seats(client: Client, table: Table, names: list[str]) -> Any:
    """Choose the players of a table on its seats page, "" for an empty seat."""
    tournament = table.round.tournament
    url = at("table_seats", tournament, table.round.number, table.number)
    form = client.get(url).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    by_name = dict(tournament.entries.values_list("name", "pk"))
    seat_fields = {f"seat_{n}": by_name.get(name, "") for n, name in enumerate(names)}
    return client.post(url, {**fields, **seat_fields})


def drop_player(table: Table, index: int) -> Entry:
    entry = table.places.get(index=index).entry
    entries.set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    return entry


def test_seat_of_a_leaver_stays_empty_and_the_rest_play() -> None:
    tournament, round_ = night_of_seven(rounds_planned=1)
    client, table = director(tournament), round_.tables.get(number=1)
    leaver, before = drop_player(table, 1), seats_of(table)
    message = f"{leaver.name} has left but still has a seat at table 1 (Round 1)."
    assert attention_items(client, tournament) == [("left", message)]
    assert "No one" in text(client, at("table_seats", tournament, 1, 1))
    response = choose_seats(client, table, [before[0], "", *before[2:]])
    assert response.status_code == 302
    assert seats_of(table) == [before[0], *before[2:]]
    assert attention_items(client, tournament) == []
    assert not leaver.places.exists()
    assert not round_.byes.exists()
    play_and_close(round_, now=timezone.now())
    rows = rank_players(tournament)
    assert len(rows) == 6
    assert str(leaver.pk) not in {row.player for row in rows}
    call_command("rebuild", "--check")


def test_seat_is_left_empty_before_the_start_and_others_move_up() -> None:
    tournament = tournament_with(8, most_size=4)
    (round_, *_more) = drawing.draw(tournament_id=tournament.pk)
    rounds.publish(round_id=round_.pk)
    client, table = director(tournament), round_.tables.get(number=2)
    one, two, three, _four = seats_of(table)
    drop_player(table, 3)
    assert choose_seats(client, table, [three, one, two, ""]).status_code == 302
    assert seats_of(table) == [three, one, two]
    rounds.start(round_id=round_.pk, now=timezone.now())
    assert seats_of(table) == [three, one, two]


def test_leaver_takes_the_seat_of_a_player_from_another_table() -> None:
    tournament, round_ = night_of_seven()
    client, (first, second) = director(tournament), round_.tables.order_by("number")
    one, _two, three, four = seats_of(first)
    other, *rest = seats_of(second)
    drop_player(first, 1)
    assert choose_seats(client, first, [other, "", three, four]).status_code == 302
    assert seats_of(first) == [other, three, four]
    assert seats_of(second) == [one, *rest]


def test_table_with_a_hand_or_too_few_players_keeps_its_seats() -> None:
    tournament, round_ = night_of_seven()
    client, (first, second) = director(tournament), round_.tables.order_by("number")
    names = seats_of(second)
    response_for_one = choose_seats(client, second, [names[0], "", ""])
    assert (
        "can’t be played with 1 at the table. Void the table instead."
        in response_for_one.content.decode()
    )
    enter_points(match_of(first), [9, 5, 3, 1])
    response = choose_seats(client, first, ["", *seats_of(first)[1:]])
    message = "This table already has entries, so you can’t leave a seat empty."
    assert message in response.content.decode()
    rounds.close(round_id=round_.pk, now=timezone.now(), override="late")
    assert "No one" not in text(client, at("table_seats", tournament, 1, 1))
    assert choose_seats(client, second, ["", *names[1:]]).status_code == 200
    assert (len(seats_of(first)), len(seats_of(second))) == (4, 3)
