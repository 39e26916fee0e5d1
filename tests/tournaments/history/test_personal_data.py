"""Personal data: exporting it, hiding it, and erasing it for good."""

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
    anonymise_person,
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


def database_as_text() -> str:
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
    new_name = anonymise_person(club=club, player_id=ann.pk, typed_name="ann")
    assert new_name == f"Former player {ann.pk}"
    stored_text = database_as_text()
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
    new_name = anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    stored_text = database_as_text()
    for name in ("Ann", "Annie", "ANN"):
        assert not re.search(rf"\b{name}\b", stored_text)
    night.refresh_from_db()
    assert night.pending_names == {"Anna": False}
    assert not night.removed_entries.exists()
    assert night.announcements.get().text == f"{new_name}, your taxi!"
    assert HookEvent.objects.get().content == {"players": [{"name": new_name}]}


def test_forgets_a_name_in_titles_places_and_invitations(club: Club) -> None:
    night = Tournament.objects.filter(club=club)[0]
    fields = {"name": "Ann’s 50th", "venue": "At Annie’s", "fee": "5, to Ann"}
    Tournament.objects.filter(pk=night.pk).update(invitation="Ann bakes.", **fields)
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
    new_name = anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    assert not re.search(r"\bAnn(ie)?\b", database_as_text())
    night.refresh_from_db()
    assert night.name == f"{new_name}’s 50th"
    assert night.invitation == f"{new_name} bakes."


def test_forgets_a_name_in_reasons_of_corrections(club: Club) -> None:
    long_reason = "Ann " + "very " * 37 + "late, Ann"
    reasons = ["Ann miscounted.", long_reason, "said Annika", "x" * 195 + " Ann"]
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
    new_name = anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    new_entries = match.log.filter(version__gt=last).in_order()
    stored_reasons = list(new_entries.values_list("reason", flat=True))
    assert [stored_reasons[0], *stored_reasons[2:]] == [
        f"{new_name} miscounted.",
        "said Annika",
        new_name,
    ]
    assert stored_reasons[1].startswith(f"{new_name} very")
    assert not re.search(r"\bAnn\b", database_as_text())


def test_renames_a_person_to_a_name_with_a_backslash(club: Club) -> None:
    StandingsRow.objects.exclude(standings__frozen_as="").update(reason="with Ann")
    ann = player("Ann")
    name = "A\\1"
    rename_person(club=club, player_id=ann.pk, name=name, user=None, now=NOW)
    frozen_rows = StandingsRow.objects.exclude(standings__frozen_as="")
    assert f"with {name}" in frozen_rows.values_list("reason", flat=True)


def test_cached_pages_no_longer_show_the_name(club: Club) -> None:
    urls = [
        reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"]),
        reverse("tournaments:records", args=[club.slug]),
        *(one.get_absolute_url() for one in club.tournaments.all()),
    ]
    contents = [Client().get(url).content.decode() for url in urls]
    assert "Ann" in contents[0]
    anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    for url in urls:
        assert ">Ann" not in Client().get(url).content.decode()


def test_name_within_another_name_is_unchanged(club: Club) -> None:
    row = StandingsRow.objects.exclude(standings__frozen_as="")[0]
    StandingsRow.objects.filter(pk=row.pk).update(reason="ahead of Annika, with Ann")
    new_name = anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    row.refresh_from_db()
    assert row.reason == f"ahead of Annika, with {new_name}"


def test_log_stays_append_only_otherwise(club: Club) -> None:
    anonymise_person(club=club, player_id=player("Ann").pk, typed_name="Ann")
    entry = LogEntry.objects.all()[0]
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE scoring_logentry SET made_by = 'x' WHERE id = %s", [entry.pk]
        )


def player_url(name: str, club: Club, pk: int) -> str:
    return reverse(f"tournaments:{name}", args=[club.slug, pk])


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_private_player_page_is_visible_to_owner_and_club_only(club: Club) -> None:
    ann, user = player("Ann"), UserFactory.create()
    claim_player(club=club, user=user, player=ann, proven=True, now=NOW)
    page_url = player_url("player", club, ann.pk)
    assert "Head to head" in Client().get(page_url).content.decode()
    owner = signed_in(user)
    owner.post(player_url("player_visibility", club, ann.pk), {"public": "0"})
    private_page = Client().get(page_url).content.decode()
    assert "Private player page" in private_page
    assert "Ann" not in private_page
    for visitor in (owner, signed_in(member(club, Role.VIEWER))):
        assert "Head to head" in visitor.get(page_url).content.decode()
    leaderboard_url = reverse(
        "tournaments:leaderboard", args=[club.slug, "2026-spring"]
    )
    assert f"players/{ann.pk}/" not in Client().get(leaderboard_url).content.decode()
    owner.post(player_url("player_visibility", club, ann.pk), {"public": "1"})
    assert "Head to head" in Client().get(page_url).content.decode()


@pytest.mark.parametrize("name", ["Ann", "Annie"])
def test_privacy_applies_to_all_names_of_a_person(club: Club, name: str) -> None:
    ann, hidden = player("Ann"), player(name)
    Profile.objects.create(club=club, player=hidden, is_public=False)
    page = Client().get(player_url("player", club, ann.pk)).content.decode()
    assert "Private player page" in page
    assert private_player_ids(club) == {ann.pk, player("Annie").pk}
    set_page_visibility(club=club, player_id=ann.pk, public=True)
    assert private_player_ids(club) == set()


def test_pages_link_only_to_pages_the_visitor_may_see(club: Club) -> None:
    ann, bo = player("Ann"), player("Bo")
    close_season(season_id=club.seasons.get(slug="2026-spring").pk, now=NOW)
    club_urls = [
        reverse("tournaments:search", args=[club.slug]) + "?q=Ann",
        player_url("player", club, bo.pk) + "?tab=head-to-head",
        reverse("tournaments:hall_of_fame", args=[club.slug]),
        reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"]),
    ]
    tournament = Entry.objects.filter(player=ann).latest("pk").tournament
    public_urls = [*club_urls, tournament.get_absolute_url()]
    link = f'href="{player_url("player", club, ann.pk)}"'
    for page_url in public_urls:
        assert link in Client().get(page_url).content.decode(), page_url
    set_page_visibility(club=club, player_id=ann.pk, public=False)
    director = signed_in(member(club, Role.DIRECTOR))
    for page_url in public_urls:
        content = Client().get(page_url).content.decode()
        assert "Ann" in content
        assert link not in content, page_url
    for page_url in club_urls:
        assert link in director.get(page_url).content.decode(), page_url


def test_director_exports_and_erases_a_player_on_the_page(
    club: Club,
) -> None:
    ann, director = player("Ann"), signed_in(member(club, Role.DIRECTOR))
    export = director.get(player_url("player_export", club, ann.pk))
    assert "attachment" in export["Content-Disposition"]
    assert json.loads(export.content)["players"][0]["name"] == "Ann"
    erase_url = player_url("player_erase", club, ann.pk)
    error_page = director.post(erase_url, {"name": "Anna"}).content.decode()
    assert "That isn’t the name" in error_page
    success_page = director.post(
        erase_url, {"name": "Ann"}, follow=True
    ).content.decode()
    assert f"Former player {ann.pk}" in success_page
