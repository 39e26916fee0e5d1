"""Byes on request and for late arrivals: the draw, their points, and where they are shown."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    member,
    own_phone,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries as entering
from tournaments.event import rounds
from tournaments.event.autopilot import is_draw_up_to_date
from tournaments.event.draw import read_seating
from tournaments.event.requested_byes import set_requested_byes
from tournaments.event.results import store_current_standings
from tournaments.files.tables import (
    entry_seating_table,
    round_seating_table,
    standings_table,
)
from tournaments.models import Entry, NightEvent, Role, Tournament
from tournaments.standings import PointPart
from tournaments.web.standings.lines import StandingsTable, build_standings_table

NIGHT = {"table_size": 4, "least_size": 3, "most_size": 5}


def ask(night: Tournament, name: str, *numbers: int) -> Entry:
    entry = night.entries.get(name=name)
    return set_requested_byes(entry_id=entry.pk, numbers=numbers)


def standings_of(night: Tournament) -> StandingsTable:
    standings = store_current_standings(tournament_id=night.pk, now=NOW)
    return build_standings_table(Tournament.objects.get(pk=night.pk), standings)


def cells_of(table: StandingsTable, name: str) -> list[str]:
    return next(list(line.cells) for line in table.lines if line.row.names == name)


def parts_of(table: StandingsTable, name: str) -> list[PointPart]:
    (row,) = (line.row for line in table.lines if line.row.names == name)
    return list(row.point_parts.parts)


class RequestsTest(TestCase):
    @settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))
    @given(
        st.integers(8, 13),
        st.sets(st.tuples(st.integers(0, 7), st.integers(1, 3)), max_size=7),
        st.sampled_from(["planned", "swiss", "heats"]),
    )
    def test_everyone_present_has_a_seat_or_a_bye(
        self, players: int, requests: set[tuple[int, int]], format_: str
    ) -> None:
        night = tournament_with(players, format=format_, rounds_planned=3, **NIGHT)
        entries = list(night.entries.by_number())
        for index, entry in enumerate(entries):
            numbers = [number for who, number in requests if who == index]
            set_requested_byes(entry_id=entry.pk, numbers=numbers)
        drawing.draw(tournament_id=night.pk)
        for round_ in night.rounds.all():
            seated = [entry for table in read_seating(round_) for entry in table]
            byes = list(round_.byes.select_related("entry", "round"))
            resting = [bye.entry_id for bye in byes]
            assert sorted([*seated, *resting]) == [entry.pk for entry in entries]
            asked = {bye.entry_id for bye in byes if bye.kind == "requested"}
            assert asked == {
                entries[who].pk for who, number in requests if number == round_.number
            }


@pytest.mark.django_db
def test_director_chooses_rounds_and_undoes_them_until_they_are_drawn() -> None:
    night = tournament_with(["Ann", "Bo", "Cy", "Di", "Ed"], rounds_planned=3, **NIGHT)
    client = signed_in(night.club)
    page_of_ann = at("entry_edit", night, 1)
    client.post(page_of_ann, {"byes": "1", "rounds": ["2", "3"]})
    assert night.entries.get(name="Ann").bye_rounds == [2, 3]
    assert "sits out round 2 and round 3" in text(client, at("entries", night))
    client.post(page_of_ann, {"byes": "1", "rounds": ["2"]})
    drawing.draw(tournament_id=night.pk)
    drawn_bye = night.rounds.get(number=2).byes.get()
    assert (drawn_bye.entry.name, drawn_bye.kind) == ("Ann", "requested")
    refused = client.post(page_of_ann, {"byes": "1", "rounds": ["1", "7"]})
    assert refused.status_code == 200
    assert night.entries.get(name="Ann").bye_rounds == [2]
    # The draw has the bye: only its undoing takes it back.
    client.post(page_of_ann, {"byes": "1", "rounds": []})
    assert night.entries.get(name="Ann").bye_rounds == [2]
    kinds = night.night_events.filter(name="Ann").values_list("kind", "round_number")
    assert set(kinds) >= {
        (NightEvent.Kind.BYE_REQUESTED, 2),
        (NightEvent.Kind.BYE_CANCELLED, 3),
    }
    assert "Round 3 · Ann" in text(client, at("night_log", night))


@pytest.mark.django_db
def test_player_sits_out_a_round_on_their_own_phone_and_plays_after_all() -> None:
    night = tournament_with(9, format="swiss", rounds_planned=3, **NIGHT)
    running_round(night)
    entry = night.entries.get(number=1)
    phone = own_phone(entry)
    page = text(phone, at("me", night))
    assert "Sit out round 2" in page
    assert "Sit out round 1" not in page
    asked = phone.post(at("me_action", night, "sit-out"), {"round": "3"})
    question = asked.content.decode()
    assert "Sit out round 3?" in question
    assert "Points for this round: 0." in question
    assert night.entries.get(number=1).bye_rounds == []
    sure = {"round": "3", "sure": "1"}
    answer = phone.post(at("me_action", night, "sit-out"), sure, follow=True)
    assert "You’re sitting out round 3." in answer.content.decode()
    assert night.entries.get(number=1).bye_rounds == [3]
    # Asking again changes nothing and asks nothing.
    again = phone.post(at("me_action", night, "sit-out"), {"round": "3"}, follow=True)
    assert "Nothing changed" in again.content.decode()
    desk = text(signed_in(night.club), at("desk", night))
    assert f"Sitting out later on request: <b>{entry.name} (round 3)</b>." in desk
    phone.post(at("me_action", night, "play"), {"round": "3"})
    assert night.entries.get(number=1).bye_rounds == []
    assert "Sitting out later" not in text(signed_in(night.club), at("desk", night))


@pytest.mark.django_db
@pytest.mark.parametrize("round_number", ["1", "9", "0", "x"])
def test_player_cannot_sit_out_a_round_that_is_not_open(round_number: str) -> None:
    night = tournament_with(9, format="swiss", rounds_planned=3, **NIGHT)
    running_round(night)
    phone = own_phone(night.entries.get(number=1))
    for fields in ({}, {"sure": "1"}):
        values = {"round": round_number, **fields}
        answer = phone.post(at("me_action", night, "sit-out"), values, follow=True)
        assert "Ask the director." in answer.content.decode()
    assert night.entries.get(number=1).bye_rounds == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "settings",
    [{"format": "knockout"}, {"format": "round_robin"}, {"rounds_planned": 1}],
)
def test_my_night_offers_no_byes_where_no_one_sits_out_on_request(
    settings: dict[str, object],
) -> None:
    night = tournament_with(8, **NIGHT, **settings)
    running_round(night)
    assert "Sit out" not in text(own_phone(night.entries.all()[0]), at("me", night))


@pytest.mark.django_db
def test_program_sets_the_rounds_that_a_player_sits_out() -> None:
    night = tournament_with(9, format="swiss", rounds_planned=3, **NIGHT)
    running_round(night)
    caller = Caller(member(night.club, Role.SCORER))
    path = f"/tournaments/{night.address}/entries/1"
    assert caller.call("PATCH", path, {"bye_rounds": [2, 3]})["bye_rounds"] == [2, 3]
    assert caller.call("PATCH", path, {"bye_rounds": []})["bye_rounds"] == []
    refused = caller.request("PATCH", path, {"bye_rounds": [1]})
    assert refused.status_code == 422
    assert "Too late to sit out round 1" in refused.content.decode()
    viewer = Caller(member(night.club, Role.VIEWER))
    assert viewer.request("PATCH", path, {"bye_rounds": [3]}).status_code == 403


@pytest.mark.django_db
def test_request_after_the_draw_asks_for_another_draw() -> None:
    night = tournament_with(9, rounds_planned=2, **NIGHT)
    drawing.draw(tournament_id=night.pk)
    round_ = night.rounds.get(number=2)
    seated = round_.places.all()[0].entry
    set_requested_byes(entry_id=seated.pk, numbers=[2])
    assert not is_draw_up_to_date(round_)
    desk = text(signed_in(night.club), at("desk", night))
    assert f"{seated.name} asked to sit out but has a seat (Round 2)." in desk
    drawing.draw(tournament_id=night.pk)
    redrawn = night.rounds.get(number=2)
    assert is_draw_up_to_date(redrawn)
    assert redrawn.byes.filter(entry=seated).exists()
    rounds.publish(round_id=night.rounds.get(number=1).pk)
    with pytest.raises(RefusedError, match="Too late to sit out round 1"):
        set_requested_byes(entry_id=seated.pk, numbers=[1, 2])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("points", "expected"),
    [("0", Fraction(0)), ("half", Fraction(5, 4)), ("3/2", Fraction(3, 2))],
)
def test_club_chooses_the_points_of_requested_byes(
    points: str, expected: Fraction
) -> None:
    night = tournament_with(9, rounds_planned=2, requested_bye=points, **NIGHT)
    name = night.entries.get(number=9).name
    ask(night, name, 2)
    closed_round(night)
    closed_round(night)
    table = standings_of(night)
    first, second = parts_of(table, name)
    worth = first.points / 2 if points == "half" else expected
    assert (second.points, second.bye) == (worth, "requested")
    assert "away" in cells_of(table, name)
    assert "“away” means sitting out on request." in table.notes


@pytest.mark.django_db
@pytest.mark.parametrize("points", ["0", "average", "1"])
def test_late_players_get_the_chosen_points_once_they_play(points: str) -> None:
    night = tournament_with(8, rounds_planned=2, late_bye=points, **NIGHT)
    closed_round(night)
    entering.add_entries(
        tournament_id=night.pk, names=["Zoe"], now=NOW, state=Entry.State.PRESENT
    )
    assert parts_of(standings_of(night), "Zoe") == []
    drawing.draw(tournament_id=night.pk)
    closed_round(night)
    table = standings_of(night)
    parts = parts_of(table, "Zoe")
    if points == "0":
        assert [part.bye for part in parts] == [None]
        return
    late, played = parts
    assert (late.round, late.bye, played.bye) == (1, "late", None)
    assert late.points == (played.points if points == "average" else 1)
    assert cells_of(table, "Zoe")[0] == "late"


@pytest.mark.django_db
def test_files_list_byes_after_tables_with_their_kind() -> None:
    night = tournament_with(9, rounds_planned=1, bye="2", table_size=4, least_size=4)
    name = night.entries.get(number=3).name
    ask(night, name, 1)
    closed_round(night)
    rows = list(round_seating_table(night).rows)
    assert [row[3] for row in rows if row[1] is None] == [name]
    assert rows[-1][-1] == "bye_requested"
    by_entry = {row[1]: row[3] for row in entry_seating_table(night).rows}
    assert by_entry[name] == "bye_requested"
    standings = store_current_standings(tournament_id=night.pk, now=NOW)
    file = standings_table(night, standings)
    column = list(file.columns).index("round_1")
    assert {row[2]: row[column] for row in file.rows}[name] == "bye_requested"
    page = text(signed_in(night.club), at("round", night, 1))
    assert f"{name} (on request)" in page
