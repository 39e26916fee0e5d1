"""Charts: a picture, a sentence with its message, and the same numbers as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.games.words import join_names
from scoring.pages.moments import lead_start, sole_leader
from scoring.pages.plots import Plot, Series, draw_lines, label_width
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
            "width": max(self.plot.width, *map(round, map(label_width, caption_lines)))
            + 40,
            "height": self.plot.height + heights[-1] + 34,
        }
        return strip_unsafe(render_to_string("scoring/chart.svg", context))


def totals_chart(
    names: Sequence[str],
    totals: Sequence[Sequence[int]],
    ranks: Sequence[Sequence[int]],
    leads: Sequence[int],
    *,
    is_over: bool,
    numbers: Sequence[int] = (),
    names_by_hand: Sequence[Sequence[str]] = (),
    notes: Sequence[str] = (),
) -> Chart | None:
    """Return a chart of the totals after each hand; None before two hands.

    `ranks` are those of the seats after each hand. `numbers` are the hand numbers, needed if
    they are not 1, 2, 3 and so on; `names_by_hand` are the players of each hand, needed if
    seats were handed over, and `notes` describe that. `leads` are the seats that lead or have
    won; the first one has the accent colour.
    """
    if len(totals) < 2:
        return None
    rows = [[0] * len(names), *totals]
    numbers = numbers or range(1, len(rows))
    labels = ["0", *map(str, numbers)]
    main_seat = leads[0] if leads else 0
    series = [
        Series(
            name=name,
            values=[row[seat] for row in rows],
            main=seat == main_seat,
            won=seat in leads,
            seat=seat,
        )
        for seat, name in enumerate(names)
    ]
    # The current player of a seat leads only since they sat down.
    players_by_hand = names_by_hand or [names] * len(ranks)
    leaders = [
        None if seat is None else (seat, players[seat])
        for seat, players in zip(map(sole_leader, ranks), players_by_hand, strict=True)
    ]
    since = lead_start(leaders, (main_seat, names[main_seat]))
    hand = None if since is None else numbers[since]
    if not leads:
        caption = _("No one is ahead.")
    elif len(leads) > 1:
        caption = (
            _("%(names)s share the win.") if is_over else _("%(names)s share the lead.")
        )
    elif hand is None:
        # The winner is not decided by the ranks.
        caption = _("%(name)s is ahead.")
    elif is_over:
        caption = _("%(name)s led from hand %(hand)s to the end.")
    else:
        caption = _("%(name)s has led since hand %(hand)s.")
    leader_names = join_names(names[seat] for seat in leads)
    return Chart(
        id="totals",
        title=_("Totals by hand"),
        caption=caption % {"names": leader_names, "name": leader_names, "hand": hand},
        notes=notes,
        across=_("Hand"),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )
