"""The tournament document: results in, standings out.

Reading stops at the first error and names the path of its field.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any, NoReturn

from scoring.rules.match_record import HALF_PAIR
from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import (
    DEFAULT_TIE_BREAKS,
    SCHEMES,
    CountingRules,
    Exact,
    PlayerBye,
    PointPenalty,
    Scheme,
    StandingsInput,
    TableResult,
)
from tournaments.standings.ranking import RankedPlayer, standings
from tournaments.standings.tie_breaks import TIE_BREAKS

FORMAT = "trick-tournament"
VERSION = 1
WORDS = tuple(scheme for scheme in SCHEMES if scheme != "places")
"""The schemes that a document names by a word."""
NUMBER = re.compile(r"[+-]?\d{1,18}(/\d{1,9})?|[+-]?\d{1,18}\.\d{1,9}", re.ASCII)
KEYS = frozenset(
    [
        "format",
        "version",
        "name",
        "points",
        "tie_breaks",
        "tables",
        "penalties",
        "byes",
        "bye",
        "lots",
        "meta",
    ]
)
LARGEST = 10**18
LARGEST_SCALE = 10**1000
"""Large enough for all denominators up to 1,000; sums over a larger one take too long."""
MOST_SEATS = 99
"""The most players at a table: far more than any game has, and few enough to be quick."""


class DocumentRefusal(Exception):  # noqa: N818 - called a refusal everywhere
    """An invalid document, with the path of the field and a message that helps to correct it."""

    def __init__(self, field: str, message: Sentence) -> None:
        """Store the path of the field and the message."""
        super().__init__(str(message))
        self.field = field
        self.message = message


def build_document_refusal(
    field: str, template: str, **values: object
) -> DocumentRefusal:
    """Return the exception to raise for a field."""
    return DocumentRefusal(field, say(template, **values))


def compute_document_standings(document: bytes | str) -> dict[str, Any]:
    """Return the standings of a tournament document, as JSON.

    Raises DocumentRefusal if the document is invalid.
    """
    return {
        "standings": [
            standings_row_to_json(row)
            for row in standings(read_results_document(document))
        ]
    }


def standings_row_to_json(row: RankedPlayer) -> dict[str, Any]:
    """Return a line of the standings as JSON, with exact numbers as strings."""
    return {
        "rank": row.rank,
        "player": row.player,
        "points": format_exact(row.points),
        "tables": row.tables,
        "values": {
            name: None if value is None else format_exact(value)
            for name, value in row.values.items()
        },
        "reason": "" if row.reason is None else str(row.reason),
    }


def format_exact(number: Fraction) -> str:
    """Return the number as a document writes it: `13`, `77/32`.

    Python refuses to print ints of more than 4,300 digits, but prints decimals of any length.
    """
    try:
        return str(number)
    except ValueError:
        numerator, denominator = Decimal(number.numerator), Decimal(number.denominator)
        return (
            f"{numerator:f}" if denominator == 1 else f"{numerator:f}/{denominator:f}"
        )


def read_results_document(document: bytes | str) -> StandingsInput:
    """Return the event of a document. Raises DocumentRefusal if the document is invalid."""
    raw = _read_envelope(document)
    tables = _read_tables(raw.get("tables"))
    players = {name for table in tables for name in table.scores}
    results = {(table.round, name) for table in tables for name in table.scores}
    byes: list[PlayerBye] = []
    for field, raw_bye in _read_objects_with_fields(
        raw.get("byes", []), "byes", {"round", "player"}
    ):
        bye_result = PlayerBye(
            round=_read_positive_int(raw_bye.get("round"), f"{field}.round"),
            player=_read_name(raw_bye.get("player"), f"{field}.player"),
        )
        if (bye_result.round, bye_result.player) in results:
            raise build_document_refusal(
                f"{field}.player",
                _("“%(player)s” already has a result in round %(round)s. Keep one."),
                player=bye_result.player,
                round=bye_result.round,
            )
        results.add((bye_result.round, bye_result.player))
        byes.append(bye_result)
    players |= {bye_result.player for bye_result in byes}
    sizes = {len(table.scores) for table in tables}
    scheme, places = read_points_scheme(raw.get("points", "linear"), sizes)
    bye = raw.get("bye", "average")
    counting = CountingRules(
        points=scheme,
        places=places,
        tie_breaks=read_tie_breaks(raw.get("tie_breaks", list(DEFAULT_TIE_BREAKS))),
        bye=bye if bye == "average" else Fraction(read_number(bye, "bye")),
    )
    penalties = []
    for field, raw_penalty in _read_objects_with_fields(
        raw.get("penalties", []), "penalties", {"player", "points", "reason"}
    ):
        player = _read_name(raw_penalty.get("player"), f"{field}.player")
        if player not in players:
            raise build_document_refusal(
                f"{field}.player",
                _("“%(player)s” has no result in this tournament."),
                player=player,
            )
        points = Fraction(read_number(raw_penalty.get("points"), f"{field}.points"))
        if points < 0:
            raise build_document_refusal(
                f"{field}.points",
                _("A penalty must be 0 or more, because it’s subtracted."),
            )
        reason = raw_penalty.get("reason", "")
        if not isinstance(reason, str):
            raise build_document_refusal(f"{field}.reason", _("A reason must be text."))
        penalties.append(PointPenalty(player=player, points=points, reason=reason))
    lots = raw.get("lots", {})
    if not isinstance(lots, dict):
        message = _(
            "This must be an object with each player’s number in the tie-break draw."
        )
        raise build_document_refusal("lots", message)
    for name in lots:
        if name not in players:
            raise build_document_refusal(
                "lots", _("“%(player)s” has no result in this tournament."), player=name
            )
    return StandingsInput(
        tables=tables,
        counting=counting,
        byes=byes,
        penalties=penalties,
        lots={
            name: _read_positive_int(lot, f"lots.{name}") for name, lot in lots.items()
        },
    )


def _read_envelope(document: bytes | str) -> dict[str, Any]:
    try:
        raw = json.loads(
            document,
            object_pairs_hook=_dict_noting_repeated_key,
            parse_constant=_raise_value_error,
        )
    except (ValueError, RecursionError):
        raise build_document_refusal("", _("This isn’t valid JSON.")) from None
    _check_no_repeated_keys(raw)
    if not isinstance(raw, dict):
        raise build_document_refusal(
            "", _("A tournament document must be a JSON object.")
        )
    if raw.get("format") != FORMAT:
        raise build_document_refusal(
            "format", _("The format must be “%(format)s”."), format=FORMAT
        )
    version = raw.get("version")
    if type(version) is not int or version != VERSION:
        raise build_document_refusal(
            "version", _("The version must be %(version)s."), version=VERSION
        )
    _check_keys(raw, KEYS, "")
    if not isinstance(raw.get("name", ""), str):
        raise build_document_refusal("name", _("A name must be text."))
    if not isinstance(raw.get("meta", {}), dict):
        raise build_document_refusal("meta", _("Must be an object."))
    return raw


class _RepeatedKeys(dict[str, Any]):
    """An object of the document that has a key twice."""

    key = ""


def _dict_noting_repeated_key(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        mapping = _RepeatedKeys(mapping)
        [(mapping.key, _times)] = Counter(key for key, _value in pairs).most_common(1)
    return mapping


def _raise_value_error(constant: str) -> NoReturn:
    raise ValueError(constant)


def _check_no_repeated_keys(raw: Any) -> None:
    # An explicit stack: JSON may be nested deeper than Python's recursion limit.
    pending: list[tuple[str, Any]] = [("", raw)]
    while pending:
        path, inner = pending.pop()
        if isinstance(inner, _RepeatedKeys):
            message = _("“%(key)s” appears twice. Keep one.")
            raise build_document_refusal(path, message, key=inner.key)
        if isinstance(inner, dict):
            pending += [
                (f"{path}.{key}" if path else key, value)
                for key, value in inner.items()
            ]
        elif isinstance(inner, list):
            pending += [
                (f"{path}[{number}]", value) for number, value in enumerate(inner)
            ]


def _check_keys(
    raw: Mapping[str, Any], allowed: frozenset[str] | set[str], path: str
) -> None:
    unknown = sorted(raw.keys() - allowed)
    if unknown:
        raise build_document_refusal(
            f"{path}{unknown[0]}",
            _("This name is unknown. Use one of these: %(known)s."),
            known=", ".join(sorted(allowed)),
        )


def read_points_scheme(
    raw: Any, sizes: set[int]
) -> tuple[Scheme, dict[int, list[Fraction]]]:
    """Return the scheme for tables of these sizes, and its points by table size and place.

    The points are empty unless the scheme is `places`. Raises DocumentRefusal.
    """
    for scheme in WORDS:
        if raw == scheme:
            return scheme, {}
    if not isinstance(raw, dict):
        raise build_document_refusal(
            "points",
            _("Use one of %(schemes)s, or points by rank for each table size."),
            schemes=", ".join(WORDS),
        )
    if set(raw) != {"places"} or not isinstance(raw["places"], dict):
        raise build_document_refusal(
            "points",
            _("Points by rank must be an object with “places” as its only key."),
        )
    places: dict[int, list[Fraction]] = {}
    for key, worth in raw["places"].items():
        field = f"points.places.{key}"
        if not re.fullmatch(r"[2-9]|[1-9]\d", key, re.ASCII):
            raise build_document_refusal(
                field,
                _("A table size must be a number from 2 to %(most)s."),
                most=MOST_SEATS,
            )
        if not isinstance(worth, list) or len(worth) != int(key):
            raise build_document_refusal(
                field,
                _("Enter points for each of the %(size)s ranks."),
                size=key,
            )
        places[int(key)] = [
            Fraction(read_number(value, f"{field}[{place}]"))
            for place, value in enumerate(worth)
        ]
    missing_sizes = sorted(sizes - places.keys())
    if missing_sizes:
        raise build_document_refusal(
            "points.places",
            _("Some tables have %(size)s players. Add points for each rank there."),
            size=missing_sizes[0],
        )
    return "places", places


def read_tie_breaks(raw: Any) -> list[str]:
    """Return the tie-breaks in their order. Raises DocumentRefusal."""
    if not isinstance(raw, list):
        raise build_document_refusal(
            "tie_breaks", _("This must be a list of tie-breaks.")
        )
    for place, name in enumerate(raw):
        field = f"tie_breaks[{place}]"
        if not isinstance(name, str) or name not in TIE_BREAKS:
            raise build_document_refusal(
                field,
                _("Choose one of these tie-breaks: %(names)s."),
                names=", ".join(TIE_BREAKS),
            )
        if name in raw[:place]:
            raise build_document_refusal(
                field, _("This tie-break is already listed. Remove it here.")
            )
    return list(raw)


def _read_tables(raw: Any) -> list[TableResult]:
    if not isinstance(raw, list):
        raise build_document_refusal("tables", _("This must be a list of tables."))
    tables = [
        _read_table(raw_table, f"tables[{number}]")
        for number, raw_table in enumerate(raw)
    ]
    numbers: set[tuple[int, int]] = set()
    seated: set[tuple[int, str]] = set()
    for number, table in enumerate(tables):
        if table.table is not None:
            if (table.round, table.table) in numbers:
                raise build_document_refusal(
                    f"tables[{number}].table",
                    _("Table %(table)s is listed twice in round %(round)s. Keep one."),
                    table=table.table,
                    round=table.round,
                )
            numbers.add((table.round, table.table))
        for name in table.scores:
            if (table.round, name) in seated:
                raise build_document_refusal(
                    f"tables[{number}].scores",
                    _("“%(player)s” is at two tables in round %(round)s. Keep one."),
                    player=name,
                    round=table.round,
                )
            seated.add((table.round, name))
    _check_score_denominators(tables)
    return tables


def _check_score_denominators(tables: Sequence[TableResult]) -> None:
    """Refuse scores whose common denominator exceeds `LARGEST_SCALE`."""
    whole, denominators = 1, {1}
    for number, table in enumerate(tables):
        for name, score in table.scores.items():
            if score.denominator in denominators:
                continue
            denominators.add(score.denominator)
            whole = lcm(whole, score.denominator)
            if whole > LARGEST_SCALE:
                raise build_document_refusal(
                    f"tables[{number}].scores.{name}",
                    _("Too many different fractions to add up exactly."),
                )


def _read_table(raw: Any, field: str) -> TableResult:
    if not isinstance(raw, dict):
        raise build_document_refusal(
            field, _("A table must be an object with round, table and scores.")
        )
    _check_keys(raw, {"round", "table", "scores", "ranks"}, f"{field}.")
    raw_scores = raw.get("scores")
    if not isinstance(raw_scores, dict) or not 2 <= len(raw_scores) <= MOST_SEATS:
        raise build_document_refusal(
            f"{field}.scores",
            _("A table needs the scores of 2 to %(most)s players, by name."),
            most=MOST_SEATS,
        )
    scores = {
        _read_name(name, f"{field}.scores"): read_number(
            score, f"{field}.scores.{name}"
        )
        for name, score in raw_scores.items()
    }
    round_number = _read_positive_int(raw.get("round"), f"{field}.round")
    table = (
        _read_positive_int(raw["table"], f"{field}.table") if "table" in raw else None
    )
    ranks: dict[str, int] = {}
    if "ranks" in raw:
        if not isinstance(raw["ranks"], dict) or raw["ranks"].keys() != scores.keys():
            raise build_document_refusal(
                f"{field}.ranks", _("Enter a rank for each player with a score.")
            )
        ranks = {
            name: _read_positive_int(rank, f"{field}.ranks.{name}")
            for name, rank in raw["ranks"].items()
        }
        sorted_ranks = sorted(ranks.values())
        if any(sorted_ranks.index(rank) + 1 != rank for rank in sorted_ranks):
            message = _("Ranks start at 1. After two players at rank 1 comes rank 3.")
            raise build_document_refusal(f"{field}.ranks", message)
    return TableResult(round=round_number, table=table, scores=scores, ranks=ranks)


def _read_name(raw: Any, field: str) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise build_document_refusal(field, _("Every player needs a name."))
    if HALF_PAIR.search(raw):
        raise build_document_refusal(
            field, _("This name contains an invalid character. Enter it again.")
        )
    return raw


def _read_positive_int(raw: Any, field: str) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not 1 <= raw <= LARGEST:
        raise build_document_refusal(field, _("Enter a whole number, 1 or more."))
    return raw


def read_number(raw: Any, field: str) -> Exact:
    """Return the exact value of an int or of a fraction as text. Raises DocumentRefusal."""
    if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) <= LARGEST:
        return raw
    if isinstance(raw, str) and NUMBER.fullmatch(raw):
        try:
            number = Fraction(raw)
        except ZeroDivisionError:
            raise build_document_refusal(
                field, _("This fraction divides by 0. Enter another number.")
            ) from None
        return number.numerator if number.denominator == 1 else number
    raise build_document_refusal(
        field, _("Enter a whole number, or a fraction like “7/2”.")
    )


def _read_objects_with_fields(
    raw: Any, name: str, keys: set[str]
) -> list[tuple[str, dict[str, Any]]]:
    if not isinstance(raw, list):
        raise build_document_refusal(name, _("Must be a list."))
    objects = []
    for number, item in enumerate(raw):
        field = f"{name}[{number}]"
        if not isinstance(item, dict):
            raise build_document_refusal(
                field,
                _("This must be an object with %(keys)s."),
                keys=", ".join(sorted(keys)),
            )
        _check_keys(item, keys, f"{field}.")
        objects.append((field, item))
    return objects
