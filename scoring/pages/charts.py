"""The course of a match: its chart, with a sentence and a table, and the highlights of one that is over.

Only a sole leader counts as leading: a shared lead is nobody's.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext

from scoring.locales.numbers import format_number
from scoring.locales.sentences import join_names
from scoring.pages.plots import Plot, Series, draw_lines, estimate_label_width
from scoring.rules.game import Game
from scoring.rules.names import strip_unsafe

COLOURS = {
    "paper": "#fdfcf9",
    "ink": "#161e1a",
    "soft": "#4f5650",
    "rule": "#dfdcd4",
    "quiet": "#979b96",
    "accent": "#1b2923",
    "wash": "#e8ebe2",
    "peg": "#fec93a",
    "on_peg": "#2c1d08",
}
"""Colours of a downloaded picture: the light theme, for programs without our style sheets."""
SEATS = (
    "#1b589e",
    "#a02a26",
    "#1b6236",
    "#693996",
    "#804d0c",
    "#0a606c",
    "#8e2d66",
    "#4f5824",
)
"""Colours of the seats in a downloaded picture."""
NOTE_HEIGHT = 22
"""The height of a line of text in a downloaded picture."""
MAX_BEST_HANDS = 2
"""The number of equal best hands up to which they are mentioned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing with its title and its message."""

    id: str
    title: str
    caption: str
    """The message of the chart in a sentence."""
    notes: Sequence[str] = ()
    """Sentences about lines of seats that were handed over."""
    across: str
    """The name of the horizontal axis."""
    labels: Sequence[str]
    series: Sequence[Series]
    plot: Plot

    @property
    def rows(self) -> list[tuple[str, list[float | None]]]:
        """Return the numbers by label, as rows of a table."""
        return [
            (
                label,
                [
                    column[index]
                    for line in self.series
                    for column in (line.values, line.low, line.high)
                    if column
                ],
            )
            for index, label in enumerate(self.labels)
        ]

    def to_svg(self) -> str:
        """Return the picture as a standalone SVG."""
        caption_lines = [self.caption, *self.notes]
        heights = [34 + NOTE_HEIGHT * place for place in range(len(caption_lines))]
        context = {
            "chart": self,
            "colours": COLOURS,
            "seats": SEATS,
            "notes": list(zip(self.notes, heights[1:], strict=True)),
            "top": heights[-1] + 18,
            "width": max(
                self.plot.width, *map(round, map(estimate_label_width, caption_lines))
            )
            + 40,
            "height": self.plot.height + heights[-1] + 34,
        }
        return strip_unsafe(render_to_string("scoring/chart.svg", context))


def totals_chart(
    names: Sequence[str],
    totals: Sequence[Sequence[int]],
    ranks: Sequence[Sequence[int]],
    leading_seats: Sequence[int],
    *,
    is_over: bool,
    numbers: Sequence[int] = (),
    names_by_hand: Sequence[Sequence[str]] = (),
    notes: Sequence[str] = (),
) -> Chart:
    """Return a chart of the totals after each of two or more hands.

    `ranks` are those of the seats after each hand. `numbers` are the hand numbers, needed if
    they are not 1, 2, 3 and so on; `names_by_hand` are the players of each hand, needed if
    seats were handed over, and `notes` describe that. `leading_seats` are the seats that lead or have
    won; the first one has the accent colour.
    """
    rows = [[0] * len(names), *totals]
    numbers = numbers or range(1, len(rows))
    labels = ["0", *map(str, numbers)]
    main_seat = leading_seats[0] if leading_seats else 0
    series = [
        Series(
            name=name,
            values=[row[seat] for row in rows],
            main=seat == main_seat,
            won=seat in leading_seats,
            seat=seat,
        )
        for seat, name in enumerate(names)
    ]
    # The current player of a seat leads only since they sat down.
    players_by_hand = names_by_hand or [names] * len(ranks)
    leaders = [
        None if seat is None else (seat, players[seat])
        for seat, players in zip(
            map(sole_leader_index, ranks), players_by_hand, strict=True
        )
    ]
    since = lead_start_index(leaders, (main_seat, names[main_seat]))
    hand = None if since is None else numbers[since]
    if not leading_seats:
        caption = gettext("No one is ahead.")
    elif len(leading_seats) > 1:
        caption = (
            gettext("%(names)s share the win.")
            if is_over
            else gettext("%(names)s share the lead.")
        )
    elif hand is None:
        # The winner is not decided by the ranks.
        caption = gettext("%(name)s is ahead.")
    elif is_over:
        caption = gettext("%(name)s led from hand %(hand)s to the end.")
    else:
        caption = gettext("%(name)s has led since hand %(hand)s.")
    leader_names = join_names(names[seat] for seat in leading_seats)
    return Chart(
        id="totals",
        title=gettext("Totals after each hand"),
        caption=caption % {"names": leader_names, "name": leader_names, "hand": hand},
        notes=notes,
        across=gettext("Hand"),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )


def sole_leader_index(ranks: Sequence[int]) -> int | None:
    """Return the index of the only rank 1; None if the lead is shared, or there are no ranks."""
    first = [index for index, rank in enumerate(ranks) if rank == 1]
    return first[0] if len(first) == 1 else None


def lead_start_index(
    leaders: Sequence[Hashable], current_leader: Hashable
) -> int | None:
    """Return the index from which `current_leader` leads without a break to the end; None if not at the end.

    `leaders` are the successive leaders, None for a shared lead.
    """
    lead_length = len(
        list(takewhile(lambda leader: leader == current_leader, reversed(leaders)))
    )
    return len(leaders) - lead_length if lead_length else None


class CountedHand(NamedTuple):
    """A hand that counts, with its scores and the ranks after it."""

    number: int
    names: Sequence[str]
    """The names of its players, by seat."""
    scores: Sequence[int]
    ranks: Sequence[int]
    """By seat, after the hand."""
    bidder: int | None = None
    """The seat with the contract; None if the game has no contracts."""


class MatchHighlight(NamedTuple):
    """A highlight of a match: its label and its text."""

    label: str
    text: str


def find_match_highlights(
    game: Game, hands: Sequence[CountedHand]
) -> list[MatchHighlight]:
    """Return the highlights of a match; `hands` are in order."""
    if not hands:
        return []
    candidates = [
        _find_best_hand_highlight(game, hands),
        _find_lead_highlight(hands),
        _find_contracts_highlight(hands),
    ]
    return [highlight for highlight in candidates if highlight]


def _find_best_hand_highlight(
    game: Game, hands: Sequence[CountedHand]
) -> MatchHighlight | None:
    """Return the highlight of the best hand; None if all won hands score the same, or too many are
    best."""
    best_scores = {
        max(hand.scores, key=game.comparable_points)
        for hand in hands
        if max(hand.scores) > 0
    }
    if len(best_scores) < 2:
        return None
    best = max(best_scores, key=game.comparable_points)
    best_hands = [
        (hand.names[seat], hand.number)
        for hand in hands
        for seat, score in enumerate(hand.scores)
        if score == best
    ]
    if len(best_hands) > MAX_BEST_HANDS:
        return None
    template = gettext("%(name)s with %(points)s in hand %(number)s")
    return MatchHighlight(
        gettext("Best hand"),
        "; ".join(
            template % {"name": name, "points": format_number(best), "number": number}
            for name, number in best_hands
        ),
    )


def _find_lead_highlight(hands: Sequence[CountedHand]) -> MatchHighlight | None:
    """Return the highlight of the leader's first hand in the lead, and the changes of lead."""
    leaders = [sole_leader_index(hand.ranks) for hand in hands]
    # The current player of a seat leads only since they sat down.
    people = [
        None if seat is None else (seat, hand.names[seat])
        for seat, hand in zip(leaders, hands, strict=True)
    ]
    last = people[-1]
    since = lead_start_index(people, last)
    if last is None or since is None:
        return None
    _seat, name = last
    text = gettext("%(name)s from hand %(number)s on") % {
        "name": name,
        "number": hands[since].number,
    }
    sole_leaders = [leader for leader in leaders if leader is not None]
    changes = sum(before != after for before, after in pairwise(sole_leaders))
    if changes:
        changes_template = ngettext(
            "the lead changed once", "the lead changed %(n)s times", changes
        )
        text = f"{text}; {changes_template % {'n': changes}}"
    return MatchHighlight(gettext("Lead"), text)


def _find_contracts_highlight(hands: Sequence[CountedHand]) -> MatchHighlight | None:
    """Return the highlight of each player's contracts that were made, most first."""
    contracts = [
        ((hand.bidder, hand.names[hand.bidder]), hand.scores[hand.bidder] > 0)
        for hand in hands
        if hand.bidder is not None
    ]
    contract_counts = Counter(bidder for bidder, _is_made in contracts)
    made_counts = Counter(bidder for bidder, is_made in contracts if is_made)
    bidders = sorted(contract_counts, key=lambda bidder: (-made_counts[bidder], bidder))
    if not bidders:
        return None
    template = gettext("%(name)s %(made)s of %(held)s")
    return MatchHighlight(
        gettext("Contracts made"),
        ", ".join(
            template
            % {
                "name": bidder[1],
                "made": made_counts[bidder],
                "held": contract_counts[bidder],
            }
            for bidder in bidders
        ),
    )
