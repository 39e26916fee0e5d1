"""Prepares the site for `script/server`: `python -m tricky_site.prepare [--no-demo]`.

All steps run in one process, as each further one would take two seconds to load Django.
"""

import os
import sys
from hashlib import sha256
from pathlib import Path

import django

from tricky_site.ports import reserve_ports_and_renew_certificate
from tricky_site.startup import exit_on_wrong_setting

FINGERPRINT = "sources.sha256"
"""The file in `STATIC_ROOT` with a hash of the sources from which it was collected."""


def prepare_site() -> None:
    """Check settings and ports, migrate, offer the demo, collect static files, print the addresses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    with exit_on_wrong_setting():
        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        from tricky_site.commands import exit_on_unusable_database

    # First the steps that can fail: ports and certificate. The ports stay reserved until this ends.
    _reserved = reserve_ports_and_renew_certificate()
    with exit_on_unusable_database():
        call_command("migrate", verbosity=0)
        if "--no-demo" not in sys.argv:
            call_command("demo", offer=True)
    collect_changed_statics(Path(settings.STATIC_ROOT))
    call_command("address")


def collect_changed_statics(folder: Path) -> bool:
    """Collect static files unless the folder has those of the same sources; return whether it did."""
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    code = Path(__file__).parent
    paths = [code / "settings.py", code / "http" / "statics.py"]
    paths += [
        Path(storage.path(name))
        for finder in get_finders()
        for name, storage in finder.list([])
    ]
    fingerprint = sha256()
    for path in sorted(paths):
        status = path.stat()
        fingerprint.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode())
    fingerprint_file = folder / FINGERPRINT
    if (
        fingerprint_file.exists()
        and fingerprint_file.read_text() == fingerprint.hexdigest()
    ):
        return False
    fingerprint_file.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    fingerprint_file.write_text(fingerprint.hexdigest())
    return True


if __name__ == "__main__":
    prepare_site()
