"""The site's account of PostgreSQL reads and writes rows; tables and what was logged are its owner's."""

import os
import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import LogEntry, Match
from tests.browser.club import PASSWORD
from tests.factories import HAND, author, settled_match
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.processes import Completed, run_manage
from tournaments.event import rounds
from tournaments.models import Role, SecurityEvent, User
from tournaments.models.account_rights import replace_rights
from tournaments.tasks import forget_sessions

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        not settings.DATABASE_URL, reason="SQLite has no accounts: a file has one owner"
    ),
]
ACCOUNT = "tricky app of a test"


@pytest.fixture
def as_the_site() -> Iterator[None]:
    """Go on as an account that the owner gave its rights; it is gone with the transaction."""
    name = connection.ops.quote_name(ACCOUNT)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {name}")
        replace_rights(connection, ACCOUNT)
        cursor.execute(f"SET LOCAL ROLE {name}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def refused(statement: str) -> str:
    """Return why PostgreSQL refuses a statement; empty where it does not."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return str(error).splitlines()[0]
    return ""


STRUCTURE = [
    "CREATE TABLE extra (id int)",
    "ALTER TABLE scoring_logentry DISABLE TRIGGER ALL",
    "ALTER TABLE scoring_logentry ADD COLUMN extra int",
    "DROP TRIGGER log_never_changed ON scoring_logentry",
    "DROP TRIGGER log_never_deleted ON scoring_logentry",
    "DROP TRIGGER events_have_their_time ON tournaments_securityevent",
    "DROP TABLE tournaments_securityevent",
    "SET session_replication_role = replica",
    "ALTER FUNCTION scoring_log_is_append_only() RENAME TO another",
    "DELETE FROM django_migrations",
]
LOGGED = [
    "DELETE FROM scoring_logentry",
    "TRUNCATE scoring_logentry CASCADE",
    "UPDATE scoring_logentry SET kind = 'void'",
    "UPDATE scoring_logentry SET made_at = now()",
    "UPDATE scoring_logentry SET body = '{}'",
    "UPDATE scoring_logentry SET made_by = 'Eve'",
    "UPDATE tournaments_securityevent SET kind = 'signed_in'",
    "UPDATE tournaments_securityevent SET at = now() - interval '1 year'",
    "DELETE FROM tournaments_securityevent",
    "TRUNCATE tournaments_securityevent",
]


def test_site_account_cannot_change_tables(as_the_site: None) -> None:
    why = {statement: refused(statement) for statement in STRUCTURE}
    expected = re.compile("must be owner|permission denied")
    assert {it for it, said in why.items() if not expected.search(said)} == set()


def test_site_account_cannot_change_log_entries(as_the_site: None) -> None:
    settled_match([HAND])
    SecurityEvent.objects.create(kind="sign_in_failed", at=timezone.now())
    why = {statement: refused(statement) for statement in LOGGED}
    expected = re.compile("permission denied|log is append-only|kept for its time")
    assert {it for it, said in why.items() if not expected.search(said)} == set()


def test_security_events_expire(as_the_site: None) -> None:
    old = timezone.now() - timedelta(days=31)
    SecurityEvent.objects.create(kind="sign_in_failed", at=old)
    user = User.objects.create_user("ana@example.org")
    SecurityEvent.objects.create(user=user, kind="signed_in", at=old)
    forget_sessions()
    assert list(SecurityEvent.objects.values_list("user", flat=True)) == [user.pk]


def test_site_account_can_play_close_and_erase_a_night(
    as_the_site: None,
) -> None:
    client = Client()
    posted = {"email": "rosa@example.org", "password1": PASSWORD}
    assert client.post(reverse("account_signup"), posted).status_code == 302
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    night = tournament_with(4, club=club)
    play_round(running_round(night))
    match = Match.objects.get(table__round__tournament=night)
    correct_hand(
        match_id=match.pk,
        number=1,
        raw={"points": [5, 12, 20, 1]},
        author=author(now=NOW + timedelta(hours=1)),
    )
    rounds.close(
        round_id=night.rounds.order_by("number")[0].pk,
        now=NOW + timedelta(hours=2),
        override="a test",
    )
    drawn = running_round(night)
    rounds.withdraw_rounds(round_id=drawn.pk)
    sure = {"sure": "1"}
    finish = reverse("tournaments:finish", args=[night.address])
    assert client.post(finish, sure).status_code == 302
    night.refresh_from_db()
    assert night.phase == night.Phase.FINISHED
    assert client.get(night.get_absolute_url()).status_code == 200
    player = match.seats.get(index=0).player
    name = player.name
    erase = reverse("tournaments:player_erase", args=[club.slug, player.pk])
    assert client.post(erase, {"name": name}).status_code == 302
    player.refresh_from_db()
    assert player.name == f"Former player {player.pk}"
    assert not LogEntry.objects.filter(made_by=name).exists()


@pytest.mark.rare
@pytest.mark.services
def test_owner_migrates_and_site_account_backs_up_and_serves(
    tmp_path: Path,
) -> None:
    suffix = f"{os.getpid()}"
    owner, site, name = (f"tricky_{each}_{suffix}" for each in ("owner", "site", "two"))
    at = connection.settings_dict
    place = f"{at['HOST'] or '127.0.0.1'}:{at['PORT'] or 5432}/{name}"
    two = {
        "DATABASE_URL": f"postgres://{site}@{place}",
        "DATABASE_OWNER_URL": f"postgres://{owner}@{place}",
        "TRICKY_VAR": str(tmp_path / "var"),
    }

    def manage(*words: str) -> Completed:
        return run_manage(*words, **two)

    apart = connection.copy()
    apart.set_autocommit(True)
    with apart.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        try:
            accounts = {
                "PGHOST": at["HOST"] or "127.0.0.1",
                "PGPORT": str(at["PORT"] or 5432),
                "POSTGRES_USER": at["USER"],
                "POSTGRES_DB": name,
                "DATABASE_OWNER": owner,
                "DATABASE_OWNER_PASSWORD": "a secret",
                "DATABASE_ACCOUNT": site,
                "DATABASE_PASSWORD": "another",
            }
            made_by = Path(settings.BASE_DIR) / "deploy/postgres-accounts"
            # As at the first start, and as for a database that is there.
            for _time in (1, 2):
                subprocess.run(made_by, env={**os.environ, **accounts}, check=True)
            migrated = manage("migrate", "--verbosity=0")
            assert migrated.returncode == 0, migrated.stderr
            assert manage("demo", "--if-empty").returncode == 0
            made = manage("backup", f"--folder={tmp_path / 'kept'}")
            assert made.returncode == 0, made.stderr
            # Again, as with each release: what was given is given, and no more.
            assert manage("migrate", "--verbosity=0").returncode == 0
            (kept,) = (tmp_path / "kept").iterdir()
            back = manage("restore", str(kept), "--replace")
            assert back.returncode == 0, back.stderr
            checked = manage("rebuild", "--check")
            assert "0 differences" in checked.stdout, checked.stderr
            said = manage(
                "shell",
                "-c",
                "from django.db import connection as c; "
                "c.cursor().execute('DROP TRIGGER log_never_changed ON scoring_logentry')",
            )
            assert "must be owner of" in said.stderr
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
            cursor.execute(f"DROP ROLE {owner}, {site}")
    apart.close()
