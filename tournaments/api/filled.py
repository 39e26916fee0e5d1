"""Forms of pages, filled in by programs: so that one rule holds for both."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import QueryDict

from scoring.api.problems import ProblemError


def as_posted(values: Mapping[str, Any]) -> QueryDict:
    """Return values as a browser would post them."""
    posted = QueryDict(mutable=True)
    for name, value in values.items():
        if value is None or value is False:
            continue
        if name == "tie_breaks":
            for place, tie_break in enumerate(value):
                posted[f"{name}_{place}"] = tie_break
        elif isinstance(value, list):
            posted.setlist(name, value)
        else:
            posted[name] = value.isoformat() if isinstance(value, datetime) else value
    return posted


def check_form(form: Any) -> None:
    """Raise ProblemError for settings that cannot be, with each field and its way out."""
    if form.is_valid():
        return
    faults = [
        {"field": "" if name == "__all__" else name, "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]
    detail = " ".join(f"{fault['field']}: {fault['message']}" for fault in faults[:3])
    raise ProblemError("refused", detail, faults=faults)
