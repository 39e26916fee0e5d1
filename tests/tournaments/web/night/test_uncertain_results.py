"""Who won is said of a table once its result can no longer change by itself, in every channel."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from scoring.competition import ResultState
from scoring.matchlog.commands import Author
from scoring.offline.competition import TABLES, OfflineCompetition
from scoring.pages.link_preview import match_headline
from scoring.pages.sheet import load_sheet
from tests.factories.hooks import hook_of
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.night.test_who_agrees import done_table, name_at
from tests.tournaments.web.night.test_who_writes import match_of
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import results, rounds
from tournaments.models import HookEvent, Table, Tournament
from tournaments.web.night.rounds import round_page

pytestmark = pytest.mark.django_db(transaction=True)


def unconfirmed() -> Table:
    return done_table()


def disputed() -> Table:
    table = done_table()
    return results.dispute(table_id=table.pk, now=NOW)


def settled() -> Table:
    return results.settle(table_id=disputed().pk, author=Author(name="Di"), now=NOW)


def closed_unconfirmed() -> Table:
    table = done_table()
    rounds.close(round_id=table.round_id, now=NOW, override="It was late.")
    return table


def reopened_unconfirmed() -> Table:
    table = closed_unconfirmed()
    rounds.reopen_round(round_id=table.round_id)
    return table


def finished_unconfirmed() -> Table:
    table = closed_unconfirmed()
    rounds.finish(tournament_id=table.round.tournament_id, now=NOW)
    return table


def closed_confirmed() -> Table:
    table = closed_unconfirmed()
    author = Author(name="Di")
    return results.confirm_for_table(table_id=table.pk, author=author, now=NOW)


def unasked() -> Table:
    return done_table(quorum="none")


def headline_of(table: Table) -> str:
    """Return what is to be said of who won."""
    name = name_at(table, 0)
    return {
        ResultState.UNCONFIRMED: f"{name} is ahead, not confirmed yet",
        ResultState.DISPUTED: "Disputed: the director decides",
        ResultState.FINAL: f"{name} won",
    }[Table.objects.get(pk=table.pk).result_state]


def on_sheet(table: Table) -> str:
    return text(Client(), match_of(table).get_absolute_url())


def while_followed(table: Table) -> str:
    return text(Client(), reverse("scoring:match_live", args=[match_of(table).address]))


def on_home(table: Table) -> str:
    phone = Client()
    phone.get(match_of(table).get_absolute_url())
    return text(phone, reverse("scoring:home"))


def in_picture(table: Table) -> str:
    sheet = load_sheet(match_of(table))
    return match_headline(sheet, sheet.names).sentence


def when_shared(table: Table) -> str:
    sheet = load_sheet(match_of(table))
    return f"{sheet.headline} {sheet.result}"


def void() -> Table:
    return results.set_void(table_id=disputed().pk, void=True)


CHANNELS = (on_sheet, while_followed, on_home, in_picture, when_shared)


@pytest.mark.parametrize(
    ("end", "state"),
    [
        (unconfirmed, ResultState.UNCONFIRMED),
        (disputed, ResultState.DISPUTED),
        (settled, ResultState.FINAL),
        (closed_unconfirmed, ResultState.UNCONFIRMED),
        (reopened_unconfirmed, ResultState.UNCONFIRMED),
        (finished_unconfirmed, ResultState.UNCONFIRMED),
        (closed_confirmed, ResultState.FINAL),
        (unasked, ResultState.FINAL),
    ],
)
def test_says_who_won_once_that_is_final(
    end: Callable[[], Table], state: ResultState
) -> None:
    table = end()
    tournament = Tournament.objects.get(pk=table.round.tournament_id)
    is_final = state == ResultState.FINAL
    assert Table.objects.get(pk=table.pk).result_state == state
    open_tables = Table.objects.without_final_result(tournament.quorum)
    assert open_tables.filter(pk=table.pk).exists() == (not is_final)
    for channel in CHANNELS:
        said = channel(table)
        assert headline_of(table) in said, channel
        assert is_final or f"{name_at(table, 0)} won" not in said, channel
    page = text(Client(), at("table", tournament, 1, 1))
    asks = not is_final and tournament.phase != Tournament.Phase.FINISHED
    assert (f"Table 1: {headline_of(table)}" in page) == (not asks)
    told = Client().get(f"/api/v1/matches/{match_of(table).address}").json()
    assert told["result"] == state
    assert [seat["won"] for seat in told["seats"]] == [is_final, *[False] * 3]
    assert [seat["rank"] for seat in told["seats"]] == [1, 2, 3, 4]


def test_result_of_a_void_table_is_not_open() -> None:
    table = void()
    assert Table.objects.get(pk=table.pk).result_state == ResultState.FINAL
    assert not Table.objects.without_final_result("all").filter(pk=table.pk).exists()


def test_agreeing_for_a_table_does_not_settle_its_dispute() -> None:
    table = disputed()
    tournament = table.round.tournament
    said = submit(director(tournament), at("table_act", tournament, 1, 1, "agree"))
    assert "The result is disputed. Tap Settled instead." in said
    assert "is agreed" not in said
    assert not match_of(table).seats.exclude(confirmed_at=None).exists()


def test_webhooks_say_that_a_result_is_not_confirmed() -> None:
    tournament = tournament_with(4, quorum=Tournament.Quorum.ONE)
    hook_of(tournament.club)
    play_round(round_ := running_round(tournament))
    table = round_.tables.get()
    told = HookEvent.objects.get(kind="match.finished")
    assert told.lines[-1] == "The result is not confirmed yet."
    assert told.content["result"] == "unconfirmed"
    results.confirm_for_table(table_id=table.pk, author=Author(name="Di"), now=NOW)
    confirmed = HookEvent.objects.filter(kind="result.confirmed").last()
    assert confirmed is not None
    assert confirmed.content["result"] == "final"
    assert [seat["won"] for seat in told.content["seats"]] == [False] * 4
    assert [seat["won"] for seat in confirmed.content["seats"]] == [True, *[False] * 3]
    assert "confirmed yet" not in confirmed.lines[-1]


def test_nobody_goes_on_by_a_result_that_is_open() -> None:
    tournament = tournament_with(
        8, format=Tournament.Format.KNOCKOUT, quorum=Tournament.Quorum.ALL
    )
    play_round(round_ := running_round(tournament))

    def states() -> set[str]:
        page = round_page(tournament, round_, by_name=False, own=())
        return {
            one.state
            for branch in page.branches
            for table in branch.tables
            for one in table.seats
        }

    assert states() == {"at"}
    results.confirm_for_round(round_id=round_.pk, author=Author(name="Di"), now=NOW)
    assert states() == {"won", "out"}


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ({"wanted": 4}, ResultState.UNCONFIRMED),
        ({"wanted": 4, "disputed": True}, ResultState.DISPUTED),
        ({"wanted": 0}, ResultState.FINAL),
        (None, ResultState.FINAL),
    ],
)
def test_phone_without_a_network_goes_by_what_it_was_told(
    told: dict[str, object] | None, state: ResultState
) -> None:
    match = match_of(unconfirmed())
    if told is not None:
        TABLES[match.address] = {"own": None, "at_table": False, "page": "", **told}
    try:
        assert OfflineCompetition().result_state(match) == state
    finally:
        TABLES.clear()
