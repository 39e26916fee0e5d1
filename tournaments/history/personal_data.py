"""Export, rename and erase the personal data of a player in a club."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from scoring.matchlog.renaming import (
    rename_players_and_count_matches,
    replace_names_in_reasons,
    replace_names_within_json,
)
from scoring.models import HandScore, LogEntry, Match, Player, Seat
from scoring.rules.names import lookalike_key, normalize_text, same_name_key
from tournaments.changes import RefusedError, mark_history_changed
from tournaments.event.entries import check_player_name
from tournaments.event.outlook import IN_A_REQUEST, store_outlook_with_standings
from tournaments.event.results import store_current_standings
from tournaments.history.imports.past_results import (
    read_past_results,
    with_replaced_names,
)
from tournaments.models import (
    Announcement,
    Appointment,
    AutoStep,
    Claim,
    Club,
    Entry,
    HookEvent,
    Import,
    Merge,
    NightEvent,
    Penalty,
    Placing,
    RemovedEntry,
    Result,
    Revision,
    Round,
    Season,
    Standings,
    StandingsRow,
    Table,
    Tournament,
    User,
)
from tournaments.people.identities import direct_merge_targets, same_person_ids
from tournaments.people.similar_names import SimilarNameError, find_similar_players


def players_of_person(club: Club, player_id: int) -> list[Player]:
    """Return all players of a club that were merged into one person, that player included."""
    merged_into = direct_merge_targets(club)
    same = same_person_ids(player_id, merged_into)
    return list(Player.objects.filter(pk__in=same).order_by("pk"))


def export_person(club: Club, player_id: int) -> dict[str, Any]:
    """Return all data stored about a person in a club, for JSON."""
    players = players_of_person(club, player_id)
    names = {player.name for player in players}
    seats = Seat.objects.filter(player__in=players).select_related("match")
    substitute_scores = HandScore.objects.filter(played_by__in=players)
    matches = [seat.match_id for seat in seats]
    return {
        "format": "tricky-person",
        "version": 1,
        "club": club.name,
        "players": [_serialize_record(player) for player in players],
        "entries": _serialize_records(Entry.objects.filter(player__in=players)),
        "penalties": _serialize_records(
            Penalty.objects.filter(entry__player__in=players)
        ),
        "seats": [
            {
                **_serialize_record(seat),
                "game": seat.match.game,
                "match": seat.match.address,
                "hands": list(
                    seat.scores.filter(played_by=None)
                    .order_by("hand__number")
                    .values("hand__number", "points", "total")
                ),
            }
            for seat in seats
        ],
        "hands_of_handed_on_seats": list(
            substitute_scores.order_by("hand").values(
                "hand__match__address", "hand__number", "points"
            )
        ),
        "entered": _serialize_records(
            LogEntry.objects.filter(match__in=matches, made_by__in=names)
        ),
        "standings": _serialize_records(
            StandingsRow.objects.filter(
                entry__player__in=players, entry__tournament__club=club
            )
        ),
        "placings": _serialize_records(
            Placing.objects.filter(club=club, player__in=players)
        ),
        "results": _serialize_records(
            Result.objects.filter(club=club, player__in=players)
        ),
        "claims": [
            {**_serialize_record(claim), "account": claim.user.email}
            for claim in Claim.objects.filter(player__in=players, club=club)
        ],
        "merges": _serialize_records(
            Merge.objects.filter(club=club, merged__in=players)
        ),
    }


def _serialize_records(records: Any) -> list[dict[str, Any]]:
    return [_serialize_record(record) for record in records]


def _serialize_record(record: Model) -> dict[str, Any]:
    """Return the columns of a row, without many-to-many fields."""
    columns = [field.name for field in record._meta.concrete_fields]
    values = model_to_dict(record, fields=columns)
    dated = {name: getattr(record, name) for name in columns if name not in values}
    return {**dated, **values}


@transaction.atomic
def anonymise_person(*, club: Club, player_id: int, typed_name: str) -> str:
    """Erase the names of a person everywhere in the club and return the replacement name.

    This cannot be undone, so `typed_name` must be the person's name. Results stay unchanged. Raises
    RefusedError if `typed_name` is another name.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    players = players_of_person(club, player_id)
    root = next(player for player in players if player.pk == player_id)
    if same_name_key(typed_name) != same_name_key(root.name):
        raise RefusedError(
            "name", _("That isn’t the name. Type “%(name)s”.") % {"name": root.name}
        )
    new_name = _("Former player %(number)s") % {"number": root.pk}
    names = _rename_everywhere_and_collect_old_names(club, players, new_name)
    # Latest first: each revision has the name before it, which an earlier one may have set.
    for revision in club.revisions.filter(kind=Revision.Kind.RENAMED):
        if revision.details["called"] in names:
            names.add(revision.details["renamed"])
            revision.delete()
    for revision in club.revisions.all():
        revision.details = {
            key: new_name if isinstance(value, str) and value in names else value
            for key, value in revision.details.items()
        }
        revision.save(update_fields=["details"])
    _replace_names_in_texts(club, names, new_name)
    club_matches = Match.objects.filter(table__round__tournament__club=club)
    player_matches = Match.objects.filter(seats__player__in=players)
    for matches in (club_matches, player_matches):
        replace_names_in_reasons(matches=matches, names=names, replacement=new_name)
    erased = {same_name_key(name) for name in names}
    for tournament in club.tournaments.exclude(pending_names={}):
        tournament = Tournament.objects.lock(pk=tournament.pk)
        tournament.pending_names = {
            name: is_checked_in
            for name, is_checked_in in tournament.pending_names.items()
            if same_name_key(name) not in erased
        }
        tournament.save(update_fields=["pending_names"])
    for removed in RemovedEntry.objects.filter(tournament__club=club):
        if same_name_key(removed.name) in erased:
            removed.delete()
    Claim.objects.filter(player__in=players).delete()
    club.profiles.filter(player__in=players).delete()
    return new_name


@transaction.atomic
def rename_person(
    *,
    club: Club,
    player_id: int,
    name: str,
    user: User | None,
    now: datetime,
    is_different_person: bool = False,
) -> Player:
    """Rename a player everywhere in the club, store a revision, and return the player.

    Names of players merged into this one stay. Raises RefusedError if the name is invalid or
    belongs to another person, and SimilarNameError if it resembles that of another person,
    unless `is_different_person` confirms that they are different people.
    """
    name = normalize_text(name)
    check_player_name(name)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    player = Player.objects.get(pk=player_id)
    other_spellings = (
        rows.exclude(name=name) for rows in (player.entries, player.seats)
    )
    if name == player.name and not any(rows.exists() for rows in other_spellings):
        return player
    person = players_of_person(club, player_id)
    other_entries = Entry.objects.filter(tournament__club=club).exclude(
        player__in=person
    )
    if lookalike_key(name) in map(lookalike_key, other_entries.names()):
        raise RefusedError(
            "name",
            _(
                "This club already has a player called %(name)s. Merge "
                "them under Players if they’re the same person, or add "
                "an initial."
            )
            % {"name": name},
        )
    is_new = same_name_key(name) != same_name_key(player.name)
    if is_new and not is_different_person:
        for similar_name, similar_players in find_similar_players(
            club, [name], excluded=person
        ).items():
            raise SimilarNameError(similar_name, similar_players)
    details = {
        "renamed": player.name,
        "called": name,
        "by": user.public_name if user else "",
    }
    _rename_everywhere_and_collect_old_names(club, [player], name)
    player.refresh_from_db()
    club.revisions.create(kind=Revision.Kind.RENAMED, made_at=now, details=details)
    return player


def _rename_everywhere_and_collect_old_names(
    club: Club, players: Collection[Player], new_name: str
) -> set[str]:
    """Rename the players in all data of a club; return their old names."""
    entries = list(Entry.objects.filter(player__in=players))
    names = {player.name for player in players}
    names.update(entry.name for entry in entries)
    rename_players_and_count_matches(players=players, name=new_name)
    for entry in entries:
        entry.rename(new_name)
    # Imports that were undone as well: they can be made again from their list.
    lowered = {name.casefold() for name in names}
    for stored_import in Import.objects.filter(club=club):
        stored_import.cells = [
            [new_name if " ".join(cell.split()) in names else cell for cell in line]
            for line in stored_import.cells
        ]
        # A list may write a name in two columns, or the family name first.
        past = read_past_results(
            stored_import.cells,
            game=stored_import.game,
            today=stored_import.club.local_day(stored_import.made_at),
        )
        names_in_list = {row.player for event in past.events for row in event.rows}
        new_names = {
            name: new_name for name in names_in_list if name.casefold() in lowered
        }
        stored_import.cells = with_replaced_names(stored_import.cells, past, new_names)
        stored_import.save(update_fields=["cells"])
    # Uploads may contain the old names; they are only stored for a day anyway.
    club.uploads.all().delete()
    # The reasons in standings name other players.
    tournaments = [entry.tournament_id for entry in entries]
    for standings in Standings.objects.filter(tournament__in=tournaments):
        if not standings.frozen_as:
            moment, tournament = standings.computed_at, standings.tournament_id
            standings.delete()
            store_current_standings(tournament_id=tournament, now=moment)
            store_outlook_with_standings(
                tournament_id=tournament, most_outcomes=IN_A_REQUEST
            )
            continue
        for row in standings.rows.exclude(reason=""):
            row.reason = replace_names_within_json(row.reason, names, new_name)
            values = row.because.get("values", {})
            if values.get("player") in names:
                values["player"] = new_name
            row.save(update_fields=["reason", "because"])
    # Caches of all processes use the version in their keys.
    mark_history_changed(club.pk)
    return names


MESSAGES: Mapping[type[Model], tuple[str, Sequence[str]]] = {
    Announcement: ("tournament__club", ["text"]),
    AutoStep: ("tournament__club", ["refused"]),
    Entry: ("tournament__club", ["team"]),
    HookEvent: ("club", ["title", "lines", "content"]),
    Import: ("club", ["name"]),
    NightEvent: ("tournament__club", ["name", "reason"]),
    Penalty: ("tournament__club", ["reason"]),
    Round: ("tournament__club", ["override"]),
    Season: ("club", ["name"]),
    Table: ("round__tournament__club", ["dispute_reason"]),
    Tournament: ("club", ["name", "venue", "fee", "invitation"]),
    # Last, because saving a tournament passes its new name on to its appointment.
    Appointment: ("club", ["name", "venue"]),
}
"""Models with texts that may contain names: the lookup of their club, and the columns."""


def _replace_names_in_texts(
    club: Club, old_names: Collection[str], new_name: str
) -> None:
    for model, (path, columns) in MESSAGES.items():
        for row in model._default_manager.filter(**{path: club}):
            old_values = [getattr(row, column) for column in columns]
            new_values = [
                replace_names_within_json(value, old_names, new_name)
                for value in old_values
            ]
            if new_values == old_values:
                continue
            for column, value in zip(columns, new_values, strict=True):
                max_length = getattr(model._meta.get_field(column), "max_length", None)
                setattr(row, column, value[:max_length] if max_length else value)
            row.save(update_fields=columns)


def export_as_json(exported: Mapping[str, Any]) -> str:
    """Return an export as JSON text."""
    return json.dumps(exported, default=str, ensure_ascii=False, indent=1)
