"""Merges and claims of players, each undone without a loss."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Player
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    play_round,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import text
from tournaments.changes import RefusedError
from tournaments.event import entries, rounds
from tournaments.event.results import store_current_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Club, Entry, Tournament
from tournaments.people.identities import (
    direct_merge_targets,
    people_in_club,
    root_player,
    same_person_ids,
)
from tournaments.people.merges import (
    claim_player,
    confirm_claim,
    merge_players,
    unmerge_players,
    withdraw_claim,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """Return a club with Ann in one tournament and Annie in another."""
    first = tournament_with(["Ann", "Bo", "Cy", "Di"])
    tournament_with(["Annie", "Bo", "Cy", "Di"], club=first.club)
    return first.club


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def merge(club: Club, kept: str, merged: str) -> Any:
    return merge_players(
        club_id=club.pk, kept=player(kept), merged=player(merged), user=None, now=NOW
    )


def summaries(club: Club) -> list[tuple[str, list[str], int]]:
    return [
        (person.player.name, list(person.other_names), person.tournaments)
        for person in people_in_club(club)
    ]


@pytest.mark.parametrize(
    ("state", "number"),
    [("waiting", 0), ("no_show", 0), ("dropped", 1), ("present", 1)],
)
def test_counts_tournaments_of_a_player(club: Club, state: str, number: int) -> None:
    Entry.objects.filter(name="Ann").update(state=state)
    assert ("Ann", [], number) in summaries(club)


def test_merged_players_are_one_person_until_split(club: Club) -> None:
    summaries_before = summaries(club)
    merge_record = merge(club, "Ann", "Annie")
    assert ("Ann", ["Annie"], 2) in summaries(club)
    assert len(summaries(club)) == len(summaries_before) - 1
    for _twice in range(2):
        unmerge_players(merge_id=merge_record.pk, now=NOW)
    assert summaries(club) == summaries_before


def test_third_name_merges_with_all_names_of_the_person(club: Club) -> None:
    tournament_with(["Anna"], club=club)
    merge(club, "Ann", "Annie")
    with pytest.raises(RefusedError, match="the same person"):
        merge(club, "Annie", "Ann")
    merge(club, "Annie", "Anna")
    assert ("Ann", ["Anna", "Annie"], 3) in summaries(club)
    with pytest.raises(RefusedError, match="Both were registered"):
        merge(club, "Bo", "Anna")
    assert direct_merge_targets(tournament_with([]).club) == {}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_merges_never_form_a_cycle_and_each_person_has_one_name(
    pairs: list[tuple[int, int]],
) -> None:
    merged_into: dict[int, int] = {}
    for one, other in pairs:
        kept, merged = root_player(one, merged_into), root_player(other, merged_into)
        if kept != merged:
            merged_into[merged] = kept
    roots = {root_player(one, merged_into) for one in range(10)}
    groups = [same_person_ids(root, merged_into) & set(range(10)) for root in roots]
    assert sorted(one for group in groups for one in group) == list(range(10))


def test_player_page_shows_provisional_rank_of_a_public_running_night() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"], rounds_planned=1)
    round_ = running_round(tournament)
    play_round(round_)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    ann = round_.places.get(index=0).entry.player_id
    running_page = page(Client(), "player", tournament.club, ann)
    assert "rank 1" in running_page
    assert "so far" in running_page
    Tournament.objects.update(standings_shown="finished")
    assert "rank 1" not in page(Client(), "player", tournament.club, ann)
    rounds.close(round_id=round_.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    finished_page = page(Client(), "player", tournament.club, ann)
    assert "so far" not in finished_page
    assert "rank 1, 4 points" in finished_page


def test_player_belongs_to_one_account_until_the_claim_is_withdrawn(
    club: Club,
) -> None:
    first, second = UserFactory.create(), UserFactory.create()
    claim_fields: dict[str, Any] = {"club": club, "player": player("Ann"), "now": NOW}
    waiting_claim = claim_player(user=second, proven=False, **claim_fields)
    claim = claim_player(user=first, proven=True, **claim_fields)
    with pytest.raises(RefusedError, match="another account"):
        confirm_claim(claim_id=waiting_claim.pk, now=NOW)
    with pytest.raises(RefusedError, match="another account"):
        claim_player(user=second, proven=True, **claim_fields)
    for _twice in range(2):
        withdraw_claim(claim_id=claim.pk, now=NOW)
    assert claim_player(user=second, proven=True, **claim_fields).confirmed_at == NOW


def page(client: Client, name: str, club: Club, *parts: object) -> str:
    return text(client, reverse(f"tournaments:{name}", args=[club.slug, *parts]))


def post(client: Client, name: str, club: Club, *parts: object, **fields: Any) -> str:
    url = reverse(f"tournaments:{name}", args=[club.slug, *parts])
    return client.post(url, fields, follow=True).content.decode()


def test_director_merges_two_names_after_a_preview(
    club: Club,
) -> None:
    client = signed_in(club)
    ann, annie = player("Ann").pk, player("Annie").pk
    same_player_page = post(client, "players", club, merged=ann, kept=ann)
    assert "two different players" in same_player_page
    preview = post(client, "players", club, merged=annie, kept=ann)
    assert "Annie becomes Ann" in preview
    assert "Undo merge" in post(client, "player_merge", club, annie, ann)
    assert "also played as Annie" in page(Client(), "player", club, annie)
    merge_record = club.merges.get()
    assert "Undo merge" not in post(client, "player_unmerge", club, merge_record.pk)
    refusal = post(client, "player_merge", club, ann, player("Bo").pk)
    assert "Both were registered" in refusal
    preview_refusal = post(client, "players", club, merged=ann, kept=player("Bo").pk)
    assert "Both were registered" in preview_refusal
    assert "Merge players" not in preview_refusal


def test_account_claims_a_player_and_a_director_confirms(club: Club) -> None:
    user = UserFactory.create()
    client = Client()
    client.force_login(user)
    ann = player("Ann").pk
    assert "be asked to sign in" in page(Client(), "player", club, ann)
    own_page = page(client, "player", club, ann)
    assert "be asked to sign in" not in own_page
    assert "Links your results to your account." in own_page
    assert "A director needs to confirm" in post(client, "player_claim", club, ann)
    assert "waiting for a director" in text(client, reverse("tournaments:you"))
    claim = club.claims.get()
    director = signed_in(club)
    assert user.email in page(director, "players", club)
    post(director, "claim_settle", club, claim.pk, "confirm")
    assert "That’s you" in page(client, "player", club, ann)
    assert "Someone has already claimed this page" in page(
        Client(), "player", club, ann
    )
    assert "That’s me" in post(client, "claim_withdraw", club, claim.pk)


def joined_as(name: str, tournament: Tournament) -> Client:
    client = Client()
    url = reverse("tournaments:join", args=[tournament.address])
    client.post(url, {"name": name})
    client.force_login(UserFactory.create())
    return client


def test_phone_claims_only_the_new_player_it_entered(club: Club) -> None:
    tournament = tournament_with([], club=club)
    client, other = (joined_as(name, tournament) for name in ("Zoe", "Ann"))
    assert "That’s you" in post(client, "player_claim", club, player("Zoe").pk)
    known_page = post(other, "player_claim", club, player("Ann").pk)
    assert "A director needs to confirm" in known_page
    replaced_phone = joined_as("Kit", tournament)
    entry = tournament.entries.get(name="Kit")
    entries.substitute_entry_player(entry_id=entry.pk, name="Kim", now=NOW)
    substitute_page = post(replaced_phone, "player_claim", club, player("Kim").pk)
    assert "A director needs to confirm" in substitute_page


def test_replaced_player_still_counts_as_present(club: Club) -> None:
    names = ["Ann", "Annie", "Bo", "Cy", "Di", "Eve"]
    tournament = tournament_with(names, club=club, table_size=3, least_size=3)
    tables = running_round(tournament).tables.order_by("number")
    for table in tables:
        play_table(table, [3, 2, 1])
    first, replaced = (table.places.get(index=0).entry for table in tables)
    entries.substitute_entry_player(entry_id=replaced.pk, name="Kim", now=NOW)
    with pytest.raises(RefusedError, match=r"Both played in .*\(Round 1\)"):
        merge(club, first.name, replaced.name)


def test_claim_covers_all_names_of_a_person(club: Club) -> None:
    first, second = UserFactory.create(), UserFactory.create()
    claim_fields: dict[str, Any] = {"club": club, "proven": True, "now": NOW}
    claim_player(user=first, player=player("Ann"), **claim_fields)
    late_claim = claim_player(user=second, player=player("Annie"), **claim_fields)
    with pytest.raises(RefusedError, match="Two accounts have claimed these players"):
        merge(club, "Ann", "Annie")
    withdraw_claim(claim_id=late_claim.pk, now=NOW)
    merge(club, "Ann", "Annie")
    with pytest.raises(RefusedError, match="another account"):
        claim_player(user=second, player=player("Annie"), **claim_fields)


@pytest.mark.parametrize("proven", [True, False])
def test_director_rejects_or_revokes_a_claim(club: Club, *, proven: bool) -> None:
    user = UserFactory.create()
    claim = claim_player(
        club=club, user=user, player=player("Ann"), proven=proven, now=NOW
    )
    director = signed_in(club)
    unlink_label = f"Unlink Ann from {user.email}"
    assert (unlink_label in page(director, "players", club)) == proven
    post(director, "claim_settle", club, claim.pk, "refuse")
    assert not club.claims.active().exists()


def test_person_cannot_be_entered_under_two_names(club: Club) -> None:
    merge(club, "Ann", "Annie")
    tournament = tournament_with(["Annie", "Ann", "annie", "Bo"], club=club)
    assert list(tournament.entries.values_list("name", flat=True)) == ["Annie", "Bo"]
    bo = tournament.entries.get(name="Bo")
    with pytest.raises(RefusedError, match="is already playing"):
        entries.substitute_entry_player(entry_id=bo.pk, name="Ann", now=NOW)
    with pytest.raises(RefusedError, match="already registered"):
        entries.register(tournament_id=tournament.pk, name="Ann", now=NOW)


def test_players_page_has_constant_query_count(
    club: Club, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(club)
    # The first page after signing in lists the sign-in.
    page(client, "players", club)
    for guest_count in (0, 40):
        names = [f"Guest {number}" for number in range(guest_count)]
        entries.add_entries(
            tournament_id=club.tournaments.order_by("pk")[0].pk, names=names, now=NOW
        )
        with django_assert_max_num_queries(13):
            page(client, "players", club)


def test_visitors_see_the_players_of_visible_nights_without_team_tools(
    club: Club,
) -> None:
    draft = tournament_with(["Dora"], club=club)
    draft.listing = Tournament.Listing.DRAFT
    draft.save()
    visitor_page = page(Client(), "players", club)
    assert "Ann" in visitor_page
    assert "Dora" not in visitor_page
    assert "Preview merge" not in visitor_page
    assert "Dora" in page(signed_in(club), "players", club)
