"""Error responses as problem documents (RFC 9457), each with a way to fix the error."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _
from ninja import Field, Schema

CONTENT_TYPE = "application/problem+json"
TYPE_PREFIX = "/api/v1/reference#problem-"
"""Prefix of the name of a kind; together they are the URL of its description."""


class ProblemKind(NamedTuple):
    status: int
    title: str | Promise


KINDS: dict[str, ProblemKind] = {
    "unreadable": ProblemKind(400, _("This cannot be read.")),
    "foreign-cursor": ProblemKind(400, _("This cursor belongs to another question.")),
    "no-token": ProblemKind(401, _("This needs a token that opens something.")),
    "not-allowed": ProblemKind(403, _("Who asks may not do this.")),
    "not-there": ProblemKind(404, _("There is nothing here for who asks.")),
    "other-method": ProblemKind(405, _("This address takes other methods.")),
    "stale": ProblemKind(409, _("It is another by now.")),
    "beside": ProblemKind(409, _("Somebody was quicker; both stand side by side.")),
    "doubtful": ProblemKind(
        409, _("A name may mean someone who is known. Say who is meant.")
    ),
    "closed": ProblemKind(410, _("Nothing more is taken here.")),
    "too-large": ProblemKind(413, _("This is too large.")),
    "invalid": ProblemKind(422, _("Fields are missing, unknown or wrong.")),
    "refused": ProblemKind(422, _("This cannot be.")),
    "too-often": ProblemKind(429, _("Too many calls in a minute.")),
    "broken": ProblemKind(500, _("Something broke here.")),
    "away": ProblemKind(503, _("This site is busy; ask again soon.")),
    "full": ProblemKind(
        507, _("Nothing new can be kept here at the moment; everything can be read.")
    ),
}
"""By name; released kinds never change their name or status."""


class FaultOut(Schema):
    """One thing that is wrong, and what would be right."""

    field: str = Field(description="What it is about; empty for the whole.")
    clause: str = Field("", description="The clause of the rules that decides it.")
    message: str
    choices: list[str] = Field(
        [], description="What may be meant, if that is the question."
    )


class ProblemOut(Schema):
    """Why something was not done. Nothing was changed by it, unless `key` says otherwise."""

    type: str = Field(description="Which kind of problem, and where it is described.")
    title: str
    status: int
    detail: str
    faults: list[FaultOut] = []


class ProblemError(Exception):
    """Raised by an operation to send a problem document."""

    def __init__(
        self,
        kind: str,
        detail: str = "",
        *,
        faults: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **further: Any,
    ) -> None:
        super().__init__(kind, detail)
        self.kind, self.detail, self.faults = kind, detail, faults
        self.headers, self.further = headers or {}, further

    @property
    def summary(self) -> str:
        """Return one line with the first faults and the number of further ones."""
        lines = [
            ": ".join(filter(None, (fault["field"][:LONGEST_FIELD], fault["message"])))
            for fault in self.faults[:MOST_IN_DETAIL]
        ]
        if len(self.faults) <= 1:
            return "".join(lines)
        said = "; ".join(line.removesuffix(".") for line in lines)
        more = len(self.faults) - len(lines)
        if not more:
            return f"{said}."
        words = gettext("%(said)s; and %(more)s more in “faults”.")
        return words % {"said": said, "more": more}

    def response(self) -> HttpResponse:
        status, title = KINDS[self.kind]
        body = {
            "type": TYPE_PREFIX + self.kind,
            "title": str(title),
            "status": status,
            "detail": self.detail or self.summary or str(title),
            "faults": [{"field": "", "clause": "", **fault} for fault in self.faults],
            **self.further,
        }
        return HttpResponse(
            json.dumps(body),
            content_type=CONTENT_TYPE,
            status=status,
            headers=dict(self.headers),
        )


def unauthorized(detail: str) -> ProblemError:
    """Return the problem for a call without the required API key."""
    return ProblemError(
        "no-token", detail, headers={"WWW-Authenticate": 'Bearer realm="Tricky"'}
    )


def refused(field: str, message: str) -> ProblemError:
    """Return the problem for an impossible value of a field."""
    return ProblemError(
        "refused", message, faults=[{"field": field, "message": message}]
    )


MOST_IN_DETAIL = 3
LONGEST_FIELD = 40


WHOLE_NUMBER = _("Enter a whole number.")
YES_OR_NO = _("true or false is expected here.")
ONE_OF = _("One of %(choices)s is expected here.")
UUID = _("A UUID is expected here.")
MOMENT = _("Write it as in 2026-03-12T19:30:00+01:00.")
DAY = _("Write it as in 2026-03-12.")
MESSAGES = {
    "extra_forbidden": _("There is no such field."),
    "missing": _("This field is missing."),
    "json_invalid": _("This is no JSON."),
    "string_type": _("Text is expected here."),
    "string_too_short": ngettext_lazy(
        "At least %(min_length)s character is expected here.",
        "At least %(min_length)s characters are expected here.",
        "min_length",
    ),
    "string_too_long": ngettext_lazy(
        "At most %(max_length)s character is taken here.",
        "At most %(max_length)s characters are taken here.",
        "max_length",
    ),
    "int_type": WHOLE_NUMBER,
    "int_parsing": WHOLE_NUMBER,
    "int_from_float": WHOLE_NUMBER,
    "greater_than_equal": _("A number from %(ge)s on is expected here."),
    "less_than_equal": _("A number up to %(le)s is expected here."),
    "bool_type": YES_OR_NO,
    "bool_parsing": YES_OR_NO,
    "dict_type": _("An object is expected here."),
    "list_type": _("A list is expected here."),
    "too_short": _("A list of at least %(min_length)s is expected here."),
    "too_long": _("A list of at most %(max_length)s is taken here."),
    "literal_error": ONE_OF,
    "enum": ONE_OF,
    "uuid_type": UUID,
    "uuid_parsing": UUID,
    "datetime_parsing": MOMENT,
    "datetime_from_date_parsing": MOMENT,
    "timezone_aware": MOMENT,
    "date_parsing": DAY,
    "date_from_datetime_parsing": DAY,
}
"""Messages by Pydantic's error type; other types have Pydantic's own message."""


def invalid(errors: Sequence[Mapping[str, Any]]) -> ProblemError:
    """Return the problem for fields that do not match the schema."""
    faults = []
    for error in errors:
        source, *names = error["loc"]
        # The name of the parameter precedes the fields of a body, and of some queries.
        field = ".".join(map(str, names[1:] or names or [source]))
        about, kind = dict(error.get("ctx", {})), error["type"]
        if source == "body" and len(names) <= 1:
            field, message = "body", gettext("Send an object in JSON as the body.")
        elif kind not in MESSAGES:
            message = str(error["msg"]).removeprefix("Value error, ")
        elif "expected" in about:
            choices = about["expected"].replace(" or ", ", ").replace("'", "")
            is_one = ", " not in choices
            words = (
                gettext("“%(choices)s” is expected here.") if is_one else str(ONE_OF)
            )
            message = words % {"choices": choices}
        else:
            message = str(MESSAGES[kind] % about)
        faults.append({"field": field, "message": message})
    return ProblemError("invalid", faults=faults)


STATUS_KINDS = {kind.status: name for name, kind in reversed(KINDS.items())}
"""The first kind with each status, for errors of which only the status is known."""


def problem_of_status(status: int, headers: Mapping[str, str]) -> ProblemError:
    """Return the problem for an error of which only the status is known."""
    is_ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    name = STATUS_KINDS.get(status, "broken" if is_ours else "unreadable")
    return ProblemError(name, headers=headers)
