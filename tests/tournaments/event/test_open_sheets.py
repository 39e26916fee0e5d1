"""Open sheets and forms learn at their next poll who may enter hands."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring.models import Match
from tests.factories.commands import enter_hand
from tests.factories.matches import NOW, author
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    own_phone,
    running_round,
    tournament_with,
)
from tests.tournaments.web.night.test_scoring_rights import card_of
from tests.tournaments.web.pages import at, text
from tests.versions import versions
from tournaments.event import entries, results, rounds
from tournaments.event.rights import release_phone, renew_cards
from tournaments.event.setup.lifecycle import save_and_apply_settings
from tournaments.models import Table, Tournament

__all__ = ["versions"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("versions"),
]
CLOSED = "This match is closed"
HAND = {
    "number": "2",
    "base": "1",
    "points_0": "21",
    "points_1": "12",
    "points_2": "5",
    "points_3": "1",
}


def table_with_card() -> Table:
    tournament = tournament_with(4, writing="card", rounds_planned=1)
    table = running_round(tournament).tables.select_related("match").get()
    enter_points(match_of(table), [9, 5, 3, 1])
    return table


def poll(phone: Client, match: Match, path: str = "") -> tuple[str, str]:
    """Return the URL that an open page polls, and the version that it sends."""
    page = text(phone, f"{match.get_absolute_url()}{path}")
    found = re.search(
        r'hx-get="([^"]+/(?:live|news)/[^"]*)".*?data-version="([^"]+)"', page, re.S
    )
    assert found
    notices_version = re.search(r'data-notices-version="(\w+)"', page)
    return found[1], f"{found[2]}.{notices_version[1]}" if notices_version else found[2]


def close_round(table: Table) -> None:
    rounds.close(round_id=table.round_id, now=NOW, override="late")


def finish(table: Table) -> None:
    close_round(table)
    rounds.finish(tournament_id=table.round.tournament_id, now=NOW)


def let_own_phones_write(table: Table) -> None:
    tournament = Tournament.objects.get(pk=table.round.tournament_id)
    tournament.writing = Tournament.Writing.OWN_PHONES
    save_and_apply_settings(tournament=tournament, fields=["writing"])


def replace_player(table: Table) -> None:
    entries.substitute_entry_player(
        entry_id=table.places.get(index=0).entry_id,
        name="Zoe",
        from_hand=entries.NEXT_ROUND,
        now=NOW,
    )


def dispute(table: Table) -> None:
    results.dispute(table_id=table.pk, now=NOW)


def set_clock(table: Table, verb: str = "last_hand") -> None:
    half_past = NOW + timedelta(minutes=30)
    rounds.apply_clock_action(round_id=table.round_id, verb=verb, now=half_past)


@pytest.mark.parametrize(
    ("setup", "act"),
    [
        ([], close_round),
        ([close_round], lambda table: rounds.reopen_round(round_id=table.round_id)),
        ([], finish),
        (
            [finish],
            lambda table: rounds.reopen(tournament_id=table.round.tournament_id),
        ),
        ([], lambda table: renew_cards(club_id=table.round.tournament.club_id)),
        ([], let_own_phones_write),
        ([], lambda table: release_phone(entry_id=table.places.all()[0].entry_id)),
        ([], replace_player),
        ([close_round], dispute),
        (
            [close_round, dispute],
            lambda table: results.set_void(table_id=table.pk, void=True),
        ),
        ([], set_clock),
    ],
)
def test_change_of_entry_rights_redraws_an_open_sheet(
    setup: list[Callable[[Table], None]], act: Callable[[Table], None]
) -> None:
    table, phone = table_with_card(), Client()
    phone.get(card_of(table))
    for prepare in setup:
        prepare(table)
    live_url, version = poll(phone, match_of(table))
    assert [phone.get(live_url, {"v": version}).status_code for _time in "12"] == [
        204,
        204,
    ]
    act(Table.objects.select_related("round__tournament__club").get(pk=table.pk))
    response = phone.get(live_url, {"v": version})
    assert response.status_code == 200
    assert b'id="sheet"' in response.content
    live_url, version = poll(phone, match_of(table))
    assert phone.get(live_url, {"v": version}).status_code == 204


def version_in(page: str) -> str:
    found = re.search(r'data-version="([^"]+)"', page)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("unfinished", "notice"),
    [
        ("as_it_stands", "Round 1 is closed. Late hands still count."),
        ("void", "Round 1 is closed. This table counts once it’s finished."),
    ],
)
def test_open_sheet_and_form_show_closing_and_reopening(
    unfinished: str, notice: str
) -> None:
    table, phone = table_with_card(), Client()
    Tournament.objects.update(unfinished=unfinished)
    phone.get(card_of(table))
    live_url, sheet_version = poll(phone, match_of(table))
    news_url, form_version = poll(phone, match_of(table), "hands/new/")

    def sheet() -> str:
        return phone.get(live_url, {"v": sheet_version}).content.decode()

    def form(version: str) -> str:
        response = phone.get(news_url, {"v": version, "since": "1"})
        assert response.status_code == 200
        return response.content.decode()

    close_round(table)
    new_form = form(form_version)
    assert notice in new_form
    assert notice in sheet()
    assert "to go." not in sheet()
    rounds.finish(tournament_id=table.round.tournament_id, now=NOW)
    closed_form = form(version_in(new_form))
    for page in (sheet(), closed_form):
        assert CLOSED in page
        assert "data-new-hand-link" not in page
    closed_version = version_in(closed_form)
    assert phone.get(news_url, {"v": closed_version, "since": "1"}).status_code == 204
    live_url, sheet_version = poll(phone, match_of(table))
    rounds.reopen(tournament_id=table.round.tournament_id)
    reopened_form = form(closed_version)
    assert CLOSED not in reopened_form
    assert notice in reopened_form
    rounds.reopen_round(round_id=table.round_id)
    assert "is closed" not in form(version_in(reopened_form))
    assert "is closed" not in sheet()
    assert "data-new-hand-link" in sheet()


@pytest.mark.parametrize("form", ["hands/new/", "hands/1/correct/"])
def test_form_for_a_closed_match_warns_once_and_keeps_input(
    form: str,
) -> None:
    table, phone = table_with_card(), Client()
    match = match_of(table)
    enter_points(match, [9, 5, 3, 1])
    phone.get(card_of(table))
    finish(table)
    entry_count = match.log.count()
    hand = {**HAND, "points_0": "8", "base": "1", "key": str(uuid4())}
    response = phone.post(f"{match.get_absolute_url()}{form}", hand)
    page = response.content.decode()
    assert page.count(CLOSED) == 1
    assert CLOSED in page.partition('id="news"')[2].partition("<form")[0]
    assert 'value="8"' in page
    news_link = re.search(r'hx-get="([^"]+)"', page)
    assert news_link
    update = phone.get(news_link[1], {"v": version_in(page)}).content.decode()
    assert update.count(CLOSED) == 1
    assert match.log.count() == entry_count
    new_response = phone.get(f"{match.get_absolute_url()}{form}", follow=True)
    assert new_response.content.decode().count(CLOSED) == 1


@pytest.mark.parametrize(
    ("quorum", "disputed", "ends", "stays", "becomes"),
    [
        (
            "none",
            False,
            "Ada wins.",
            "The winner is still Ada.",
            "The winner is now {}.",
        ),
        (
            "all",
            False,
            "Ada leads.",
            "Ada stays first in this match.",
            "{} is now first in this match.",
        ),
        (
            "none",
            True,
            "Ada leads.",
            "Ada stays first in this match.",
            "{} is now first in this match.",
        ),
    ],
)
def test_preview_hides_the_winner_until_the_result_is_confirmed(
    quorum: str,
    disputed: bool,  # noqa: FBT001 - a parameter
    ends: str,
    stays: str,
    becomes: str,
) -> None:
    table, phone = table_with_card(), Client()
    Tournament.objects.update(quorum=quorum)
    Table.objects.update(disputed=disputed)
    match = match_of(table)
    for _hand in range(2):
        enter_points(match, [9, 5, 3, 1])
    phone.get(card_of(table))

    def preview(path: str, base: int, points: list[int]) -> str:
        hand = {f"points_{seat}": worth for seat, worth in enumerate(points)}
        fields = {**hand, "number": base + 1, "base": base, "key": uuid4()}
        return phone.post(f"{match.get_absolute_url()}{path}", fields).text

    page = preview("preview/", 3, [21, 12, 5, 1])
    assert f"This ends the match. {ends}" in page
    enter_points(match, [9, 5, 3, 1])
    correction = partial(preview, "hands/4/correct/", 4)
    assert stays in correction([10, 5, 3, 1])
    second = match.seats.get(index=1).name
    assert becomes.format(second) in correction([0, 20, 3, 1])


FINISH_HAND = "Last hand. Finish this one and don’t start another."
ASK_DIRECTOR = "The last hand is in. Ask the director before you enter another."


def phone_with_card(table: Table) -> Client:
    phone = Client()
    phone.get(card_of(table))
    return phone


def test_scorepad_leads_to_the_end_after_the_last_called_hand() -> None:
    table = table_with_card()
    match, card_phone = match_of(table), phone_with_card(table)
    tournament = table.round.tournament
    url, players_phone = (
        match.get_absolute_url(),
        own_phone(table.places.get(index=0).entry),
    )

    def pages() -> tuple[str, str, str]:
        own_url = at("me", tournament)
        return (
            text(card_phone, url),
            text(card_phone, f"{url}hands/new/"),
            text(players_phone, own_url),
        )

    assert "3 hands to go." in pages()[0]
    set_clock(table)
    sheet, form, own_page = pages()
    assert FINISH_HAND in sheet
    assert FINISH_HAND in own_page
    assert "to go." not in sheet
    assert ASK_DIRECTOR not in form
    enter_points(match, [9, 5, 3, 1], minutes=40)
    for page in pages():
        assert ASK_DIRECTOR in page
        assert "don’t start another" not in page
    desk_page = text(director(tournament), at("desk", tournament))
    desk_text = " ".join(strip_tags(desk_page).split())
    assert "Table 1 last hand entered" in desk_text
    assert "still playing" not in desk_text
    # More time cancels the call of the last hand.
    set_clock(table, "longer")
    sheet, form, _own_page = pages()
    assert "2 hands to go." in sheet
    assert ASK_DIRECTOR not in sheet + form
    set_clock(table)
    fields = HAND | {"number": "3", "base": "2", "key": str(uuid4())}
    card_phone.post(f"{url}hands/new/", fields)
    match.refresh_from_db()
    assert match.hands_played == 3


@pytest.mark.parametrize(
    ("entered_minutes", "arrived_minutes", "asks_director"),
    [(20, 20, False), (20, 40, False), (40, 40, True), (None, 40, True)],
)
def test_hand_started_before_the_call_is_not_the_last(
    entered_minutes: int | None,
    arrived_minutes: int,
    asks_director: bool,  # noqa: FBT001 - a parameter
) -> None:
    table = table_with_card()
    match = match_of(table)
    set_clock(table)
    enter_hand(
        match_id=match.pk,
        key=uuid4(),
        number=2,
        raw={"points": [9, 5, 3, 1]},
        author=author(
            now=NOW + timedelta(minutes=arrived_minutes),
            entered_at=None
            if entered_minutes is None
            else NOW + timedelta(minutes=entered_minutes),
        ),
    )
    assert (
        ASK_DIRECTOR in text(phone_with_card(table), match.get_absolute_url())
    ) == asks_director
