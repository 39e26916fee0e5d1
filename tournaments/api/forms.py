"""The forms of pages as API input, so that both follow the same rules."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

from django import forms
from django.db.models import Model
from django.http import QueryDict
from django.utils.choices import flatten_choices
from django.utils.translation import gettext
from ninja import Schema
from ninja.orm.fields import TYPES
from pydantic import create_model

from scoring.api.problems import ProblemError
from scoring.api.schemas import (
    BodySchema,
    Day,
    Moment,
    Name,
    SmallInt,
    StrictBool,
    Text,
)
from scoring.games.text_fields import NameField, ShortTextField
from tournaments.web.desk.settings_form import TieBreaksField
from tournaments.web.fields import ZonedDateTimeField

FIELD_TYPES: dict[type[forms.Field], Any] = {
    NameField: Name,
    ShortTextField: Text,
    ZonedDateTimeField: Moment,
    forms.DateField: Day,
    forms.BooleanField: StrictBool,
    forms.IntegerField: SmallInt,
    forms.CharField: Text,
    TieBreaksField: list[Name],
}
"""API types of form fields; fields with choices accept one of their choices."""


def form_data(values: Mapping[str, Any]) -> QueryDict:
    """Return values in the form in which a browser would post them."""
    post_data = QueryDict(mutable=True)
    for name, value in values.items():
        if value is None or value is False:
            continue
        if name == "tie_breaks":
            for place, tie_break in enumerate(value):
                post_data[f"{name}_{place}"] = tie_break
        elif isinstance(value, list):
            post_data.setlist(name, value)
        else:
            post_data[name] = (
                value.isoformat() if isinstance(value, datetime) else value
            )
    return post_data


def form_data_with_changes(form: Any, changes: Mapping[str, Any]) -> QueryDict:
    """Return the post data of an unbound form after these changes."""
    return form_data(
        {
            name: changes.get(name, form.get_initial_for_field(field, name))
            for name, field in form.fields.items()
        }
    )


def require_valid_form(form: Any) -> Any:
    """Return the form if it is valid. Raises ProblemError with the errors of each field."""
    if form.is_valid():
        return form
    faults = []
    for name, errors in form.errors.as_data().items():
        field = form.fields.get(name)
        first_field = (
            field.fields[0] if isinstance(field, forms.MultiValueField) else field
        )
        for error in errors:
            messages = error.messages
            if error.code == "invalid_choice" and isinstance(
                first_field, forms.ChoiceField
            ):
                # A page shows the choices, but a program needs their values.
                template = gettext("Must be one of %(choices)s.")
                messages = [
                    template % {"choices": ", ".join(_choice_values(first_field))}
                ]
            faults += [
                {"field": "" if name == "__all__" else name, "message": message}
                for message in messages
            ]
    raise ProblemError("refused", faults=faults)


def _choice_values(field: forms.ChoiceField) -> list[str]:
    """Return the values of a field's choices."""
    offered: Any = field.choices
    pairs: Iterable[Any] = flatten_choices(offered)
    return [str(value) for value, _label in pairs if value]


def form_schema(form_class: Any, *required: str) -> Any:
    """Return the input schema of a form; fields that are not `required` are optional."""
    columns: dict[str, Any] = {}
    for name, field in form_class.base_fields.items():
        if isinstance(field, forms.ChoiceField):
            kind: Any = Literal.__getitem__(tuple(_choice_values(field)))
        else:
            kind = FIELD_TYPES[type(field)]
        if isinstance(field, forms.MultipleChoiceField):
            kind = list.__class_getitem__(kind)
        columns[name] = (kind, ...) if name in required else (kind | None, None)
    return create_model(form_class.__name__, __base__=BodySchema, **columns)


def model_schema(model: type[Model], *names: str) -> Any:
    """Return a schema of model columns; unlike ninja's, only nullable ones may be null."""
    columns: dict[str, Any] = {}
    for name in names:
        field: Any = model._meta.get_field(name)
        python: Any = TYPES[field.get_internal_type()]
        columns[name] = (python | None if field.null else python, ...)
    return create_model(model.__name__, __base__=Schema, **columns)
