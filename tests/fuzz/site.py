"""A small site with content at every address, a record of its writes, and faults."""

import traceback
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.core.cache import caches
from django.db import connection
from django.test import Client

from scoring.matchlog.starting import start_match
from scoring.matchlog.tokens import match_write_token
from scoring.models import Player
from scoring.rules import GAMES
from tests.factories.circuits import add_to_circuit, new_circuit
from tests.factories.commands import author, enter_hand
from tests.factories.history import counted_tournament, evening, update_history
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    UserFactory,
    member,
    own_phone,
    play_round,
    running_round,
    tournament_with,
)
from tests.fuzz.hostile import split_words
from tests.scoring.games.tricks_and_treats.test_board_log import laid_match
from tests.worked_records import RECORDS
from tournaments.event import rounds
from tournaments.event.results import add_penalty
from tournaments.models import (
    Arrival,
    Claim,
    Club,
    Invitation,
    Role,
    Season,
    Tournament,
    Upload,
)
from tournaments.people.merges import merge_players

ROOT = Path(__file__).parents[2]
PACKAGES = ("backups", "scoring", "tournaments", "tricky_site")
SLUG = "club-x"
RECORD_DOCUMENTS: list[Any] = [case.values[0] for case in RECORDS]
BOOKKEEPING = {
    "django_session": "what a browser was shown, and what it is told next",
    "tournaments_securityevent": "that somebody tried",
    "usersessions_usersession": "when an account was there last, where it signed in",
    "tournaments_guesses": "how often a wrong code was typed",
    "tricky_cache": "how often something was done",
}
"""Tables with bookkeeping of visits, which refusals and reading may write."""
BOOKKEEPING_COLUMNS = {
    # The number of unsent entries of a phone.
    "scoring_match": {"kept"},
    "tournaments_apitoken": {"last_used_at"},
    "tournaments_user": {"last_login"},
}
"""Columns with bookkeeping in other tables."""


@dataclass(frozen=True)
class Fault:
    summary: str
    """The same for all inputs with this fault."""
    details: str = ""


def describe_fault(error: BaseException, source: str) -> Fault:
    location = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PACKAGES:
            location = f" at {path.relative_to(ROOT)}:{frame.lineno}"
    details = "".join(traceback.format_exception(error))
    return Fault(f"{type(error).__name__}{location} ({source})", details[-6_000:])


class Phone(NamedTuple):
    """The phone of a table: its match, token, a record with hands, and the version."""

    address: str
    token: str
    record: Mapping[str, Any]
    version: int


class Site:
    def __init__(self) -> None:
        self.club: Club = ClubFactory.create(slug=SLUG)
        self.past = counted_tournament(
            "2026-02-05", 5, club=self.club, name="Past night"
        )
        self.night = tournament_with(8, club=self.club, writing="own", quorum="none")
        first = running_round(self.night)
        play_round(first)
        rounds.close(round_id=first.pk, now=NOW)
        running_round(self.night)
        self.planned = tournament_with(
            [*"VWXYZ", "Ada II"], club=self.club, name="Next"
        )
        self.league = TournamentFactory.create(
            club=self.club, format=Tournament.Format.LEAGUE
        )
        self.circuit = new_circuit(self.club, slug="circuit-x")
        add_to_circuit(self.circuit, self.past)
        self.elsewhere = tournament_with(4, name="Elsewhere")
        self.phones = [self._phone(record) for record in RECORD_DOCUMENTS[::3]]
        self.board = laid_match(3, treats={"spy": 19, "mixer": 3})
        self._sign_in_all()
        self.values = self._values()

    def _phone(self, record: Mapping[str, Any]) -> Phone:
        """Return the phone of a new match with one hand."""
        match = start_match(
            key=uuid4(),
            game=record["game"],
            names=record["players"],
            options=record["options"],
            now=NOW,
        )
        first, *_others = record["hands"]
        enter_hand(match_id=match.pk, number=1, raw=first, author=author())
        match.refresh_from_db()
        return Phone(match.address, match_write_token(match), record, match.version)

    def _sign_in_all(self) -> None:
        users = {
            "account": UserFactory.create(),
            "viewer": member(self.club, Role.VIEWER),
            "scorer": member(self.club, Role.SCORER),
            "director": member(self.club, Role.DIRECTOR),
            "stranger's director": member(self.elsewhere.club, Role.DIRECTOR),
        }
        self.director, self.account = users["director"], users["account"]
        self.clients = {
            "stranger": Client(),
            "phone": own_phone(self.night.entries.get(number=1)),
        }
        for name, user in users.items():
            self.clients[name] = Client()
            self.clients[name].force_login(user)
            EmailAddress.objects.create(
                user=user, email=user.email, primary=True, verified=True
            )
        for client in self.clients.values():
            client.raise_request_exception = False
        self._cookies = {
            name: deepcopy(client.cookies) for name, client in self.clients.items()
        }

    def reset(self) -> None:
        """Restore the cookies of all clients, and clear the caches."""
        for name, client in self.clients.items():
            client.cookies = deepcopy(self._cookies[name])
        for name in caches.settings:
            caches[name].clear()

    def _values(self) -> dict[str, list[Any]]:
        """Return possible values of URL arguments by name."""
        players = list(Player.objects.order_by("pk").values_list("pk", flat=True))
        season = Season.objects.create(
            club=self.club,
            name="Spring",
            slug="spring",
            starts_on="2026-01-01",
            ends_on="2026-06-30",
        )
        Claim.objects.create(
            club=self.club, player_id=players[0], user=self.account, made_at=NOW
        )
        merge_players(
            club_id=self.club.pk,
            kept=self.past.entries.get(number=1).player,
            merged=self.planned.entries.get(number=6).player,
            user=None,
            now=NOW,
        )
        add_penalty(
            entry=self.night.entries.get(number=2),
            points="1",
            reason="late",
            user=None,
            now=NOW,
        )
        invitation = Invitation.objects.create(
            club=self.club,
            email="bo@example.org",
            role=Role.SCORER,
            made_by=self.director,
            made_at=NOW,
        )
        arrival = Arrival.objects.create(
            user=self.director,
            key=UUID(int=7),
            name="club.zip",
            content=b"",
            made_at=NOW,
        )
        upload = Upload.objects.create(
            club=self.club, key=UUID(int=8), name="past.csv", game="tricky", made_at=NOW
        )
        new_webhook(self.club)
        update_history(self.club, evening("2026-03-13"))
        match = self.night.rounds.get(number=2).tables.get(number=1).match
        assert match is not None
        return {
            "slug": [SLUG],
            "season": ["all", season.slug],
            "uuid": [arrival.key, upload.key, UUID(int=9)],
            "game": list(GAMES),
            "pk": [1, 2, *players[:3]],
            "merged": players[2:4],
            "kept": players[:2],
            "circuit": [self.circuit.slug],
            "ending": ["csv", "xlsx", "json"],
            "colour": ["1f4e8c"],
            "number": [1, 2],
            "seat": [0, 1],
            "table": [1, 2],
            "trick": [1],
            "step": [0, 1],
            "version": ["0123456789abcdef"],
            "chart_name": ["rating", "places"],
            "name": ["match-record"],
            "match": [
                match.address,
                self.board.address,
                *(phone.address for phone in self.phones),
            ],
            "tournament": [
                *([self.night.address] * 3),
                *(
                    tournament.address
                    for tournament in (self.past, self.planned, self.league)
                ),
            ],
            "foreign": [self.elsewhere.address, self.elsewhere.club.slug],
            "invitation": [invitation.address],
            "verb": VERBS,
            "uidb36": ["1"],
            "key": ["x-y"],
        }


VERBS = split_words(
    "accept add again agree archive away back call cancel choose close confirm dispute "
    "distrust end follow forget go here hold late leave longer next off on open out pause "
    "publish put-back redo remove reopen resume settle start take take-out try undo "
    "unfollow void"
)


def record_writes() -> None:
    """Create triggers that record every write from now on, except bookkeeping."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        tables = [
            table
            for table in connection.introspection.table_names(cursor)
            if table not in BOOKKEEPING
        ]
        cursor.execute("CREATE TABLE fuzz_written (what varchar(200))")
        for table in tables:
            columns = [
                column.name
                for column in connection.introspection.get_table_description(
                    cursor, table
                )
                if column.name not in BOOKKEEPING_COLUMNS.get(table, ())
            ]
            for statement in (_sqlite_triggers if is_sqlite else _postgresql_triggers)(
                table, columns
            ):
                cursor.execute(statement)


def _sqlite_triggers(table: str, columns: list[str]) -> list[str]:
    is_changed = " OR ".join(
        f'NEW."{column}" IS NOT OLD."{column}"' for column in columns
    )
    conditions = {"INSERT": "1", "DELETE": "1", "UPDATE": is_changed}
    trigger = 'CREATE TRIGGER "fuzz_{1}_{0}" AFTER {0} ON "{1}" WHEN {2} BEGIN {3}; END'
    note = "INSERT INTO fuzz_written VALUES ('{} {}')"
    return [
        trigger.format(verb, table, condition, note.format(verb, table))
        for verb, condition in conditions.items()
    ]


def _postgresql_triggers(table: str, columns: list[str]) -> list[str]:
    is_changed = " OR ".join(
        f'NEW."{column}" IS DISTINCT FROM OLD."{column}"' for column in columns
    )
    conditions = {"INSERT": "true", "DELETE": "true", "UPDATE": is_changed}
    return [
        """
        CREATE OR REPLACE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO fuzz_written VALUES (TG_OP || ' ' || TG_TABLE_NAME); RETURN NULL;
        END $$
        """,
        *(
            f'CREATE TRIGGER "fuzz_{verb}" AFTER {verb} ON "{table}" FOR EACH ROW '
            f"WHEN ({condition}) EXECUTE FUNCTION fuzz_note()"
            for verb, condition in conditions.items()
        ),
    ]


def take_writes() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT what FROM fuzz_written")
        writes = {row[0] for row in cursor.fetchall()}
        if writes:
            cursor.execute("DELETE FROM fuzz_written")
    return writes
