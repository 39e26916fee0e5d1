"""Hands belong to the player who played them, even if the seat changed hands later."""

from io import BytesIO
from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.projections import describe_projection_differences
from scoring.matchlog.seat_occupants import describe_handovers
from scoring.models import HandScore, LogEntry, Match, Player
from tests.factories.archives import build_archive, change_unique_values
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    running_round,
    tournament_with,
)
from tests.tournaments.history.played_matches import random_tournament
from tests.tournaments.web.pages import at, text
from tournaments.event import rounds
from tournaments.event.entries import substitute_entry_player
from tournaments.event.seats import reseat_match
from tournaments.event.tables import begin_league_match
from tournaments.files.archive.reading import import_club
from tournaments.history import club_records, play_stats, player_stats
from tournaments.history.derivation import derive_history
from tournaments.history.personal_data import anonymise_person, export_person
from tournaments.history.search import search_club
from tournaments.models import Club, Entry, Round, Table, Tournament
from tournaments.people.identities import (
    find_played_tournaments,
    names_in_club,
    people_in_club,
    players_in_club,
)
from tournaments.people.similar_names import find_similar_players

pytestmark = pytest.mark.django_db


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def running_night(rounds_planned: int = 1) -> tuple[Tournament, Match]:
    """Return a night with its only match, in which Max sits."""
    names = ["Max", "Bo", "Cy", "Di"]
    tournament = tournament_with(names, rounds_planned=rounds_planned)
    table = running_round(tournament).tables.select_related("match").get()
    return tournament, match_of(table)


def reseat(tournament: Tournament, match: Match, name: str, *, since: int) -> None:
    """Let a director give the seat of Max to a player from a hand on."""
    seat = match.seats.order_by("index").exclude(name__in=["Bo", "Cy", "Di"]).get()
    fields = {"seat": seat.index, "name": name, "from_hand": since, "reason": "other"}
    url = reverse("scoring:match_seats", args=[match.address])
    director(tournament).post(url, {**fields, "key": str(uuid4())})


def night_with_substitute() -> Tournament:
    """Return a finished night: Max has 70 and 71 in two hands, then Tom plays for him."""
    tournament, match = running_night()
    seat = match.seats.get(name="Max").index
    for points in (70, 71):
        enter_points(match, [points if index == seat else 3 for index in range(4)])
    entry = tournament.entries.get(name="Max")
    substitute_entry_player(entry_id=entry.pk, name="Tom", now=NOW, from_hand=3)
    for points in (40, 30):
        enter_points(match, [points if index == seat else 3 for index in range(4)])
    round_ = tournament.rounds.get()
    rounds.close(round_id=round_.pk, now=NOW, override="time")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    return tournament


def test_hands_count_for_their_player_and_the_seat_keeps_its_total() -> None:
    tournament = night_with_substitute()
    club = tournament.club
    for name, points in (("Max", 71), ("Tom", 40)):
        [best] = player_stats.best_hand_of_each_game(club, [player(name).pk])
        assert best.points == points
    feats = club_records.hand_records(club).best
    assert [(feat.name, feat.number) for feat in feats] == [
        ("Max", 71),
        ("Max", 70),
        ("Tom", 40),
    ]
    assert player("Max") in players_in_club(club)
    match = Match.objects.get(table__round__tournament=tournament)
    assert match.seats.get(name="Tom").total == 70 + 71 + 40 + 30
    assert describe_projection_differences(read_match(match)) == []


def test_player_replaced_within_a_match_stays_in_the_club() -> None:
    tournament = night_with_substitute()
    club = tournament.club
    assert {"Max", "Tom"} <= {person.player.name for person in people_in_club(club)}
    assert {"Max", "Tom"} <= names_in_club(club)
    [night] = find_played_tournaments(club, [player("Max").pk])
    assert (night.entry.name, night.row) == ("Tom", None)
    similar_players = find_similar_players(club, ["Máx"])["Máx"]
    assert [
        (known_player.name, known_player.tournaments)
        for known_player in similar_players
    ] == [("Max", 1)]
    players_found = search_club(club, "max").players
    assert [name for _player, name, _other in players_found] == ["Max"]
    later = tournament_with(["Max"], club=club)
    assert later.entries.get().player == player("Max")


@pytest.mark.parametrize("way", ["entry", "seats"])
def test_player_who_returns_to_their_seat_is_the_same_person(way: str) -> None:
    tournament, match = running_night()
    seat = match.seats.get(name="Max").index
    before, entry = player("Max"), tournament.entries.get(name="Max")
    for since, name in ((2, "Tom"), (3, "Max")):
        enter_points(match, [9, 5, 3, 1])
        if way == "entry":
            substitute_entry_player(
                entry_id=entry.pk, name=name, now=NOW, from_hand=since
            )
        else:
            reseat(tournament, match, name, since=since)
    assert Player.objects.get(name="Max") == before
    assert match.seats.get(index=seat).player == before
    sentence = "Max until hand 1, Tom until hand 2, then Max."
    assert sentence in text(director(tournament), match.get_absolute_url())


def test_export_and_erasure_include_hands_at_a_seat_handed_over() -> None:
    club = night_with_substitute().club
    [tom_seat] = export_person(club, player("Tom").pk)["seats"]
    assert [hand["points"] for hand in tom_seat["hands"]] == [40, 30]
    exported = export_person(club, player("Max").pk)
    assert [hand["points"] for hand in exported["hands_of_handed_on_seats"]] == [70, 71]
    max_ = player("Max")
    new_name = anonymise_person(club=club, player_id=max_.pk, typed_name="Max")
    match = Match.objects.get(table__round__tournament__club=club)
    bodies = [entry.body or {} for entry in match.log.seat_changes()]
    assert [body["name"] for body in bodies] == [new_name, "Tom"]
    assert describe_projection_differences(read_match(match)) == []
    assert next(feat.name for feat in club_records.hand_records(club).best) == new_name


def test_bids_and_tricks_count_for_the_player_of_the_hand(club: Club) -> None:
    random_tournament(club, "tricky", ["Ann", "Bo", "Cy", "Di"], Random(3))
    ann = player("Ann")
    stats_before = play_stats.trick_play_stats(club, [ann.pk])
    table = Table.objects.get(round__tournament__club=club)
    match = match_of(table)
    tom = Player.objects.create(name="Tom", created_at=NOW)
    entry = Entry.objects.get(player=ann)
    Entry.objects.filter(pk=entry.pk).update(player=tom)
    entry.refresh_from_db()
    reseat_match(
        table,
        {match.seats.get(player=ann).index: entry},
        uuid4(),
        3,
        author=CommandAuthor(may_change_closed=True),
        reason="",
        now=NOW,
    )
    stats_by_player = [
        play_stats.trick_play_stats(club, [pk]) for pk in (ann.pk, tom.pk)
    ]
    assert [sum(one.tricks for one in stats) for stats in stats_by_player].count(0) == 0
    assert (
        sum(one.tricks for stats in stats_by_player for one in stats)
        == stats_before[0].tricks
    )
    assert (
        sum(one.hands for stats in stats_by_player for one in stats)
        == stats_before[0].hands
    )
    assert play_stats.trick_play_stats(club, [ann.pk, tom.pk]) == stats_before
    early_scores = HandScore.objects.filter(played_by=ann, hand__number__lt=3)
    assert HandScore.objects.filter(played_by=ann).count() == early_scores.count() > 0


def test_archive_keeps_the_player_of_each_hand() -> None:
    club = night_with_substitute().club
    Player.objects.create(name="Max", created_at=NOW)
    content = build_archive(club)
    change_unique_values(club)
    imported_club = import_club(BytesIO(content), now=NOW).club
    derive_history(club_id=imported_club.pk, now=NOW)
    feats = club_records.hand_records(imported_club).best
    assert [(feat.name, feat.number) for feat in feats] == [
        ("Max", 71),
        ("Max", 70),
        ("Tom", 40),
    ]
    assert build_archive(imported_club) == content


def test_archive_of_a_running_match_keeps_the_player_of_each_hand() -> None:
    tournament, match = running_night()
    enter_points(match, [9, 5, 3, 1])
    entry = tournament.entries.get(name="Max")
    substitute_entry_player(entry_id=entry.pk, name="Tom", now=NOW, from_hand=2)
    content = build_archive(tournament.club)
    change_unique_values(tournament.club)
    imported_club = import_club(BytesIO(content), now=NOW).club
    round_ = Round.objects.get(tournament__club=imported_club)
    rounds.close(round_id=round_.pk, now=NOW, override="time")
    hand_scores = HandScore.objects.filter(hand__match__table__round=round_)
    [hand_score] = hand_scores.exclude(played_by=None)
    assert hand_score.played_by is not None
    assert (hand_score.played_by.name, hand_score.hand.number) == ("Max", 1)


def test_substitution_that_is_undone_leaves_no_handover() -> None:
    tournament, match = running_night()
    enter_points(match, [9, 5, 3, 1])
    entry = tournament.entries.get(name="Max")
    for name, since in (("Tom", 2), ("Max", 1)):
        substitute_entry_player(entry_id=entry.pk, name=name, now=NOW, from_hand=since)
    assert tournament.entries.get(pk=entry.pk).player == entry.player
    sheet = text(director(tournament), match.get_absolute_url())
    assert "Tom" not in sheet
    assert describe_handovers(match.log.in_order()) == []


def test_pages_name_the_player_of_each_hand() -> None:
    tournament = night_with_substitute()
    match = Match.objects.get(table__round__tournament=tournament)
    client = director(tournament)
    first = text(client, reverse("scoring:hand", args=[match.address, 1]))
    assert "Max" in first
    assert "Tom" not in first.replace("For example: Tom misdealt", "")
    correction = reverse("scoring:hand_correct", args=[match.address, 1])
    assert "Max" in text(client, correction)
    third = text(client, reverse("scoring:hand", args=[match.address, 3]))
    assert "Tom" in third
    assert "Max" not in third
    sheet = text(client, match.get_absolute_url())
    table = text(client, at("table", tournament, 1, 1))
    assert "Tom led from hand 3 to the end." in sheet
    assert "Max with 71 in hand 2" in sheet
    assert "Tom from hand 3 on" in sheet
    chart = reverse("scoring:match_chart", args=[match.address])
    pages = {
        "sheet": sheet,
        "chart": sheet.partition('<figure class="chart"')[2],
        "picture": client.get(chart).content.decode(),
        "table": table,
        "round": text(client, at("round", tournament, 1)),
        "card": text(client, at("cards", tournament, 1)),
    }
    sentence = "Max until hand 2, then Tom."
    assert [
        page_name for page_name, content in pages.items() if sentence not in content
    ] == []


def test_slips_of_a_running_match_name_the_player_of_each_hand() -> None:
    tournament, match = running_night(rounds_planned=2)
    enter_points(match, [9, 5, 3, 1])
    entry = tournament.entries.get(name="Max")
    substitute_entry_player(entry_id=entry.pk, name="Tom", now=NOW, from_hand=2)
    client = director(tournament)
    assert "Max until hand 1, then Tom." in text(client, at("slips", tournament, 1))
    substitute_entry_player(entry_id=entry.pk, name="Zoe", now=NOW, from_hand=0)
    slips = text(client, at("slips", tournament, 1))
    by_name = client.get(at("round", tournament, 1), {"seats": ""}).content.decode()
    wall = text(client, at("wall", tournament, 1))
    for page in (slips, by_name, wall):
        assert "Tom" in page
        assert "Zoe" not in page


@pytest.mark.parametrize("format_", ["knockout", "league", "swiss", "round_robin"])
def test_round_of_any_format_names_all_players_of_a_seat(format_: str) -> None:
    names = ["Max", "Bo", "Cy", "Di"]
    settings = {"format": format_, "table_size": 4, "advance": 2, "rounds_planned": 1}
    tournament = tournament_with(names, **settings)
    if format_ == "league":
        members = list(tournament.entries.by_number().values_list("pk", flat=True))
        begin_league_match(
            tournament_id=tournament.pk,
            entry_ids=members,
            game="tricky_bid",
            key=uuid4(),
            now=NOW,
        )
    else:
        running_round(tournament)
    table = Table.objects.select_related("match").get()
    match = match_of(table)
    enter_points(match, [9, 5, 3, 1])
    reseat(tournament, match, "Tom", since=2)
    page = text(director(tournament), at("round", tournament, 1))
    assert "Max until hand 1, then Tom." in page


@pytest.mark.parametrize(
    ("occupants", "sentence"),
    [
        ([(1, "Ann"), (5, "Ben")], "Ann until hand 4, then Ben."),
        ([(3, "Ben")], "Ben from hand 3 on."),
        ([(3, "Ben"), (5, "Cyd")], "Ben from hand 3 on, Cyd from hand 5 on."),
    ],
)
def test_one_sentence_lists_the_players_of_a_seat(
    occupants: list[tuple[int, str]], sentence: str
) -> None:
    people = {"Ann": 1, "Ben": 2, "Cyd": 3}
    log = [
        LogEntry(
            kind=LogEntry.Kind.RESEAT,
            body={"seat": 0, "player": people[name], "name": name, "from_hand": since},
        )
        for since, name in occupants
    ]
    assert describe_handovers(log) == [sentence]
