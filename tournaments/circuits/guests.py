"""Results of other hosts: whom a circuit trusts, and bringing in what they signed."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Player
from tournaments.changes import RefusedError
from tournaments.circuits.documents import ResultLine, SignedResult, read_signed
from tournaments.circuits.host_keys import is_public_key, public_key
from tournaments.models import (
    Circuit,
    GuestPlayer,
    GuestResult,
    GuestTournament,
    TrustedHost,
    User,
)

A_DAY = timedelta(days=1)


@transaction.atomic
def trust_host(
    *, circuit_id: int, name: str, key: str, by: User | None, now: datetime
) -> TrustedHost:
    """Return the host whose signature a circuit takes from now on.

    One whose trust was ended is trusted again. Raises RefusedError for what is no key, the
    key of this host, and one that is trusted already.
    """
    if not is_public_key(key):
        raise RefusedError(
            "public_key",
            _("This is no public key: it begins with “ed25519:” and 43 signs follow."),
        )
    if key == public_key():
        raise RefusedError(
            "public_key",
            _("This is the key of this host. Clubs of this host take part themselves."),
        )
    circuit = Circuit.objects.select_for_update(no_key=True).get(pk=circuit_id)
    known = circuit.hosts.filter(public_key=key).first()
    if known is not None and known.removed_at is None:
        raise RefusedError(
            "public_key",
            _("This key is trusted already, as “%(name)s”.") % {"name": known.name},
        )
    host = known or TrustedHost(
        circuit=circuit, public_key=key, added_at=now, added_by=by
    )
    host.name, host.removed_at = name, None
    host.save()
    return host


def distrust_host(*, host_id: int, now: datetime) -> None:
    """Take nothing more of a host from now on; what was brought in stays."""
    TrustedHost.objects.filter(pk=host_id, removed_at=None).update(removed_at=now)


class Became(StrEnum):
    """What became of a document."""

    ADDED = "added"
    CORRECTED = "corrected"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtIn:
    """A tournament of another host as it stands now, and what became of the document."""

    guest: GuestTournament
    became: Became


@transaction.atomic
def bring_in(
    *, circuit_id: int, content: bytes, by: User | None, now: datetime
) -> BroughtIn:
    """Return the tournament that another host signed, now a result of a circuit.

    A later revision takes the place of the one before, which stays for leaderboards of
    past days; the same document again changes nothing. Raises RefusedError for anything
    else, and nothing is changed then.
    """
    signed = read_signed(content)
    circuit = Circuit.objects.select_for_update(no_key=True).get(pk=circuit_id)
    host = circuit.hosts.filter(public_key=signed.host, removed_at=None).first()
    if host is None:
        raise RefusedError(
            "file",
            _(
                "It is signed by a host that this circuit does not know: %(key)s. Where that "
                "is right, add its key first."
            )
            % {"key": signed.host},
        )
    # A day later than in UTC is the latest that it is anywhere.
    if signed.held_on > now.astimezone(UTC).date() + A_DAY:
        raise RefusedError("file", _("It says that it is held in the future."))
    revisions = GuestTournament.objects.filter(host=host, key=signed.key)
    latest = revisions.order_by("-revision", "-pk").first()
    if latest is not None and (known := _known(latest, signed)):
        return BroughtIn(guest=known, became=Became.REPEATED)
    was_there = revisions.current().update(known_until=now)
    # What a later one says of names, an earlier one says otherwise; its results are stored.
    revisions.update(document="")
    guest = GuestTournament.objects.create(
        circuit=circuit,
        host=host,
        key=signed.key,
        revision=signed.revision,
        club_name=signed.club,
        name=signed.name,
        held_on=signed.held_on,
        game=signed.game,
        document=signed.document,
        brought_in_by=by,
        known_from=now,
    )
    _store_lines(guest, signed, now)
    return BroughtIn(
        guest=guest, became=Became.CORRECTED if was_there else Became.ADDED
    )


def _known(latest: GuestTournament, signed: SignedResult) -> GuestTournament | None:
    """Return the revision where a document is the one that is there; None for a new one.

    Raises RefusedError for an older one, and for another of the same number.
    """
    if signed.revision > latest.revision:
        return None
    if signed.revision < latest.revision:
        raise RefusedError(
            "file",
            _(
                "A later revision of “%(name)s” was brought in before: %(known)s, and this "
                "is %(revision)s."
            )
            % {
                "name": latest.name,
                "known": latest.revision,
                "revision": signed.revision,
            },
        )
    if _results_in(signed.document) != _results_in(latest.document):
        raise RefusedError(
            "file",
            _(
                "Another document of the same revision of “%(name)s” was brought in before. "
                "Ask its host which one holds."
            )
            % {"name": latest.name},
        )
    # Taken out by a director, and now wanted again.
    return latest if latest.known_until is None else None


def _results_in(document: str) -> list[Any]:
    """Return what a document says of results, whatever club and tournament are called."""
    tournament = json.loads(document)["tournament"]
    return [tournament[name] for name in ("held_on", "entries", "players")]


def _store_lines(guest: GuestTournament, signed: SignedResult, now: datetime) -> None:
    players = _players_of(guest.host, signed.lines, now)
    GuestResult.objects.bulk_create(
        GuestResult(
            tournament=guest,
            player_id=players[line.player],
            rank=line.rank,
            players=signed.entries,
            place_points=line.place_points,
            earned_points=line.points,
            tables=line.tables,
            table_points=line.table_points,
            wins=line.wins,
            places=line.places,
        )
        for line in signed.lines
    )


def _players_of(
    host: TrustedHost, lines: Iterable[ResultLine], now: datetime
) -> dict[str, int]:
    """Return by their number there who is whom here, called as they are called now."""
    known = {
        guest.key: guest for guest in host.players.select_related("player").order_by()
    }
    players: dict[str, int] = {}
    renamed: list[Player] = []
    for line in lines:
        guest = known.get(line.player)
        if guest is None:
            player = Player.objects.create(name=line.name, created_at=now)
            GuestPlayer.objects.create(host=host, key=line.player, player=player)
        else:
            player = guest.player
            if player.name != line.name:
                player.name = line.name
                renamed.append(player)
        players[line.player] = player.pk
    Player.objects.bulk_update(renamed, ["name"])
    return players


def take_out(*, guest_id: int, now: datetime) -> None:
    """Let a tournament of another host count no more from now on."""
    GuestTournament.objects.filter(pk=guest_id, known_until=None).update(
        known_until=now
    )
