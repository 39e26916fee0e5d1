"""Validators for model fields, whether filled by forms, the API or imported archives."""

import re
from math import isfinite
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext_lazy as _

from scoring.locales.sentences import translate
from scoring.models.matches import is_address
from scoring.rules import GAMES, Refusal, start
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_name_fault
from tournaments.models.reasons import translate_reason
from tournaments.seating import SeedPattern
from tournaments.standings.document import (
    DocumentRefusal,
    read_points_scheme,
    read_tie_breaks,
)
from tournaments.standings.point_parts import PointParts

LAST_ROUND = 999
MOST_ROUNDS = [MaxValueValidator(LAST_ROUND)]
"""Of rounds and stages, so that everything that is counted for each stays fast."""
CODE = re.compile(r"[a-z0-9]{8}")
COLOUR = re.compile(r"#[0-9a-f]{6}")
PAIRS_OF_QUALITY = ("again", "together")
"""Pairs that meet again in a draw, and pairs that asked not to: two entries, and how often."""
AVERAGE, HALF = "average", "half"
BYE = re.compile(r"\d{1,6}(/[1-9]\d{0,3})?", re.ASCII)
EXACT = re.compile(r"-?\d{1,1000}(/0{0,999}[1-9]\d{0,1000})?", re.ASCII)
PLAIN = re.compile(r"([^%]|%%|%\(\w+\)s)*")
"""A template that only inserts texts as they are."""


def check_address(text: str) -> None:
    if not is_address(text):
        raise ValidationError(_("This isn’t a valid address."))


def check_code(text: str) -> None:
    if not CODE.fullmatch(text):
        raise ValidationError(
            _("Enter a code of 8 characters, using only letters (a to z) and digits.")
        )


def check_colour(text: str) -> None:
    if not COLOUR.fullmatch(text):
        raise ValidationError(_("Enter a colour like #1f4e8c."))


def check_language(code: str) -> None:
    if code not in dict(settings.LANGUAGES):
        raise ValidationError(
            _("Choose one of these languages, or none: %(known)s."),
            params={"known": ", ".join(dict(settings.LANGUAGES))},
        )


def check_game(game: object) -> None:
    if not isinstance(game, str) or game not in GAMES:
        raise ValidationError(
            _("Choose one of these games: %(known)s."),
            params={"known": ", ".join(GAMES)},
        )


def check_games(games: object) -> None:
    for game in _require_type(games, list):
        check_game(game)


def check_options(options: object) -> None:
    for value in _require_type(options, dict).values():
        is_number = type(value) is int and value >= 0
        if not (is_number or isinstance(value, bool | str)):
            raise ValidationError(_("Enter a number, a text, or true or false."))


def check_options_of_game(game: str, size: int, options: dict[str, Any]) -> None:
    """Raise ValidationError for options that the game does not have or does not allow."""
    seats = GAMES[game].seats
    try:
        start(game, size if size in seats else seats[-1], options)
    except Refusal as refusal:
        messages = [
            f"{fault.field}: {translate(fault.message)}" for fault in refusal.faults
        ]
        raise ValidationError({"options": messages}) from None


def check_entries(entries: object) -> None:
    for entry in _require_type(entries, list):
        _require_type(entry, int)


def check_round_numbers(numbers: object) -> None:
    for number in _require_type(numbers, list):
        if not 1 <= _require_type(number, int) <= LAST_ROUND:
            raise ValidationError(_("Enter numbers of rounds."))
    if sorted(set(numbers)) != numbers:  # type: ignore[call-overload]
        raise ValidationError(_("Enter each round once, in order."))


def check_points(scheme: object) -> None:
    if scheme == "":
        return
    try:
        read_points_scheme(scheme, set())
    except DocumentRefusal as refusal:
        raise ValidationError(translate(refusal.message)) from None


def check_tie_breaks(names: object) -> None:
    try:
        read_tie_breaks(names)
    except DocumentRefusal as refusal:
        raise ValidationError(translate(refusal.message)) from None


def check_bye(text: str) -> None:
    if text not in (AVERAGE, HALF) and not BYE.fullmatch(text):
        raise ValidationError(
            _("Enter “average”, “half” or a number of points, like 2 or 5/2.")
        )


def check_exact(text: object) -> None:
    if not isinstance(text, str) or not EXACT.fullmatch(text):
        raise ValidationError(_("Enter a whole number or a fraction, like 13 or 5/2."))


def check_finite(number: float) -> None:
    if not isfinite(number):
        raise ValidationError(_("Enter a number."))


def check_quality(draw_quality: object) -> None:
    figures = _require_type(draw_quality, dict)
    if figures:
        _require_type(figures.get("repeats"), int)
    seeding = _require_type(figures.get("seeding", {}), dict)
    if seeding and (
        seeding.keys() != {"by", "pattern", "unranked"}
        or seeding["by"] not in ("rating", "hand")
        or seeding["pattern"] not in tuple(SeedPattern)
        or _require_type(seeding["unranked"], int) < 0
    ):
        raise ValidationError(_("This seeding can’t be read."))
    for name in PAIRS_OF_QUALITY:
        for pair in _require_type(figures.get(name, []), list):
            for number in _require_type(pair, list):
                _require_type(number, int)
            # Two players, and how often they meet.
            if len(pair) not in (2, 3):
                raise ValidationError(_("A pair needs two players."))


def check_values(values: object) -> None:
    """Raise ValidationError for tie-breaks that are neither exact numbers nor undefined."""
    for value in _require_type(values, dict).values():
        if value is not None:
            check_exact(value)


def check_parts(stored_parts: object) -> None:
    """Raise ValidationError for parts of points that can't be read."""
    parts = _require_type(stored_parts, dict)
    try:
        for _round, points, _is_bye, _counts in parts.get("parts", []):
            check_exact(points)
        check_exact(parts.get("penalty", "0"))
        PointParts.from_json(parts)
    except (LookupError, TypeError, ValueError, ZeroDivisionError):
        raise ValidationError(_("These points can’t be shown.")) from None


def check_reason(stored_reason: object) -> None:
    """Raise ValidationError for a reason that cannot be put into words."""
    reason = _require_type(stored_reason, dict)
    if not reason:
        return
    try:
        has_text = PLAIN.fullmatch(reason["template"]) and translate_reason(reason)
    except (AttributeError, LookupError, TypeError, ValueError, ZeroDivisionError):
        has_text = ""
    if not has_text:
        raise ValidationError(_("This reason can’t be shown."))


def check_cells(lines: object) -> None:
    for line in _require_type(lines, list):
        for cell in _require_type(line, list):
            _require_type(cell, str)


def check_pending_names(is_present_by_name: object) -> None:
    for name, is_present in _require_type(is_present_by_name, dict).items():
        _require_type(is_present, bool)
        if fault := find_name_fault(name):
            raise ValidationError(translate(fault))
        if len(name) > LONGEST_NAME:
            raise ValidationError(
                _("A name can have up to %(most)s characters."),
                params={"most": LONGEST_NAME},
            )


def _require_type(value: Any, kind: type) -> Any:
    """Return the value. Raises ValidationError if it is of another kind."""
    if type(value) is not kind:
        raise ValidationError(
            _("Wrong type. This must be %(kind)s."),
            params={"kind": kind.__name__},
        )
    return value
