"""Unconfirmed results count, and are marked wherever they are shown."""

import re
from functools import partial
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.matchlog.replay import DIRECTOR, FINDINGS, STAND
from scoring.models import Match
from scoring.pages.sheet import load_sheet
from tests.factories import author
from tests.factories.commands import Kind, correct_hand, enter_hand, reseat, stored
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    match_of,
    own_phone,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.changes import RefusedError
from tournaments.event import results, rounds
from tournaments.event.desk.overview import read_desk
from tournaments.models import Place, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def night_with_played_table(quorum: str = "one") -> tuple[Tournament, Match]:
    """Return a tournament with one finished table, and its match."""
    tournament = tournament_with(4, quorum=quorum, rounds_planned=1)
    round_ = running_round(tournament)
    play_round(round_)
    match = match_of(round_.tables.get())
    match.refresh_from_db()
    return tournament, match


def unconfirmed_counts(tournament: Tournament) -> set[int]:
    current = tournament.standings.unfrozen_latest_first()[0]
    return set(current.rows.values_list("unconfirmed", flat=True))


def confirmed_names(match: Match) -> list[str]:
    confirmed = match.seats.exclude(confirmed_at=None).order_by("index")
    return list(confirmed.values_list("name", flat=True))


def confirm_result(match: Match, seat: int) -> None:
    body = {"seat": seat, "words": load_sheet(match).checksum_words_line}
    stored(Kind.CONFIRM, match_id=match.pk, body=body)


def test_result_is_marked_open_until_its_quorum_confirms_the_same_words() -> None:
    tournament, match = night_with_played_table(quorum="all")
    page = text(Client(), tournament.get_absolute_url())
    assert page.count("◌ 1 unconfirmed table") == 4
    for seat in range(4):
        assert unconfirmed_counts(tournament) == {1}
        confirm_result(match, seat)
    assert unconfirmed_counts(tournament) == {0}
    assert "◌" not in text(Client(), tournament.get_absolute_url())
    assert count_confirmations(text(Client(), at("table", tournament, 1, 1))) == 4


def count_confirmations(page: str) -> int:
    return len(re.findall(r'class="badge ok">.*?on their own phone</span>', page, re.S))


def confirm_at_table(tournament: Tournament, words: str) -> str:
    """Confirm as the player at the first seat; return the table's page that follows."""
    place = Place.objects.get(round__tournament=tournament, index=0)
    fields = {"place": place.pk, "words": words, "key": str(uuid4())}
    url = at("table_action", tournament, 1, 1, "agree")
    return own_phone(place.entry).post(url, fields, follow=True).content.decode()


def test_page_opened_before_a_correction_cannot_confirm() -> None:
    tournament, match = night_with_played_table()
    sheet = load_sheet(match)
    page = text(Client(), at("table", tournament, 1, 1))
    assert sheet.checksum_words_line in page
    assert all(f'<b class="num">{seat.total}</b>' in page for seat in sheet.seats)
    raw = {"points": [1, 2, 3, 4]}
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    page = confirm_at_table(tournament, sheet.checksum_words_line)
    match.refresh_from_db()
    corrected = load_sheet(match).checksum_words_line
    assert f"The check words for this match are “{corrected}”" in page
    assert count_confirmations(page) == 0
    assert unconfirmed_counts(tournament) == {1}
    assert count_confirmations(confirm_at_table(tournament, corrected)) == 1
    assert confirmed_names(match) == [sheet.names[0]]
    assert unconfirmed_counts(tournament) == {0}


def test_match_without_a_counting_result_cannot_be_confirmed() -> None:
    tournament = tournament_with(4, quorum="one", rounds_planned=1, unfinished="void")
    round_ = running_round(tournament)
    match = match_of(round_.tables.get())
    raw = {"points": [4, 3, 2, 1]}
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    with pytest.raises(RefusedError, match="isn’t over yet"):
        results.confirm_table_as_director(
            table_id=round_.tables.get().pk, author=CommandAuthor(), now=NOW
        )
    rounds.close(round_id=round_.pk, now=NOW, override="The bar closes.")
    assert unconfirmed_counts(tournament) == {0}


def test_confirmations_reset_after_a_correction_or_substitution() -> None:
    tournament, match = night_with_played_table(quorum="all")
    words = load_sheet(match).checksum_words_line
    for seat in range(4):
        confirm_result(match, seat)
    assert unconfirmed_counts(tournament) == {0}
    for raw in ({"points": [1, 2, 3, 4]}, replay_match(match).hands[0].raw):
        correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    # The check words are the same again.
    assert (load_sheet(match).checksum_words_line, confirmed_names(match)) == (
        words,
        [],
    )
    assert unconfirmed_counts(tournament) == {1}
    assert rounds.closing_obstacles(tournament.rounds.get()) == [
        "Table 1 hasn’t confirmed its result."
    ]
    confirm_result(match, 2)
    reseat(match_id=match.pk, key=uuid4(), index=1, name="Zoe", author=author())
    assert confirmed_names(match) == []
    places = Table.objects.with_places_and_entries().get(match=match).places.all()
    assert not any(place.confirmed_at for place in places)
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    assert unconfirmed_counts(tournament) == {1}


def test_director_confirms_for_all_remaining_players() -> None:
    tournament, match = night_with_played_table(quorum="all")
    confirm_result(match, 2)
    table = tournament.rounds.get().tables.get()
    for _twice in range(2):
        results.confirm_table_as_director(
            table_id=table.pk, author=CommandAuthor(name="Dora"), now=NOW
        )
    confirmations = match.log.filter(kind=Kind.CONFIRM).in_order()
    authors = [
        (confirmation.made_by, (confirmation.body or {})["seat"])
        for confirmation in confirmations
    ]
    third = match.seats.get(index=2).name
    assert authors == [(third, 2), ("Dora", 0), ("Dora", 1), ("Dora", 3)]
    confirmed_by = match.seats.order_by("index").values_list("confirmed_by", flat=True)
    assert list(confirmed_by) == ["director", "director", "own", "director"]
    assert unconfirmed_counts(tournament) == {0}
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_confirmation_that_contradicts_the_log_is_repaired() -> None:
    _tournament, match = night_with_played_table()
    confirm_result(match, 2)
    match.seats.filter(index=2).update(confirmed_at=None)
    match.seats.filter(index=0).update(confirmed_at=NOW)
    assert len(rebuild_match(match_id=match.pk, check_only=True)) == 2
    assert len(rebuild_match(match_id=match.pk)) == 2
    confirmed = match.seats.exclude(confirmed_at=None)
    assert [seat.index for seat in confirmed] == [2]
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_disputed_result_stays_unconfirmed() -> None:
    tournament, match = night_with_played_table()
    confirm_result(match, 0)
    table = tournament.rounds.get().tables.get()
    results.dispute(table_id=table.pk, now=NOW)
    assert unconfirmed_counts(tournament) == {1}
    match.refresh_from_db()
    assert confirmed_names(match) == []
    assert get_or_import_match(export_match(match), now=NOW) == match
    results.confirm_disputed_result_or_end_call(
        table_id=table.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    assert unconfirmed_counts(tournament) == {0}


def test_unfinished_table_that_counts_is_confirmed_like_any_other() -> None:
    tournament = tournament_with(4, quorum="one", rounds_planned=1)
    round_ = running_round(tournament)
    match = match_of(round_.tables.get())
    raw = {"points": [4, 3, 2, 1]}
    enter = partial(enter_hand, match_id=match.pk, raw=raw, author=author())
    enter(key=uuid4(), number=1)
    rounds.close(round_id=round_.pk, now=NOW, override="The bar closes.")
    assert unconfirmed_counts(tournament) == {1}
    match.refresh_from_db()
    desk = read_desk(Tournament.objects.get(), NOW)
    assert desk.tables[0].state == "unconfirmed"
    first = Place.objects.get(round=round_, index=0).entry
    assert "Confirm as " in text(own_phone(first), match.get_absolute_url())
    assert (
        count_confirmations(
            confirm_at_table(tournament, load_sheet(match).checksum_words_line)
        )
        == 1
    )
    assert unconfirmed_counts(tournament) == {0}
    enter(key=uuid4(), number=2)
    assert unconfirmed_counts(tournament) == {1}
    match.refresh_from_db()
    assert confirmed_names(match) == []
    confirm_result(match, 3)
    assert unconfirmed_counts(tournament) == {0}


def test_table_calls_the_director_about_a_broken_rule_from_the_hand() -> None:
    _tournament, match = night_with_played_table()
    store_decision = partial(stored, Kind.KEEP, match_id=match.pk, number=1)
    store_decision(body={FINDINGS: STAND})
    assert Table.objects.get(match=match).called_at is None
    store_decision(body={FINDINGS: DIRECTOR})
    assert Table.objects.get(match=match).called_at == NOW
