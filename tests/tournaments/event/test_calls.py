"""Disputes and calls: what players, the sheet and the desk say until they are settled."""

from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.commands import Author
from scoring.models import Match
from tests.factories import author
from tests.factories.commands import enter_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    own_phone,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import results, rounds
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

BY_QUORUM = pytest.mark.parametrize(
    ("quorum", "who"),
    [
        ("one", "One player confirms the result for the table."),
        ("all", "Every player confirms the result."),
    ],
)
DI = Author(name="Di", may_change_closed=True)


def finished_table(**settings: object) -> Table:
    tournament = tournament_with(4, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    return round_.tables.select_related("match", "round__tournament").get()


def match_of(table: Table) -> Match:
    table.refresh_from_db()
    assert table.match is not None
    table.match.refresh_from_db()
    return table.match


def first_player(tournament: Tournament) -> tuple[Client, Entry]:
    entry = tournament.entries.get(number=1)
    return own_phone(entry), entry


def act_at_desk(table: Table, verb: str) -> str:
    tournament = table.round.tournament
    act = at("table_act", tournament, 1, 1, verb)
    return submit(director(tournament), act)


@BY_QUORUM
def test_sheet_table_page_and_card_say_the_same_about_who_confirms(
    quorum: str, who: str
) -> None:
    table = finished_table(quorum=quorum)
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    assert who in text(Client(), match_of(table).get_absolute_url())
    assert who in text(phone, at("table", tournament, 1, 1))
    assert who in text(Client(), at("cards", tournament, 1))
    # A club's card is on the table for nights with either setting.
    cards = text(director(tournament), f"{tournament.club.get_absolute_url()}cards/")
    assert "confirm the result if the phone asks for it" in cards


def test_settling_a_dispute_confirms_the_result() -> None:
    table = finished_table(quorum="all")
    results.dispute(table_id=table.pk, now=NOW)
    desk = act_at_desk(table, "settle")
    assert "Table 1 is settled and done." in desk
    assert "not agreed" not in desk
    assert match_of(table).seats.filter(confirmed_at=None).count() == 0


def test_settling_names_the_hand_that_comes_next() -> None:
    tournament = tournament_with(4, quorum="one")
    table = running_round(tournament).tables.get()
    results.dispute(table_id=table.pk, now=NOW)
    desk = act_at_desk(table, "settle")
    assert "Table 1 is settled. The match goes on with hand 1." in desk


def test_settling_names_a_hand_with_two_versions() -> None:
    table = finished_table(quorum="one")
    match = match_of(table)
    raw = {"points": [1, 2, 3, 4]}
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    results.dispute(table_id=table.pk, now=NOW)
    desk = act_at_desk(table, "settle")
    assert "Hand 1 has two versions: choose one on the sheet." in desk
    assert match_of(table).seats.exclude(confirmed_at=None).count() == 0


@BY_QUORUM
def test_settling_a_call_names_the_missing_confirmation(quorum: str, who: str) -> None:
    table = finished_table(quorum=quorum)
    results.call_director(table_id=table.pk, now=NOW)
    desk = act_at_desk(table, "settle")
    assert f"Table 1 is settled. {who}" in desk


def test_director_is_coming_only_after_an_answer() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    pages = [
        at("table", tournament, 1, 1),
        at("me", tournament),
        match_of(table).get_absolute_url(),
    ]
    results.dispute(table_id=table.pk, now=NOW)
    for page in pages:
        shown = text(phone, page)
        assert "The result is disputed. The director has been told." in shown, page
        assert "is coming" not in shown, page
    desk = act_at_desk(table, "answer")
    assert "Table 1 sees that you are coming." in desk
    for page in pages:
        assert "The director is coming." in text(phone, page), page


def test_answer_and_call_change_the_versions_that_phones_ask_for() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone, entry = first_player(tournament)
    live = [at("table_live", tournament, 1, 1), at("me_live", tournament, entry.number)]

    def versions() -> list[str]:
        return [text(phone, url).partition("?v=")[2].partition('"')[0] for url in live]

    seen = [versions()]
    results.call_director(table_id=table.pk, now=NOW)
    seen.append(versions())
    results.answer_call(table_id=table.pk, now=NOW)
    seen.append(versions())
    assert all(len(set(page)) == 3 for page in zip(*seen, strict=True))


def test_phone_takes_its_call_back() -> None:
    table = finished_table(quorum="one")
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    page = submit(phone, at("table_say", tournament, 1, 1, "call"))
    assert "The director has been told." in page
    page = submit(phone, at("table_say", tournament, 1, 1, "withdraw"))
    assert "The call is cancelled." in page
    assert "The director has been told." not in page
    table.refresh_from_db()
    assert table.called_at is None


def test_dispute_waits_for_the_director() -> None:
    table = finished_table(quorum="one")
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    results.dispute(table_id=table.pk, now=NOW)
    page = submit(phone, at("table_say", tournament, 1, 1, "withdraw"))
    assert "The director has to settle this dispute." in page
    table.refresh_from_db()
    assert table.disputed


def disputing_phone(table: Table) -> Client:
    """Return the phone of a player who tapped Something is wrong."""
    phone, _entry = first_player(table.round.tournament)
    page = submit(phone, at("table_say", table.round.tournament, 1, 1, "dispute"))
    assert "Withdraw the dispute" in page
    return phone


def withdraw_from(phone: Client, table: Table) -> str:
    url = at("table_say", table.round.tournament, 1, 1, "withdraw")
    answer = phone.post(url, {"dispute": "1"}, follow=True)
    table.refresh_from_db()
    return answer.content.decode()


def test_phone_withdraws_its_own_dispute() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone = disputing_phone(table)
    assert "Withdraw the dispute" in text(phone, at("me", tournament))
    other = own_phone(tournament.entries.all()[1])
    page = withdraw_from(phone, table)
    assert "Dispute withdrawn. Confirm the result." in page
    assert not table.disputed
    assert table.called_at is None
    kinds = match_of(table).log.order_by("version").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["dispute", "withdraw"]
    shown = text(other, at("table", tournament, 1, 1))
    assert "The dispute was withdrawn. Compare and confirm the result again." in shown
    desk = text(director(tournament), at("desk", tournament))
    assert "does not agree on its result" not in desk
    results.confirm_for_table(table_id=table.pk, author=DI, now=NOW)
    assert match_of(table).seats.filter(confirmed_at=None).count() == 0


def test_no_other_phone_withdraws_a_dispute() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    disputing_phone(table)
    other = own_phone(tournament.entries.all()[1])
    for page in ("me", "table"):
        parts = (1, 1) if page == "table" else ()
        assert "Withdraw the dispute" not in text(other, at(page, tournament, *parts))
    page = withdraw_from(other, table)
    assert "The director has to settle this dispute." in page
    assert table.disputed


def test_dispute_of_two_phones_waits_for_the_director() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone = disputing_phone(table)
    other = own_phone(tournament.entries.all()[1])
    other.post(at("table_say", tournament, 1, 1, "dispute"))
    for one in (phone, other):
        assert "has to settle this dispute." in withdraw_from(one, table)
        assert table.disputed


def test_dispute_stays_once_the_director_has_acted() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone = disputing_phone(table)
    results.answer_call(table_id=table.pk, now=NOW)
    assert "Withdraw the dispute" not in text(phone, at("me", tournament))
    assert "has to settle this dispute." in withdraw_from(phone, table)
    assert table.disputed


def test_withdrawal_after_the_director_settled_is_refused() -> None:
    table = finished_table(quorum="all")
    phone = disputing_phone(table)
    results.settle(table_id=table.pk, author=DI, now=NOW)
    assert "The director has settled this already." in withdraw_from(phone, table)


def test_desk_shows_a_withdrawn_dispute_until_it_is_seen() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    client, line = director(tournament), "Table 1 withdrew its dispute."
    phone = disputing_phone(table)
    assert line not in text(client, at("desk", tournament))
    withdraw_from(phone, table)
    desk = text(client, at("desk", tournament))
    assert line in desk
    assert at("table_act", tournament, 1, 1, "seen") in desk
    assert line not in submit(client, at("table_act", tournament, 1, 1, "seen"))


def test_next_dispute_and_the_end_of_the_round_take_the_line_away() -> None:
    table = finished_table(quorum="none")
    tournament = table.round.tournament
    client, line = director(tournament), "Table 1 withdrew its dispute."
    withdraw_from(disputing_phone(table), table)
    results.dispute(table_id=table.pk, now=NOW)
    assert line not in text(client, at("desk", tournament))
    results.settle(table_id=table.pk, author=DI, now=NOW)
    assert line not in text(client, at("desk", tournament))
    withdraw_from(disputing_phone(table), table)
    assert line in text(client, at("desk", tournament))
    rounds.close(round_id=table.round_id, now=NOW)
    assert line not in text(client, at("desk", tournament))


def test_second_tap_of_the_same_phone_is_one_dispute() -> None:
    table = finished_table(quorum="all")
    phone = disputing_phone(table)
    phone.post(at("table_say", table.round.tournament, 1, 1, "dispute"))
    assert match_of(table).log.filter(kind="dispute").count() == 1
    assert "Dispute withdrawn. Confirm the result." in withdraw_from(phone, table)


def test_disputes_of_one_moment_are_of_nobody_alone() -> None:
    table = finished_table(quorum="all")
    for _phone in range(2):
        results.dispute(table_id=table.pk, now=NOW)
    with pytest.raises(RefusedError):
        results.withdraw_dispute(table_id=table.pk, called_at=NOW, now=NOW)


def test_sheet_of_a_disputed_table_says_what_to_do() -> None:
    table = finished_table(quorum="one")
    phone, _entry = first_player(table.round.tournament)
    results.dispute(table_id=table.pk, now=NOW)
    sheet = text(phone, match_of(table).get_absolute_url())
    assert "Check the hands together and correct a wrong one." in sheet
    assert "The director settles the result." in sheet
    assert "This table is done" not in sheet
    assert "Is this right?" not in sheet


def test_table_is_done_only_when_its_result_is_confirmed() -> None:
    table = finished_table(quorum="one")
    phone, _entry = first_player(table.round.tournament)
    url = match_of(table).get_absolute_url()
    waiting = text(phone, url)
    assert "This table is done" not in waiting
    assert "The result is not confirmed yet. What comes next appears here." in waiting
    results.confirm_for_table(table_id=table.pk, author=DI, now=NOW)
    assert "This table is done. What comes next appears here." in text(phone, url)
