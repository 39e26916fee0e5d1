"""Who comes once a round runs sits down where nothing is played yet, and who left has no seat."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.matchlog.rebuild import rebuild_match
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    play_and_close,
    running_round,
    tournament_with,
)
from tests.tournaments.web.desk.test_attention import wants
from tests.tournaments.web.pages import at, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries, rounds
from tournaments.event.late_arrivals import seat_late
from tournaments.event.table_results import rank_players
from tournaments.models import Entry, Round, Table, Tournament

pytestmark = pytest.mark.django_db


def arrived(tournament: Tournament, name: str = "Zoe") -> Entry:
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
    client, entry = director(tournament), arrived(tournament)
    small = round_.tables.get(number=2)
    assert small.places.count() == 3
    words = "Zoe is here, and table 2 hasn’t started yet."
    assert wants(client, tournament) == [("arrived", words)]
    client.post(at("entry_seat", tournament, entry.number))
    small.refresh_from_db()
    seats = [seat.name for seat in match_of(small).seats.order_by("index")]
    assert seats == [p.entry.name for p in small.places.order_by("index")]
    assert seats[-1] == "Zoe"
    assert wants(client, tournament) == []
    assert "Zoe" in text(client, at("round", tournament, 1))


@pytest.mark.parametrize(
    ("settings", "comes"),
    [({}, True), ({"rounds_planned": 1}, False), ({"format": "knockout"}, False)],
)
def test_desk_says_when_a_late_arrival_plays(
    settings: dict[str, Any],
    comes: bool,  # noqa: FBT001 - a parameter
) -> None:
    tournament, round_ = night_of_seven(**settings)
    client, entry = director(tournament), arrived(tournament)
    for table in round_.tables.select_related("match"):
        enter_points(match_of(table), [9, 5, 3, 1][: table.places.count()])
    [(what, words)] = wants(client, tournament)
    assert what == "arrived"
    assert words.startswith("Zoe is here but has no seat (")
    assert ("Late players get a seat in the next round." in words) == comes
    assert ("next round" in words) == comes
    with pytest.raises(RefusedError, match="Every table has started or is full"):
        seat_late(entry_id=entry.pk, now=timezone.now())
    assert not entry.places.exists()


def test_late_seat_is_refused_for_seated_or_absent_players_and_round_robins() -> None:
    tournament, _round = night_of_seven()
    entry = arrived(tournament)
    seat_late(entry_id=entry.pk, now=timezone.now())
    with pytest.raises(RefusedError, match="Zoe already has a seat"):
        seat_late(entry_id=entry.pk, now=timezone.now())
    other = arrived(tournament, "Yan")
    entries.set_state(entry_id=other.pk, state=Entry.State.DROPPED)
    with pytest.raises(RefusedError, match="Only players who are here"):
        seat_late(entry_id=other.pk, now=timezone.now())
    tournament = tournament_with(4, format="round_robin", table_size=2, least_size=2)
    running_round(tournament)
    entry = arrived(tournament)
    with pytest.raises(RefusedError, match="Every table has started or is full"):
        seat_late(entry_id=entry.pk, now=timezone.now())


def sits(table: Table) -> list[str]:
    """Return who sits at a table, as its places and its match agree."""
    table = Table.objects.get(pk=table.pk)
    names = [place.entry.name for place in table.places.order_by("index")]
    assert [place.index for place in table.places.order_by("index")] == [
        *range(len(names))
    ]
    if table.match is not None:
        seats = [seat.name for seat in table.match.seats.order_by("index")]
        assert seats == names
        assert rebuild_match(match_id=table.match.pk, check=True) == []
    return names


def choose(client: Client, table: Table, names: list[str]) -> Any:
    """Say on the page of its seats who sits at a table, "" for nobody; return the answer."""
    tournament = table.round.tournament
    address = at("table_seats", tournament, table.round.number, table.number)
    form = client.get(address).context["form"]
    posted = {name: form[name].value() for name in form.fields}
    by_name = dict(tournament.entries.values_list("name", "pk"))
    chosen = {f"seat_{n}": by_name.get(name, "") for n, name in enumerate(names)}
    return client.post(address, {**posted, **chosen})


def leaves(table: Table, index: int) -> Entry:
    entry = table.places.get(index=index).entry
    entries.set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    return entry


def test_seat_of_a_leaver_stays_empty_and_the_rest_play() -> None:
    tournament, round_ = night_of_seven(rounds_planned=1)
    client, table = director(tournament), round_.tables.get(number=1)
    gone, before = leaves(table, 1), sits(table)
    words = f"{gone.name} has left but still has a seat at table 1 (Round 1)."
    assert wants(client, tournament) == [("left", words)]
    assert "No one" in text(client, at("table_seats", tournament, 1, 1))
    answer = choose(client, table, [before[0], "", *before[2:]])
    assert answer.status_code == 302
    assert sits(table) == [before[0], *before[2:]]
    assert wants(client, tournament) == []
    assert not gone.places.exists()
    assert not round_.byes.exists()
    play_and_close(round_, now=timezone.now())
    rows = rank_players(tournament)
    assert len(rows) == 6
    assert str(gone.pk) not in {row.player for row in rows}
    call_command("rebuild", "--check")


def test_seat_is_left_empty_before_the_start_and_others_move_up() -> None:
    tournament = tournament_with(8, most_size=4)
    (round_, *_more) = drawing.draw(tournament_id=tournament.pk)
    rounds.publish(round_id=round_.pk)
    client, table = director(tournament), round_.tables.get(number=2)
    one, two, three, _four = sits(table)
    leaves(table, 3)
    assert choose(client, table, [three, one, two, ""]).status_code == 302
    assert sits(table) == [three, one, two]
    rounds.start(round_id=round_.pk, now=timezone.now())
    assert sits(table) == [three, one, two]


def test_leaver_takes_the_seat_of_a_player_from_another_table() -> None:
    tournament, round_ = night_of_seven()
    client, (first, second) = director(tournament), round_.tables.order_by("number")
    one, _two, three, four = sits(first)
    other, *rest = sits(second)
    leaves(first, 1)
    assert choose(client, first, [other, "", three, four]).status_code == 302
    assert sits(first) == [other, three, four]
    assert sits(second) == [one, *rest]


def test_table_with_a_hand_or_too_few_players_keeps_its_seats() -> None:
    tournament, round_ = night_of_seven()
    client, (first, second) = director(tournament), round_.tables.order_by("number")
    names = sits(second)
    few = choose(client, second, [names[0], "", ""])
    assert (
        "can’t be played with 1 at the table. Void the table instead."
        in few.content.decode()
    )
    enter_points(match_of(first), [9, 5, 3, 1])
    answer = choose(client, first, ["", *sits(first)[1:]])
    words = "This table already has entries, so no seat can be empty."
    assert words in answer.content.decode()
    rounds.close(round_id=round_.pk, now=timezone.now(), override="late")
    assert "No one" not in text(client, at("table_seats", tournament, 1, 1))
    assert choose(client, second, ["", *names[1:]]).status_code == 200
    assert (len(sits(first)), len(sits(second))) == (4, 3)
