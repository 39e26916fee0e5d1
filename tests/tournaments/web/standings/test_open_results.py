"""Every output marks results that can still change, and no final ones."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.competition import ResultState
from scoring.matchlog.commands import CommandAuthor
from scoring.offline.competition import TABLES, OfflineCompetition
from scoring.pages.sheet import load_sheet, match_headline
from tests.factories.hooks import new_webhook
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
from tests.tournaments.web.night.test_scoring_rights import match_of
from tests.tournaments.web.pages import at, text
from tournaments.event import results, rounds
from tournaments.event.results import store_current_standings
from tournaments.files.writing import FORMATS
from tournaments.history.imports.files import cells_in_file
from tournaments.history.personal_data import export_person
from tournaments.models import HookEvent, Table, Tournament
from tournaments.web.night.rounds import build_round_page
from tournaments.web.sharing.pictures import tournament_link_preview

pytestmark = pytest.mark.django_db

Channel = Callable[[Table], str]
"""Returns how an output marks the result of a table: `open` if it has the same mark for all open results."""


def tournament_of(table: Table) -> Tournament:
    return Tournament.objects.get(pk=table.round.tournament_id)


def rows_in(address: str, ending: str) -> list[dict[str, str]]:
    """Return the rows of a downloaded file as dictionaries. Empty cells at the end of a row may be missing."""
    response = Client().get(address)
    assert response.status_code == 200
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    headers, *lines = cells_in_file(
        f"table.{ending}", content, today=NOW.date(), sheet=0
    )
    assert lines
    return [dict(zip_longest(headers, line, fillvalue="")) for line in lines]


def counts_in(
    rows: Iterable[Mapping[str, Any]], disputed: str, unconfirmed: str
) -> str:
    """Return the mark in rows that all count the same open tables."""
    ((is_disputed, is_unconfirmed),) = {
        (row[disputed], row[unconfirmed]) for row in rows
    }
    assert int(is_disputed) <= int(is_unconfirmed) <= 1
    return "disputed" if int(is_disputed) else "not confirmed" * int(is_unconfirmed)


def standings_file(ending: str) -> Channel:
    headers = ("disputed", "unconfirmed")
    if ending != "json":
        headers = ("Disputed tables", "Unconfirmed tables")

    def mark(table: Table) -> str:
        address = at("standings_table", tournament_of(table), ending)
        return counts_in(rows_in(address, ending), *headers)

    return mark


STATES = {"disputed": "disputed", "unconfirmed": "not confirmed", "final": ""}


def results_file(ending: str) -> Channel:
    def mark(table: Table) -> str:
        address = at("results_table", tournament_of(table), ending)
        header = "result_state" if ending == "json" else "Confirmation (key)"
        (value,) = {row[header] for row in rows_in(address, ending)}
        return STATES.get(value, "")

    return mark


def played_tournaments_file(table: Table) -> str:
    entry = table.places.get(index=0).entry
    club = tournament_of(table).club
    address = reverse(
        "tournaments:player_tournaments_table",
        args=[club.slug, entry.player_id, "json"],
    )
    return counts_in(rows_in(address, "json"), "disputed", "unconfirmed")


def read_api(address: str) -> Any:
    response = Client().get(f"/api/v1{address}")
    assert response.status_code == 200
    return json.loads(response.getvalue())


def api_standings(table: Table) -> str:
    data = read_api(f"/tournaments/{tournament_of(table).address}/standings")
    return counts_in(data["lines"], "disputed", "unconfirmed")


def api_standings_file(table: Table) -> str:
    address = tournament_of(table).address
    data = read_api(f"/tournaments/{address}/tables/standings.json")
    return counts_in(data["rows"], "disputed", "unconfirmed")


def api_round(table: Table) -> str:
    data = read_api(f"/tournaments/{tournament_of(table).address}/rounds/1")
    return STATES[data["tables"][0]["result"]]


def mark_on(page: str) -> str:
    """Return the mark that a page has for open results."""
    marks = re.findall(r"(?:◌ \d+|[(>])\s*(disputed|unconfirmed|not confirmed)\b", page)
    (mark,) = {mark.replace("unconfirmed", "not confirmed") for mark in marks} or {""}
    return str(mark)


def page_channel(name: str) -> Channel:
    return lambda table: mark_on(text(Client(), at(name, tournament_of(table))))


def table_page_channel(name: str, *parts: object) -> Channel:
    def mark(table: Table) -> str:
        page_text = text(Client(), at(name, tournament_of(table), *parts)).lower()
        marks = ("not confirmed", "disputed", "is this right?")
        return "open" if any(mark in page_text for mark in marks) else ""

    return mark


def live_frame(table: Table) -> str:
    slug = tournament_of(table).club.slug
    return mark_on(text(Client(), reverse("tournaments:frame_live", args=[slug])))


def shared_description(table: Table) -> str:
    return mark_on(tournament_link_preview(tournament_of(table)).description)


def player_page(table: Table) -> str:
    slug, entry = tournament_of(table).club.slug, table.places.get(index=0).entry
    address = reverse("tournaments:player", args=[slug, entry.player_id])
    return mark_on(text(Client(), address))


def own_night_page(table: Table) -> str:
    entry = table.places.get(index=0).entry
    page = text(own_phone(entry), at("me", tournament_of(table)))
    return "" if "★" in page else "open"


def personal_export(table: Table) -> str:
    entry = table.places.get(index=0).entry
    export = export_person(tournament_of(table).club, entry.player_id)
    (unconfirmed,) = {row["unconfirmed"] for row in export["standings"]}
    return "open" if unconfirmed else ""


def latest_webhook(table: Table) -> str:
    latest = HookEvent.objects.filter(kind="standings.changed").latest("pk")
    mark = counts_in(latest.content["lines"], "disputed", "unconfirmed")
    assert {mark_on(line) for line in latest.lines} == {mark}
    return mark


def sheet_chart(table: Table) -> str:
    totals_chart = load_sheet(match_of(table)).chart
    assert totals_chart is not None
    return "open" if "has led since" in totals_chart.caption else ""


CHANNELS: dict[str, Channel] = {
    **{f"standings.{ending}": standings_file(ending) for ending in FORMATS},
    **{f"results.{ending}": results_file(ending) for ending in FORMATS},
    "played.json": played_tournaments_file,
    "API standings": api_standings,
    "API standings.json": api_standings_file,
    "API round": api_round,
    "standings page": page_channel("tournament"),
    "round page": table_page_channel("round", 1),
    "table page": table_page_channel("table", 1, 1),
    "projector": page_channel("projector"),
    "frame": live_frame,
    "shared": shared_description,
    "player page": player_page,
    "own night": own_night_page,
    "personal export": personal_export,
    "webhook": latest_webhook,
    "chart": sheet_chart,
}


def played_table(**settings: Any) -> Table:
    tournament = tournament_with(4, **{"quorum": "all", **settings})
    new_webhook(tournament.club)
    if tournament.is_league:
        names = tournament.entries.values_list("name", flat=True)
        play_table(begin(tournament, list(names)), [20, 12, 5, 1])
    else:
        play_round(running_round(tournament))
    return Table.objects.get(round__tournament=tournament, round__number=1)


def compute(table: Table) -> Table:
    store_current_standings(tournament_id=table.round.tournament_id, now=NOW)
    return Table.objects.select_related("round").get(pk=table.pk)


def unconfirmed_table() -> Table:
    return compute(played_table())


def closed_unconfirmed_table() -> Table:
    table = played_table()
    rounds.close(round_id=table.round_id, now=NOW, override="It was late.")
    return compute(table)


def reopened_unconfirmed_table() -> Table:
    table = closed_unconfirmed_table()
    rounds.reopen_round(round_id=table.round_id)
    return table


def finished_unconfirmed_table() -> Table:
    table = closed_unconfirmed_table()
    rounds.finish(tournament_id=table.round.tournament_id, now=NOW)
    return table


def closed_confirmed_table() -> Table:
    table = closed_unconfirmed_table()
    author = CommandAuthor(name="Di")
    return results.confirm_table_as_director(table_id=table.pk, author=author, now=NOW)


def disputed_table(**settings: Any) -> Table:
    return compute(results.dispute(table_id=played_table(**settings).pk, now=NOW))


def settle(table: Table) -> Table:
    author = CommandAuthor(name="Di")
    return compute(
        results.confirm_disputed_result_or_end_call(
            table_id=table.pk, author=author, now=NOW
        )
    )


def settled_table() -> Table:
    return settle(disputed_table())


def table_without_quorum() -> Table:
    return played_table(quorum="none")


def void_table() -> Table:
    return results.set_void(table_id=disputed_table().pk, void=True)


@pytest.mark.parametrize(
    ("make_table", "mark"),
    [
        (unconfirmed_table, "not confirmed"),
        (closed_unconfirmed_table, "not confirmed"),
        (disputed_table, "disputed"),
        (settled_table, ""),
    ],
)
def test_every_output_marks_an_open_result_and_no_final_one(
    make_table: Callable[[], Table], mark: str
) -> None:
    table = make_table()
    for name, read_mark in CHANNELS.items():
        assert read_mark(table) in {mark, "open" if mark else ""}, name


def sentences_about_winner(table: Table) -> dict[str, str]:
    """Return the texts that name the winner or leader of a match, by output."""
    match, phone = match_of(table), Client()
    sheet = load_sheet(match)
    return {
        "sheet": text(phone, match.get_absolute_url()),
        "sheet that is open": text(
            phone, reverse("scoring:match_live", args=[match.address])
        ),
        "home": text(phone, reverse("scoring:home")),
        "picture": match_headline(sheet, sheet.names).sentence,
        "shared": f"{sheet.result_headline} {sheet.totals_line}",
    }


@pytest.mark.parametrize(
    ("make_table", "state"),
    [
        (unconfirmed_table, ResultState.UNCONFIRMED),
        (disputed_table, ResultState.DISPUTED),
        (settled_table, ResultState.FINAL),
        (closed_unconfirmed_table, ResultState.UNCONFIRMED),
        (reopened_unconfirmed_table, ResultState.UNCONFIRMED),
        (finished_unconfirmed_table, ResultState.UNCONFIRMED),
        (closed_confirmed_table, ResultState.FINAL),
        (table_without_quorum, ResultState.FINAL),
    ],
)
def test_match_names_its_winner_once_the_result_is_final(
    make_table: Callable[[], Table], state: ResultState
) -> None:
    table = make_table()
    is_final = state == ResultState.FINAL
    check_state(table, state)
    winner = match_of(table).seats.get(index=0).name
    headline = {
        ResultState.UNCONFIRMED: f"{winner} leads (not confirmed yet)",
        ResultState.DISPUTED: "Disputed. The director will decide.",
        ResultState.FINAL: f"{winner} won",
    }[state]
    for channel, sentence in sentences_about_winner(table).items():
        assert headline in sentence, channel
        assert is_final or f"{winner} won" not in sentence, channel
    data = read_api(f"/matches/{match_of(table).address}")
    assert data["result"] == state
    assert [seat["won"] for seat in data["seats"]] == [is_final, *[False] * 3]
    assert [seat["rank"] for seat in data["seats"]] == [1, 2, 3, 4]


def test_result_of_a_void_table_is_not_open() -> None:
    check_state(void_table(), ResultState.FINAL)


def check_state(table: Table, state: ResultState) -> None:
    """Check the state of a result, by its row and by a query."""
    assert Table.objects.get(pk=table.pk).result_state == state
    open_tables = Table.objects.without_final_result(tournament_of(table).quorum)
    assert open_tables.filter(pk=table.pk).exists() == (state != ResultState.FINAL)


def test_webhooks_say_that_a_result_is_not_confirmed() -> None:
    table = played_table(quorum="one")
    event = HookEvent.objects.get(kind="match.finished")
    assert event.lines[-1] == "The result isn’t confirmed yet."
    assert event.content["result"] == "unconfirmed"
    results.confirm_table_as_director(
        table_id=table.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    confirmed = HookEvent.objects.get(kind="result.confirmed")
    assert confirmed.content["result"] == "final"
    assert [seat["won"] for seat in event.content["seats"]] == [False] * 4
    assert [seat["won"] for seat in confirmed.content["seats"]] == [True, *[False] * 3]


def test_open_result_advances_no_player() -> None:
    tournament = tournament_with(8, format="knockout", quorum="all")
    play_round(round_ := running_round(tournament))

    def states() -> set[str]:
        page = build_round_page(tournament, round_, by_name=False, own=())
        return {
            seat.state
            for branch in page.branches
            for table in branch.tables
            for seat in table.seats
        }

    assert states() == {"is-current"}
    results.confirm_round_and_list_table_numbers(
        round_id=round_.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    assert states() == {"won", "out"}


@pytest.mark.parametrize(
    ("last_known", "state"),
    [
        ({"wanted": 4}, ResultState.UNCONFIRMED),
        ({"wanted": 4, "disputed": True}, ResultState.DISPUTED),
        ({"wanted": 0}, ResultState.FINAL),
        (None, ResultState.FINAL),
    ],
)
def test_offline_phone_uses_the_last_known_state(
    last_known: dict[str, object] | None, state: ResultState
) -> None:
    match = match_of(played_table())
    if last_known is not None:
        TABLES[match.address] = {
            "own": None,
            "at_table": False,
            "page": "",
            **last_known,
        }
    try:
        assert OfflineCompetition().result_state(match) == state
    finally:
        TABLES.clear()


@pytest.mark.parametrize("played_as", ["league", "knockout"])
@pytest.mark.parametrize(
    "name", ["standings page", "round page", "standings.csv", "API round"]
)
def test_every_format_marks_a_disputed_table_until_it_is_settled(
    played_as: str, name: str
) -> None:
    table = disputed_table(format=played_as)
    assert CHANNELS[name](table)
    assert not CHANNELS[name](settle(table))


def test_desk_standings_and_projector_list_tables_that_ended_unfinished() -> None:
    tournament = tournament_with(8, quorum="one", rounds_planned=2)
    first, second = running_round(tournament).tables.order_by("number")
    play_table(first, [20, 12, 5, 1])
    enter_points(match_of(second), [9, 5, 3, 1])
    rounds.close(round_id=first.round_id, now=NOW, override="It was late.")
    compute(first)
    sentence = "table 2 stopped after hand 1 of 4"
    desk_client = director(tournament)

    def read_pages() -> tuple[str, str]:
        page = text(Client(), at("tournament", tournament))
        projector = text(Client(), at("projector", tournament))
        assert sentence.removeprefix("t") in projector
        return page, text(desk_client, at("desk", tournament))

    standings_page, desk_page = read_pages()
    assert f"after round 1; {sentence}" in standings_page
    assert f"Round 1: {sentence}." in desk_page
    running_round(tournament)
    compute(first)
    standings_page, desk_page = read_pages()
    assert f"Round 1: {sentence}" in standings_page
    assert f"Round 1: {sentence}." in desk_page
    assert "Round 1: table 1 hasn’t confirmed its result." in desk_page
    results.confirm_table_as_director(
        table_id=second.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    compute(first)
    standings_page, desk_page = read_pages()
    assert f"Round 1: {sentence}" in standings_page
    assert sentence not in desk_page
