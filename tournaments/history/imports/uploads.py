"""Uploads of past results, read in the background."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.rules.names import strip_unsafe
from tournaments.event.setup.spreadsheets import UnreadableListError
from tournaments.history.imports.files import cells_in_file, list_sheets_and_best_fit
from tournaments.models import Club, Upload
from tournaments.signals import uploaded


@transaction.atomic
def store_or_replace_upload(
    *,
    club: Club,
    key: UUID,
    name: str,
    content: bytes,
    game: str,
    family_first: bool,
    now: datetime,
) -> Upload:
    """Store an upload and queue it for reading; the same file is not read twice.

    Another file under the same key, after going back in the browser, replaces the first.
    """
    key = derive_key_for_owner(key, "upload", club.pk)
    existing = Upload.objects.filter(club=club, key=key).first()
    upload = existing or Upload(club=club, key=key)
    if existing is None or bytes(existing.content) != content:
        upload.name, upload.game = strip_unsafe(name)[:100], game
        upload.family_first = family_first
        upload.content, upload.made_at = content, now
        upload.sheets, upload.sheet = [], None
        _save_and_queue_reading(upload)
    return upload


@transaction.atomic
def choose_sheet(*, upload_id: int, sheet: int, now: datetime) -> Upload:
    """Choose a sheet of the upload and queue it for reading; return the upload.

    A sheet that does not exist or is already chosen changes nothing.
    """
    upload = Upload.objects.select_for_update().get(pk=upload_id)
    if sheet in range(len(upload.sheets)) and sheet != upload.sheet:
        upload.sheet, upload.made_at = sheet, now
        _save_and_queue_reading(upload)
    return upload


def _save_and_queue_reading(upload: Upload) -> None:
    upload.cells, upload.fault = None, ""
    upload.save()
    transaction.on_commit(lambda: uploaded.send_robust(Upload, upload_id=upload.pk))


def read_pending_upload(*, upload_id: int, now: datetime) -> bool:
    """Read an upload that waits for it, and store its cells or the fault.

    Return False if the upload does not wait, for example because it was read already.
    """
    upload = Upload.objects.awaiting_reading(now).filter(pk=upload_id).first()
    if upload is None:
        return False
    content, today = bytes(upload.content), timezone.localdate(now)
    try:
        if not upload.sheets:
            sheets = list_sheets_and_best_fit(upload.name, content, today=today)
            upload.sheets, upload.sheet = list(sheets.names), sheets.fitting
            upload.fitting_sheets = [sheets.fitting, *sheets.other_indexes]
        upload.cells = cells_in_file(
            upload.name, content, today=today, sheet=upload.sheet
        )
    except UnreadableListError as error:
        upload.fault = str(error)
    upload.save(update_fields=["sheets", "fitting_sheets", "sheet", "cells", "fault"])
    return True
