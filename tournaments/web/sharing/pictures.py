"""Metadata and preview pictures of shared links, and a club's own colours."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import http_date
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.competition import ResultState
from scoring.games.words import result_headline
from scoring.locales.numbers import format_number
from scoring.locales.sentences import join_names
from scoring.models import Player
from scoring.pages.race import draw_rosette, draw_winner_pegs
from scoring.pages.sheet import Headline, LinkPreview
from scoring.pictures.colours import (
    ClothColours,
    Oklch,
    cloth_colours,
    format_hex,
    parse_hex,
    rgb_to_oklch,
)
from scoring.pictures.picture import (
    PictureContent,
    PictureRaceLine,
    draw_picture,
    peg_initial,
    replace_missing_letters,
)
from scoring.web.views.pictures import picture_response
from scoring.web.views.requests import activate_locale_unless_chosen
from tournaments.exact import format_exact_number
from tournaments.history.leaderboard import (
    BoardQuery,
    OpenResultCounts,
    leaderboard,
    open_result_counts_by_player,
)
from tournaments.history.player_stats import PlayerGameStats, overall_and_game_stats
from tournaments.models import Club, Round, Season, Standings, Tournament
from tournaments.models.validators import COLOUR
from tournaments.people.identities import get_person_or_404
from tournaments.people.profiles import private_player_ids
from tournaments.ratings import shown_rating, shown_spread
from tournaments.web.access import for_everybody, in_club
from tournaments.web.history.forms import get_season_unless_all

STYLES = """@layer tokens {{
:root, [data-game="club"] {{ {light} }}
@media (prefers-color-scheme: dark) {{
  :root:not([data-theme="light"]), :root:not([data-theme="light"]) [data-game="club"] {{ {dark} }}
}}
:root[data-theme="dark"], :root[data-theme="dark"] [data-game="club"], [data-theme="dark"] > [data-game="club"] {{ {dark} }}
}}
"""
"""Like the cloths of games in `tokens.css`: the dark colours twice."""
TOO_DARK = 0.26
"""Lightness of a cloth below which its holes are lighter instead of darker."""
DEEPER, LIGHTER = 0.075, 0.09
LEAST_LIGHTNESS = 0.2
"""Least lightness of the holes in a nearly black cloth."""


def club_cloth_colours(club: Club) -> ClothColours:
    """Return the colours of a club's cloth: its own, or the default ones."""
    house = cloth_colours()
    if not club.colour:
        return house
    own = parse_hex(club.colour)
    return ClothColours(
        cloth=own,
        deep=_hole_colour_on_cloth(rgb_to_oklch(own)).to_rgb(),
        ink=house.ink,
        soft=house.soft,
        peg=house.peg,
        on_peg=house.on_peg,
    )


@lru_cache(maxsize=256)
def club_pages_style_sheet(cloth_colour: str) -> str:
    """Return a style sheet that gives a club's pages a cloth of this colour."""
    own = rgb_to_oklch(parse_hex(cloth_colour))
    # Like the games' cloths, a little darker and less saturated in the dark theme.
    night = Oklch(max(0.0, own.lightness - 0.02), own.chroma * 0.86, own.hue)
    tint = min(own.chroma, 0.09)
    light = {
        "cloth": own,
        "cloth-deep": _hole_colour_on_cloth(own),
        "accent": own,
        "wash": Oklch(0.945, tint / 4, own.hue),
    }
    dark = {
        "cloth": night,
        "cloth-deep": _hole_colour_on_cloth(night),
        "accent": Oklch(0.835, tint, own.hue),
        "wash": Oklch(0.295, tint / 2, own.hue),
    }
    return STYLES.format(light=_css_variables(light), dark=_css_variables(dark))


def _hole_colour_on_cloth(cloth: Oklch) -> Oklch:
    if cloth.lightness < TOO_DARK:
        return cloth._replace(lightness=max(LEAST_LIGHTNESS, cloth.lightness + LIGHTER))
    return cloth._replace(lightness=cloth.lightness - DEEPER)


def _css_variables(colours: dict[str, Oklch]) -> str:
    return " ".join(
        f"--{name}: {format_hex(colour.to_rgb())};" for name, colour in colours.items()
    )


MOST_LANES = 5
IN_ROSETTE = 4
MOST_NAMES = 2
"""Names shown for a shared lead; more are counted."""


class RankedLine(NamedTuple):
    rank: int
    name: str
    points: Fraction
    open_mark: str
    """A word or two if tables of the line are open or unconfirmed; else empty."""


def picture_of_tournament(tournament: Tournament) -> PictureContent:
    """Return the public picture of a tournament: the winner or leader, or the date before."""
    standings = Standings.objects.all().find_public(tournament)
    rows = standings.rows_with_names() if standings else []
    ranked = [
        RankedLine(
            row.rank, row.names, Fraction(row.points), open_mark=row.open_result_label
        )
        for row in rows
    ]
    is_over = tournament.phase == Tournament.Phase.FINISHED
    day = date_format(tournament.day, "DATE_FORMAT")
    picture = PictureContent(
        colours=cloth_colours(tournament.game),
        game=tournament.game,
        source=tournament.club.name,
        source_soft=day,
        sentence=tournament.name,
    )
    if not ranked or ranked[0].points <= 0:
        player_count = tournament.entries.all().expected_or_present().count()
        starts_at = localtime(tournament.starts_at)
        when = f"{date_format(starts_at, 'l')}, {date_format(starts_at, 'TIME_FORMAT')}"
        figures = [
            (format_number(player_count), ngettext("player", "players", player_count))
        ]
        if tournament.capacity:
            free_places = max(0, tournament.capacity - player_count)
            label = ngettext("place left", "places left", free_places)
            figures.append((format_number(free_places), label))
        parts = [when, tournament.venue] if tournament.venue else [when]
        return replace(
            picture, caption=" · ".join(parts), figures=figures if player_count else ()
        )
    round_count = tournament.rounds.filter(state=Round.State.CLOSED).count()
    if is_over:
        best = ranked[:IN_ROSETTE]
        points = [round(line.points * 100) for line in best]
        rings = [
            replace(ring, seat=0)
            for ring in draw_rosette(points, [line.rank for line in best])
        ]
        first = min(line.rank for line in best)
        initials = [peg_initial(line.name) for line in best if line.rank == first]
        pegs = list(zip(initials, draw_winner_pegs(rings), strict=True))
        picture = replace(picture, rings=rings, pegs=pegs)
    is_open = standings is not None and standings.is_first_open
    headline = _leaders_headline(ranked, is_over=is_over, is_open=is_open)
    label = ngettext("after %(n)s round", "after %(n)s rounds", round_count) % {
        "n": round_count
    }
    return replace(
        picture,
        sentence=headline.sentence,
        shortenable=headline.names,
        caption=tournament.name
        if is_over or tournament.is_league
        else f"{tournament.name} · {label}",
        lanes=_picture_lanes(ranked),
    )


def picture_of_leaderboard(
    club: Club, season: Season | None, today: date, *, open_marks: bool = True
) -> PictureContent:
    """Return the picture of a season's leaderboard; None for all seasons.

    `open_marks` adds a mark to players with unconfirmed tables, in two more queries.
    """
    ranked = _read_whole_leaderboard(club, season, today, open_marks=open_marks)
    name = season.shown_name if season else _("All seasons")
    picture = _picture_in_club_colours(club, sentence=name)
    if not ranked:
        return replace(picture, caption=_("No tournaments counted yet."))
    headline = _leaders_headline(ranked, is_over=_is_season_closed(season))
    return replace(
        picture,
        sentence=headline.sentence,
        shortenable=headline.names,
        caption=name,
        lanes=_picture_lanes(ranked),
    )


def picture_of_club(
    club: Club, today: date, *, open_marks: bool = True
) -> PictureContent:
    """Return the picture of a club with its current season; `open_marks` as in `picture_of_leaderboard`."""
    season = club.seasons.covering(today).first()
    ranked = _read_whole_leaderboard(club, season, today, open_marks=open_marks)
    picture = replace(
        _picture_in_club_colours(club, sentence=club.name), source="Tricky"
    )
    if not ranked:
        return picture
    best = _leaders_headline(ranked, is_over=_is_season_closed(season)).sentence
    subtitle = f"{season.shown_name} · {best}" if season else best
    return replace(picture, caption=subtitle, lanes=_picture_lanes(ranked))


def picture_of_player(
    club: Club, player: Player, games: Sequence[PlayerGameStats]
) -> PictureContent:
    picture = replace(
        _picture_in_club_colours(club, sentence=player.name),
        shortenable=player.name,
        initial=peg_initial(player.name),
    )
    if not games:
        return picture
    overall = games[0]
    rating = overall.rating
    spread = _("rating ± %(spread)s") % {"spread": shown_spread(rating.sigma)}
    wins = ngettext("win", "wins", 1 if overall.wins == 1 else 2)
    figures = [
        (format_number(shown_rating(rating.mu)), spread),
        (format_exact_number(overall.place), _("average rank")),
        (format_exact_number(overall.wins), wins),
        (format_number(overall.tables), ngettext("table", "tables", overall.tables)),
    ]
    return replace(picture, figures=figures)


def _picture_in_club_colours(club: Club, *, sentence: str) -> PictureContent:
    return PictureContent(
        colours=club_cloth_colours(club), source=club.name, sentence=sentence
    )


def _is_season_closed(season: Season | None) -> bool:
    return season is not None and season.closed_at is not None


def _read_whole_leaderboard(
    club: Club, season: Season | None, today: date, *, open_marks: bool
) -> list[RankedLine]:
    """Return the ranked lines of a season's leaderboard; for a closed season the final ones."""
    if season is not None and _is_season_closed(season):
        final = season.final_rows.filter(game="").select_related("player")
        return [
            RankedLine(row.rank, row.player.name, Fraction(row.points), open_mark="")
            for row in final.order_by("place")
        ]
    query = BoardQuery(club=club, season=season)
    tables = (
        open_result_counts_by_player(query)
        if open_marks
        else defaultdict(OpenResultCounts)
    )
    return [
        RankedLine(line.rank, line.name, line.points, tables[line.player].label)
        for line in leaderboard(query, today)
        if line.rank is not None
    ]


def _leaders_headline(
    ranked: Sequence[RankedLine], *, is_over: bool, is_open: bool = False
) -> Headline:
    """Return the winners or leaders in a sentence; only their number if they are too many.

    If `is_over` but the first place `is_open`, the sentence calls no one the winner.
    """
    first = [replace_missing_letters(line.name) for line in ranked if line.rank == 1]
    if len(first) > MOST_NAMES:
        has_won = is_over and not is_open
        many = (
            _("%(count)s players won")
            if has_won
            else _("%(count)s players share the lead")
        )
        return Headline(sentence=many % {"count": len(first)})
    names = join_names(first)
    if is_over:
        state = ResultState.UNCONFIRMED if is_open else ResultState.FINAL
        return Headline(sentence=result_headline(first, state), names=names)
    text = ngettext("%(names)s leads", "%(names)s lead", len(first))
    return Headline(sentence=text % {"names": names}, names=names)


def _picture_lanes(ranked: Sequence[RankedLine]) -> list[PictureRaceLine]:
    best = max(ranked[0].points, Fraction(1))
    return [
        PictureRaceLine(
            name=line.name,
            total=format_exact_number(line.points),
            share=float(min(Fraction(1), max(Fraction(0), line.points / best))),
            is_first=line.rank == 1,
            open_mark=line.open_mark,
        )
        for line in ranked[:MOST_LANES]
    ]


CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable"
CACHE_FOR_A_DAY = "public, max-age=86400"


@require_safe
@for_everybody
def tournament_preview_picture(request: HttpRequest, address: str) -> HttpResponse:
    """Return the preview picture of a tournament; 404 for a draft."""
    draft = Tournament.Listing.DRAFT
    tournaments = Tournament.objects.select_related("club").exclude(listing=draft)
    tournament = get_object_or_404(tournaments, address=address)
    activate_locale_unless_chosen(request, tournament.club)
    standings = Standings.objects.all().find_public(tournament)
    response = _preview_response(
        request, picture_of_tournament(tournament), tournament.club
    )
    if standings is not None:
        response["Last-Modified"] = http_date(standings.computed_at.timestamp())
    if tournament.listing == Tournament.Listing.UNLISTED:
        response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@in_club(None)
def leaderboard_preview_picture(
    request: HttpRequest, club: Club, season: str
) -> HttpResponse:
    chosen_season = get_season_unless_all(club, season)
    picture = picture_of_leaderboard(
        club, chosen_season, club.local_day(timezone.now())
    )
    return _preview_response(request, picture, club)


@require_safe
@in_club(None)
def club_preview_picture(request: HttpRequest, club: Club) -> HttpResponse:
    return _preview_response(
        request, picture_of_club(club, club.local_day(timezone.now())), club
    )


@require_safe
@in_club(None)
def player_preview_picture(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    person, _same = get_person_or_404(club, pk)
    if person.pk in private_player_ids(club):
        raise Http404
    games = overall_and_game_stats(club, person.pk)
    return _preview_response(request, picture_of_player(club, person, games), club)


def _preview_response(
    request: HttpRequest, picture: PictureContent, club: Club
) -> HttpResponse:
    return picture_response(
        request,
        content_key=(picture, club.logo_version),
        draw=lambda: draw_picture(picture, club.logo_image()),
    )


@require_safe
@in_club(None)
def club_logo_image(request: HttpRequest, club: Club, version: str) -> HttpResponse:
    image = club.logo_image()
    if not image or version != club.logo_version:
        raise Http404
    answer = HttpResponse(image, content_type="image/png")
    answer["Cache-Control"] = CACHE_FOR_A_YEAR
    return answer


@require_safe
@for_everybody
def cloth_css(request: HttpRequest, colour: str) -> HttpResponse:
    hex_colour = f"#{colour}"
    if not COLOUR.fullmatch(hex_colour):
        raise Http404
    response = HttpResponse(
        club_pages_style_sheet(hex_colour), content_type="text/css; charset=utf-8"
    )
    response["Cache-Control"] = CACHE_FOR_A_DAY
    return response


INDEXED_LISTINGS = {Tournament.Listing.LISTED, Tournament.Listing.ARCHIVED}


def tournament_link_preview(tournament: Tournament) -> LinkPreview:
    """Return the metadata of a tournament; search engines skip unlisted ones."""
    address = reverse("tournaments:tournament_preview", args=[tournament.address])
    return _build_link_preview(
        picture_of_tournament(tournament),
        address=f"{address}?v={tournament.version}",
        title=tournament.name,
        is_found=tournament.listing in INDEXED_LISTINGS,
    )


def unindexed_tournament_link_preview(tournament: Tournament) -> LinkPreview:
    """Return the metadata for a further page of a tournament, which search engines skip."""
    return replace(tournament_link_preview(tournament), is_found=False)


def leaderboard_link_preview(
    club: Club, season: Season | None, today: date
) -> LinkPreview:
    picture = picture_of_leaderboard(club, season, today, open_marks=False)
    parts = [club.slug, season.slug if season else "all"]
    address = reverse("tournaments:leaderboard_preview", args=parts)
    title = f"{season.shown_name} · {club.name}" if season else club.name
    return _build_link_preview(
        picture, address=f"{address}?v={club.history_version}", title=title
    )


def club_link_preview(club: Club, today: date) -> LinkPreview:
    address = reverse("tournaments:club_preview", args=[club.slug])
    return _build_link_preview(
        picture_of_club(club, today, open_marks=False),
        address=f"{address}?v={club.history_version}",
        title=club.name,
    )


def player_link_preview(
    club: Club, player: Player, games: Sequence[PlayerGameStats]
) -> LinkPreview:
    address = reverse("tournaments:player_preview", args=[club.slug, player.pk])
    return _build_link_preview(
        picture_of_player(club, player, games),
        address=f"{address}?v={club.history_version}",
        title=f"{player.name} · {club.name}",
    )


def _build_link_preview(
    picture: PictureContent, *, address: str, title: str, is_found: bool = True
) -> LinkPreview:
    lanes = [
        f"{lane.name} {lane.total}{f' ({lane.open_mark})' if lane.open_mark else ''}"
        for lane in picture.lanes
    ]
    facts = [picture.sentence, picture.caption, ", ".join(lanes)]
    facts += [", ".join(f"{value} {label}" for value, label in picture.figures)]
    description = ". ".join(fact for fact in facts if fact)
    return LinkPreview(
        title=title,
        description=f"{picture.source}: {description}.",
        picture=address,
        in_words=f"{description}.",
        is_found=is_found,
    )
