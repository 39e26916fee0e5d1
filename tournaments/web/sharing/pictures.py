"""Preview pictures of tournaments, leaderboards and players as SVG."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.words import names_in_a_row, who_won
from scoring.models import Player
from scoring.pages.about import Headline
from scoring.pages.rosette import draw_rosette
from scoring.pictures.colours import cloth_of
from scoring.pictures.layout import (
    Disc,
    Drawing,
    Emblem,
    LaneOf,
    Logo,
    Picture,
    Rosette,
    draw,
    initial_of,
)
from scoring.pictures.lettering import legible
from scoring.rules.numbers import grouped
from tournaments.exact import mixed
from tournaments.history.leaderboard import Asked, leaderboard, unconfirmed_tables
from tournaments.history.player_stats import GameRecord
from tournaments.models import Club, Round, Season, Standings, Tournament
from tournaments.ratings import shown_rating, shown_spread
from tournaments.web.club.colours import cloth_of_club

MOST_LANES = 5
IN_ROSETTE = 4
MOST_NAMED = 2
"""So many who lead together are named."""


class Ranked(NamedTuple):
    """A line of standings or of a leaderboard."""

    rank: int
    name: str
    points: Fraction
    is_open: bool
    """Whether tables count that nobody, or too few, agreed to."""


def draw_for(picture: Picture, club: Club) -> bytes:
    """Return a picture as the bytes of a PNG, with the club's logo where it has one."""
    logo = club.logo_image()
    if not logo:
        return draw(picture)
    if isinstance(picture.drawing, Emblem) and picture.emblem is None:
        return draw(replace(picture, drawing=Logo(logo)))
    return draw(replace(picture, logo=logo))


def picture_of_tournament(tournament: Tournament) -> Picture:
    """Return what everybody may see of a tournament: who won or leads, or when it is."""
    shown = Standings.objects.all().public(tournament)
    ranked = [
        Ranked(row.rank, row.names, Fraction(row.points), is_open=bool(row.unconfirmed))
        for row in (shown.lines() if shown else ())
    ]
    is_over = tournament.phase == Tournament.Phase.FINISHED
    day = date_format(tournament.day, "DATE_FORMAT")
    picture = Picture(
        colours=cloth_of(tournament.game),
        source=tournament.club.name,
        source_soft=day,
        sentence=tournament.name,
        drawing=Emblem(tournament.game),
    )
    if not ranked or ranked[0].points <= 0:
        return _invitation(tournament, picture)
    played = tournament.rounds.filter(state=Round.State.CLOSED).count()
    headline = _headline(ranked, is_over=is_over)
    words = ngettext("after %(n)s round", "after %(n)s rounds", played) % {"n": played}
    return replace(
        picture,
        emblem=tournament.game if is_over else None,
        sentence=headline.sentence,
        who=headline.who,
        under=tournament.name if is_over else f"{tournament.name} · {words}",
        lanes=_lanes(ranked),
        drawing=_rosette(ranked) if is_over else Emblem(tournament.game),
    )


def _invitation(tournament: Tournament, picture: Picture) -> Picture:
    """Return when and where a tournament is, and who comes."""
    coming = tournament.entries.all().coming().count()
    starts_at = localtime(tournament.starts_at)
    when = f"{date_format(starts_at, 'l')}, {date_format(starts_at, 'TIME_FORMAT')}"
    figures = [(grouped(coming), ngettext("player", "players", coming))]
    left = max(0, (tournament.capacity or 0) - coming)
    if tournament.capacity:
        figures += [(grouped(left), ngettext("place left", "places left", left))]
    where = [when, tournament.venue] if tournament.venue else [when]
    return replace(picture, under=" · ".join(where), figures=figures if coming else ())


def picture_of_leaderboard(
    club: Club, season: Season | None, today: date, *, marks: bool = True
) -> Picture:
    """Return who leads a season or has won it; None for all of a club's time.

    It `marks` whose tables were not confirmed, which takes two queries more.
    """
    ranked = _ranked(Asked(club=club, season=season), today, marks=marks)
    name = season.shown_name if season else _("All seasons")
    picture = _of_club(club, sentence=name)
    if not ranked:
        return replace(picture, under=_("No tournament has been counted here yet."))
    headline = _headline(ranked, is_over=bool(season and season.closed_at))
    return replace(
        picture,
        sentence=headline.sentence,
        who=headline.who,
        under=name,
        lanes=_lanes(ranked),
    )


def picture_of_club(club: Club, today: date, *, marks: bool = True) -> Picture:
    """Return a club with the first of what is played there now, marked as above."""
    season = club.seasons.on(today).first()
    ranked = _ranked(Asked(club=club, season=season), today, marks=marks)
    picture = replace(_of_club(club, sentence=club.name), source="Tricky")
    if not ranked:
        return picture
    leads = _headline(ranked, is_over=False).sentence
    under = f"{season.shown_name} · {leads}" if season else leads
    return replace(picture, under=under, lanes=_lanes(ranked))


def picture_of_player(
    club: Club, player: Player, games: Sequence[GameRecord]
) -> Picture:
    """Return a player's figures; `games` are what they did in all games, then in each."""
    picture = replace(
        _of_club(club, sentence=player.name),
        emblem="",
        who=player.name,
        drawing=Disc(initial_of(player.name)),
    )
    if not games:
        return picture
    every = games[0]
    rating = every.rating
    spread = _("rating ± %(spread)s") % {"spread": shown_spread(rating.sigma)}
    wins = ngettext("win", "wins", 1 if every.wins == 1 else 2)
    figures = [
        (grouped(shown_rating(rating.mu)), spread),
        (mixed(every.place), _("average place")),
        (mixed(every.wins), wins),
        (grouped(every.tables), ngettext("table", "tables", every.tables)),
    ]
    return replace(picture, figures=figures)


def _of_club(club: Club, *, sentence: str) -> Picture:
    return Picture(
        colours=cloth_of_club(club),
        source=club.name,
        sentence=sentence,
        drawing=Emblem(""),
    )


def _ranked(asked: Asked, today: date, *, marks: bool) -> list[Ranked]:
    unconfirmed = unconfirmed_tables(asked) if marks else Counter[int]()
    return [
        Ranked(line.rank, line.name, line.points, bool(unconfirmed[line.player]))
        for line in leaderboard(asked, today)
        if line.rank is not None
    ]


def _headline(ranked: Sequence[Ranked], *, is_over: bool) -> Headline:
    """Return who won or leads; how many, where that would be too many names."""
    first = [legible(line.name) for line in ranked if line.rank == 1]
    if len(first) > MOST_NAMED:
        many = _("%(count)s won") if is_over else _("%(count)s share the lead")
        return Headline(sentence=many % {"count": len(first)})
    who = names_in_a_row(first)
    if is_over:
        return Headline(sentence=who_won(first), who=who)
    words = ngettext("%(names)s leads", "%(names)s lead", len(first))
    return Headline(sentence=words % {"names": who}, who=who)


def _lanes(ranked: Sequence[Ranked]) -> list[LaneOf]:
    best = max(ranked[0].points, Fraction(1))
    return [
        LaneOf(
            name=line.name,
            total=mixed(line.points),
            share=float(min(Fraction(1), max(Fraction(0), line.points / best))),
            is_first=line.rank == 1,
            is_open=line.is_open,
        )
        for line in ranked[:MOST_LANES]
    ]


def _rosette(ranked: Sequence[Ranked]) -> Drawing:
    best = ranked[:IN_ROSETTE]
    rings = draw_rosette(
        [round(line.points * 100) for line in best], [line.rank for line in best]
    )
    initials = [initial_of(line.name) for line in best if line.rank == 1]
    return Rosette(rings, initials, is_shaped=False)
