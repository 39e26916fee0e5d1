#!/usr/bin/env python
"""Run Tricky's commands."""

import os
import sys

from tricky_site.commands import run_command

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    if sys.argv[1:2] == ["runserver"]:
        # The server of developers has no collected static files; DEBUG does without.
        os.environ.setdefault("DEBUG", "1")
    if sys.argv[1:2] in (["migrate"], ["restore"]) or "--remove" in sys.argv:
        # Where two accounts of the database are named, what makes tables, and removes
        # triggers with a demo, is its owner's.
        os.environ.setdefault("DATABASE_AS_OWNER", "1")
    run_command(sys.argv)
