"""Seats that a director or the autopilot gives keep teammates apart, as a draw does."""

from collections.abc import Sequence

import pytest
from django.utils import timezone

from tests.api.caller import Caller
from tests.factories.tournaments import director, member, tournament_with
from tests.tournaments.web.pages import at
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.draw import read_seating
from tournaments.event.entries import set_state
from tournaments.event.late_arrivals import (
    autoseat_newcomers_and_notify,
    replace_dropouts_or_withdraw_draw,
    seat_late_player,
)
from tournaments.event.separations import SeparatedPairsError
from tournaments.models import Entry, Role, Round, Tournament

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
QUESTION = "Seat them at one table?"


def pair_up(night: Tournament, *pairs: Sequence[str]) -> None:
    for number, names in enumerate(pairs, start=1):
        night.entries.filter(name__in=names).update(team=str(number))


def seat_own(night: Tournament, *tables: Sequence[str]) -> Round:
    keys = dict(night.entries.values_list("name", "pk"))
    seating = [[[keys[name] for name in table] for table in tables]]
    [round_] = drawing.seat_by_own_list(tournament_id=night.pk, seating=seating)
    return round_


def tables_of(round_: Round) -> list[list[str]]:
    names = dict(round_.tournament.entries.values_list("pk", "name"))
    return [[names[entry] for entry in table] for table in read_seating(round_)]


@pytest.fixture
def night() -> Tournament:
    """Two tables of three; Ann and Di are a team."""
    night = tournament_with(
        NAMES, team_size=2, table_size=3, least_size=2, most_size=4, rounds_planned=2
    )
    pair_up(night, ["Ann", "Di"])
    seat_own(night, ["Ann", "Bo", "Cy"], ["Di", "Ed", "Flo"])
    return night


def test_swap_that_seats_teammates_together_asks_first(night: Tournament) -> None:
    round_ = night.rounds.get()
    keys = dict(night.entries.values_list("name", "pk"))
    client, page = director(night), at("round_action", night, 1, "swap")
    swap = {"entry": keys["Bo"], "other": keys["Di"]}
    answer = client.post(page, swap).content.decode()
    assert QUESTION in answer
    assert "Ann and Di are on the same team." in answer
    assert tables_of(round_)[0] == ["Ann", "Bo", "Cy"]
    client.post(page, {**swap, "sure": "1"})
    assert tables_of(round_) == [["Ann", "Di", "Cy"], ["Bo", "Ed", "Flo"]]
    # They already sit together, so other changes at the table ask nothing.
    client.post(page, {"entry": keys["Cy"], "other": keys["Ed"]})
    assert tables_of(round_)[0] == ["Ann", "Di", "Ed"]


def test_swap_asks_about_pairs_that_the_director_keeps_apart() -> None:
    night = tournament_with(NAMES, table_size=3, least_size=2, most_size=4)
    round_ = seat_own(night, ["Ann", "Bo", "Cy"], ["Di", "Ed", "Flo"])
    entries = {entry.name: entry for entry in night.entries.all()}
    entries["Ann"].apart.add(entries["Di"])
    bo, di = entries["Bo"].pk, entries["Di"].pk
    with pytest.raises(SeparatedPairsError, match="Ann and Di are kept apart"):
        rounds.swap_and_count_repeats(round_id=round_.pk, entry_id=bo, other_id=di)
    rounds.swap_and_count_repeats(
        round_id=round_.pk, entry_id=bo, other_id=di, allows_together=True
    )
    assert tables_of(round_)[0] == ["Ann", "Di", "Cy"]


def test_teammates_may_sit_together_if_the_tournament_allows_it(
    night: Tournament,
) -> None:
    Tournament.objects.filter(pk=night.pk).update(separates_teammates=False)
    keys = dict(night.entries.values_list("name", "pk"))
    swap = {"entry": keys["Bo"], "other": keys["Di"]}
    director(night).post(at("round_action", night, 1, "swap"), swap)
    assert tables_of(night.rounds.get())[0] == ["Ann", "Di", "Cy"]


def test_change_of_seats_asks_before_it_seats_teammates_together(
    night: Tournament,
) -> None:
    round_ = night.rounds.get()
    rounds.start(round_id=round_.pk, now=timezone.now())
    keys = dict(night.entries.values_list("name", "pk"))
    client, page = director(night), at("table_seats", night, 1, 1)
    seats = {"seat_0": keys["Ann"], "seat_1": keys["Di"], "seat_2": keys["Cy"]}
    fields = {"key": "0b0b0b0b-0000-4000-8000-000000000000", "reason": "late"}
    assert QUESTION in client.post(page, {**seats, **fields}).content.decode()
    assert tables_of(round_)[0] == ["Ann", "Bo", "Cy"]
    client.post(page, {**seats, **fields, "sure": "1"})
    assert tables_of(round_)[0] == ["Ann", "Di", "Cy"]


def test_late_player_gets_a_larger_table_rather_than_one_with_a_teammate() -> None:
    night = tournament_with(NAMES, team_size=2, table_size=3, least_size=2, most_size=4)
    seat_own(night, ["Ann", "Bo"], ["Cy", "Di", "Ed"])
    rounds.start(round_id=night.rounds.get().pk, now=timezone.now())
    pair_up(night, ["Ann", "Flo"])
    flo = night.entries.get(name="Flo")
    flo.byes.all().delete()
    page = director(night).get(at("desk", night)).content.decode()
    assert "Seat at table 2" in page
    seat_late_player(entry_id=flo.pk, now=timezone.now())
    assert tables_of(night.rounds.get())[1] == ["Cy", "Di", "Ed", "Flo"]


def test_late_player_joins_a_teammate_only_if_the_director_says_so() -> None:
    night = tournament_with(NAMES[:4], team_size=2, table_size=3, least_size=2)
    seat_own(night, ["Ann", "Bo", "Cy"])
    rounds.start(round_id=night.rounds.get().pk, now=timezone.now())
    pair_up(night, ["Ann", "Di"])
    client, page = director(night), at("entry_seat", night, 4)
    assert QUESTION in client.post(page).content.decode()
    assert tables_of(night.rounds.get()) == [["Ann", "Bo", "Cy"]]
    client.post(page, {"sure": "1"})
    assert tables_of(night.rounds.get()) == [["Ann", "Bo", "Cy", "Di"]]


def test_autopilot_seats_no_newcomer_with_a_teammate() -> None:
    night = tournament_with(
        NAMES, team_size=2, table_size=3, least_size=2, most_size=3, autopilot="run"
    )
    seat_own(night, ["Ann", "Bo"], ["Cy", "Di", "Ed"])
    round_ = night.rounds.get()
    pair_up(night, ["Ann", "Flo"])
    round_.byes.all().delete()
    rounds.publish(round_id=round_.pk)
    autoseat_newcomers_and_notify(tournament_id=night.pk, now=timezone.now())
    assert len(tables_of(round_)[0]) == 2
    Entry.objects.filter(name="Flo").update(team="")
    autoseat_newcomers_and_notify(tournament_id=night.pk, now=timezone.now())
    assert tables_of(round_)[0] == ["Ann", "Bo", "Flo"]


def test_autopilot_fills_a_seat_with_someone_who_has_no_teammate_there() -> None:
    names = [*NAMES, "Gus", "Hana"]
    night = tournament_with(names, team_size=2, table_size=3, autopilot="run")
    seat_own(night, NAMES[:3], NAMES[3:6])
    round_ = night.rounds.get()
    pair_up(night, ["Ann", "Gus"])
    rounds.publish(round_id=round_.pk)
    set_state(entry_id=night.entries.get(name="Bo").pk, state=Entry.State.DROPPED)
    replace_dropouts_or_withdraw_draw(tournament_id=night.pk, now=timezone.now())
    assert tables_of(round_)[0] == ["Ann", "Hana", "Cy"]


def test_program_is_refused_unless_it_allows_teammates_together(
    night: Tournament,
) -> None:
    call = Caller(member(night.club, Role.DIRECTOR))
    numbers = dict(night.entries.values_list("name", "number"))
    path = f"/tournaments/{night.address}/rounds/1/swap"
    pair = {"entry": numbers["Bo"], "other": numbers["Di"]}
    refused = call.request("POST", path, pair)
    assert refused.status_code == 422
    assert "Ann and Di are on the same team." in refused.content.decode()
    call.call("POST", path, {**pair, "allows_together": True})
    assert tables_of(night.rounds.get())[0] == ["Ann", "Di", "Cy"]
