"""The picture of a match: who leads or has won, and how far everybody came."""

from django.utils.formats import date_format
from django.utils.timezone import localtime

from scoring.pages.about import match_headline, match_under
from scoring.pages.rosette import shares_of_best
from scoring.pages.sheet import SeatView, Sheet
from scoring.pictures.colours import cloth_of
from scoring.pictures.layout import (
    Drawing,
    Emblem,
    LaneOf,
    Picture,
    Rosette,
    draw,
    initial_of,
)
from scoring.pictures.lettering import legible
from scoring.rules.numbers import grouped


def draw_match(sheet: Sheet) -> bytes:
    """Return the picture of a match as the bytes of a PNG."""
    match = sheet.match
    headline = match_headline(sheet, [legible(name) for name in sheet.names])
    picture = Picture(
        colours=cloth_of(match.game),
        emblem=match.game if sheet.is_final else None,
        source=match.rules.name,
        source_soft=date_format(localtime(match.started_at), "DATE_FORMAT"),
        sentence=headline.sentence,
        who=headline.who,
        under=match_under(sheet),
        lanes=_lanes(sheet),
        drawing=_drawing(sheet),
    )
    return draw(picture)


def _lanes(sheet: Sheet) -> list[LaneOf]:
    """Return the lanes in the order of ranks; who has won is at the end of theirs."""
    shares = [lane.share for lane in sheet.race.lanes]
    if sheet.replayed.is_over:
        shares = list(shares_of_best(sheet.state.totals, sheet.state.ranks))
    ranked = sorted(sheet.seats, key=lambda seat: (seat.rank, seat.index))
    return [_lane(sheet, seat, shares[seat.index]) for seat in ranked]


def _lane(sheet: Sheet, seat: SeatView, share: float) -> LaneOf:
    return LaneOf(
        name=seat.name,
        total=grouped(seat.total),
        share=share,
        is_first=sheet.race.lanes[seat.index].is_first,
        seat=seat.index,
    )


def _drawing(sheet: Sheet) -> Drawing:
    """Return what stands beside the sentence: the rosette, before it the emblem."""
    if sheet.is_final:
        initials = [initial_of(winner.name) for winner, _peg in sheet.pegs]
        return Rosette(sheet.rosette, initials)
    return Emblem(sheet.match.game)
