"""Import the archive of a club, completely or not at all."""

import json
import secrets
import zlib
from array import array
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, date, datetime
from functools import partial
from hashlib import sha256
from io import SEEK_END, BytesIO
from itertools import islice
from typing import IO, Any, NamedTuple, NoReturn
from uuid import uuid4
from zipfile import BadZipFile, ZipFile

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import (
    CharField,
    DateTimeField,
    Exists,
    F,
    Field,
    ForeignKey,
    Model,
    OuterRef,
    TextField,
)
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import translate
from scoring.matchlog.records import (
    UNREADABLE,
    import_log,
    mark_as_imported,
    parse_aware_datetime,
)
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.matches import SECRET_LENGTH, is_address, new_address
from scoring.rules import GAMES, Refusal
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import (
    describe_removed_characters,
    find_name_fault,
    number_stripped_duplicates,
    strip_unsafe,
    strip_unsafe_from_json,
)
from tournaments.changes import RefusedError, signal_history_outdated
from tournaments.event.rights import apply_writing_rule
from tournaments.files.archive.contents import (
    CLUB,
    FILES,
    FORMAT,
    KINDS,
    MANIFEST,
    MATCHES,
    NAMING_ENTRIES,
    REFERRED,
    SEPARATIONS_FILE,
    TOURNAMENTS,
    UNREAD,
    VERSION,
    ArchiveTable,
    renumber_entries,
)
from tournaments.models import (
    Bye,
    Club,
    Entry,
    Import,
    Penalty,
    Place,
    Role,
    Round,
    Standings,
    StandingsRow,
    Tournament,
    User,
)
from tournaments.models.tournaments import new_code
from tournaments.models.validators import check_options_of_game
from tournaments.people.clubs import set_member_role
from tournaments.people.identities import direct_merge_targets, has_circle
from tournaments.people.looks import set_logo
from tournaments.signals import tournament_changed

BATCH_SIZE = 500
LONGEST_LINE = 50_000_000
"""The most bytes of a line: a list of past results is one line."""
LARGEST_MANIFEST = 100_000
LIMITS = BaseDatabaseOperations.integer_field_ranges
"""The numbers that all databases can store; only SQLite can store larger ones."""
LONGEST_FAULT = 200
"""The most characters of a line's fault, which may contain a long value."""
MOST_TIMES = 100
"""The largest ratio of the files' total size to that of the archive; it is usually about ten."""
DAMAGED = (
    *(BadZipFile, EOFError, OSError, zlib.error, NotImplementedError, RuntimeError),
    # A negative offset in the file.
    ValueError,
)
"""The exceptions of `zipfile` for a truncated or damaged file."""


class ArchiveError(Exception):
    """An archive that cannot be imported, with the reason as a sentence."""


class _WrongLineError(Exception):
    """A fault in a line."""


class _ArchiveWithTextChanges(ZipFile):
    """An open archive, with the changes made to names and texts while reading it."""

    removed: list[str]
    """The texts read so far from which unsafe characters were removed."""
    renamed: Mapping[str, str]
    """New names by old ones, for names that equal others once unsafe characters are removed."""


NewKeys = dict[type[Model], "array[int]"]
"""By model, the new keys of the imported rows, in the order of their file."""


class ImportedClub(NamedTuple):
    """An imported club, with the differences from its archive."""

    club: Club
    moved: int
    """The number of tournaments with a new address, because theirs was taken."""
    removed: Sequence[str]
    """Texts of the archive from which unsafe characters were removed."""
    renamed: Mapping[str, str]
    """New names by old ones, for names that equal others without such characters."""

    @property
    def differences_from_archive(self) -> str:
        """Return a text about the differences from the archive; empty if there are none."""
        warnings = []
        if self.moved:
            message = ngettext(
                "%(n)s tournament has a new address, because the old one is taken on "
                "this server.",
                "%(n)s tournaments have new addresses, because the old ones are "
                "taken on this server.",
                self.moved,
            )
            warnings.append(message % {"n": self.moved})
        if self.removed:
            removal = describe_removed_characters(self.removed)
            warnings.append(translate(removal))
        for name, new_name in self.renamed.items():
            message = _(
                "Without those characters, two names were the same, so "
                "“%(name)s” is now “%(called)s”."
            )
            warnings.append(message % {"name": strip_unsafe(name), "called": new_name})
        return " ".join(warnings)


@transaction.atomic
def import_club(
    file: IO[bytes], *, now: datetime, slug: str = "", director: User | None = None
) -> ImportedClub:
    """Import an archive and return its club.

    `slug` replaces the address in the archive. `director` becomes a director of the club. Raises
    ArchiveError, and writes nothing, if the archive cannot be imported.
    """
    try:
        size = file.seek(0, SEEK_END)
        with _ArchiveWithTextChanges(file) as archive:
            archive.removed, archive.renamed = [], {}
            # `zipfile` never reads a file beyond the size that the archive declares.
            if sum(part.file_size for part in archive.infolist()) > MOST_TIMES * size:
                raise ArchiveError(
                    _("Once unpacked, this archive is far too large for a club.")
                )
            _check_manifest(archive)
            archive.renamed = number_stripped_duplicates(
                _player_and_entry_names(archive), max_length=LONGEST_NAME
            )
            keys: NewKeys = {}
            moved: dict[str, str] = {}
            club = _import_club_row(archive, slug)
            for kind in KINDS:
                if kind is MATCHES:
                    _import_matches(archive, keys)
                else:
                    _import_rows(archive, kind, club, keys, moved)
            _import_separations(archive, keys)
            _check_cross_references(club)
            if director is not None:
                set_member_role(club=club, user=director, role=Role.DIRECTOR)
            for tournament in club.tournaments.exclude(phase=Tournament.Phase.FINISHED):
                apply_writing_rule(tournament)
                # Standings are computed once everything is stored.
                transaction.on_commit(
                    partial(
                        tournament_changed.send_robust,
                        Tournament,
                        tournament_id=tournament.pk,
                    )
                )
            signal_history_outdated(club.pk)
            return ImportedClub(club, len(moved), archive.removed, archive.renamed)
    except DAMAGED as damaged:
        raise ArchiveError(
            _(
                "This archive is incomplete or damaged (%(fault)s). Export or copy it "
                "again."
            )
            % {"fault": damaged}
        ) from damaged
    except DatabaseError as error:
        raise _inconsistency_error(str(error).partition("\n")[0]) from error


def _check_manifest(archive: ZipFile) -> None:
    """Raise ArchiveError if the files of an archive do not match its manifest."""
    names = archive.namelist()
    if MANIFEST not in names:
        raise ArchiveError(
            _("This file isn’t a club archive: %(name)s is missing.")
            % {"name": MANIFEST}
        )
    with archive.open(MANIFEST) as manifest_file:
        content = manifest_file.read(LARGEST_MANIFEST)
    try:
        manifest = json.loads(content)
        form, version = manifest["format"], manifest["version"]
        files = {
            name: (info["lines"], info["sha256"])
            for name, info in manifest["files"].items()
        }
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise ArchiveError(
            _("The archive’s manifest can’t be read. Export the club again.")
        ) from None
    if form != FORMAT or version != VERSION:
        raise ArchiveError(
            _(
                "This archive has the format %(format)s, version %(version)s. This "
                "server reads %(ours)s, version %(known)s."
            )
            % {"format": form, "version": version, "ours": FORMAT, "known": VERSION}
        )
    file_names = [name for name in names if name not in UNREAD]
    differing = (set(FILES) ^ (files.keys() - UNREAD)) | (
        {MANIFEST, *FILES} ^ set(file_names)
    )
    if differing or len(file_names) != len(FILES) + 1:
        raise ArchiveError(
            _(
                "These files are missing from the archive or don’t belong in it: "
                "%(names)s"
            )
            % {"names": ", ".join(sorted(differing)) or MANIFEST}
        )
    for name in FILES:
        digest, lines = sha256(), 0
        for line in _raw_lines(archive, name):
            digest.update(line)
            lines += 1
        if (lines, digest.hexdigest()) != files[name]:
            raise ArchiveError(
                _("%(name)s was changed after the export. Export the club again.")
                % {"name": name}
            )


def _raw_lines(archive: ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as lines:
        while line := lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise ArchiveError(
                    _("A line in %(name)s is too long.") % {"name": name}
                )
            yield line


def _refuse_line(name: str, line: int, fault: object) -> NoReturn:
    raise ArchiveError(
        _(
            "%(name)s, line %(line)s: %(fault)s. Correct it on the old server and "
            "export the club again."
        )
        % {
            "name": name,
            "line": line,
            "fault": str(fault)[:LONGEST_FAULT].rstrip("."),
        }
    )


def _read_lines(
    archive: _ArchiveWithTextChanges, name: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their line numbers, without unsafe characters.

    Raises ArchiveError if a line is not a JSON object.
    """
    for number, line in enumerate(_raw_lines(archive, name), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            _refuse_line(name, number, _("not JSON"))
        if not isinstance(value, dict):
            _refuse_line(name, number, _("not an object"))
        yield number, strip_unsafe_from_json(value, archive.removed, archive.renamed)


def _player_and_entry_names(archive: _ArchiveWithTextChanges) -> Iterator[str]:
    """Yield the names of players and entries as stored in the archive."""
    for kind in KINDS:
        if kind.model not in (Player, Entry):
            continue
        for line in _raw_lines(archive, kind.file_name):
            # Skip unreadable lines here: the import refuses them later.
            with suppress(ValueError, RecursionError, LookupError, TypeError):
                name = json.loads(line)["name"]
                if isinstance(name, str):
                    yield name


def _check_cross_references(club: Club) -> None:
    """Raise ArchiveError for rows of two tournaments, places without a seat, or circular merges."""
    separations = Entry.apart.through.objects.filter(from_entry__tournament__club=club)
    places = Place.objects.filter(round__tournament__club=club)
    byes = Bye.objects.filter(round__tournament__club=club)
    penalties = Penalty.objects.filter(tournament__club=club)
    club_standings = Standings.objects.filter(tournament__club=club)
    rows = StandingsRow.objects.filter(standings__tournament__club=club)
    seats = Seat.objects.filter(match=OuterRef("table__match"), index=OuterRef("index"))
    for file, unfit in (
        ("places.jsonl", places.exclude(table__round=F("round"))),
        ("places.jsonl", places.exclude(entry__tournament=F("round__tournament"))),
        ("places.jsonl", places.exclude(table__match=None).filter(~Exists(seats))),
        (
            SEPARATIONS_FILE,
            separations.exclude(from_entry__tournament=F("to_entry__tournament")),
        ),
        ("frozen_standings.jsonl", club_standings.filter(frozen_as="")),
        ("byes.jsonl", byes.exclude(entry__tournament=F("round__tournament"))),
        ("penalties.jsonl", penalties.exclude(entry__tournament=F("tournament"))),
        (
            "frozen_rows.jsonl",
            rows.exclude(entry__tournament=F("standings__tournament")),
        ),
    ):
        if unfit.exists():
            raise _inconsistency_error(file)
    if has_circle(direct_merge_targets(club)):
        raise _inconsistency_error("merges.jsonl")
    rounds = Round.objects.filter(tournament__club=club).exclude(present=[])
    for round_ in rounds.select_related("tournament"):
        entries = round_.tournament.entries.values_list("pk", flat=True)
        if not {*round_.present} <= {*entries}:
            raise _inconsistency_error("rounds.jsonl")


def _inconsistency_error(fault: str) -> ArchiveError:
    return ArchiveError(
        _("The rows in this archive don’t match each other: %(fault)s")
        % {"fault": fault}
    )


def _import_club_row(archive: _ArchiveWithTextChanges, slug: str) -> Club:
    rows = list(islice(_read_lines(archive, CLUB.file_name), 2))
    if len(rows) != 1:
        raise ArchiveError(_("An archive must contain exactly one club."))
    ((number, values),) = rows
    logo = values.pop("logo", "")
    if slug:
        values["slug"] = slug
    club: Club = fill_row(CLUB, number, values, {}, Club())
    if Club.objects.filter(slug=club.slug).exists():
        raise ArchiveError(
            _("The address %(slug)s is taken on this server. Choose another one.")
            % {"slug": club.slug}
        )
    club.logo_version = ""
    club.save()
    if logo:
        try:
            return set_logo(
                club_id=club.pk, file=BytesIO(b64decode(logo, validate=True))
            )
        except (TypeError, ValueError):
            _refuse_line(CLUB.file_name, number, _("the logo can’t be read"))
        except RefusedError as refused:
            _refuse_line(CLUB.file_name, number, f"logo: {refused.message}")
    return club


def fill_row(
    kind: ArchiveTable, number: int, values: dict[str, Any], keys: NewKeys, row: Any
) -> Any:
    """Set the values of a line on a row and return it. Raises ArchiveError for invalid values.

    Columns added since the archive was made keep their default.
    """
    fields = kind.fields()
    required = {column.name for column in fields if not column.has_default()}
    differing = (required - values.keys()) | (
        values.keys() - {field.name for field in fields}
    )
    if differing:
        _refuse_line(
            kind.file_name,
            number,
            _("missing or unknown: %(names)s")
            % {"names": ", ".join(sorted(differing))},
        )
    for column in fields:
        if column.name not in values:
            continue
        try:
            setattr(
                row, column.attname, _import_value(column, values[column.name], keys)
            )
        except (
            ValidationError,
            _WrongLineError,
            TypeError,
            ValueError,
            OverflowError,
        ) as error:
            fault = (
                "; ".join(error.messages)
                if isinstance(error, ValidationError)
                else str(error)
            )
            _refuse_line(kind.file_name, number, f"{column.name}: {fault}")
    try:
        row.clean()
        if kind is TOURNAMENTS:
            check_options_of_game(row.game, row.table_size, row.options)
    except ValidationError as error:
        for name, messages in error.message_dict.items():
            _refuse_line(kind.file_name, number, f"{name}: {'; '.join(messages)}")
    return row


def _import_value(column: "Field[Any, Any]", value: Any, keys: NewKeys) -> Any:
    """Return the value for a column.

    Raises ValidationError, _WrongLineError, TypeError, ValueError or OverflowError.
    """
    if value is None:
        if not column.null:
            raise _WrongLineError(_("a value is missing"))
        return None
    if isinstance(column, ForeignKey):
        return resolve_key(keys, column.related_model, value)
    if isinstance(column, DateTimeField):
        try:
            return parse_aware_datetime(value)
        except (TypeError, ValueError, OverflowError):
            raise _WrongLineError(_("not a time with a time zone")) from None
    value = _clean_value(column, value)
    if column.model is Round and column.name in NAMING_ENTRIES:
        return renumber_entries(column.name, value, partial(_find_entry_key, keys))
    return value


def _find_entry_key(keys: NewKeys, position: object) -> int | None:
    """Return the new key of an entry; None if `position` is a key of the old server instead."""
    with suppress(_WrongLineError):
        return resolve_key(keys, Entry, position)
    return None


def _clean_value(column: "Field[Any, Any]", value: Any) -> Any:
    """Return the value as the column's type, validated as forms do. Raises like `_import_value`."""
    is_text = isinstance(column, CharField | TextField)
    if is_text and not isinstance(value, str):
        raise _WrongLineError(_("not text"))
    if column.name == "name" and column.model is not Import:
        _check_name_characters(value)
    value = column.to_python(value)
    column.validate(value, None)
    if isinstance(value, date) and not MINYEAR < value.year < MAXYEAR:
        raise _WrongLineError(_("not a valid date"))
    _least, most = LIMITS.get(column.get_internal_type(), (0, 0))
    if most and value > most:
        raise _WrongLineError(_("larger than %(most)s") % {"most": most})
    # Django does not run validators on empty lists and objects either.
    for check in column.validators if value or not is_text else ():
        check(value)
    return value


def _check_name_characters(name: str) -> None:
    """Raise _WrongLineError if a name has a fault, such as no visible characters."""
    if fault := find_name_fault(name):
        raise _WrongLineError(translate(fault))


def resolve_key(keys: NewKeys, model: Any, position: object) -> int:
    """Return the new key of the row at a position, from 1, in the file of its model.

    Raises _WrongLineError if there is none.
    """
    new_keys = keys.get(model, array("q"))
    if type(position) is not int or not 1 <= position <= len(new_keys):
        raise _WrongLineError(_("there’s no row %(place)s") % {"place": position})
    return new_keys[position - 1]


def _import_rows(
    archive: _ArchiveWithTextChanges,
    kind: ArchiveTable,
    club: Club,
    keys: NewKeys,
    moved: dict[str, str],
) -> None:
    new_keys = (
        keys.setdefault(kind.model, array("q")) if kind.model in REFERRED else None
    )
    lines = _read_lines(archive, kind.file_name)
    has_club = any(column.name == "club" for column in kind.model._meta.fields)
    while batch := list(islice(lines, BATCH_SIZE)):
        rows = []
        for number, values in batch:
            row = fill_row(kind, number, values, keys, kind.model())
            if has_club:
                row.club = club
            rows.append(row)
        _replace_taken_values(kind, rows, moved)
        kind.model._default_manager.bulk_create(rows)
        if new_keys is not None:
            new_keys.extend(row.pk for row in rows)


RENEWED: Mapping[str, Callable[[], object]] = {
    "address": new_address,
    "code": new_code,
    "key": uuid4,
}
"""Columns that are unique on a server, with functions that return a new value."""


def _replace_taken_values(
    kind: ArchiveTable, rows: Sequence[Any], moved: dict[str, str]
) -> None:
    """Replace unique values that are already taken: an archive may contain any value.

    New addresses of tournaments are added to `moved`, and their appointments get the same.
    """
    for column in kind.fields():
        if not column.unique or isinstance(column, ForeignKey):
            continue
        values = [getattr(row, column.attname) for row in rows]
        rows_with_values = kind.model._default_manager.filter(
            **{f"{column.name}__in": values}
        )
        used_values = set(rows_with_values.values_list(column.name, flat=True))
        for row, value in zip(rows, values, strict=True):
            if value in moved:
                setattr(row, column.attname, moved[value])
            elif value in used_values:
                setattr(row, column.attname, RENEWED[column.name]())
                if kind is TOURNAMENTS and column.name == "address":
                    moved[value] = row.address


def _import_matches(archive: _ArchiveWithTextChanges, keys: NewKeys) -> None:
    new_keys = keys.setdefault(Match, array("q"))
    for number, values in _read_lines(archive, MATCHES.file_name):
        try:
            match = _import_match(values, keys)
        except Refusal as refusal:
            _refuse_line(MATCHES.file_name, number, refusal)
        except (*UNREADABLE, _WrongLineError) as error:
            _refuse_line(
                MATCHES.file_name,
                number,
                _("the log can’t be read: %(fault)s") % {"fault": error},
            )
        new_keys.append(match.pk)


def _import_match(values: dict[str, Any], keys: NewKeys) -> Match:
    """Store a match, derived from its log, and return it.

    It gets a new key, because another match here may have the key in the file. It also gets a
    new address if its own is taken or invalid.
    """
    address = values["address"]
    if not is_address(address) or Match.objects.filter(address=address).exists():
        address = new_address()
    if values["game"] not in GAMES:
        raise _WrongLineError(_("unknown game %(game)s") % {"game": values["game"]})
    for name, kinds in {"options": dict, "meta": dict | None}.items():
        if not isinstance(values[name], kinds):
            raise _WrongLineError(f"{name}: " + _("not an object"))
    earlier = values["rematch_of"]
    match = Match(
        address=address,
        key=uuid4(),
        game=values["game"],
        options=values["options"],
        started_at=parse_aware_datetime(values["started_at"]),
        rematch_of_id=None if earlier is None else resolve_key(keys, Match, earlier),
        meta=values["meta"],
        as_it_stands=bool(values["as_it_stands"]),
        closed=bool(values["closed"]),
        secret=secrets.token_hex(SECRET_LENGTH // 2) if values["guarded"] else "",
    )
    match.clean_fields(exclude=["rematch_of", "meta"])
    match.save()
    seats = [
        Seat(
            match=match,
            index=index,
            player_id=resolve_key(keys, Player, seat["player"]),
            name=seat["name"],
        )
        for index, seat in enumerate(values["seats"])
    ]
    for seat in seats:
        _check_name_characters(seat.name)
        seat.clean_fields(exclude=["match", "player"])
    Seat.objects.bulk_create(seats)
    new_player_keys = keys.get(Player, array("q"))
    log = []
    for value in values["log"]:
        body = value["body"]
        if value["kind"] == LogEntry.Kind.RESEAT and isinstance(body, dict):
            # Archives of earlier releases have the players' keys on their old server. If two
            # players have the name, the key is 0, and earlier hands count for the current player
            # of the seat.
            players_with_name = Player.objects.filter(name=body["name"])
            player_keys = [
                pk
                for pk in players_with_name.values_list("pk", flat=True)
                if pk in new_player_keys
            ]
            place = body["player"]
            is_place = type(place) is int and 1 <= place <= len(new_player_keys)
            if is_place and new_player_keys[place - 1] in player_keys:
                player_keys = [new_player_keys[place - 1]]
            body = {**body, "player": player_keys[0] if len(player_keys) == 1 else 0}
            value = {**value, "body": body}
        log.append(value)
    import_log(match, log)
    mark_as_imported(match)
    return match


def _import_separations(archive: _ArchiveWithTextChanges, keys: NewKeys) -> None:
    pairs = []
    through = Entry.apart.through
    for number, values in _read_lines(archive, SEPARATIONS_FILE):
        try:
            entry_1 = resolve_key(keys, Entry, values["entry"])
            entry_2 = resolve_key(keys, Entry, values["other"])
        except (_WrongLineError, LookupError) as error:
            _refuse_line(SEPARATIONS_FILE, number, error)
        # Symmetric relations need a row for each direction.
        pairs += [
            through(from_entry_id=entry_1, to_entry_id=entry_2),
            through(from_entry_id=entry_2, to_entry_id=entry_1),
        ]
    through.objects.bulk_create(pairs, batch_size=BATCH_SIZE)
