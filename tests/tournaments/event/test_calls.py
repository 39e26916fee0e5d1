"""Disputes and calls, as players, the sheet and the desk see them until settled."""

from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, override

from scoring.matchlog.commands import CommandAuthor
from scoring.models import Match
from tests.factories import author
from tests.factories.commands import enter_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    own_phone,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import results, rounds
from tournaments.models import Entry, Role, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

DIRECTOR = CommandAuthor(name="Di", may_change_closed=True)


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
    url = at("desk_table_action", tournament, 1, 1, verb)
    return submit(director(tournament), url)


def test_settling_a_dispute_confirms_the_result_or_names_missing_hands() -> None:
    table = finished_table(quorum="all")
    match = match_of(table)
    raw = {"points": [1, 2, 3, 4]}
    results.dispute(table_id=table.pk, now=NOW)
    page = act_at_desk(table, "settle")
    assert "Table 1 is settled and done." in page
    assert "not confirmed" not in page
    assert match.seats.filter(confirmed_at=None).count() == 0
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    results.dispute(table_id=table.pk, now=NOW)
    page = act_at_desk(table, "settle")
    assert "Hand 1 has two versions. Choose one on the sheet." in page
    assert match.seats.exclude(confirmed_at=None).count() == 0
    running_table = (
        running_round(tournament_with(4)).tables.select_related("round").get()
    )
    results.dispute(table_id=running_table.pk, now=NOW)
    page = act_at_desk(running_table, "settle")
    assert "Table 1 is settled. The match continues with hand 1." in page


def test_open_pages_show_director_is_coming_only_after_an_answer() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone, entry = first_player(tournament)
    sheet = match_of(table).get_absolute_url()
    urls = [at("table", tournament, 1, 1), at("me", tournament), sheet]
    live_urls = [
        at("table_live", tournament, 1, 1),
        at("me_live", tournament, entry.number),
    ]

    def versions() -> list[str]:
        return [
            text(phone, url).partition("?v=")[2].partition('"')[0] for url in live_urls
        ]

    snapshots = [versions()]
    results.dispute(table_id=table.pk, now=NOW)
    snapshots.append(versions())
    for url in urls:
        page = text(phone, url)
        assert "The result is disputed. The director has been told." in page, url
        assert "is coming" not in page, url
    assert "Table 1 knows you’re coming." in act_at_desk(table, "answer")
    snapshots.append(versions())
    for url in urls:
        assert "The director is coming." in text(phone, url), url
    assert all(
        len(set(page_versions)) == 3 for page_versions in zip(*snapshots, strict=True)
    )


def test_phone_takes_its_call_back() -> None:
    table = finished_table(quorum="one")
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    page = submit(phone, at("table_action", tournament, 1, 1, "call"))
    assert "The director has been told." in page
    page = submit(phone, at("table_action", tournament, 1, 1, "withdraw"))
    assert "Call cancelled." in page
    assert "The director has been told." not in page
    table.refresh_from_db()
    assert table.called_at is None


WITHDRAWN = "Table 1 withdrew its dispute."


def disputing_phone(table: Table) -> Client:
    """Return the phone of a player who tapped Something’s wrong."""
    phone, _entry = first_player(table.round.tournament)
    page = submit(phone, at("table_action", table.round.tournament, 1, 1, "dispute"))
    assert "Withdraw the dispute" in page
    return phone


def withdraw_from(phone: Client, table: Table) -> str:
    url = at("table_action", table.round.tournament, 1, 1, "withdraw")
    response = phone.post(url, {"dispute": "1"}, follow=True)
    table.refresh_from_db()
    return response.content.decode()


def test_phone_withdraws_its_own_dispute() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone, desk = disputing_phone(table), director(tournament)
    # A second tap adds no second dispute.
    phone.post(at("table_action", tournament, 1, 1, "dispute"))
    assert "Withdraw the dispute" in text(phone, at("me", tournament))
    assert WITHDRAWN not in text(desk, at("desk", tournament))
    other_phone = own_phone(tournament.entries.all()[1])
    page = withdraw_from(phone, table)
    assert "Dispute withdrawn. Confirm the result." in page
    assert not table.disputed
    assert table.called_at is None
    kinds = match_of(table).log.order_by("version").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["dispute", "withdraw"]
    assert list(kinds).count("dispute") == 1
    table_page = text(other_phone, at("table", tournament, 1, 1))
    assert (
        "The dispute was withdrawn. Compare and confirm the result again." in table_page
    )
    seen_url = at("desk_table_action", tournament, 1, 1, "seen")
    page = text(desk, at("desk", tournament))
    assert "disputes its result" not in page
    assert WITHDRAWN in page
    assert seen_url in page
    assert WITHDRAWN not in submit(desk, seen_url)
    results.confirm_table_as_director(table_id=table.pk, author=DIRECTOR, now=NOW)
    assert match_of(table).seats.filter(confirmed_at=None).count() == 0


def test_dispute_of_another_phone_or_of_two_waits_for_the_director() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    phone = disputing_phone(table)
    other_phone = own_phone(tournament.entries.all()[1])
    for url in (at("me", tournament), at("table", tournament, 1, 1)):
        assert "Withdraw the dispute" not in text(other_phone, url)
    assert "The director has to settle this dispute." in withdraw_from(
        other_phone, table
    )
    assert table.disputed
    other_phone.post(at("table_action", tournament, 1, 1, "dispute"))
    for either_phone in (phone, other_phone):
        assert "has to settle this dispute." in withdraw_from(either_phone, table)
        assert table.disputed


def test_dispute_stays_once_the_director_has_acted() -> None:
    table = finished_table(quorum="all")
    phone = disputing_phone(table)
    results.confirm_disputed_result_or_end_call(
        table_id=table.pk, author=DIRECTOR, now=NOW
    )
    assert "The director has already settled this." in withdraw_from(phone, table)
    disputing_phone(table)
    results.mark_director_coming(table_id=table.pk, now=NOW)
    assert "Withdraw the dispute" not in text(phone, at("me", table.round.tournament))
    assert "has to settle this dispute." in withdraw_from(phone, table)
    assert table.disputed


def test_withdrawal_notice_disappears_with_next_dispute_or_end_of_round() -> None:
    table = finished_table(quorum="none")
    tournament = table.round.tournament
    client = director(tournament)
    withdraw_from(disputing_phone(table), table)
    for _phone in range(2):
        results.dispute(table_id=table.pk, now=NOW)
    assert WITHDRAWN not in text(client, at("desk", tournament))
    # Two disputes at the same moment belong to no single phone.
    with pytest.raises(RefusedError):
        results.withdraw_unanswered_dispute(table_id=table.pk, called_at=NOW, now=NOW)
    results.confirm_disputed_result_or_end_call(
        table_id=table.pk, author=DIRECTOR, now=NOW
    )
    assert WITHDRAWN not in text(client, at("desk", tournament))
    withdraw_from(disputing_phone(table), table)
    assert WITHDRAWN in text(client, at("desk", tournament))
    rounds.close(round_id=table.round_id, now=NOW)
    assert WITHDRAWN not in text(client, at("desk", tournament))


def correction_url(table: Table, number: int = 4) -> str:
    return reverse("scoring:hand_correct", args=[match_of(table).address, number])


def correction(**values: object) -> dict[str, object]:
    points = {f"points_{seat}": seat for seat in range(4)}
    fields = {"key": str(uuid4()), "reason": "mistyped", "leads": "desk"}
    return {**points, **fields, **values}


def test_desk_shows_escaped_reason_of_a_dispute_until_settled() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    desk, (phone, _entry) = director(tournament), first_player(tournament)
    url = at("table_dispute", tournament, 1, 1)
    assert url in text(phone, at("table", tournament, 1, 1))
    assert "The points are wrong" in text(phone, url)
    submit(phone, url, reason="Ada had <b>12</b>, not 20")
    # A second tap changes nothing.
    submit(phone, url, reason="The winner is wrong")
    page = text(desk, at("desk", tournament))
    assert "Ada had &lt;b&gt;12&lt;/b&gt;, not 20" in page
    assert "The winner is wrong" not in page
    entry = match_of(table).log.get(kind="dispute")
    assert entry.reason == "Ada had <b>12</b>, not 20"
    act_at_desk(table, "settle")
    table.refresh_from_db()
    assert table.dispute_reason == ""


def test_picked_reason_is_shown_in_the_language_of_the_director() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    results.dispute(table_id=table.pk, now=NOW, reason="A hand is missing")
    desk = director(tournament)
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    page = text(desk, at("desk", tournament))
    assert "A hand is missing" not in page
    with override("de"):
        assert gettext("A hand is missing") in page


def test_too_long_reason_disputes_nothing() -> None:
    table = finished_table(quorum="all")
    phone, _entry = first_player(table.round.tournament)
    url = at("table_dispute", table.round.tournament, 1, 1)
    assert "120" in submit(phone, url, reason="x" * 121)
    table.refresh_from_db()
    assert not table.disputed


def test_dispute_page_is_only_for_the_table_while_its_result_is_open() -> None:
    table = finished_table(quorum="all", writing="card")
    tournament = table.round.tournament
    phone, _entry = first_player(tournament)
    url = at("table_dispute", tournament, 1, 1)
    assert Client().get(url).status_code == 403
    results.dispute(table_id=table.pk, now=NOW)
    assert phone.get(url).url == at("table", tournament, 1, 1)  # type: ignore[attr-defined]


def test_correction_from_the_desk_settles_the_dispute_and_returns() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    results.dispute(table_id=table.pk, now=NOW)
    desk_url, desk = at("desk", tournament), director(tournament)
    assert f"{correction_url(table)}?leads=desk" in text(desk, desk_url)
    form = text(desk, f"{correction_url(table)}?leads=desk")
    assert f"{correction_url(table, 2)}?leads=desk" in form
    response = desk.post(correction_url(table), correction(confirm="settle"))
    assert response.url == desk_url  # type: ignore[attr-defined]
    page = text(desk, desk_url)
    assert "Hand 4 corrected." in page
    assert "Table 1 is settled and done." in page
    table.refresh_from_db()
    assert not table.disputed
    assert match_of(table).seats.filter(confirmed_at=None).count() == 0


def test_correction_from_the_desk_can_leave_the_dispute_open() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    results.dispute(table_id=table.pk, now=NOW)
    page = submit(
        director(tournament), correction_url(table), **correction(confirm="1")
    )
    assert "Hand 4 corrected." in page
    assert correction_url(table) in page
    table.refresh_from_db()
    assert table.disputed


def test_only_the_team_settles_with_a_correction() -> None:
    table = finished_table(quorum="all")
    tournament = table.round.tournament
    results.dispute(table_id=table.pk, now=NOW)
    phone, _entry = first_player(tournament)
    phone.post(correction_url(table), correction(confirm="settle"))
    assert match_of(table).log.filter(kind="replace").exists()
    table.refresh_from_db()
    assert table.disputed
    viewer = signed_in(tournament.club, Role.VIEWER)
    assert correction_url(table) not in text(viewer, at("desk", tournament))


def test_dispute_of_an_earlier_round_links_to_its_correction() -> None:
    table = finished_table(quorum="none", rounds_planned=2)
    tournament = table.round.tournament
    rounds.close(round_id=table.round_id, now=NOW)
    running_round(tournament)
    results.dispute(table_id=table.pk, now=NOW, reason="The winner is wrong")
    page = text(director(tournament), at("desk", tournament))
    assert f"{correction_url(table)}?leads=desk" in page
    assert "The winner is wrong" in page
