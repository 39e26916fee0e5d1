"""Large files of past results, read where nobody waits for an answer."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.matchlog.client_keys import bind_key
from tournaments.event.setup.spreadsheets import UnreadableListError
from tournaments.history.imports.files import cells_in_file
from tournaments.models import Club, Upload
from tournaments.signals import uploaded


@transaction.atomic
def keep_upload(
    *,
    club: Club,
    key: UUID,
    name: str,
    content: bytes,
    game: str,
    family_first: bool,
    now: datetime,
) -> Upload:
    """Return the upload, which is read soon; the same file is not read twice.

    Another file under the same key, after a *Back*, takes the place of the first.
    """
    key = bind_key(key, "upload", club.pk)
    known = Upload.objects.filter(club=club, key=key).first()
    upload = known or Upload(club=club, key=key)
    if known is None or bytes(known.content) != content:
        upload.name, upload.game, upload.family_first = name[:100], game, family_first
        upload.content, upload.made_at = content, now
        upload.cells, upload.fault = None, ""
        upload.save()
        transaction.on_commit(lambda: uploaded.send_robust(Upload, upload_id=upload.pk))
    return upload


def read_upload(*, upload_id: int, now: datetime) -> bool:
    """Return whether a file was read, or why not stored; one that was read stays so."""
    upload = Upload.objects.unread(now).filter(pk=upload_id).first()
    if upload is None:
        return False
    try:
        upload.cells = cells_in_file(
            upload.name, bytes(upload.content), today=timezone.localdate(now)
        )
    except UnreadableListError as unreadable:
        upload.fault = str(unreadable)
    upload.save(update_fields=["cells", "fault"])
    return True
