"""Link previews for messengers and search engines."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import apnumber
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from scoring.games.words import join_names, result_headline
from scoring.locales.numbers import format_number
from scoring.models.matches import demo_address
from scoring.pages.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """The preview of a page in a message with its link."""

    title: str
    description: str
    picture: str = ""
    """The address of the picture; empty if none."""
    in_words: str = ""
    """The alternative text of the picture."""
    is_found: bool = True
    """Whether search engines may list it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A sentence on the state of a match."""

    sentence: str
    names: str = ""
    """The names in the sentence."""


def match_headline(sheet: Sheet, names: Sequence[str]) -> Headline:
    """Return a headline with the winners or leaders; the game's name if there are none yet.

    `names` are those of the seats, in the form to be shown.
    """
    leaders = [names[lane.seat] for lane in sheet.race.lanes if lane.is_first]
    leader_names = join_names(leaders)
    if not leaders or not sheet.state.number:
        return Headline(sentence=sheet.match.title)
    if sheet.replayed.is_over:
        sentence = result_headline(leaders, sheet.result_state)
        return Headline(
            sentence=sentence, names=leader_names if leader_names in sentence else ""
        )
    template = ngettext("%(names)s leads", "%(names)s lead", len(leaders))
    return Headline(sentence=template % {"names": leader_names}, names=leader_names)


def match_summary(sheet: Sheet) -> str:
    """Return the best total and the number of hands, in words."""
    hands = sheet.state.number
    if not hands:
        return gettext("%(names)s at the table") % {
            "names": join_names([seat.name for seat in sheet.seats])
        }
    best = min(sheet.seats, key=lambda seat: seat.rank)
    points = ngettext("%(n)s point", "%(n)s points", 1 if best.total == 1 else 2)
    template = ngettext(
        "%(points)s in %(count)s hand", "%(points)s in %(count)s hands", hands
    )
    return template % {
        "points": points % {"n": format_number(best.total)},
        "count": apnumber(hands),
    }


def match_link_preview(sheet: Sheet) -> LinkPreview:
    """Return the preview of a match; search engines may list only demo matches."""
    match = sheet.match
    address = reverse("scoring:match_picture", args=[match.address])
    headline = match_headline(sheet, sheet.names).sentence
    ranked = sorted(sheet.seats, key=lambda seat: (seat.rank, seat.index))
    totals = ", ".join(f"{seat.name} {format_number(seat.total)}" for seat in ranked)
    description = gettext("%(game)s: %(under)s. %(totals)s.") % {
        "game": match.title,
        "under": match_summary(sheet),
        "totals": totals,
    }
    return LinkPreview(
        title=headline,
        description=description,
        picture=f"{address}?v={match.version}",
        in_words=f"{headline}. {totals}.",
        is_found=match.address == demo_address(match.game),
    )
