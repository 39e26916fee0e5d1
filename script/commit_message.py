"""Checks the subject of a commit message: `python script/commit_message.py FILE`, as a hook of git."""

import re
import sys
from pathlib import Path

MAX_LENGTH = 72
GENERATED = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")
"""Subjects that git writes itself."""
NOT_IMPERATIVE = re.compile(r"\w*[aeiouy]\w*(?:ing|[^\We]ed)", re.IGNORECASE)
"""Adding, Added; but not Bring, Feed or Shed."""
IMPERATIVE = frozenset({"embed"})


def subject_faults(subject: str) -> list[str]:
    """Return what is wrong with a subject; empty if nothing is.

    >>> subject_faults("Reject days outside the month")
    []
    >>> subject_faults("added days.")
    ['begin with a capital letter', 'end without a full stop', 'use the imperative: Add, not Added or Adding']
    """
    if subject.startswith(GENERATED):
        return []
    first = (re.findall(r"[\w-]+", subject) or [""])[0]
    is_imperative = (
        first.lower() in IMPERATIVE or NOT_IMPERATIVE.fullmatch(first) is None
    )
    rules = {
        f"use at most {MAX_LENGTH} characters": len(subject) <= MAX_LENGTH,
        "begin with a capital letter": subject[:1].isupper(),
        "end without a full stop": not subject.endswith("."),
        "use the imperative: Add, not Added or Adding": is_imperative,
    }
    return [rule for rule, holds in rules.items() if not holds]


def read_subject(message: str) -> str:
    """Return the first line that is neither empty nor a comment."""
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


if __name__ == "__main__":
    subject = read_subject(Path(sys.argv[1]).read_text())
    if faults := subject_faults(subject):
        sys.exit(f"Subject “{subject}”: {', '.join(faults)}.")
