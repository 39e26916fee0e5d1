"""What was entered for a hand, told in words: for its history, and for the sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from scoring.folding import COUNTS
from scoring.rules import PLAYED

Raw = Mapping[str, Any]
UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
DIE_SIGN = "⚄"


def tell_piece(game: str, piece: str) -> str:
    """Return a die or a card as a record writes it, as the table reads it."""
    if game == "tricky":
        faces, _colon, value = piece.partition(":")
        return f"{value} ({faces})"
    if game == "tricky_dice":
        rank, suit = piece[0].replace("T", "10"), SUIT_SIGNS[piece[1]]
        return f"{DIE_SIGN if piece.endswith('*') else ''}{rank}{suit}"
    return f"{_colour(piece[0])} {piece[1:]}"


def _colour(letter: str) -> str:
    names = {
        "Y": gettext("yellow"),
        "B": gettext("blue"),
        "P": gettext("pink"),
        "G": gettext("green"),
        "R": gettext("red"),
    }
    return names[letter]


def tell_contract(contract: Raw, names: Sequence[str]) -> str:
    """Return who plays what, as the table says it."""
    values: dict[str, object] = {"name": names[contract["bidder"]]}
    if contract.get("solo"):
        return gettext("%(name)s plays solo.") % values
    if "tricks" in contract:
        values |= {"bid": contract["tricks"], "partner": names[contract["partner"]]}
        return gettext("%(name)s plays %(bid)s tricks with %(partner)s.") % values
    values |= {"bid": contract["bid"], "trump": contract["trump"]}
    if contract["trump"] is None:
        return gettext("%(name)s plays %(bid)s without trump.") % values
    return gettext("%(name)s plays %(bid)s, trump %(trump)s.") % values


def tell_bids(
    bids: Sequence[Sequence[Any]], names: Sequence[str]
) -> list[tuple[str, str]]:
    """Return who called what, in order."""
    words = {"pass": gettext("passes"), "solo": gettext("solo")}
    return [(names[seat], words.get(call, str(call))) for seat, call in bids]


def tell_hand(raw: Raw, names: Sequence[str]) -> list[str]:
    """Return sentences that say everything of a hand but its single tricks.

    The log also holds what no rule has judged; one of them says where it makes no sense.
    """
    try:
        return _told(raw, names)
    except UNREADABLE:
        return [gettext("What was entered makes no hand.")]


def _told(raw: Raw, names: Sequence[str]) -> list[str]:
    told = []
    if COUNTS in raw:
        told.append(
            gettext("This hand counts again.")
            if raw[COUNTS]
            else gettext("This hand is void: it does not count.")
        )
    if "passed_out" in raw:
        told.append(gettext("Everybody passed."))
    if "contract" in raw:
        told.append(tell_contract(raw["contract"], names))
    if raw.get("bids"):
        calls = (" ".join(call) for call in tell_bids(raw["bids"], names))
        told.append(gettext("Bids: %(bids)s") % {"bids": ", ".join(calls)})
    told += _sums(raw, names)
    if "grid_left" in raw:
        told.append(gettext("Left in the grid: %(left)s") % {"left": raw["grid_left"]})
    if "inciter" in raw or "actors" in raw:
        told += _contest(raw, names)
    if "tricks" in raw:
        count = {"count": len(raw["tricks"])}
        told.append(gettext("%(count)s tricks were recorded.") % count)
    if "findings" in raw:
        calls = raw["findings"] == "director"
        told.append(
            gettext("The director decides on what the tricks show.")
            if calls
            else gettext("What the tricks show is let stand.")
        )
    if PLAYED in raw:
        count = {"count": len(raw[PLAYED])}
        told.append(gettext("%(count)s pieces were played so far.") % count)
    return told


def _sums(raw: Raw, names: Sequence[str]) -> list[str]:
    labels = {
        "points": gettext("Points"),
        "tricks_won": gettext("Tricks"),
        "die_tricks": gettext("Tricks with a die"),
        "tokens": gettext("Tokens"),
        "treats": gettext("Treats"),
    }
    return [
        f"{label}: " + ", ".join(map(_of_seat, names, raw[key]))
        for key, label in labels.items()
        if key in raw
    ]


def _of_seat(name: str, value: Any) -> str:
    """Return a seat's number, or the treats that it holds."""
    if not isinstance(value, Mapping):
        return f"{name} {value}"
    held = [f"{count} {kind.replace('_', ' ')}" for kind, count in value.items()]
    return f"{name} {' + '.join(held) or '–'}"


def _contest(raw: Raw, names: Sequence[str]) -> list[str]:
    told = _offer(raw, names)
    if raw.get("trump"):
        told.append(gettext("Trump: %(trump)s.") % {"trump": raw["trump"]})
    dice = [
        f"{name} {' '.join(str(value or '–') for value in actor['dice'])}"
        for name, actor in zip(names, raw.get("actors", ()), strict=False)
        if actor
    ]
    if dice:
        told.append(gettext("Dice: %(dice)s") % {"dice": ", ".join(dice)})
    return told


def _offer(raw: Raw, names: Sequence[str]) -> list[str]:
    """Return who incites, and with what, as far as that is known."""
    inciter, tier = raw.get("inciter"), raw.get("tier")
    if inciter is None:
        return []
    if tier is None:
        return [gettext("%(name)s incites.") % {"name": names[inciter]}]
    values = {"name": names[inciter], "tier": tier.replace("_", " ")}
    return [gettext("%(name)s incites with %(tier)s.") % values]


def tell_begun(raw: Raw, names: Sequence[str]) -> str:
    """Return how far a contest is that goes on later."""
    actors = raw.get("actors", ())
    rolled = [actor for actor in actors if actor and any(actor["dice"])]
    return " ".join([*_offer(raw, names), tell_rolled(len(rolled), len(names))])


def tell_rolled(rolled: int, seats: int) -> str:
    """Return how many actors of a contest have rolled."""
    values = {"rolled": rolled, "seats": seats}
    return gettext("%(rolled)s of %(seats)s have rolled.") % values
