"""Where those who have played at a table go on, in a night that runs itself."""

import pytest
from django.utils.formats import time_format
from django.utils.timezone import localtime

from scoring.competition import NextTableNotice
from tests.factories.matches import NOW
from tests.factories.tournaments import closed_round, play_round, tournament_with
from tests.tournaments.event.test_autopilot import Night
from tournaments.event import draw as drawing
from tournaments.event.next_seat import describe_next_seat
from tournaments.event.results import draw_lots
from tournaments.event.rights import OwnPlaces
from tournaments.models import Place, Table

pytestmark = pytest.mark.django_db(transaction=True)


def after(table: Table, own: Place | None = None) -> NextTableNotice:
    table.refresh_from_db()
    onward = describe_next_seat(table, OwnPlaces([own] if own else []))
    assert onward is not None
    return onward


def hour_of_next(night: Night) -> str:
    step = night.run()
    assert step is not None
    return time_format(localtime(step.due_at), "TIME_FORMAT")


def places(night: Night, number: int) -> dict[int, Place]:
    of_round = night.round(number).places.select_related("table__round", "entry")
    return {place.entry_id: place for place in of_round}


def test_players_see_time_table_and_seat_of_the_next_round() -> None:
    night = Night(8, rounds_planned=2)
    night.run(4)
    play_round(night.round(1))
    before = places(night, 1)
    own = next(iter(before.values()))
    night.run(1.2)
    seated_at = hour_of_next(night)
    assert after(own.table, own).sentence == f"Round 2: seats appear at {seated_at}."
    night.run(1)
    starts_at = hour_of_next(night)
    new = places(night, 2)[own.entry_id]
    seat = f"table {new.table.number}, seat {new.index + 1}."
    assert after(own.table, own).sentence == (
        f"Round 2 at {starts_at}: you’re at {seat}"
    )
    anybody = after(own.table)
    assert anybody.sentence == f"Round 2 at {starts_at}: who sits where"
    assert len(anybody.seats) == 4


def test_final_is_named_and_eliminated_players_are_notified() -> None:
    night = Night(8, rounds_planned=1, final_size=4)
    night.run(4)
    play_round(night.round(1))
    before = places(night, 1)
    night.run(1.2)
    seated_at = hour_of_next(night)
    first = next(iter(before.values()))
    assert after(first.table, first).sentence == (
        f"Seats for the final appear at {seated_at}."
    )
    night.run(1)
    starts_at = hour_of_next(night)
    final = places(night, 2)
    for entry, place in before.items():
        sentence = after(place.table, place).sentence
        if entry in final:
            seat = f"seat {final[entry].index + 1}."
            assert sentence == f"The final at {starts_at}: you’re at table 1, {seat}"
        else:
            assert sentence == "The final is only for players who advanced."


def test_closed_final_is_no_longer_announced() -> None:
    tournament = tournament_with(8, rounds_planned=1, final_size=4)
    first = closed_round(tournament)
    before = list(first.places.select_related("table__round__tournament", "entry"))
    sentence = "Round 1 is over. The next step will appear here."
    assert {after(place.table, place).sentence for place in before} == {sentence}
    draw_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    drawing.cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    final = closed_round(tournament).tables.get()
    for place in before:
        for onward in (after(place.table, place), after(place.table), after(final)):
            assert onward.sentence == "The final is over. The final standings follow."
            assert not onward.seats


def test_last_round_without_a_final_is_followed_by_the_standings() -> None:
    table = closed_round(tournament_with(4, rounds_planned=1)).tables.get()
    sentence = "Round 1 is over. The final standings follow."
    assert after(table).sentence == sentence
