"""No output of a night names its winner before its result is final.

The tests follow all links of the desk, of a player's own page and of the club. They also read
feeds, calendars, files, pictures, API responses, webhooks, notifications and e-mails.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from scoring.matchlog.commands import CommandAuthor
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    match_of,
    member,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.test_every_link import follow_links
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.pages import at
from tests.tournaments.web.standings.test_final_names import Reader
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.outlook import store_outlook_with_standings
from tournaments.event.push import NoticeKind
from tournaments.event.results import (
    clear_request_and_store_standings,
    standings_differences,
)
from tournaments.history import club_records, player_stats
from tournaments.history.derivation import derive_history
from tournaments.history.seasons import close_season
from tournaments.models import (
    Club,
    HookEvent,
    Role,
    Round,
    Subscription,
    Table,
    Tournament,
)
from tournaments.web.notifications.texts import build_push_notices
from tournaments.web.sharing.pictures import club_link_preview, tournament_link_preview

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

READERS = ("director", "player", "stranger")
RULES_PAGES = ("/how-to-play/", "/api/v1/openapi", "/api/v1/reference")
"""Rules and descriptions, which mention winners in general."""


@pytest.fixture
def club() -> Club:
    """Return a club with a webhook for all events."""
    club: Club = ClubFactory.create()
    new_webhook(club)
    return club


def night(club: Club, **settings: Any) -> Tournament:
    tournament = tournament_with(
        8, club=club, rounds_planned=1, quorum="all", **settings
    )
    for entry in tournament.entries.all():
        Subscription.objects.create(
            tournament=tournament,
            entry=entry,
            endpoint=f"https://push.example/{entry.pk}",
            made_at=NOW,
        )
    return tournament


def confirm(round_: Round) -> None:
    author = CommandAuthor(name="Di", may_change_closed=True)
    results.confirm_round_and_list_table_numbers(
        round_id=round_.pk, author=author, now=NOW
    )


def close(round_: Round) -> None:
    rounds.close(round_id=round_.pk, now=NOW, override="It was late.")


def draw_final(tournament: Tournament) -> Round:
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    return running_round(tournament)


def unconfirmed_night(club: Club) -> Tournament:
    tournament = night(club)
    play_round(running_round(tournament))
    return tournament


def closed_unconfirmed_night(club: Club) -> Tournament:
    tournament = unconfirmed_night(club)
    close(tournament.rounds.get())
    return tournament


def disputed_night(club: Club) -> Tournament:
    tournament = unconfirmed_night(club)
    round_ = tournament.rounds.get()
    results.dispute(table_id=round_.tables.get(number=1).pk, now=NOW)
    confirm(round_)
    return tournament


def closed_disputed_night(club: Club) -> Tournament:
    tournament = disputed_night(club)
    close(tournament.rounds.get())
    return tournament


def night_with_open_round(club: Club) -> Tournament:
    tournament = night(club)
    round_ = running_round(tournament)
    play_table(round_.tables.get(number=1), [20, 12, 5, 1])
    confirm(round_)
    return tournament


def night_before_the_final(club: Club, final_size: int = 4) -> Tournament:
    tournament = night(club, final_size=final_size)
    round_ = running_round(tournament)
    play_round(round_)
    confirm(round_)
    close(round_)
    return tournament


def night_with_tied_cut(club: Club) -> Tournament:
    return night_before_the_final(club, final_size=3)


def night_with_played_final(club: Club) -> Tournament:
    tournament = night_before_the_final(club)
    play_round(draw_final(tournament))
    return tournament


def league_with_open_result(club: Club) -> Tournament:
    tournament = night(club, format="league")
    names = list(tournament.entries.values_list("name", flat=True))[:3]
    play_table(begin(tournament, names), [9, 5, 1])
    return tournament


def finished_night(club: Club) -> Tournament:
    tournament = unconfirmed_night(club)
    confirm(tournament.rounds.get())
    close(tournament.rounds.get())
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def finished_unconfirmed_night(club: Club) -> Tournament:
    tournament = closed_unconfirmed_night(club)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def night_with_unconfirmed_final(club: Club) -> Tournament:
    tournament = night_with_played_final(club)
    close(tournament.rounds.get(number=2))
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def reopened_night(club: Club) -> Tournament:
    tournament = finished_night(club)
    compute_all(tournament)
    rounds.reopen(tournament_id=tournament.pk)
    return tournament


def find_winner_claims(tournament: Tournament, texts: dict[str, str]) -> dict[str, str]:
    """Return the outputs that say that someone has won or is first for good, with the words."""
    names = "|".join(map(re.escape, tournament.entries.values_list("name", flat=True)))
    claim = re.compile(
        rf"\b(?:{names})\b,? (?:has |have )?won\b|\bYou (?:have )?won\b"
        rf"|\b(?:{names}) is (?:now )?first\b|champion(?!s will)|\b1st for certain"
        rf"|has won, whatever|won {re.escape(tournament.name)}",
        re.IGNORECASE,
    )
    matches = {address: claim.search(text) for address, text in texts.items()}
    return {
        address: texts[address][max(0, match.start() - 60) : match.end() + 60]
        for address, match in matches.items()
        if match
    }


def compute_all(*nights: Tournament) -> None:
    """Compute everything that depends on the results of nights of one club."""
    for tournament in nights:
        clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
        store_outlook_with_standings(tournament_id=tournament.pk)
    derive_history(club_id=nights[0].club_id, now=NOW)


def readers_of(tournament: Tournament) -> dict[str, Reader]:
    """Return the browsers of a director, a player at the first table, and a stranger."""
    readers = {visitor: Reader("en") for visitor in READERS}
    readers["director"].force_login(member(tournament.club, Role.DIRECTOR))
    first = Table.objects.filter(round__tournament=tournament).earliest("pk")
    phone = own_phone(first.places.get(index=0).entry)
    readers["player"].cookies.update(phone.cookies)
    return readers


def machine_urls(tournament: Tournament) -> Iterator[str]:
    """Yield the URLs of a night and of its club that programs and other sites read."""
    slug = tournament.club.slug
    for name in ("club_calendar", "club_results", "badge", "frame_live"):
        yield reverse(f"tournaments:{name}", args=[slug])
    for path in ("", "/standings", "/rounds", "/tables/standings.csv"):
        yield f"/api/v1/tournaments/{tournament.address}{path}"
    for path in ("/tournaments", "/leaderboards/all", "/statistics", "/records"):
        yield f"/api/v1/clubs/{slug}{path}"
    yield at("projector", tournament)


def shared_texts(club: Club) -> Iterator[tuple[str, str]]:
    """Yield the texts of previews, webhooks, notifications and e-mails about a club's nights."""
    yield "shared of the club", club_link_preview(club, NOW.date()).description
    for tournament in club.tournaments.select_related("club"):
        yield (
            f"shared {tournament.address}",
            tournament_link_preview(tournament).description,
        )
    for event in HookEvent.objects.filter(club=club):
        yield f"webhook {event.pk}", " ".join([event.title, *event.lines])
        yield f"webhook {event.pk} JSON", str(event.content)
    tables = Table.objects.filter(round__tournament__club=club)
    for kind in (NoticeKind.MATCH_OVER, NoticeKind.CALLED, NoticeKind.DISPUTED):
        for table in tables:
            for notice in build_push_notices(kind, table.pk, NOW):
                yield f"notice {kind}", str(notice)
    for email in mail.outbox:
        yield f"letter {email.subject}", f"{email.subject} {email.body}"


def read_outputs(tournament: Tournament) -> dict[str, str]:
    """Return the texts about a night by output: pages that name winners, and outputs for programs."""
    compute_all(tournament)
    club, entry = tournament.club, tournament.entries.earliest("pk")
    readers = readers_of(tournament)
    own_urls = {
        "director": [at("desk", tournament)],
        "player": [at("me", tournament)],
        "stranger": [
            reverse("tournaments:player", args=[club.slug, entry.player_id]),
            *machine_urls(tournament),
        ],
    }
    for visitor, reader in readers.items():
        for url in (
            at("tournament", tournament),
            club.get_absolute_url(),
            *own_urls[visitor],
        ):
            assert reader.get(url).status_code == 200
    return dict(shared_texts(club)) | {
        f"{visitor} {url}": text
        for visitor, reader in readers.items()
        for url, text in reader.texts.items()
    }


OPEN_TABLES = (
    unconfirmed_night,
    closed_unconfirmed_night,
    league_with_open_result,
    finished_unconfirmed_night,
)
"""Nights without any final result."""
UNCONFIRMED_ENDS = (finished_unconfirmed_night, night_with_unconfirmed_final)
"""Finished nights with a provisional leader."""
OPEN_NIGHTS = (
    *OPEN_TABLES,
    *(disputed_night, closed_disputed_night, night_with_open_round, reopened_night),
    *(
        night_before_the_final,
        night_with_tied_cut,
        night_with_played_final,
        night_with_unconfirmed_final,
    ),
)


@pytest.mark.parametrize("play", OPEN_NIGHTS, ids=lambda play: play.__name__)
def test_no_output_names_the_winner_of_an_open_night(
    club: Club, play: Callable[[Club], Tournament]
) -> None:
    tournament = play(club)
    texts = read_outputs(tournament)
    assert len(texts) > 20
    assert find_winner_claims(tournament, texts) == {}
    if play in OPEN_TABLES:
        for table in Table.objects.filter(match__finished=True):
            path = f"/api/v1/matches/{match_of(table).address}"
            texts[f"stranger {path}"] = Client().get(path).content.decode()
        won_pattern = re.compile("['\"]won['\"]: ?(True|true)")
        assert [
            output for output, text in texts.items() if won_pattern.search(text)
        ] == []
    if play in UNCONFIRMED_ENDS:
        ahead_pattern = re.compile(
            r"\b(?:leads?|ahead)\b[^.]*\(not confirmed yet\)"
            r"|: [^.]* in the lead, not confirmed yet"
        )
        winner_texts = winner_outputs(tournament)
        assert [
            output for output in winner_texts if not ahead_pattern.search(texts[output])
        ] == []


def final_table_addresses(club: Club) -> set[str]:
    """Return parts of the addresses of all tables with a final result."""
    parts = set()
    for tournament in club.tournaments.all():
        tables = Table.objects.filter(round__tournament=tournament)
        still_open = tables.without_final_result(tournament.quorum).values("pk")
        for table in tables.exclude(pk__in=still_open).select_related("match", "round"):
            assert table.match is not None
            place = f"rounds/{table.round.number}/tables/{table.number}/"
            parts |= {table.match.address, f"{tournament.address}/{place}"}
    return parts


@pytest.mark.long(60)
@pytest.mark.parametrize("reader", READERS)
def test_pages_linked_from_open_nights_name_no_winner(club: Club, reader: str) -> None:
    nights = [play(club) for play in OPEN_NIGHTS]
    compute_all(*nights)
    client = readers_of(nights[0])[reader]
    starts = {
        "director": [at("desk", tournament) for tournament in nights],
        "player": [
            at("me", nights[0]),
            *(at("tournament", tournament) for tournament in nights),
        ],
        "stranger": [club.get_absolute_url()],
    }[reader]
    first, *others = starts
    follow_links(first, client, *others, per_night=1)
    for table in Table.objects.filter(
        round__tournament__in=nights, match__finished=True
    ):
        client.get(match_of(table).get_absolute_url())
        client.get(f"/api/v1/matches/{match_of(table).address}")
    final_addresses = final_table_addresses(club)
    texts = {
        address: text
        for address, text in client.texts.items()
        if not address.startswith(RULES_PAGES)
        and not any(part in address for part in final_addresses)
        # These count only final results of the phone, as the next test checks.
        and not address.endswith("/shared/")
    }
    assert len(texts) > 80
    assert find_winner_claims(nights[0], texts) == {}
    if reader == "player":
        assert "Every rank is still possible" in texts[at("me", nights[0])]
    assert "between 1st and 8th" not in " ".join(texts.values())


def test_shared_matches_of_a_phone_leave_out_results_that_can_change(
    club: Club,
) -> None:
    table = running_round(night(club)).tables.order_by("number")[0]
    play_table(table, [20, 12, 5, 1])
    phone = Client()
    match = match_of(Table.objects.get(pk=table.pk))
    assert phone.get(match.get_absolute_url()).status_code == 200
    shared_page = phone.get(reverse("scoring:common_matches", args=[match.address]))
    assert "No finished matches yet." in shared_page.content.decode()


def winner_outputs(tournament: Tournament) -> tuple[str, ...]:
    """Return the outputs that name the winner of a finished night."""
    club = tournament.club
    return (
        f"stranger {tournament.get_absolute_url()}",
        f"stranger {club.get_absolute_url()}",
        f"stranger {reverse('tournaments:club_results', args=[club.slug])}",
        f"stranger {at('projector', tournament)}",
        f"director {at('desk', tournament)}",
        f"shared {tournament.address}",
    )


def night_confirmed_after_finish(club: Club) -> Tournament:
    tournament = finished_unconfirmed_night(club)
    # Outputs that are cached while the result is open have to be updated.
    read_outputs(tournament)
    confirm(tournament.rounds.get())
    return tournament


FAVOURITE, OTHERS = 20, 5


def play_for_favourite(
    round_: Round, *, own: str = "confirmed", others: str = "confirmed"
) -> None:
    """Play a round in which the first entry wins its table, and all others are tied.

    `own` is the state of the result at that table, `others` at all the other tables.
    """
    favourite = round_.tournament.entries.earliest("pk")
    for table in round_.tables.select_related("match"):
        entries = list(table.places.order_by("index").values_list("entry", flat=True))
        is_own = favourite.pk in entries
        play_table(
            table,
            [FAVOURITE if entry == favourite.pk else OTHERS for entry in entries],
        )
        state = own if is_own else others
        if state == "confirmed":
            author = CommandAuthor(name="Di")
            results.confirm_table_as_director(table_id=table.pk, author=author, now=NOW)
        elif state == "disputed":
            results.dispute(table_id=table.pk, now=NOW)
    close(round_)


def night_of_favourite(
    club: Club, players: int = 8, *, final: str = "", **last_round: str
) -> Tournament:
    """Play two rounds, and a `final` whose result is confirmed or not."""
    tournament = tournament_with(players, club=club, rounds_planned=2, quorum="all")
    play_for_favourite(running_round(tournament))
    play_for_favourite(running_round(tournament), **last_round)
    if final:
        play_for_favourite(draw_final(tournament), own=final)
    return tournament


@pytest.mark.parametrize(
    ("players", "last_round", "final", "is_open"),
    [
        (8, {}, "", False),
        (8, {"others": "unconfirmed"}, "", False),
        (8, {"others": "disputed"}, "", False),
        (8, {"own": "unconfirmed"}, "", True),
        (8, {"own": "disputed"}, "", True),
        (8, {"own": "unconfirmed", "others": "unconfirmed"}, "", True),
        # Four tables have too many outcomes to rank each.
        (20, {"others": "unconfirmed"}, "", False),
        (20, {"own": "unconfirmed", "others": "unconfirmed"}, "", True),
        (4, {"own": "unconfirmed"}, "confirmed", False),
        (4, {}, "unconfirmed", True),
    ],
)
def test_first_place_stays_open_while_a_result_can_change_it(
    club: Club,
    players: int,
    last_round: dict[str, str],
    final: str,
    is_open: bool,  # noqa: FBT001 - a parameter
) -> None:
    tournament = night_of_favourite(club, players, final=final, **last_round)
    standings = clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    assert standings is not None
    assert standings.is_first_open == is_open
    assert standings_differences(tournament) == []


def night_with_open_low_table(club: Club) -> Tournament:
    tournament = night_of_favourite(club, others="unconfirmed")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


@pytest.mark.parametrize(
    ("play", "wins", "longest_run"),
    [
        (finished_unconfirmed_night, 0, 0),
        (night_with_unconfirmed_final, 0, 1),
        (night_with_open_low_table, 1, 2),
        (night_confirmed_after_finish, 2, 1),
    ],
)
def test_records_count_final_wins_only(
    club: Club, play: Callable[[Club], Tournament], wins: int, longest_run: int
) -> None:
    tournament = play(club)
    entries = list(tournament.entries.all())
    compute_all(tournament)
    assert len(club_records.top_players_by_tournaments(club, won=True)) == wins
    runs = [
        player_stats.longest_run_of_tables_won(club, entry.player_id)
        for entry in entries
    ]
    assert max(runs) == longest_run
    feats = club_records.longest_runs_of_tables_won(club)
    assert max((feat.number for feat in feats), default=0) == longest_run
    # Attendance is counted in any case.
    assert club_records.top_players_by_tournaments(tournament.club, won=False)


@pytest.mark.parametrize(
    "play", [finished_night, night_confirmed_after_finish, night_with_open_low_table]
)
def test_pages_feeds_and_shares_name_winners_of_a_finished_night(
    club: Club, play: Callable[[Club], Tournament]
) -> None:
    tournament = play(club)
    claims = find_winner_claims(tournament, read_outputs(tournament))
    for output in winner_outputs(tournament):
        assert output in claims, output


def test_season_is_closed_once_its_results_are_confirmed(club: Club) -> None:
    tournament = night_with_open_low_table(club)
    compute_all(tournament)
    season = club.seasons.get()
    with pytest.raises(RefusedError, match="“Thursday” has open results"):
        close_season(season_id=season.pk, now=NOW)
    for round_ in tournament.rounds.all():
        confirm(round_)
    compute_all(tournament)
    close_season(season_id=season.pk, now=NOW)
    assert season.final_rows.filter(rank=1).exists()
