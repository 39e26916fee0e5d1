"""What is stored of a person: all of it in one file, hidden, or forgotten for good."""

import json
import re
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from scoring.models import LogEntry, Player
from tests.factories.history import (
    counted_tournament,
    evening,
    merge_by_name,
    update_history,
)
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    tournament_with,
)
from tournaments.event import entries as entering
from tournaments.history.personal_data import (
    erase_person,
    export_person,
    rename_person,
)
from tournaments.history.seasons import close_season
from tournaments.models import (
    Announcement,
    Appointment,
    AutoStep,
    Club,
    Entry,
    HookEvent,
    Import,
    Penalty,
    Profile,
    Result,
    Role,
    Round,
    Season,
    StandingsRow,
    Tournament,
)
from tournaments.people.merges import claim_player
from tournaments.people.profiles import private_player_ids, set_page_visibility

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NOW = evening("2026-06-03")


@pytest.fixture
def club() -> Club:
    """Return a club where Ann is also known as Annie."""
    club: Club = ClubFactory.create()
    counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], club=club)
    counted_tournament("2026-05-19", ["Annie", "Bo", "Cy", "Di"], club=club)
    merge_by_name(club, "Ann", "Annie", NOW)
    update_history(club, NOW)
    return club


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def everything_in_words() -> str:
    """Return every row of the database as text."""
    rows = []
    for model in apps.get_models():
        for row in model._default_manager.all().values_list():
            rows.append(" ".join(map(str, row)))
    return "\n".join(rows)


def test_an_export_holds_every_table_entry_and_hand_of_a_person(club: Club) -> None:
    exported = export_person(club, player("Ann").pk)
    assert [one["name"] for one in exported["players"]] == ["Ann", "Annie"]
    assert [one["name"] for one in exported["entries"]] == ["Ann", "Annie"]
    assert [len(seat["hands"]) for seat in exported["seats"]] == [4, 4]
    assert len(exported["placings"]) == 2
    assert '"Bo"' not in json.dumps(exported, default=str)


def test_forgotten_person_disappears_and_others_keep_results(
    club: Club,
) -> None:
    user = UserFactory.create()
    ann = player("Ann")
    claim_player(club=club, user=user, player=ann, proven=True, now=NOW)
    points = list(StandingsRow.objects.values_list("entry", "rank", "points"))
    results = list(Result.objects.values_list("player", "rank", "mu"))
    called = erase_person(club=club, player_id=ann.pk, typed="ann")
    assert called == f"Former player {ann.pk}"
    stored_text = everything_in_words()
    assert "Annie" not in stored_text
    assert "Ann " not in stored_text
    assert sorted(StandingsRow.objects.values_list("entry", "rank", "points")) == (
        sorted(points)
    )
    assert list(Result.objects.values_list("player", "rank", "mu")) == results
    call_command("rebuild", check=True, stdout=StringIO())


def test_forgets_names_in_messages_and_pending_lists(club: Club) -> None:
    night = tournament_with(["Bo", "Cy"], club=club, capacity=2)
    entering.add_entries(tournament_id=night.pk, names=["Annie"], now=NOW)
    assert night.entries.get(state="waiting").name.startswith("Ann")
    Tournament.objects.filter(pk=night.pk).update(
        pending_names={"ANN": True, "Anna": False}
    )
    night.removed_entries.create(former_player=1, name="Annie", phones_released=1)
    Announcement.objects.create(tournament=night, text="Ann, your taxi!", made_at=NOW)
    Penalty.objects.create(
        entry=night.entries.get(number=2),
        tournament=night,
        points="1",
        reason="Rude to Ann.",
        made_at=NOW,
    )
    Round.objects.create(tournament=night, number=1, seed=1, override="Ann’s bus")
    AutoStep.objects.create(
        tournament=night,
        kind="seat",
        number=1,
        announced_at=NOW,
        due_at=NOW,
        refused="Ann is missing.",
    )
    HookEvent.objects.create(
        club=club,
        kind="round.seated",
        title="Ann leads",
        lines=["1. Annie"],
        content={"players": [{"name": "Ann"}]},
        path="/",
        at=NOW,
    )
    called = erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    stored_text = everything_in_words()
    for name in ("Ann", "Annie", "ANN"):
        assert not re.search(rf"\b{name}\b", stored_text)
    night.refresh_from_db()
    assert night.pending_names == {"Anna": False}
    assert not night.removed_entries.exists()
    assert night.announcements.get().text == f"{called}, your taxi!"
    assert HookEvent.objects.get().content == {"players": [{"name": called}]}


def test_forgets_a_name_in_titles_places_and_invitations(club: Club) -> None:
    night = Tournament.objects.filter(club=club)[0]
    texts = {"name": "Ann’s 50th", "venue": "At Annie’s", "fee": "5, to Ann"}
    Tournament.objects.filter(pk=night.pk).update(invitation="Ann bakes.", **texts)
    Appointment.objects.create(
        club=club,
        address="a" * 22,
        name="Ann’s 50th",
        venue="At Ann’s",
        starts_at=NOW,
        ends_at=NOW,
        changed_at=NOW,
    )
    Season.objects.filter(club=club).update(name="Ann Cup")
    Import.objects.create(
        club=club, key=uuid4(), name="Ann.csv", game="tricky", cells=[], made_at=NOW
    )
    called = erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    assert not re.search(r"\bAnn(ie)?\b", everything_in_words())
    night.refresh_from_db()
    assert night.name == f"{called}’s 50th"
    assert night.invitation == f"{called} bakes."


def test_forgets_a_name_in_reasons_of_corrections(club: Club) -> None:
    long = "Ann " + "very " * 37 + "late, Ann"
    reasons = ["Ann miscounted.", long, "said Annika", "x" * 195 + " Ann"]
    match = LogEntry.objects.all()[0].match
    last = match.version
    for number, reason in enumerate(reasons, start=1):
        LogEntry.objects.create(
            match=match,
            version=last + number,
            key=uuid4(),
            kind=LogEntry.Kind.KEEP,
            reason=reason,
            made_at=NOW,
        )
    called = erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    given = match.log.filter(version__gt=last).in_order()
    stored = list(given.values_list("reason", flat=True))
    assert [stored[0], *stored[2:]] == [
        f"{called} miscounted.",
        "said Annika",
        called,
    ]
    assert stored[1].startswith(f"{called} very")
    assert not re.search(r"\bAnn\b", everything_in_words())


def test_renames_a_person_to_a_name_with_a_backslash(club: Club) -> None:
    StandingsRow.objects.exclude(standings__frozen_as="").update(reason="with Ann")
    ann = player("Ann")
    name = "A\\1"
    rename_person(club=club, player_id=ann.pk, name=name, user=None, now=NOW)
    frozen = StandingsRow.objects.exclude(standings__frozen_as="")
    assert f"with {name}" in frozen.values_list("reason", flat=True)


def test_cached_pages_no_longer_show_the_name(club: Club) -> None:
    pages = [
        reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"]),
        reverse("tournaments:records", args=[club.slug]),
        *(one.get_absolute_url() for one in club.tournaments.all()),
    ]
    before = [Client().get(page).content.decode() for page in pages]
    assert "Ann" in before[0]
    erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    for page in pages:
        assert ">Ann" not in Client().get(page).content.decode()


def test_name_within_another_name_is_unchanged(club: Club) -> None:
    row = StandingsRow.objects.exclude(standings__frozen_as="")[0]
    StandingsRow.objects.filter(pk=row.pk).update(reason="ahead of Annika, with Ann")
    called = erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    row.refresh_from_db()
    assert row.reason == f"ahead of Annika, with {called}"


def test_log_stays_append_only_otherwise(club: Club) -> None:
    erase_person(club=club, player_id=player("Ann").pk, typed="Ann")
    entry = LogEntry.objects.all()[0]
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE scoring_logentry SET made_by = 'x' WHERE id = %s", [entry.pk]
        )


def url(name: str, club: Club, pk: int) -> str:
    return reverse(f"tournaments:{name}", args=[club.slug, pk])


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_private_player_page_is_visible_to_owner_and_club_only(club: Club) -> None:
    ann, user = player("Ann"), UserFactory.create()
    claim_player(club=club, user=user, player=ann, proven=True, now=NOW)
    page = url("player", club, ann.pk)
    assert "Head to head" in Client().get(page).content.decode()
    owner = signed_in(user)
    owner.post(url("player_visibility", club, ann.pk), {"public": "0"})
    hidden = Client().get(page).content.decode()
    assert "Private player page" in hidden
    assert "Ann" not in hidden
    for visitor in (owner, signed_in(member(club, Role.VIEWER))):
        assert "Head to head" in visitor.get(page).content.decode()
    board = reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"])
    assert f"players/{ann.pk}/" not in Client().get(board).content.decode()
    owner.post(url("player_visibility", club, ann.pk), {"public": "1"})
    assert "Head to head" in Client().get(page).content.decode()


@pytest.mark.parametrize("name", ["Ann", "Annie"])
def test_privacy_applies_to_all_names_of_a_person(club: Club, name: str) -> None:
    ann, hidden = player("Ann"), player(name)
    Profile.objects.create(club=club, player=hidden, is_public=False)
    page = Client().get(url("player", club, ann.pk)).content.decode()
    assert "Private player page" in page
    assert private_player_ids(club) == {ann.pk, player("Annie").pk}
    set_page_visibility(club=club, player_id=ann.pk, public=True)
    assert private_player_ids(club) == set()


def test_pages_link_only_to_pages_the_visitor_may_see(club: Club) -> None:
    ann, bo = player("Ann"), player("Bo")
    close_season(season_id=club.seasons.get(slug="2026-spring").pk, now=NOW)
    pages = [
        reverse("tournaments:search", args=[club.slug]) + "?q=Ann",
        url("player", club, bo.pk),
        reverse("tournaments:hall_of_fame", args=[club.slug]),
        reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"]),
    ]
    standings = Entry.objects.filter(player=ann).latest("pk").tournament
    open_to_all = [*pages, standings.get_absolute_url()]
    link = f'href="{url("player", club, ann.pk)}"'
    for page in open_to_all:
        assert link in Client().get(page).content.decode(), page
    set_page_visibility(club=club, player_id=ann.pk, public=False)
    boss = signed_in(member(club, Role.DIRECTOR))
    for page in open_to_all:
        unlinked = Client().get(page).content.decode()
        assert "Ann" in unlinked
        assert link not in unlinked, page
    for page in pages:
        assert link in boss.get(page).content.decode(), page


def test_director_exports_and_erases_a_player_on_the_page(
    club: Club,
) -> None:
    ann, boss = player("Ann"), signed_in(member(club, Role.DIRECTOR))
    file = boss.get(url("player_export", club, ann.pk))
    assert "attachment" in file["Content-Disposition"]
    assert json.loads(file.content)["players"][0]["name"] == "Ann"
    page = url("player_erase", club, ann.pk)
    refused = boss.post(page, {"name": "Anna"}).content.decode()
    assert "That isn’t the name" in refused
    answer = boss.post(page, {"name": "Ann"}, follow=True).content.decode()
    assert f"Former player {ann.pk}" in answer
