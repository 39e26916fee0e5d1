"""Long lists, a page at a time: an opaque cursor says where the next page begins."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from ninja import Field, Schema
from pydantic import create_model

from scoring.api.problems import ProblemError

SALT = "scoring.api.cursor"
MOST, USUAL = 200, 50
"""Items on a page, at most and where nobody says."""
LONGEST_CURSOR = 500

Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)


class PageAsked(Schema):
    """Which part of a list is wanted."""

    limit: int = Field(USUAL, ge=1, le=MOST, description="Items on a page.")
    cursor: str = Field(
        "",
        max_length=LONGEST_CURSOR,
        description="`next` of the page before; it goes with the same filters alone.",
    )


class Page(Schema, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: str | None = Field(
        description="The cursor of the page after this one; null on the last."
    )


def page_model(item: type[Schema]) -> type[Page[Any]]:
    """Return the schema of a page of these items."""
    name = item.__name__.removesuffix("Out").removesuffix("Line") + "Page"
    return create_model(name, __base__=Page[item], __doc__="A page of a list.")  # type: ignore[valid-type]


def paginate(
    request: HttpRequest, items: Sequence[Any] | QuerySet[Any], asked: PageAsked
) -> dict[str, Any]:
    """Return a page of a list or of a query, which takes one query."""
    if isinstance(items, QuerySet):
        page, following = _page_of_rows(request, items, asked)
    else:
        page, following = _page_of_list(request, items, asked)
    return {"items": page, "next": following}


def _page_of_rows(
    request: HttpRequest, rows: QuerySet[Row], asked: PageAsked
) -> tuple[Sequence[Row], str | None]:
    """Return a page and the cursor of the next.

    A query is ordered by columns, all upwards or, with `-`, all downwards, the last of them
    unique: so whatever is added meanwhile moves nothing from one page to another.
    """
    order = [str(name) for name in rows.query.order_by]
    columns = [name.lstrip("-") for name in order]
    compared = "lt" if order[0].startswith("-") else "gt"
    if after := _read(request, asked, len(columns)):
        fields = [_field(rows.model, name) for name in columns]
        values = [
            field.to_python(value) for field, value in zip(fields, after, strict=True)
        ]
        beyond = Q()
        for place, (name, value) in enumerate(zip(columns, values, strict=True)):
            level = dict(zip(columns[:place], values[:place], strict=True))
            beyond |= Q(**level, **{f"{name}__{compared}": value})
        rows = rows.filter(beyond)
    listed = list(rows[: asked.limit + 1])
    page = listed[: asked.limit]
    if len(listed) <= asked.limit:
        return page, None
    ends = [_field(rows.model, name).value_to_string(page[-1]) for name in columns]
    return page, _written(request, ends)


def _field(model: type[Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)


def _page_of_list(
    request: HttpRequest, items: Sequence[Item], asked: PageAsked
) -> tuple[Sequence[Item], str | None]:
    after = _read(request, asked, 1)
    start = after[0] if after else 0
    end = start + asked.limit
    return items[start:end], _written(request, [end]) if end < len(items) else None


def _question(request: HttpRequest) -> str:
    """Return what tells one list from others: whose it is, and what it keeps."""
    filters = sorted(
        (name, values)
        for name, values in request.GET.lists()
        if name not in ("cursor", "limit")
    )
    return sha256(repr((request.path, filters)).encode()).hexdigest()[:16]


def _written(request: HttpRequest, values: Sequence[Any]) -> str:
    # Without a moment in it, so that the same page is the same text.
    return signing.Signer(salt=SALT).sign_object([_question(request), list(values)])


def _read(request: HttpRequest, asked: PageAsked, size: int) -> list[Any]:
    """Return where a cursor goes on, nothing without one; raises ProblemError."""
    if not asked.cursor:
        return []
    try:
        question, values = signing.Signer(salt=SALT).unsign_object(asked.cursor)
    except (signing.BadSignature, TypeError, ValueError):
        raise ProblemError("foreign-cursor") from None
    if question != _question(request) or len(values) != size:
        raise ProblemError("foreign-cursor")
    return list(values)
