"""Who comes once a round runs sits down where nothing is played yet."""

import pytest
from django.utils import timezone

from tests.factories.tournaments import enter_points, running_round, tournament_with
from tests.tournaments.web.views.pages import at, text
from tests.tournaments.web.views.test_attention import wants
from tests.tournaments.web.views.test_evening import director
from tournaments.changes import RefusedError
from tournaments.event import entries
from tournaments.event.late_seats import seat_late
from tournaments.models import Entry, Round, Tournament

pytestmark = pytest.mark.django_db


def arrived(tournament: Tournament, name: str = "Zoe") -> Entry:
    entries.enter(
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


def test_the_desk_offers_who_came_late_a_seat_at_a_table_without_a_hand() -> None:
    tournament, round_ = night_of_seven()
    client, entry = director(tournament), arrived(tournament)
    small = round_.tables.get(number=2)
    assert small.places.count() == 3
    words = "Zoe is here, and table 2 has not begun."
    assert wants(client, tournament) == [("arrived", words)]
    client.post(at("entry_seat", tournament, entry.number))
    small.refresh_from_db()
    assert small.match is not None
    seats = [seat.name for seat in small.match.seats.order_by("index")]
    assert seats == [p.entry.name for p in small.places.order_by("index")]
    assert seats[-1] == "Zoe"
    assert wants(client, tournament) == []
    assert "Zoe" in text(client, at("round", tournament, 1))


def test_where_every_table_has_begun_or_is_full_the_desk_says_when_they_play() -> None:
    tournament, round_ = night_of_seven()
    client, entry = director(tournament), arrived(tournament)
    small = round_.tables.get(number=2)
    assert small.match is not None
    enter_points(small.match, [9, 5, 3])
    words = "Zoe is here, has no seat in round 1, and plays from the next one on."
    assert wants(client, tournament) == [("arrived", words)]
    with pytest.raises(RefusedError, match="Every table has begun or is full"):
        seat_late(entry_id=entry.pk, now=timezone.now())
    assert not entry.places.exists()


def test_nobody_is_seated_twice_and_nobody_who_is_not_here() -> None:
    tournament, _round = night_of_seven()
    entry = arrived(tournament)
    seat_late(entry_id=entry.pk, now=timezone.now())
    with pytest.raises(RefusedError, match="Zoe sits already"):
        seat_late(entry_id=entry.pk, now=timezone.now())
    other = arrived(tournament, "Yan")
    entries.set_state(entry_id=other.pk, state=Entry.State.DROPPED)
    with pytest.raises(RefusedError, match="Only who is here"):
        seat_late(entry_id=other.pk, now=timezone.now())


def test_a_round_in_which_everybody_meets_everybody_takes_nobody_in() -> None:
    tournament = tournament_with(4, format="round_robin", table_size=2, least_size=2)
    running_round(tournament)
    entry = arrived(tournament)
    with pytest.raises(RefusedError, match="Every table has begun or is full"):
        seat_late(entry_id=entry.pk, now=timezone.now())
