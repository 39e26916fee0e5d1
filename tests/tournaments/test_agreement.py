"""Results that nobody has confirmed count, and are marked wherever they do."""

from functools import partial
from uuid import uuid4

import pytest
from django.test import Client

from scoring.agreeing import agree
from scoring.models import Match
from scoring.operations import correct_hand, settle_findings
from scoring.reseating import reseat
from scoring.sheet import sheet_of
from tests.factories import author
from tests.factories.matches import NOW
from tests.factories.tournaments import play_round, running_round, tournament_with
from tests.tournaments.views.pages import at, text
from tournaments.models import Place, Table, Tournament
from tournaments.operations import results, rounds

pytestmark = pytest.mark.django_db(transaction=True)


def played(quorum: str = "one") -> tuple[Tournament, Match]:
    """Return a tournament with one table that was played, and its match."""
    tournament = tournament_with(4, quorum=quorum, rounds_planned=1)
    one = running_round(tournament)
    play_round(one)
    match = one.tables.get().match
    assert match is not None
    match.refresh_from_db()
    return tournament, match


def unconfirmed(tournament: Tournament) -> set[int]:
    current = tournament.standings.current()[0]
    return set(current.rows.values_list("unconfirmed", flat=True))


def find_the_same(match: Match, seat: int) -> None:
    """Let a player find the same words on the phone."""
    agree(
        match_id=match.pk,
        key=uuid4(),
        seat=seat,
        words=sheet_of(match).words,
        author=author(),
    )


def test_a_result_is_marked_until_its_quorum_has_found_the_same_words() -> None:
    tournament, match = played(quorum="all")
    page = text(Client(), tournament.get_absolute_url())
    assert page.count("◌ 1 table not confirmed") == 4
    for seat in range(4):
        assert unconfirmed(tournament) == {1}
        find_the_same(match, seat)
    assert unconfirmed(tournament) == {0}
    assert "◌" not in text(Client(), tournament.get_absolute_url())
    assert "✓ agreed" in text(Client(), at("table", tournament, 1, 1))


def agree_at_table(tournament: Tournament, words: str) -> str:
    """Agree as the player at the first seat; return the table's page that follows."""
    place = Place.objects.get(round__tournament=tournament, index=0)
    said = {"place": place.pk, "words": words, "key": str(uuid4())}
    url = at("table_say", tournament, 1, 1, "agree")
    return Client().post(url, said, follow=True).content.decode()


def test_the_tables_page_shows_what_is_agreed_to_and_the_sheet_who_agreed() -> None:
    tournament, match = played()
    sheet = sheet_of(match)
    page = text(Client(), at("table", tournament, 1, 1))
    assert sheet.words in page
    assert all(f"<b>{seat.total}</b>" in page for seat in sheet.seats)
    assert "✓ agreed" in agree_at_table(tournament, sheet.words)
    assert sheet_of(match).agreed == [sheet.names[0]]
    assert unconfirmed(tournament) == {0}


def test_a_page_that_was_open_while_a_hand_was_corrected_confirms_nothing() -> None:
    tournament, match = played()
    words = sheet_of(match).words
    raw = {"points": [1, 2, 3, 4]}
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    page = agree_at_table(tournament, words)
    assert f"Here the scores come to “{sheet_of(match).words}”" in page
    assert "✓ agreed" not in page
    assert unconfirmed(tournament) == {1}


def test_whoever_takes_over_a_seat_has_not_agreed_yet() -> None:
    tournament, match = played(quorum="all")
    for seat in range(4):
        find_the_same(match, seat)
    reseat(match_id=match.pk, key=uuid4(), index=1, name="Zoe", author=author())
    assert unconfirmed(tournament) == {1}
    find_the_same(match, 1)
    assert unconfirmed(tournament) == {0}


def test_a_corrected_result_is_to_be_confirmed_anew() -> None:
    tournament, match = played()
    find_the_same(match, 2)
    assert unconfirmed(tournament) == {0}
    raw = {"points": [1, 2, 3, 4]}
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    assert unconfirmed(tournament) == {1}
    assert rounds.blocking(tournament.rounds.get()) == [
        "Table 1 has not agreed to its result."
    ]


def test_a_disputed_result_is_not_confirmed_whoever_agreed() -> None:
    tournament, match = played()
    find_the_same(match, 0)
    results.dispute(table_id=tournament.rounds.get().tables.get().pk, now=NOW)
    assert unconfirmed(tournament) == {1}


def test_standings_that_were_frozen_keep_the_mark() -> None:
    tournament, _match = played()
    one = tournament.rounds.get()
    rounds.close(round_id=one.pk, now=NOW, override="Everybody has gone home.")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    final = tournament.standings.exclude(frozen_as="").latest("pk")
    assert set(final.rows.values_list("unconfirmed", flat=True)) == {1}
    assert "not confirmed yet" in text(Client(), at("projector", tournament))


def test_where_nobody_has_to_agree_nothing_is_marked() -> None:
    tournament, _match = played(quorum="none")
    assert unconfirmed(tournament) == {0}


def test_a_table_that_finds_a_broken_rule_calls_the_director_from_the_hand() -> None:
    _tournament, match = played()
    settle = partial(settle_findings, match_id=match.pk, number=1, author=author())
    settle(key=uuid4(), decision="stand")
    assert Table.objects.get(match=match).called_at is None
    settle(key=uuid4(), decision="director")
    assert Table.objects.get(match=match).called_at == NOW
