"""Matches of a tournament that is finished: everybody reads them, its people change them."""

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matchlog.append import replay_match
from scoring.matchlog.confirmations import result_words
from scoring.models import LogEntry, Match
from tests.factories.history import counted_tournament
from tests.factories.phones import deliver, entry
from tests.factories.tournaments import (
    match_of,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import rounds
from tournaments.models import Result, Role, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

LAST = [0, 30, 0, 0]


def final() -> tuple[Tournament, Match]:
    """Return a tournament that is finished and counted, and its only match."""
    tournament = counted_tournament("2026-05-14")
    Tournament.objects.update(quorum="one")
    table = Table.objects.select_related("match").get(round__tournament=tournament)
    return tournament, match_of(table)


def of_hand(name: str, match: Match) -> str:
    return reverse(f"scoring:{name}", args=[match.address, 1])


def corrected(browser: Client, match: Match) -> None:
    form = {f"points_{seat}": str(made) for seat, made in enumerate(LAST)}
    reason = {"reason": "mistyped", "confirm": "1"}
    browser.post(of_hand("hand_correct", match), {**form, **reason, "key": uuid4()})


def test_resent_entry_is_accepted_after_the_match_closed() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    table = running_round(tournament).tables.get()
    address, now = match_of(table).address, match_of(table).started_at
    sent = entry(body={"points": [20, 12, 5, 1]})
    first = deliver(address, sent)
    rounds.close(round_id=table.round_id, now=now, override="late")
    second = entry(number=2, body={"points": LAST})
    assert deliver(address, second)[0] == 200
    rounds.finish(tournament_id=tournament.pk, now=now)
    assert deliver(address, sent) == first
    late = entry(number=3, body={"points": LAST})
    status, answer = deliver(address, late)
    assert (status, answer["key"]) == (410, late["key"])
    assert "ask the director to correct it" in answer["faults"][0]["message"]
    rounds.reopen(tournament_id=tournament.pk)
    assert deliver(address, late)[0] == 200


def test_visitors_cannot_change_last_years_final() -> None:
    tournament, match = final()
    before, visitor = match.log.count(), Client()
    sheet = text(visitor, match.get_absolute_url())
    hand = text(visitor, of_hand("hand", match))
    page = text(visitor, at("table", tournament, 1, 1))
    for shown in (sheet, hand, page):
        assert "ask the director to correct it" in shown
    for button in ("looks right", "Tap your name"):
        assert button not in sheet
    for button in ("Correct this hand", "Void this hand"):
        assert button not in hand
    assert "Something’s wrong" not in page
    answer = visitor.get(of_hand("hand_correct", match), follow=True)
    assert "ask the director to correct it" in answer.content.decode()
    corrected(visitor, match)
    for name in ("hand_void", "hand_restore"):
        form = {"reason": "mistyped", "confirm": "1"}
        visitor.post(of_hand(name, match), form)
    choice = {"kind": "replace", "body": json.dumps({"points": LAST})}
    assert visitor.post(of_hand("hand_choose", match), choice).status_code == 302
    somebody = {"seat": "0", "name": "Zoe", "reason": "left", "key": uuid4()}
    visitor.post(reverse("scoring:match_seats", args=[match.address]), somebody)
    place = Table.objects.get(match=match).places.get(index=0)
    words = result_words(replay_match(match))
    seen = {"body": json.dumps({"seat": 0, "words": words})}
    visitor.post(reverse("scoring:match_confirm", args=[match.address]), seen)
    for verb in ("agree", "dispute", "call"):
        fields = {"place": place.pk, "words": words}
        visitor.post(at("table_action", tournament, 1, 1, verb), fields)
    assert match.log.count() == before
    table = Table.objects.get(match=match)
    assert (table.disputed, table.called_at) == (False, None)


@pytest.mark.parametrize(
    ("role", "may"), [(Role.VIEWER, False), (Role.SCORER, True), (Role.DIRECTOR, True)]
)
def test_scorers_correct_a_finished_tournament_and_its_history(
    role: Role,
    may: bool,  # noqa: FBT001 - a parameter
) -> None:
    tournament, match = final()
    browser = signed_in(tournament.club, role)
    stranger = signed_in(tournament_with([]).club, Role.DIRECTOR)
    corrected(stranger, match)
    assert ("Correct this hand" in text(browser, of_hand("hand", match))) is may
    if may:
        form = text(browser, of_hand("hand_correct", match))
        assert "data-entry-kind" not in form
    corrected(browser, match)
    kinds = list(match.log.values_list("kind", flat=True))
    assert (LogEntry.Kind.REPLACE in kinds) is may
    moved = Result.objects.exclude(known_until=None)
    assert moved.filter(tournament=tournament).exists() is may
