"""Pagination with opaque cursors, which mark the beginning of the next page."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from ninja import Field, Schema
from pydantic import create_model

from scoring.api.problems import ProblemError

Item = TypeVar("Item")


class PageQuery(Schema):
    """The part of a list to return."""

    limit: int = Field(50, ge=1, le=200, description="The number of items on a page.")
    cursor: str = Field(
        "",
        max_length=500,
        description="`next` of the previous page. Send it with the same filters.",
    )


class Page(Schema, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: str | None = Field(
        description="The cursor of the next page; null on the last page."
    )


def page_model(item: type[Schema]) -> type[Page[Any]]:
    """Return the schema of a page of these items."""
    name = item.__name__.removesuffix("Out").removesuffix("Line") + "Page"
    return create_model(name, __base__=Page[item], __doc__="A page of a list.")  # type: ignore[valid-type]


def paginate(
    request: HttpRequest, items: Sequence[Any] | QuerySet[Any], query: PageQuery
) -> dict[str, Any]:
    """Return a page of a list, or of a queryset with one query.

    A queryset must be ordered by columns, each with or without `-`, the last of them unique, so
    that new rows do not move others between pages.
    """
    filters = sorted(
        (name, values)
        for name, values in request.GET.lists()
        if name not in ("cursor", "limit")
    )
    order = items.query.order_by if isinstance(items, QuerySet) else ()
    columns = [str(column) for column in order]
    # The signature is only valid for this list; it has no time, so that equal pages have equal text.
    signer = signing.Signer(salt=repr(("cursor", request.path, filters, columns)))
    position: list[Any] = []
    page: Sequence[Any]
    if query.cursor:
        try:
            position = signer.unsign_object(query.cursor)
        except (signing.BadSignature, TypeError, ValueError):
            raise ProblemError("foreign-cursor") from None
    if isinstance(items, QuerySet):
        later_rows, equal_so_far = Q(), Q()
        for column, value_text in zip(columns, position, strict=bool(position)):
            name, comparison = (
                column.lstrip("-"),
                "lt" if column.startswith("-") else "gt",
            )
            value = _ordering_field(items.model, column).to_python(value_text)
            later_rows |= equal_so_far & Q(**{f"{name}__{comparison}": value})
            equal_so_far &= Q(**{name: value})
        rows = list(items.filter(later_rows)[: query.limit + 1])
        page, is_last = rows[: query.limit], len(rows) <= query.limit
        fields = [_ordering_field(items.model, column) for column in columns]
        end = [] if is_last else [field.value_to_string(page[-1]) for field in fields]
    else:
        start = position[0] if position else 0
        page, end = items[start : start + query.limit], [start + query.limit]
        is_last = end[0] >= len(items)
    return {"items": page, "next": None if is_last else signer.sign_object(end)}


def _ordering_field(model: type[Model], column: str) -> Any:
    name = column.lstrip("-")
    return model._meta.pk if name == "pk" else model._meta.get_field(name)
