"""The result document: a finished tournament as one host signs it and another reads it.

JSON in one canonical form: keys in order, no spaces, UTF-8. What is signed is that form of
everything but the signature, so that a document of other bytes is another document.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from django.db.models import Sum
from django.utils.translation import gettext as _

from scoring.rules import GAMES
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_name_fault
from tournaments.changes import RefusedError
from tournaments.circuits.host_keys import is_public_key, is_signed, public_key, sign
from tournaments.event.table_results import stages_of
from tournaments.exact import EXACT_LENGTH
from tournaments.models import Placing, Tournament
from tournaments.ratings import PARTS, season_points
from tournaments.standings import DocumentRefusal, Event, TableResult, standings
from tournaments.standings.document import FORMAT as EVENT_FORMAT
from tournaments.standings.document import VERSION as EVENT_VERSION
from tournaments.standings.document import exact_text, read_event, read_number
from tournaments.standings.event import Exact
from tournaments.standings.parsing import RepeatedKey, parse

FORMAT, VERSION = "trick-result", 1
LARGEST_DOCUMENT = 1_000_000
"""Bytes: a thousand players over twenty rounds have room."""
LARGEST = 2**31 - 1
MOST_SEATS = 99
KEYS = frozenset(["format", "version", "host", "tournament", "signature"])
RESULT_KEYS = frozenset(
    [
        "key",
        "revision",
        "club",
        "name",
        "held_on",
        "game",
        "entries",
        "players",
        "event",
    ]
)
LINE_KEYS = frozenset(
    [
        "player",
        "name",
        "rank",
        "place_points",
        "points",
        "tables",
        "table_points",
        "wins",
        "places",
    ]
)


class ResultLine(NamedTuple):
    """What one person has of a tournament, as `models.Result` has it."""

    player: str
    """Their number on their host."""
    name: str
    rank: int
    place_points: str
    points: str
    tables: int
    table_points: int
    wins: int
    places: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedResult:
    """A tournament that another host has signed."""

    host: str
    """The public key of whoever signed it."""
    key: str
    revision: int
    club: str
    name: str
    held_on: date
    game: str
    """Empty for several."""
    entries: int
    """How many were ranked."""
    lines: Sequence[ResultLine]
    document: str
    """To the letter."""


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return the one way in which a document is written."""
    text = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return text.encode()


# Writing.


def signed_document(tournament: Tournament) -> bytes:
    """Return a finished tournament as this host signs it, with a line end.

    Raises RefusedError while it goes on, or is not counted yet.
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        "host": public_key(),
        "tournament": result_of(tournament),
    }
    signature = sign(canonical(document))
    return canonical({**document, "signature": signature}) + b"\n"


def result_of(tournament: Tournament) -> dict[str, Any]:
    """Return what a document says of a tournament; raises as `signed_document`."""
    if tournament.phase != Tournament.Phase.FINISHED:
        raise RefusedError(
            "tournament",
            _("“%(name)s” is not finished; finish it first.")
            % {"name": tournament.name},
        )
    current = tournament.results.current()
    ranked = current.exclude(rank=None).select_related("player")
    lines = {result.player_id: result for result in ranked.order_by("rank", "pk")}
    if tournament.counted_version != tournament.version or not lines:
        raise RefusedError(
            "tournament",
            _("“%(name)s” is not counted yet; try again in a minute.")
            % {"name": tournament.name},
        )
    added = (
        current.order_by()
        .values("player")
        .annotate(
            sum_tables=Sum("tables"),
            sum_points=Sum("table_points"),
            sum_wins=Sum("wins"),
            sum_places=Sum("places"),
        )
    )
    sums = {row["player"]: row for row in added}
    players = [
        {
            "player": str(player),
            "name": result.player.name,
            "rank": result.rank,
            "place_points": result.place_points,
            "points": result.earned_points,
            "tables": sums[player]["sum_tables"],
            "table_points": sums[player]["sum_points"],
            "wins": sums[player]["sum_wins"],
            "places": sums[player]["sum_places"],
        }
        for player, result in lines.items()
    ]
    club = tournament.club
    entries = next(iter(lines.values())).players
    document: dict[str, Any] = {
        "key": sha256(f"tournament {tournament.address}".encode()).hexdigest()[:32],
        # Each only rises: with the tables, with the club's results, and with what was
        # revised, as who is one person and how they are called.
        "revision": tournament.version + club.history_version + club.revisions.count(),
        "club": club.name,
        "name": tournament.name,
        "held_on": tournament.held_on.isoformat(),
        "game": _game_of(tournament),
        "entries": entries,
        "players": players,
    }
    event = _event_of(tournament)
    # What this form cannot say, as stages and substitutes, goes without.
    if event is not None and _agrees(event, entries, players):
        document["event"] = event
    return document


def _game_of(tournament: Tournament) -> str:
    one_game = tournament.game_choice == Tournament.GameChoice.TOURNAMENT
    return tournament.game if one_game else ""


def _event_of(tournament: Tournament) -> dict[str, Any] | None:
    """Return the tables as a tournament document, with persons for entries."""
    stages = stages_of(tournament)
    pairs = set(
        Placing.objects.filter(tournament=tournament).values_list("entry", "player")
    )
    persons = {str(entry): str(player) for entry, player in pairs}
    if len(stages) != 1 or len({*persons.values()}) != len(pairs) != len(persons):
        return None
    event = stages[0]
    tables = [
        {
            "round": table.round,
            "table": table.table,
            "scores": {
                persons.get(entry, f"entry {entry}"): _number(score)
                for entry, score in table.scores.items()
            },
            **_ranks_of(table, persons),
        }
        for table in event.tables
    ]
    return {
        "format": EVENT_FORMAT,
        "version": EVENT_VERSION,
        "points": _points_of(event),
        "tie_breaks": list(event.counting.tie_breaks),
        "bye": "average"
        if event.counting.bye is None
        else exact_text(event.counting.bye),
        "tables": tables,
        "byes": [
            {"round": bye.round, "player": persons[bye.player]}
            for bye in event.byes
            if bye.player in persons
        ],
        "penalties": [
            {
                "player": persons[penalty.player],
                "points": exact_text(penalty.points),
                "reason": "",
            }
            for penalty in event.penalties
            if penalty.player in persons
        ],
        "lots": {
            persons[entry]: lot for entry, lot in event.lots.items() if entry in persons
        },
    }


def _ranks_of(table: TableResult, persons: Mapping[str, str]) -> dict[str, Any]:
    """Return the ranks of a table as its document has them, if scores do not tell them."""
    if not table.ranks:
        return {}
    ranks = table.ranks.items()
    return {
        "ranks": {persons.get(entry, f"entry {entry}"): rank for entry, rank in ranks}
    }


def _points_of(event: Event) -> Any:
    if event.counting.points != "places":
        return event.counting.points
    places = {
        str(size): [exact_text(Fraction(worth)) for worth in worths]
        for size, worths in event.counting.places.items()
    }
    return {"places": places}


def _number(score: Exact) -> int | str:
    return score if isinstance(score, int) else exact_text(score)


def _agrees(event: Mapping[str, Any], entries: int, players: Sequence[Any]) -> bool:
    """Tell whether our own standings of the tables are what the lines say."""
    try:
        rows = standings(read_event(json.dumps(event)))
    except DocumentRefusal:
        return False
    ranked = [row for row in rows if row.tables]
    first: dict[int, int] = {}
    for number, row in enumerate(ranked, start=1):
        first.setdefault(row.rank, number)
    level = Counter(row.rank for row in ranked)
    computed = {
        row.player: (
            first[row.rank],
            row.points,
            season_points(first[row.rank], level[row.rank], len(ranked)),
        )
        for row in ranked
    }
    said = {
        line["player"]: (
            line["rank"],
            Fraction(line["points"] or 0),
            Fraction(line["place_points"]),
        )
        for line in players
    }
    return computed == said and len(ranked) == entries


# Reading.


def read_signed(content: bytes) -> SignedResult:
    """Return what a document says once everything about it holds but who may sign it.

    Raises RefusedError with what is wrong. The signature is checked by the key that the
    document names; whether that is trusted, whoever asks has to say.
    """
    raw = _read_envelope(content)
    host, signature = raw["host"], raw["signature"]
    signed = {name: value for name, value in raw.items() if name != "signature"}
    if not is_signed(canonical(signed), signature, host):
        raise _refused(
            _(
                "Its signature does not fit: it was altered after it was signed. Ask its "
                "host for it once more."
            )
        )
    return _read_result(raw["tournament"], host, content.decode().rstrip("\n"))


def _read_envelope(content: bytes) -> dict[str, Any]:
    """Return the document; raises RefusedError."""
    if len(content) > LARGEST_DOCUMENT:
        raise _refused(_("The file is too large: a result fits into one megabyte."))
    try:
        # In UTF-8 as it was signed, and in nothing else that JSON may be written in.
        raw = parse(content.decode())
    except (ValueError, RepeatedKey):
        raise _refused(
            _("This is no whole document: it was cut off or altered, or is none.")
        ) from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise _refused(_("This is no signed result of a tournament."))
    version = raw.get("version")
    if type(version) is int and version > VERSION:
        raise _refused(
            _(
                "It was written by a later version of Tricky. Bring this host up to date "
                "first, then bring the result in."
            )
        )
    if type(version) is not int or version != VERSION:
        raise _refused(_("Its version is not one that Tricky ever wrote."))
    _check_keys(raw, KEYS, "")
    if not isinstance(raw["host"], str) or not is_public_key(raw["host"]):
        raise _refused(_("“host” is no public key."))
    if not isinstance(raw["signature"], str):
        raise _refused(_("“signature” is no signature."))
    try:
        is_canonical = canonical(raw) == content.rstrip(b"\n")
    except ValueError:
        is_canonical = False
    if not is_canonical:
        raise _refused(
            _(
                "It is not written as Tricky writes it: something has changed the file "
                "since. Ask its host for it once more."
            )
        )
    return raw


def _read_result(raw: Any, host: str, document: str) -> SignedResult:
    if not isinstance(raw, dict):
        raise _refused(_("“tournament” is no object."))
    _check_keys(raw, RESULT_KEYS - {"event"}, "tournament.", further={"event"})
    entries = _count(raw["entries"], "tournament.entries", 1)
    result = SignedResult(
        host=host,
        key=_matching(raw["key"], "tournament.key", r"[0-9a-f]{32}"),
        revision=_count(raw["revision"], "tournament.revision", 0),
        club=_words(raw["club"], "tournament.club", 80),
        name=_words(raw["name"], "tournament.name", 80),
        held_on=_day(raw["held_on"]),
        game=_game(raw["game"]),
        entries=entries,
        lines=_lines(raw["players"], entries),
        document=document,
    )
    event = raw.get("event")
    if event is not None and not (
        isinstance(event, dict) and _agrees(event, entries, raw["players"])
    ):
        raise _refused(
            _(
                "Its places are not what its tables lead to: the two hosts count "
                "otherwise. Bring both up to date."
            )
        )
    return result


def _lines(raw: Any, entries: int) -> list[ResultLine]:
    if not isinstance(raw, list) or not raw:
        raise _refused(_("“tournament.players” is no list of players."))
    lines = [
        _line(raw_line, f"tournament.players[{number}]", entries)
        for number, raw_line in enumerate(raw)
    ]
    twice = [key for key, n in Counter(line.player for line in lines).items() if n > 1]
    if twice:
        raise _refused(
            _("“tournament.players” has the player %(key)s twice.") % {"key": twice[0]}
        )
    return lines


def _line(raw: Any, field: str, entries: int) -> ResultLine:
    if not isinstance(raw, dict):
        raise _refused(_("“%(field)s” is no object.") % {"field": field})
    _check_keys(raw, LINE_KEYS, f"{field}.")
    rank = _count(raw["rank"], f"{field}.rank", 1, entries)
    tables = _count(raw["tables"], f"{field}.tables", 0, 100_000)
    line = ResultLine(
        player=_matching(raw["player"], f"{field}.player", r"[1-9]\d{0,17}"),
        name=_words(raw["name"], f"{field}.name", LONGEST_NAME),
        rank=rank,
        place_points=_exact(raw["place_points"], f"{field}.place_points"),
        points=_exact(raw["points"], f"{field}.points") if raw["points"] != "" else "",
        tables=tables,
        table_points=_count(
            raw["table_points"], f"{field}.table_points", 0, 4 * PARTS * tables
        ),
        wins=_count(raw["wins"], f"{field}.wins", 0, PARTS * tables),
        places=_count(raw["places"], f"{field}.places", 0, MOST_SEATS * PARTS * tables),
    )
    if not _can_be_worth(Fraction(line.place_points), rank, entries):
        raise _refused(
            _(
                "“%(field)s.place_points” is not what rank %(rank)s of %(entries)s is worth."
            )
            % {"field": field, "rank": rank, "entries": entries}
        )
    return line


def _can_be_worth(worth: Fraction, rank: int, entries: int) -> bool:
    """Tell whether a rank gives so much with any number of others level.

    >>> _can_be_worth(Fraction(75), 1, 3), _can_be_worth(Fraction(80), 1, 3)
    (True, False)
    """
    if entries < 2:
        return worth == 0
    level = 2 * (entries - worth * (entries - 1) / 100 - rank) + 1
    if level.denominator != 1 or not 1 <= level <= entries - rank + 1:
        return False
    return season_points(rank, int(level), entries) == worth


def _check_keys(
    raw: Mapping[str, Any],
    expected: frozenset[str],
    path: str,
    further: frozenset[str] | set[str] = frozenset(),
) -> None:
    for name in sorted(expected - raw.keys()):
        raise _refused(_("“%(field)s” is missing.") % {"field": f"{path}{name}"})
    for name in sorted(raw.keys() - expected - further):
        raise _refused(
            _("“%(field)s” is nothing that is known.") % {"field": f"{path}{name}"[:80]}
        )


def _count(raw: Any, field: str, least: int, most: int = LARGEST) -> int:
    if type(raw) is not int or not least <= raw <= most:
        raise _refused(
            _("“%(field)s” is no whole number from %(least)s to %(most)s.")
            % {"field": field, "least": least, "most": most}
        )
    return raw


def _words(raw: Any, field: str, longest: int) -> str:
    said = isinstance(raw, str) and raw.strip() == raw and 1 <= len(raw) <= longest
    if not said or find_name_fault(raw):
        raise _refused(
            _("“%(field)s” is no name of up to %(longest)s signs.")
            % {"field": field, "longest": longest}
        )
    name: str = raw
    return name


def _matching(raw: Any, field: str, pattern: str) -> str:
    if not isinstance(raw, str) or not re.fullmatch(pattern, raw, re.ASCII):
        raise _refused(_("“%(field)s” is not written so.") % {"field": field})
    return raw


def _exact(raw: Any, field: str) -> str:
    try:
        number = Fraction(read_number(raw, field)) if isinstance(raw, str) else None
    except DocumentRefusal:
        number = None
    if number is None or str(number) != raw or len(raw) > EXACT_LENGTH:
        raise _refused(
            _("“%(field)s” is no exact number as in “43/4”.") % {"field": field}
        )
    return str(number)


def _day(raw: Any) -> date:
    text = _matching(raw, "tournament.held_on", r"\d{4}-\d\d-\d\d")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _refused(_("“tournament.held_on” is no day.")) from None


def _game(raw: Any) -> str:
    if not isinstance(raw, str) or (raw and raw not in GAMES):
        raise _refused(_("“tournament.game” is no game that this host knows."))
    return raw


def _refused(message: str) -> RefusedError:
    return RefusedError("file", message)
