"""Forms of pages, filled in by programs: so both follow the same rules."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import ChoiceField, MultiValueField
from django.http import QueryDict
from django.utils.choices import flatten_choices
from django.utils.translation import gettext

from scoring.api.problems import ProblemError, detail_of


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


def as_changed(form: Any, changes: Mapping[str, Any]) -> QueryDict:
    """Return what a browser would post after these changes of an unbound form."""
    return as_posted(
        {
            name: changes.get(name, form.get_initial_for_field(field, name))
            for name, field in form.fields.items()
        }
    )


def check_form(form: Any) -> None:
    """Raise ProblemError if the form is not valid, with each field and its way out."""
    if form.is_valid():
        return
    faults = [
        {"field": "" if name == "__all__" else name, "message": message}
        for name, errors in form.errors.as_data().items()
        for error in errors
        for message in _messages(form.fields.get(name), error)
    ]
    raise ProblemError("refused", detail_of(faults), faults=faults)


def _messages(field: Any, error: ValidationError) -> list[str]:
    """Return what is wrong; a page shows the choices, a program needs their names."""
    asked = field.fields[0] if isinstance(field, MultiValueField) else field
    if error.code != "invalid_choice" or not isinstance(asked, ChoiceField):
        return error.messages
    offered: Any = asked.choices
    pairs: Iterable[Any] = flatten_choices(offered)
    choices = [str(value) for value, _label in pairs if value]
    words = gettext("One of %(choices)s is expected here.")
    return [words % {"choices": ", ".join(choices)}]
