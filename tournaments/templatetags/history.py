"""Template filters for leaderboards and pages of players."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.registry import table_game
from scoring.locales.sentences import join_names
from scoring.rules import GAMES
from tournaments.exact import format_exact_number
from tournaments.history.leaderboard import (
    BoardLine,
    BoardRow,
    Measure,
    NewTournamentCountAndRevisions,
)
from tournaments.models import LeaderboardRules, Revision, Season
from tournaments.ratings import Rating, shown_rating, shown_spread
from tournaments.templatetags.fractions import points_in_words
from tournaments.web.standings.lines import PodiumStep, podium

register = template.Library()
register.filter(shown_rating)
register.filter(shown_spread)
MOST_NAMES = 3
"""Names shown for a shared second place; more are counted."""


class OrderedByMeasure(Protocol):
    """A query for the leaderboard of a club or a circuit."""

    @property
    def measure(self) -> Measure:
        """The measure that orders it."""

    @property
    def is_final(self) -> bool:
        """Whether it is the result of a closed season."""


@register.filter
def measure_column_heading(measure: str) -> str:
    return {
        Measure.POINTS: _("Points"),
        Measure.AVERAGE: _("Average"),
        Measure.WINS: _("Tables won"),
        Measure.RATING: _("Rating"),
    }[Measure(measure)]


@register.filter
def with_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


@register.filter
def game_name_or_all_games(game: str) -> str:
    """Return the name of a game; “All games” for an unknown or empty id."""
    return table_game(game).name if game in GAMES else _("All games")


@register.filter
def format_rating(value: Rating) -> str:
    """Return a rating with its ±, and a question mark if it is provisional."""
    if not value.tables:
        return "–"
    number = f"{shown_rating(value.mu)} ± {shown_spread(value.sigma)}"
    return f"{number} ?" if value.provisional else number


@register.filter
def contract_role_name(role: str) -> str:
    """Return a player's part in a contract of Tricky Dice, in words."""
    return {
        "solo": _("Tricky Dice, solo"),
        "bidder": _("Tricky Dice, with a partner"),
        "partner": _("Tricky Dice, as the partner"),
    }[role]


@register.filter
def board_value(line: BoardLine, query: OrderedByMeasure) -> str:
    match query.measure:
        case Measure.AVERAGE:
            return format_exact_number(line.points_per_table)
        case Measure.WINS:
            return format_exact_number(line.tables_won)
        case Measure.RATING:
            return format_rating(line.rating)
        case Measure.POINTS:
            return format_exact_number(line.points)


@register.filter
def tournaments_and_tables_won_in_words(
    line: BoardLine, query: OrderedByMeasure
) -> str:
    """Return the numbers of tournaments played and tables won, in words."""
    text = ngettext("%(n)s tournament", "%(n)s tournaments", line.attended)
    parts = [text % {"n": line.attended}]
    if query.measure != Measure.WINS and line.tables:
        text = ngettext(
            "%(n)s table won", "%(n)s tables won", _ngettext_number(line.tables_won)
        )
        parts.append(text % {"n": format_exact_number(line.tables_won)})
    return ", ".join(parts)


@register.filter
def rank_change_arrow(change: int | None) -> SafeString | str:
    """Return an arrow with the ranks gained or lost, and the same in words for screen readers."""
    if not change:
        return ""
    if change > 0:
        label = ngettext("up %(n)s rank", "up %(n)s ranks", change) % {"n": change}
        path, direction = "M6 1 11.5 11H.5z", "up"
    else:
        label = ngettext("down %(n)s rank", "down %(n)s ranks", -change) % {
            "n": -change
        }
        path, direction = "M6 11 .5 1h11z", "down"
    return format_html(
        '<span class="moved {}"><svg viewBox="0 0 12 12" aria-hidden="true"><path d="{}"/></svg>'
        '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span></span>',
        direction,
        path,
        abs(change),
        label,
    )


@register.filter
def leaderboard_lead_sentence(rows: Sequence[BoardRow], query: OrderedByMeasure) -> str:
    """Return a sentence about the leader and the lead, or about the winner of a closed season."""
    ranked = [row.line for row in rows if row.line.rank is not None]
    if not ranked:
        return _("No tournaments counted yet.")
    first = ranked[0]
    level = [line.name for line in ranked if line.rank == 1]
    if query.is_final:
        sentence = _("%(names)s won with %(worth)s.")
        worth = board_value(first, query)
        return sentence % {"names": join_names(level), "worth": worth}
    if len(level) > 1:
        sentence = _("%(names)s share the lead with %(worth)s.")
        return sentence % {
            "names": join_names(level),
            "worth": board_value(first, query),
        }
    if len(ranked) == 1 or query.measure == Measure.RATING:
        sentence = _("%(name)s leads with %(worth)s.")
        return sentence % {"name": first.name, "worth": board_value(first, query)}
    second = ranked[1]
    if query.measure == Measure.AVERAGE:
        points = (first.points_per_table or Fraction()) - (
            second.points_per_table or Fraction()
        )
        gap = _("%(n)s points per table") % {"n": format_exact_number(points)}
    elif query.measure == Measure.WINS:
        wins = first.tables_won - second.tables_won
        gap = ngettext("%(n)s win", "%(n)s wins", _ngettext_number(wins)) % {
            "n": format_exact_number(wins)
        }
    else:
        gap = points_in_words(first.points - second.points)
    level = [line.name for line in ranked if line.rank == second.rank]
    if len(level) > MOST_NAMES:
        sentence = _("%(name)s leads the next %(n)s players by %(gap)s.")
        return sentence % {"name": first.name, "gap": gap, "n": len(level)}
    sentence = _("%(name)s leads %(second)s by %(gap)s.")
    return sentence % {"name": first.name, "gap": gap, "second": join_names(level)}


@register.filter(name="podium")
def leaderboard_podium(
    rows: Sequence[BoardRow], query: OrderedByMeasure
) -> list[PodiumStep]:
    return podium(
        (row.line.rank, row.line.name, board_value(row.line, query)) for row in rows
    )


def _ngettext_number(value: Fraction) -> int:
    """Return the number for the plural form: only exactly 1 is singular."""
    return 1 if value == 1 else 2


@register.filter
def counting_rules_in_words(season: LeaderboardRules) -> str:
    """Return the counting rules of a season or a circuit, in sentences."""
    sentences = [
        _("In each tournament, 1st place gets 100 points and last place gets 0.")
        if season.counts == Season.TournamentWorth.PLACE
        else _("Points scored in each tournament are added up.")
    ]
    if season.best_of:
        sentence = ngettext(
            "Only your best tournament counts.",
            "Only your best %(n)s tournaments count.",
            season.best_of,
        )
        sentences.append(sentence % {"n": season.best_of})
    if season.lasts_days:
        sentence = ngettext(
            "A result counts for %(n)s day.",
            "A result counts for %(n)s days.",
            season.lasts_days,
        )
        sentences.append(sentence % {"n": season.lasts_days})
    if season.least_attendance > 1:
        sentence = _("You need %(n)s tournaments to be ranked.")
        sentences.append(sentence % {"n": season.least_attendance})
    return " ".join(sentences)


@register.filter
def changes_in_words(changes: NewTournamentCountAndRevisions) -> str:
    """Return the changes since a day, as a list in one sentence."""
    parts = []
    if changes.tournaments:
        text = ngettext("%(n)s tournament", "%(n)s tournaments", changes.tournaments)
        parts.append(text % {"n": changes.tournaments})
    parts += [describe_revision(revision) for revision in changes.revisions]
    return "; ".join(parts) + "."


@register.filter
def describe_revision(revision: Revision) -> str:
    """Return a revision in words."""
    details: dict[str, Any] = revision.details
    if revision.kind == Revision.Kind.IDENTITIES:
        if "kept" in details:
            return _("%(merged)s and %(kept)s are the same player") % details
        return (
            _("%(merged)s and %(apart_from)s are different players after all") % details
        )
    if revision.kind == Revision.Kind.RENAMED:
        return _("%(renamed)s is now called %(called)s") % details
    if revision.kind == Revision.Kind.RATINGS:
        return _("ratings carried over into %(season)s at %(keep)s%%") % details
    if revision.kind == Revision.Kind.IMPORT_UNDONE:
        return _("the import “%(name)s” was undone") % details
    held_on = revision.tournament and revision.tournament.held_on
    day = date_format(held_on, "MONTH_DAY_FORMAT") if held_on else ""
    if revision.kind == Revision.Kind.REOPENED:
        return _("the tournament held on %(day)s was reopened") % {"day": day}
    hands = [hand["hand"] for hand in details.get("hands", ())]
    if not hands:
        return _("1 correction to the results from %(day)s") % {"day": day}
    text = ngettext(
        "%(n)s correction to hand %(hands)s from %(day)s",
        "%(n)s corrections to hands %(hands)s from %(day)s",
        len(hands),
    )
    hand_list = ", ".join(str(hand) for hand in hands)
    return text % {"n": len(hands), "hands": hand_list, "day": day}
