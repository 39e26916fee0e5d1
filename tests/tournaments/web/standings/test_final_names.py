"""Every page, feed and file of a night calls its final a final."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from scoring.models import Match
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    closed_round,
    member,
    play_table,
    running_round,
    tournament_with,
)
from tests.test_every_link import follow_links
from tests.tournaments.web.pages import at
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.event.results import clear_request_and_store_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Entry, HookEvent, Role, Round, Tournament
from tournaments.web.display.projector import read_projector_screen
from tournaments.web.standings.lines import build_standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

NUMBERED = re.compile(
    r"(?<!each )(?<!jeder )\b(?:rounds?|runden?)\s+(?:\d, )*2\b", re.IGNORECASE
)
"""The second round of a night whose second round is the final, in two languages.

“Points after each round” is excluded: the numbers of a chart's axis follow it.
"""
TEXTS = ("text/", "application/json", "application/atom", "image/svg")


class Reader(Client):
    """A visitor who remembers the text of every page, by address."""

    def __init__(self, language: str) -> None:
        """Create a visitor who reads in a language."""
        super().__init__()
        self.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        self.texts: dict[str, str] = {}

    def get(self, path: str, *args: Any, **options: Any) -> Any:  # type: ignore[override]
        """Return the response and remember its text."""
        response = super().get(path, *args, **options)
        if response.headers.get("Content-Type", "").startswith(TEXTS):
            body = response.getvalue().decode()
            self.texts[path] = " ".join(re.sub(r"<[^>]*>", " ", body).split())
        return response


def find_numbered_finals(texts: dict[str, str]) -> dict[str, str]:
    """Return the addresses of texts that call a final by its number, with the words around it."""
    matches = {address: NUMBERED.search(text) for address, text in texts.items()}
    return {
        address: texts[address][max(0, match.start() - 60) : match.end() + 60]
        for address, match in matches.items()
        if match
    }


def night_before_the_final(**settings: Any) -> Tournament:
    """Return a night of eight that has played its only round before a final of four."""
    tournament = tournament_with(
        8,
        rounds_planned=1,
        final_size=4,
        quorum=Tournament.Quorum.ALL,
        **{"autopilot": Tournament.Autopilot.HELP, **settings},
    )
    closed_round(tournament, override="It was late.")
    return tournament


def draw_final(tournament: Tournament) -> Round:
    (final,) = drawing.freeze_and_cut_to_final(
        tournament_id=tournament.pk, size=4, now=NOW
    )
    return final


def publish_final(tournament: Tournament) -> Round:
    final = draw_final(tournament)
    # Zoe arrives, but isn't in the final.
    entries.add_entries(
        tournament_id=tournament.pk,
        names=["Zoe"],
        now=NOW,
        state=Entry.State.PRESENT,
    )
    rounds.publish(round_id=final.pk)
    return final


def start_final(tournament: Tournament) -> Round:
    final = publish_final(tournament)
    rounds.start(round_id=final.pk, now=NOW)
    leaver = final.places.order_by("index")[3].entry
    entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
    entries.substitute_entry_player(
        entry_id=final.places.order_by("index")[0].entry_id, name="Yara", now=NOW
    )
    table = final.tables.get()
    Match.objects.filter(table=table).update(kept={"a phone": 2})
    results.call_director(table_id=table.pk, now=NOW)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    return final


def dispute_final(tournament: Tournament) -> Round:
    final = start_final(tournament)
    table = final.tables.get()
    play_table(table, [20, 12, 5, 1])
    final.tables.update(disputed=True)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    return final


def close_final(tournament: Tournament) -> Round:
    final = dispute_final(tournament)
    rounds.close(round_id=final.pk, now=NOW, override="It was late.")
    # A hand is changed afterwards.
    final.tables.update(seen_version=1, disputed=False)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    return final


def finish_night(tournament: Tournament) -> Round:
    final = close_final(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    return final


@pytest.mark.long(30)
@pytest.mark.parametrize(
    ("plays", "language"),
    [
        ((draw_final, start_final, close_final), "en"),
        ((dispute_final, finish_night), "de"),
    ],
    ids=["en", "de"],
)
def test_linked_pages_never_number_the_final(
    plays: Sequence[Callable[[Tournament], Round]], language: str
) -> None:
    club, desks = ClubFactory.create(), []
    for play in plays:
        tournament = night_before_the_final(club=club)
        assert play(tournament).number == 2
        desks.append(at("desk", tournament))
    director = Reader(language)
    director.force_login(member(club, Role.DIRECTOR))
    follow_links(desks[0], director, *desks[1:], per_night=2)
    assert all("Final" in director.texts[desk] for desk in desks)
    assert len(director.texts) > 60
    assert find_numbered_finals(director.texts) == {}


def test_webhooks_name_the_final() -> None:
    tournament = night_before_the_final()
    new_webhook(tournament.club)
    finish_night(tournament)
    events = HookEvent.objects.filter(club=tournament.club)
    assert {event.kind for event in events} >= {
        "round.seated",
        "director.called",
        "match.finished",
    }
    titles = [event.title for event in events if "(" in event.title]
    assert titles
    assert all(title.endswith("(Final)") for title in titles)
    texts = {
        str(event.pk): " ".join([event.title, *event.lines, str(event.content)])
        for event in events
    }
    assert find_numbered_finals(texts) == {}


def test_detects_a_numbered_final() -> None:
    texts = {"/a": "Ann (rounds 1, 2)", "/b": "Round 2: table 1", "/c": "Round 1 of 2"}
    assert set(find_numbered_finals(texts)) == {"/a", "/b"}


def play_knockout(players: int, rounds_: int) -> Tournament:
    """Return a knockout with this number of closed rounds."""
    tournament = tournament_with(players, format="knockout", table_size=4)
    for _number in range(rounds_):
        closed_round(tournament)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    return tournament


@pytest.mark.parametrize(
    ("round_count", "headings"),
    [
        (2, ["Semi-finals", "Eliminated after the quarter-final"]),
        (
            3,
            [
                "Final",
                "Eliminated after the semi-final",
                "Eliminated after the quarter-final",
            ],
        ),
    ],
)
def test_knockout_names_the_round_of_elimination(
    round_count: int, headings: list[str]
) -> None:
    tournament = play_knockout(16, round_count)
    standings = tournament.standings.unfrozen_latest_first().get()
    lines = build_standings_table(tournament, standings).lines
    assert [line.heading for line in lines if line.heading] == headings
    screen = read_projector_screen(tournament, NOW)
    on_screen = [line for page in screen.standings for line in page.lines]
    assert [line.name for line in on_screen if line.is_heading] == headings[1:]


def test_projector_draws_the_latest_rounds_of_a_bracket() -> None:
    tournament = play_knockout(16, 2)
    running = running_round(tournament)
    columns = read_projector_screen(tournament, NOW).bracket
    assert [column.name for column in columns] == ["Semi-finals", "Final"]
    seats = [seat for table in columns[0].tables for seat in table.seats]
    advanced = {seat.place.entry_id for seat in seats if seat.state == "won"}
    assert advanced == set(running.places.values_list("entry", flat=True))
