"""Users who may create clubs can import a club from another server."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.factories.archives import build_archive, change_unique_values
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory, UserFactory
from tests.tournaments.files.archive.test_archive import small_club
from tournaments.files.archive.arrivals import LARGEST, import_arrival
from tournaments.models import Arrival, Club, Role, Tournament, User
from tournaments.tasks import resend_lost_tasks_and_delete_outdated_rows

pytestmark = [pytest.mark.django_db, pytest.mark.long(3)]

PAGE = "/bring-a-club/"


@pytest.fixture
def user() -> User:
    account: User = UserFactory.create()
    return account


@pytest.fixture
def visitor(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def archive() -> bytes:
    club = small_club()
    content = build_archive(club)
    change_unique_values(club)
    return content


def upload_archive(
    client: Client, content: bytes, slug: str = "", key: UUID | None = None
) -> Any:
    """Upload an archive and return the response."""
    form_data = {
        "file": SimpleUploadedFile("club.zip", content),
        "slug": slug,
        "key": str(key or uuid4()),
    }
    return client.post(PAGE, form_data)


def test_importing_user_becomes_club_director(
    visitor: Client,
    user: User,
    archive: bytes,
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = upload_archive(visitor, archive, slug="brought")
    club = Club.objects.get(slug="brought")
    assert club.get_role(user) == Role.DIRECTOR
    assert visitor.get(response["Location"])["Location"] == club.get_absolute_url()
    assert bytes(Arrival.objects.get().content) == b""


def test_names_tournaments_with_new_addresses(
    visitor: Client, archive: bytes, django_capture_on_commit_callbacks: Any
) -> None:
    for slug in ("first", "second"):
        with django_capture_on_commit_callbacks(execute=True):
            response = upload_archive(visitor, archive, slug=slug)
        page = visitor.get(response["Location"], follow=True).content.decode()
        assert ("1 tournament has a new address" in page) == (slug == "second")


def test_pending_import_shows_progress_and_timeout(
    visitor: Client, archive: bytes
) -> None:
    response = upload_archive(visitor, archive)
    page = visitor.get(response["Location"]).content.decode()
    assert "Importing the club." in page
    Arrival.objects.update(made_at=timezone.now() - timedelta(minutes=21))
    timeout_page = visitor.get(response["Location"]).content.decode()
    assert "took longer than 20 minutes" in timeout_page


def test_rejected_import_gives_a_reason_and_changes_no_data(
    visitor: Client, archive: bytes
) -> None:
    count_before = Tournament.objects.count()
    response = upload_archive(visitor, archive[: len(archive) // 2])
    arrival = Arrival.objects.get()
    assert not import_arrival(arrival_id=arrival.pk, now=timezone.now())
    page = visitor.get(response["Location"]).content.decode()
    assert "This archive is incomplete" in page
    assert Tournament.objects.count() == count_before


@pytest.mark.parametrize(
    ("content", "slug", "message"),
    [
        (b"", "", "The submitted file is empty"),
        (b"x" * (LARGEST + 1), "", "larger than 4 MB"),
        (b"x", "taken", "A club already has this address"),
        (b"x", "not an address", "Use only letters from a to z, digits and hyphens"),
    ],
    ids=["empty", "too large", "taken", "no address"],
)
def test_invalid_upload_is_reported_at_its_field(
    visitor: Client, content: bytes, slug: str, message: str
) -> None:
    ClubFactory.create(slug="taken")
    page = upload_archive(visitor, content, slug).content.decode()
    assert message in page
    assert not Arrival.objects.exists()


def test_limits_concurrent_imports_to_two(visitor: Client, archive: bytes) -> None:
    for _time in range(2):
        upload_archive(visitor, archive)
    page = upload_archive(visitor, archive).content.decode()
    assert "Wait for those" in page
    assert Arrival.objects.count() == 2


def test_sweep_retries_lost_imports_and_deletes_them_after_a_day(
    visitor: Client, user: User, archive: bytes
) -> None:
    upload_archive(visitor, archive, slug="late")
    resend_lost_tasks_and_delete_outdated_rows()
    assert Club.objects.get(slug="late").get_role(user) == Role.DIRECTOR
    Arrival.objects.update(made_at=NOW - timedelta(days=400))
    resend_lost_tasks_and_delete_outdated_rows()
    assert not Arrival.objects.exists()
