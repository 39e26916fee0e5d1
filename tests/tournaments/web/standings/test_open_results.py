"""Every output marks a result that can still change, and no result that is final."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matchlog.commands import Author
from scoring.pages.sheet import load_sheet
from tests.factories.hooks import hook_of
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    enter_points,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.night.test_who_writes import match_of
from tests.tournaments.web.pages import at, text
from tournaments.event import results, rounds
from tournaments.event.results import compute_standings
from tournaments.files.writing import FORMATS
from tournaments.history.imports.files import cells_in_file
from tournaments.history.personal_data import export_person
from tournaments.models import HookEvent, Table, Tournament
from tournaments.web.sharing.pictures import tournament_metadata

pytestmark = pytest.mark.django_db

Channel = Callable[[Table], bool]


def tournament_of(table: Table) -> Tournament:
    return Tournament.objects.get(pk=table.round.tournament_id)


def rows_in(address: str, ending: str) -> list[dict[str, str]]:
    """Return the rows of a file by the heads of its columns, as a reader has them."""
    answer = Client().get(address)
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    heads, *lines = cells_in_file(f"table.{ending}", content, today=NOW.date(), sheet=0)
    assert lines
    return [dict(zip(heads, line, strict=True)) for line in lines]


def standings_file(ending: str) -> Channel:
    def is_marked(table: Table) -> bool:
        address = at("standings_table", tournament_of(table), ending)
        head = "unconfirmed" if ending == "json" else "Tables not confirmed"
        (value,) = {row[head] for row in rows_in(address, ending)}
        return value == "1"

    return is_marked


def results_file(ending: str) -> Channel:
    def is_marked(table: Table) -> bool:
        address = at("results_table", tournament_of(table), ending)
        head = "result_state" if ending == "json" else "Confirmation (key)"
        (value,) = {row[head] for row in rows_in(address, ending)}
        return value in {"disputed", "unconfirmed"}

    return is_marked


def played_file(table: Table) -> bool:
    entry = table.places.get(index=0).entry
    club = tournament_of(table).club
    address = reverse(
        "tournaments:played_table", args=[club.slug, entry.player_id, "json"]
    )
    (row,) = rows_in(address, "json")
    return row["unconfirmed"] == "1"


def read(address: str) -> Any:
    answer = Client().get(f"/api/v1{address}")
    assert answer.status_code == 200
    return answer.json()


def api_standings(table: Table) -> bool:
    told = read(f"/tournaments/{tournament_of(table).address}/standings")
    return {line["unconfirmed"] for line in told["lines"]} == {1}


def api_standings_file(table: Table) -> bool:
    told = Client().get(
        f"/api/v1/tournaments/{tournament_of(table).address}/tables/standings.json"
    )
    rows = json.loads(told.getvalue())["rows"]
    return {row["unconfirmed"] for row in rows} == {1}


def api_round(table: Table) -> bool:
    told = read(f"/tournaments/{tournament_of(table).address}/rounds/1")
    return bool(told["tables"][0]["result"] != "final")


def api_match(table: Table) -> bool:
    return bool(read(f"/matches/{match_of(table).address}")["result"] != "final")


def page(name: str, *parts: object) -> Channel:
    def is_marked(table: Table) -> bool:
        said = text(Client(), at(name, tournament_of(table), *parts)).lower()
        marks = ("not confirmed", "disputed", "is this right?")
        return any(mark in said for mark in marks)

    return is_marked


def frame(table: Table) -> bool:
    slug = tournament_of(table).club.slug
    address = reverse("tournaments:frame_live", args=[slug])
    return bool(marks_on(text(Client(), address)))


def shared(table: Table) -> bool:
    return bool(marks_on(tournament_metadata(tournament_of(table)).description))


def own_page_of_player(table: Table) -> bool:
    entry = table.places.get(index=0).entry
    address = reverse(
        "tournaments:player", args=[tournament_of(table).club.slug, entry.player_id]
    )
    return bool(marks_on(text(Client(), address)))


def own_night(table: Table) -> bool:
    entry = table.places.get(index=0).entry
    return "★" not in text(own_phone(entry), at("me", tournament_of(table)))


def personal_export(table: Table) -> bool:
    entry = table.places.get(index=0).entry
    told = export_person(tournament_of(table).club, entry.player_id)
    return {row["unconfirmed"] for row in told["standings"]} == {1}


def webhook(table: Table) -> bool:
    latest = HookEvent.objects.filter(kind="standings.changed").latest("pk")
    is_marked = {line["unconfirmed"] for line in latest.content["lines"]} == {1}
    assert all(bool(marks_on(line)) == is_marked for line in latest.lines)
    return is_marked


def sheet(table: Table) -> bool:
    said = text(Client(), match_of(table).get_absolute_url())
    return "Disputed" in said or "not confirmed" in said


def chart(table: Table) -> bool:
    drawn = load_sheet(match_of(table)).chart
    assert drawn is not None
    return "has led since" in drawn.caption


CHANNELS: dict[str, Channel] = {
    **{f"standings.{ending}": standings_file(ending) for ending in FORMATS},
    **{f"results.{ending}": results_file(ending) for ending in FORMATS},
    "played.json": played_file,
    "API standings": api_standings,
    "API standings.json": api_standings_file,
    "API round": api_round,
    "API match": api_match,
    "standings page": page("tournament"),
    "round page": page("round", 1),
    "table page": page("table", 1, 1),
    "projector": page("projector"),
    "frame": frame,
    "shared": shared,
    "player page": own_page_of_player,
    "own night": own_night,
    "personal export": personal_export,
    "webhook": webhook,
    "sheet": sheet,
    "chart": chart,
}


def played(**settings: Any) -> Table:
    tournament = tournament_with(4, quorum="all", **settings)
    hook_of(tournament.club)
    if tournament.is_league:
        names = tournament.entries.values_list("name", flat=True)
        play_table(begin(tournament, list(names)), [20, 12, 5, 1])
    else:
        play_round(running_round(tournament))
    return Table.objects.get(round__tournament=tournament, round__number=1)


def compute(table: Table) -> Table:
    compute_standings(tournament_id=table.round.tournament_id, now=NOW)
    return Table.objects.select_related("round").get(pk=table.pk)


def unconfirmed() -> Table:
    return compute(played())


def closed_unconfirmed() -> Table:
    table = played()
    rounds.close(round_id=table.round_id, now=NOW, override="It was late.")
    return compute(table)


def disputed(**settings: Any) -> Table:
    return compute(results.dispute(table_id=played(**settings).pk, now=NOW))


def settle(table: Table) -> Table:
    author = Author(name="Di")
    return compute(results.settle(table_id=table.pk, author=author, now=NOW))


def marks(table: Table) -> dict[str, bool]:
    return {name: is_marked(table) for name, is_marked in CHANNELS.items()}


def counted_as_disputed(table: Table) -> dict[tuple[str, str], set[Any]]:
    """Return what each output counts as disputed, or how it marks the line of a player."""
    tournament = tournament_of(table)
    entry = table.places.get(index=0).entry
    slug = tournament.club.slug
    api = read(f"/tournaments/{tournament.address}/standings")["lines"]
    latest = HookEvent.objects.filter(kind="standings.changed").latest("pk")
    played = reverse("tournaments:played_table", args=[slug, entry.player_id, "json"])
    person = reverse("tournaments:player", args=[slug, entry.player_id])
    return {
        ("number", "API"): {line["disputed"] for line in api},
        ("number", "webhook"): {line["disputed"] for line in latest.content["lines"]},
        ("words", "notice"): marks_on(" ".join(latest.lines)),
        ("file", "standings file"): {
            row["disputed"]
            for row in rows_in(at("standings_table", tournament, "json"), "json")
        },
        ("file", "played file"): {row["disputed"] for row in rows_in(played, "json")},
        ("words", "player page"): marks_on(text(Client(), person)),
        ("words", "standings"): marks_on(text(Client(), at("tournament", tournament))),
        ("words", "projector"): marks_on(text(Client(), at("projector", tournament))),
        ("words", "shared"): marks_on(tournament_metadata(tournament).description),
    }


def marks_on(page: str) -> set[str]:
    """Return how the lines of a page mark open results."""
    marks = re.findall(r"(table|[(>])\s*(disputed|not confirmed)\b", page)
    return {words for _before, words in marks}


def test_lines_tell_disputed_tables_from_unconfirmed_ones() -> None:
    counted_by_mark = {
        "disputed": counted_as_disputed(disputed()),
        "not confirmed": counted_as_disputed(unconfirmed()),
    }
    for mark, by_output in counted_by_mark.items():
        number = int(mark == "disputed")
        expected = {"number": {number}, "file": {str(number)}, "words": {mark}}
        assert by_output == {key: expected[key[0]] for key in by_output}


@pytest.mark.parametrize("play", [unconfirmed, closed_unconfirmed, disputed])
def test_every_output_marks_an_open_result(play: Callable[[], Table]) -> None:
    assert marks(play()) == dict.fromkeys(CHANNELS, True)


def test_no_output_marks_a_settled_result() -> None:
    assert marks(settle(disputed())) == dict.fromkeys(CHANNELS, False)


@pytest.mark.parametrize("played_as", ["league", "knockout"])
@pytest.mark.parametrize(
    "name", ["standings page", "round page", "standings.csv", "API round"]
)
def test_every_format_marks_a_disputed_table_until_it_is_settled(
    played_as: str, name: str
) -> None:
    table = disputed(format=played_as)
    assert CHANNELS[name](table)
    assert not CHANNELS[name](settle(table))


def test_desk_standings_and_projector_name_tables_that_stopped_with_their_round() -> (
    None
):
    tournament = tournament_with(8, quorum="one", rounds_planned=2)
    first, second = running_round(tournament).tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    enter_points(match_of(second), [9, 5, 3, 1])
    rounds.close(round_id=first.round_id, now=NOW, override="It was late.")
    compute(first)
    stopped = "table 2 stopped after hand 1 of 4"
    desk = director(tournament)

    def shown() -> tuple[str, str]:
        page = text(Client(), at("tournament", tournament))
        projector = text(Client(), at("projector", tournament))
        assert stopped.removeprefix("t") in projector
        return page, text(desk, at("desk", tournament))

    standings, at_desk = shown()
    assert f"after round 1; {stopped}" in standings
    assert f"Round 1: {stopped}." in at_desk
    running_round(tournament)
    compute(first)
    standings, at_desk = shown()
    assert f"Round 1: {stopped}" in standings
    assert f"Round 1: {stopped}." in at_desk
    assert "Round 1: table 1 has not agreed to its result." in at_desk
    results.confirm_for_table(table_id=second.pk, author=Author(name="Di"), now=NOW)
    compute(first)
    standings, at_desk = shown()
    assert f"Round 1: {stopped}" in standings
    assert stopped not in at_desk


def test_standings_name_disputed_tables() -> None:
    tournament = tournament_with(12, quorum="all", rounds_planned=2)
    first, _second, third = running_round(tournament).tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    results.dispute(table_id=first.pk, now=NOW)
    compute(first)
    shown = text(Client(), at("tournament", tournament))
    assert "table 1 is disputed; tables 2, 3 are still open" in shown
    if_all_stopped = text(director(tournament), at("as_it_stands", tournament))
    assert "Round 1: table 1 is disputed" in if_all_stopped
    rounds.close(round_id=third.round_id, now=NOW, override="It was late.")
    running_round(tournament)
    compute(first)
    shown = text(Client(), at("tournament", tournament))
    assert "Round 1: table 1 is disputed; tables 1, 2, 3 are still open" in shown
    settle(first)
    assert "disputed" not in text(Client(), at("tournament", tournament))
