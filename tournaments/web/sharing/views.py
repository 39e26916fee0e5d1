"""Preview pictures of shared links: what a stranger sees there."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from scoring.pictures.layout import Picture
from scoring.web.drawn import answer_drawn
from scoring.web.views.requests import answer_as
from tournaments.history.player_stats import games_of_player
from tournaments.models import Club, Standings, Tournament
from tournaments.people.identities import merges_of, root_of
from tournaments.people.looks import COLOUR
from tournaments.people.profiles import hidden_players
from tournaments.web.access import for_everybody, in_club
from tournaments.web.club.colours import styles_of
from tournaments.web.history.leaderboards import season_named
from tournaments.web.players.views import player_of
from tournaments.web.sharing.pictures import (
    draw_for,
    picture_of_club,
    picture_of_leaderboard,
    picture_of_player,
    picture_of_tournament,
)

FOR_EVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"


@require_safe
@for_everybody
def tournament_preview(request: HttpRequest, address: str) -> HttpResponse:
    """Draw who leads a tournament, or won it; a draft is drawn for nobody."""
    drafts = Tournament.Listing.DRAFT
    tournaments = Tournament.objects.select_related("club").exclude(listing=drafts)
    tournament = get_object_or_404(tournaments, address=address)
    answer_as(request, tournament.club)
    shown = Standings.objects.all().public(tournament)
    answer = _answer(request, picture_of_tournament(tournament), tournament.club)
    if shown is not None:
        answer["Last-Modified"] = http_date(shown.computed_at.timestamp())
    if tournament.listing == Tournament.Listing.UNLISTED:
        answer["X-Robots-Tag"] = "noindex"
    return answer


@require_safe
@in_club(None)
def leaderboard_preview(request: HttpRequest, club: Club, season: str) -> HttpResponse:
    """Draw who leads a season, or has won it."""
    chosen_season = season_named(club, season)
    picture = picture_of_leaderboard(club, chosen_season, club.day_of(timezone.now()))
    return _answer(request, picture, club)


@require_safe
@in_club(None)
def club_preview(request: HttpRequest, club: Club) -> HttpResponse:
    """Draw a club and who leads there."""
    return _answer(request, picture_of_club(club, club.day_of(timezone.now())), club)


@require_safe
@in_club(None)
def player_preview(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Draw a player's figures, unless they keep their page to themselves."""
    person = player_of(club, root_of(pk, merges_of(club)))
    if person.pk in hidden_players(club):
        raise Http404
    games = games_of_player(club, person.pk)
    return _answer(request, picture_of_player(club, person, games), club)


def _answer(request: HttpRequest, picture: Picture, club: Club) -> HttpResponse:
    return answer_drawn(
        request,
        shows=(picture, club.logo_version),
        draw=lambda: draw_for(picture, club),
    )


@require_safe
@in_club(None)
def club_logo(request: HttpRequest, club: Club, version: str) -> HttpResponse:
    """Hand out a club's logo; of another version there is none."""
    image = club.logo_image()
    if not image or version != club.logo_version:
        raise Http404
    answer = HttpResponse(image, content_type="image/png")
    answer["Cache-Control"] = FOR_EVER
    return answer


@require_safe
@for_everybody
def cloth(request: HttpRequest, colour: str) -> HttpResponse:
    """Hand out the styles of a cloth of this colour."""
    written = f"#{colour}"
    if not COLOUR.fullmatch(written):
        raise Http404
    answer = HttpResponse(styles_of(written), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = A_DAY
    return answer
