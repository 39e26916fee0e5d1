"""The picture of a match: its leader or winner, and the progress of all players."""

from dataclasses import replace

from django.utils.formats import date_format
from django.utils.timezone import localtime

from scoring.locales.numbers import format_number
from scoring.pages.link_preview import match_headline, match_summary
from scoring.pages.race import shares_of_best
from scoring.pages.sheet import Sheet
from scoring.pictures.colours import cloth_colours
from scoring.pictures.lettering import legible
from scoring.pictures.picture import (
    PictureContent,
    PictureRaceLine,
    draw_picture,
    peg_initial,
)


def draw_match(sheet: Sheet) -> bytes:
    match = sheet.match
    headline = match_headline(sheet, [legible(name) for name in sheet.names])
    shares = [lane.share for lane in sheet.race.lanes]
    if sheet.replayed.is_over:
        # The winner is at the end of the lane.
        shares = list(shares_of_best(sheet.state.totals, sheet.state.ranks))
    picture = PictureContent(
        colours=cloth_colours(match.game),
        game=match.game,
        source=legible(match.title),
        source_soft=date_format(localtime(match.started_at), "DATE_FORMAT"),
        sentence=headline.sentence,
        shortenable=headline.names,
        caption=match_summary(sheet),
        lanes=[
            PictureRaceLine(
                name=seat.name,
                total=format_number(seat.total),
                share=shares[seat.index],
                is_first=sheet.race.lanes[seat.index].is_first,
                seat=seat.index,
            )
            for seat in sheet.places
        ],
    )
    if sheet.is_final:
        pegs = [
            (peg_initial(letter), peg) for letter, peg in sheet.winner_initials_and_pegs
        ]
        picture = replace(picture, rings=sheet.rosette, pegs=pegs)
    return draw_picture(picture)
