"""Metadata of pages for messengers and search engines."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.urls import reverse

from scoring.models import Player
from scoring.pages.about import About
from scoring.pictures.layout import Picture
from tournaments.history.player_stats import GameRecord
from tournaments.models import Club, Season, Tournament
from tournaments.web.sharing.pictures import (
    picture_of_club,
    picture_of_leaderboard,
    picture_of_player,
    picture_of_tournament,
)

FOUND = {Tournament.Listing.LISTED, Tournament.Listing.ARCHIVED}


def about_tournament(tournament: Tournament) -> About:
    """Return what is told of a tournament; who is not to come across it does not."""
    address = reverse("tournaments:tournament_preview", args=[tournament.address])
    return _about(
        picture_of_tournament(tournament),
        address=f"{address}?v={tournament.version}",
        title=tournament.name,
        is_found=tournament.listing in FOUND,
    )


def about_part(tournament: Tournament) -> About:
    """Return the same for a page of its evening, which nobody looks for later."""
    return replace(about_tournament(tournament), is_found=False)


def about_leaderboard(club: Club, season: Season | None, today: date) -> About:
    """Return what is told of a leaderboard, as it is today."""
    picture = picture_of_leaderboard(club, season, today, marks=False)
    parts = [club.slug, season.slug if season else "all"]
    address = reverse("tournaments:leaderboard_preview", args=parts)
    title = f"{season.shown_name} · {club.name}" if season else club.name
    return _about(picture, address=f"{address}?v={club.history_version}", title=title)


def about_club(club: Club, today: date) -> About:
    """Return what is told of a club."""
    address = reverse("tournaments:club_preview", args=[club.slug])
    return _about(
        picture_of_club(club, today, marks=False),
        address=f"{address}?v={club.history_version}",
        title=club.name,
    )


def about_player(club: Club, player: Player, games: Sequence[GameRecord]) -> About:
    """Return what is told of a player whose page is for everybody."""
    address = reverse("tournaments:player_preview", args=[club.slug, player.pk])
    return _about(
        picture_of_player(club, player, games),
        address=f"{address}?v={club.history_version}",
        title=f"{player.name} · {club.name}",
    )


def _about(
    picture: Picture, *, address: str, title: str, is_found: bool = True
) -> About:
    """Return what is told of a page that goes with a picture: what is seen there."""
    facts = [picture.sentence, picture.under]
    facts += [", ".join(f"{lane.name} {lane.total}" for lane in picture.lanes)]
    facts += [", ".join(f"{value} {what}" for value, what in picture.figures)]
    described = ". ".join(fact for fact in facts if fact)
    return About(
        title=title,
        description=f"{picture.source}: {described}.",
        picture=address,
        in_words=f"{described}.",
        is_found=is_found,
    )
