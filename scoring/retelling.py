"""What was entered for a hand, told in words: for its history, and for the sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

Raw = Mapping[str, Any]


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


def tell_hand(raw: Raw, names: Sequence[str]) -> list[str]:
    """Return sentences that say everything of a hand but its single tricks."""
    told = []
    if "passed_out" in raw:
        told.append(gettext("Everybody passed."))
    if "contract" in raw:
        told.append(tell_contract(raw["contract"], names))
    told += _sums(raw, names)
    if "grid_left" in raw:
        told.append(gettext("Left in the grid: %(left)s") % {"left": raw["grid_left"]})
    if "inciter" in raw:
        told += _contest(raw, names)
    if "tricks" in raw:
        count = {"count": len(raw["tricks"])}
        told.append(gettext("%(count)s tricks were recorded.") % count)
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
    values = {"name": names[raw["inciter"]], "tier": raw["tier"].replace("_", " ")}
    told = [gettext("%(name)s incites with %(tier)s.") % values]
    if raw.get("trump"):
        told.append(gettext("Trump: %(trump)s.") % {"trump": raw["trump"]})
    dice = [
        f"{name} {' '.join(map(str, actor['dice']))}"
        for name, actor in zip(names, raw["actors"], strict=True)
        if actor
    ]
    return [*told, gettext("Dice: %(dice)s") % {"dice": ", ".join(dice)}]
