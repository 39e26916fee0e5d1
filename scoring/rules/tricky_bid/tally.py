"""A tally of Tricky Bid: the winner of each trick, and the numbers on its antes.

A record has only its sums.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scoring.rules.reading import Faults, is_seat, read_object
from scoring.rules.results import FORMAT
from scoring.rules.tricky_bid.tricks import DEALS, HIGHEST
from scoring.rules.wording import gettext_noop as _


def read_tally_points(raw: object, seats: int, faults: Faults) -> list[int]:
    """Return the points of each seat, and note a fault for every impossible trick.

    Each trick has a `winner`, a seat, and `antes`, a list of texts.
    """
    points = [0] * seats
    deal = DEALS[seats]
    if not isinstance(raw, (list, tuple)) or len(raw) > deal.tricks:
        faults.add(
            "tally",
            FORMAT,
            _("This must be a list of up to %(tricks)s tricks."),
            tricks=deal.tricks,
        )
        return points
    number_counts: Counter[int] = Counter()
    for place in range(deal.tricks):
        field = f"tally[{place}].antes"
        raw_trick = (raw[place] if place < len(raw) else {}) or {}
        trick = read_object(raw_trick, field, faults) or {}
        winner, antes = trick.get("winner"), trick.get("antes")
        numbers = _parse_won_ante_numbers(
            trick.get("antes", ()), field, faults, most=seats
        )
        if not is_seat(winner, seats):
            faults.add(
                field,
                FORMAT,
                _("Choose who won this trick.")
                if antes
                else _("Enter who won this trick and the antes they won."),
            )
        elif numbers:
            points[winner] += sum(numbers)
            number_counts.update(numbers)
            for number in numbers:
                if number_counts[number] > deal.colours:
                    faults.add(
                        field,
                        "tricky_bid.deal",
                        _(
                            "There are only %(colours)s cards numbered %(number)s. "
                            "This is one too many."
                        ),
                        number=number,
                        colours=deal.colours,
                    )
        elif not antes:
            # The winner always takes at least their own ante (tricky_bid.trick.ante_won).
            faults.add(
                field,
                "tricky_bid.trick.ante_won",
                _("Enter the antes won in this trick."),
            )
    return points


def _parse_won_ante_numbers(
    texts: Any, field: str, faults: Faults, *, most: int
) -> Sequence[int]:
    """Return the up to `most` numbers on the antes won, all different: they are of one colour."""
    is_list = isinstance(texts, (list, tuple)) and all(
        isinstance(item, str) for item in texts
    )
    parts = " ".join(texts).replace(",", " ").split() if is_list else ["?"]
    numbers = [
        int(part)
        for part in parts
        if part.isascii() and len(part) < 3 and part.isdigit()
    ]
    if len(numbers) < len(parts) or max(numbers, default=0) > HIGHEST:
        faults.add(
            field,
            FORMAT,
            _("Enter antes from 0 to %(most)s, separated by spaces."),
            most=HIGHEST,
        )
    elif len(set(numbers)) < len(numbers) or len(numbers) > most:
        faults.add(
            field,
            "tricky_bid.trick.ante_won",
            _(
                "You only win antes of one colour. Enter each number once, and at most "
                "%(most)s in all."
            ),
            most=most,
        )
    return numbers
