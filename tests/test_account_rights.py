"""The site's PostgreSQL account reads and writes rows, but cannot change tables or the log."""

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
from tournaments.models.account_rights import replace_database_rights
from tournaments.tasks import delete_expired_sessions_and_security_events

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        not settings.DATABASE_URL, reason="SQLite has no accounts: a file has one owner"
    ),
]
ACCOUNT = "tricky app of a test"


@pytest.fixture
def as_site_account() -> Iterator[None]:
    """Continue as an account with the rights of the site, until the transaction ends."""
    name = connection.ops.quote_name(ACCOUNT)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {name}")
        replace_database_rights(connection, ACCOUNT)
        cursor.execute(f"SET LOCAL ROLE {name}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def refusal_reason(statement: str) -> str:
    """Return PostgreSQL's reason to refuse a statement; empty if it does not."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return str(error).splitlines()[0]
    return ""


TABLE_CHANGES = [
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
LOG_CHANGES = [
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


def test_site_account_cannot_change_tables(as_site_account: None) -> None:
    reasons = {statement: refusal_reason(statement) for statement in TABLE_CHANGES}
    expected = re.compile("must be owner|permission denied")
    assert {
        statement
        for statement, reason in reasons.items()
        if not expected.search(reason)
    } == set()


def test_site_account_cannot_change_log_entries(as_site_account: None) -> None:
    settled_match([HAND])
    SecurityEvent.objects.create(kind="sign_in_failed", at=timezone.now())
    reasons = {statement: refusal_reason(statement) for statement in LOG_CHANGES}
    expected = re.compile("permission denied|log is append-only|kept for its time")
    assert {
        statement
        for statement, reason in reasons.items()
        if not expected.search(reason)
    } == set()


def test_security_events_expire(as_site_account: None) -> None:
    old = timezone.now() - timedelta(days=31)
    SecurityEvent.objects.create(kind="sign_in_failed", at=old)
    user = User.objects.create_user("ana@example.org")
    SecurityEvent.objects.create(user=user, kind="signed_in", at=old)
    delete_expired_sessions_and_security_events()
    assert list(SecurityEvent.objects.values_list("user", flat=True)) == [user.pk]


def test_site_account_can_play_close_and_erase_a_night(
    as_site_account: None,
) -> None:
    client = Client()
    form_fields = {"email": "rosa@example.org", "password1": PASSWORD}
    assert client.post(reverse("account_signup"), form_fields).status_code == 302
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
    drawn_round = running_round(night)
    rounds.withdraw_rounds(round_id=drawn_round.pk)
    confirmation = {"sure": "1"}
    finish = reverse("tournaments:finish", args=[night.address])
    assert client.post(finish, confirmation).status_code == 302
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
    database = connection.settings_dict
    server_path = f"{database['HOST'] or '127.0.0.1'}:{database['PORT'] or 5432}/{name}"
    environment = {
        "DATABASE_URL": f"postgres://{site}@{server_path}",
        "DATABASE_OWNER_URL": f"postgres://{owner}@{server_path}",
        "TRICKY_VAR": str(tmp_path / "var"),
    }

    def manage(*arguments: str) -> Completed:
        return run_manage(*arguments, **environment)

    admin = connection.copy()
    admin.set_autocommit(True)
    with admin.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        try:
            accounts = {
                "PGHOST": database["HOST"] or "127.0.0.1",
                "PGPORT": str(database["PORT"] or 5432),
                "POSTGRES_USER": database["USER"],
                "POSTGRES_DB": name,
                "DATABASE_OWNER": owner,
                "DATABASE_OWNER_PASSWORD": "a secret",
                "DATABASE_ACCOUNT": site,
                "DATABASE_PASSWORD": "another",
            }
            script = Path(settings.BASE_DIR) / "deploy/postgres-accounts"
            # At the first start, and for an existing database.
            for _time in (1, 2):
                subprocess.run(script, env={**os.environ, **accounts}, check=True)
            migrated = manage("migrate", "--verbosity=0")
            assert migrated.returncode == 0, migrated.stderr
            assert manage("demo", "--if-empty").returncode == 0
            backup = manage("backup", f"--folder={tmp_path / 'kept'}")
            assert backup.returncode == 0, backup.stderr
            # Again, as with each release: rights stay as they are.
            assert manage("migrate", "--verbosity=0").returncode == 0
            (file,) = (tmp_path / "kept").iterdir()
            restored = manage("restore", str(file), "--replace")
            assert restored.returncode == 0, restored.stderr
            checked = manage("rebuild", "--check")
            assert "0 differences" in checked.stdout, checked.stderr
            shell = manage(
                "shell",
                "-c",
                "from django.db import connection as c; "
                "c.cursor().execute('DROP TRIGGER log_never_changed ON scoring_logentry')",
            )
            assert "must be owner of" in shell.stderr
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
            cursor.execute(f"DROP ROLE {owner}, {site}")
    admin.close()
