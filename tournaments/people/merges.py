"""Merges of players that are one person, and claims of accounts; both can be undone."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Match, Player
from tournaments.changes import RefusedError, signal_history_outdated
from tournaments.models import (
    Claim,
    Club,
    Entry,
    Merge,
    Revision,
    Round,
    Tournament,
    User,
)
from tournaments.models.round_names import round_name
from tournaments.people.identities import (
    direct_merge_targets,
    root_player,
    same_person_ids,
)


@transaction.atomic
def merge_players(
    *, club_id: int, kept: Player, merged: Player, user: User | None, now: datetime
) -> Merge:
    """Merge a player into another, under the name of the other, and return the merge.

    Raises RefusedError if they cannot be one person; see `check_can_merge`.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    check_can_merge(club, kept, merged)
    merged_into = direct_merge_targets(club)
    players = same_person_ids(kept.pk, merged_into)
    players |= same_person_ids(merged.pk, merged_into)
    _schedule_recount_with_revision(
        club, players, now, merged=str(merged), kept=str(kept)
    )
    return Merge.objects.create(
        club=club,
        kept_id=root_player(kept.pk, merged_into),
        merged_id=root_player(merged.pk, merged_into),
        made_by=user,
        made_at=now,
    )


def check_can_merge(club: Club, kept: Player, merged: Player) -> None:
    """Raise RefusedError if two players of a club cannot be one person.

    They cannot if they are merged already, belong to two accounts, or were both in one
    tournament, match or round.
    """
    merged_into = direct_merge_targets(club)
    kept_players = same_person_ids(kept.pk, merged_into)
    merged_players = same_person_ids(merged.pk, merged_into)
    if kept_players == merged_players:
        raise RefusedError("merged", _("These two already count as the same person."))
    tournament = (
        Tournament.objects.filter(entries__player__in=kept_players)
        .filter(
            pk__in=Entry.objects.filter(player__in=merged_players).values("tournament")
        )
        .first()
    )
    if tournament is not None:
        raise RefusedError(
            "merged",
            _("Both were registered for “%(name)s”, so they can’t be the same person.")
            % {"name": tournament.name},
        )
    match = (
        Match.objects.filter(seats__player__in=kept_players)
        .filter(pk__in=Match.objects.filter(seats__player__in=merged_players))
        .first()
    )
    if match is not None:
        raise RefusedError(
            "merged",
            _("Both played in match %(address)s, so they can’t be the same person.")
            % {"address": match.address},
        )
    # A replaced player is no longer entered, but sat there; a league has one long round.
    rounds = Round.objects.exclude(tournament__format=Tournament.Format.LEAGUE)
    shared_round = (
        rounds.filter(tables__match__seats__player__in=kept_players)
        .filter(pk__in=rounds.filter(tables__match__seats__player__in=merged_players))
        .select_related("tournament")
        .first()
    )
    if shared_round is not None:
        raise RefusedError(
            "merged",
            _(
                "Both played in “%(name)s” (%(round)s), so they can’t be the same person."
            )
            % {"round": round_name(shared_round), "name": shared_round.tournament.name},
        )
    claims = club.claims.confirmed().filter(player__in=kept_players | merged_players)
    if len(set(claims.values_list("user", flat=True))) > 1:
        raise RefusedError(
            "merged",
            _(
                "Two accounts have claimed these players. Remove one of the claims first."
            ),
        )


def _schedule_recount_with_revision(
    club: Club, players: set[int], now: datetime, **names: str
) -> None:
    """Mark all results of these players to be counted again."""
    tournaments = club.results.current().filter(player__in=players).values("tournament")
    if Tournament.objects.filter(pk__in=tournaments).update(counted_version=0):
        Revision.objects.create(
            club=club, kind=Revision.Kind.IDENTITIES, made_at=now, details=names
        )
        signal_history_outdated(club.pk)


@transaction.atomic
def unmerge_players(*, merge_id: int, now: datetime) -> Merge:
    """Undo a merge; doing it again changes nothing."""
    merge = Merge.objects.select_for_update().get(pk=merge_id)
    if merge.undone_at is None:
        person = root_player(merge.kept_id, direct_merge_targets(merge.club))
        merge.undone_at = now
        merge.save(update_fields=["undone_at"])
        names = {"merged": str(merge.merged), "apart_from": str(merge.kept)}
        _schedule_recount_with_revision(merge.club, {person}, now, **names)
    return merge


@transaction.atomic
def claim_player(
    *, club: Club, user: User, player: Player, proven: bool, now: datetime
) -> Claim:
    """Claim a player for an account; if `proven` by the phone that added the player, it is confirmed at once.

    Claiming again returns the same claim. Raises RefusedError if the person belongs to another
    account.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    existing = club.claims.active().filter(user=user, player=player).first()
    claim = existing or Claim(club=club, user=user, player=player, made_at=now)
    _check_unclaimed_by_others(claim)
    if proven and claim.confirmed_at is None:
        claim.confirmed_at = now
    claim.save()
    return claim


@transaction.atomic
def confirm_claim(*, claim_id: int, now: datetime) -> Claim:
    """Confirm a claim; raises as `claim_player`."""
    club = Club.objects.select_for_update(no_key=True).get(claims=claim_id)
    claim = club.claims.get(pk=claim_id)
    if claim.withdrawn_at is None and claim.confirmed_at is None:
        _check_unclaimed_by_others(claim)
        claim.confirmed_at = now
        claim.save(update_fields=["confirmed_at"])
    return claim


def _check_unclaimed_by_others(claim: Claim) -> None:
    """Raise RefusedError if any name of the person belongs to another account."""
    person_players = same_person_ids(claim.player_id, direct_merge_targets(claim.club))
    other_claims = claim.club.claims.confirmed().exclude(user=claim.user)
    if other_claims.filter(player__in=person_players).exists():
        raise RefusedError(
            "player", _("This player belongs to another account. Ask a director.")
        )


@transaction.atomic
def withdraw_claim(*, claim_id: int, now: datetime) -> Claim:
    """Withdraw a claim, or refuse or revoke it; the player can be claimed again."""
    claim = Claim.objects.select_for_update().get(pk=claim_id)
    if claim.withdrawn_at is None:
        claim.withdrawn_at = now
        claim.save(update_fields=["withdrawn_at"])
    return claim
