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
    "unreadable": ProblemKind(400, _("Tricky can’t read this request.")),
    "foreign-cursor": ProblemKind(400, _("This cursor belongs to a different query.")),
    "no-token": ProblemKind(401, _("You need a valid API key.")),
    "not-allowed": ProblemKind(403, _("You don’t have permission to do this.")),
    "not-there": ProblemKind(404, _("Not found, or not visible to you.")),
    "other-method": ProblemKind(405, _("This address doesn’t accept that method.")),
    "stale": ProblemKind(409, _("The data has changed. Reload and try again.")),
    "beside": ProblemKind(
        409, _("Someone else saved first. There are now two versions.")
    ),
    "doubtful": ProblemKind(
        409, _("A name may mean an existing player. Say who you mean.")
    ),
    "closed": ProblemKind(
        410, _("This match or tournament is closed and can’t be changed.")
    ),
    "too-large": ProblemKind(413, _("The request is too large.")),
    "invalid": ProblemKind(422, _("Some fields are missing, unknown or invalid.")),
    "refused": ProblemKind(422, _("This request isn’t possible.")),
    "too-often": ProblemKind(
        429, _("Too many requests. Wait a minute, then try again.")
    ),
    "broken": ProblemKind(500, _("Something went wrong.")),
    "away": ProblemKind(503, _("The server is busy. Try again soon.")),
    "full": ProblemKind(
        507, _("Tricky can’t save right now. You can still read everything.")
    ),
}
"""By name; released kinds never change their name or status."""


class FaultOut(Schema):
    """A fault, with a way to correct it."""

    field: str = Field(
        description="The field with the fault; empty for the whole request."
    )
    clause: str = Field("", description="The clause of the rules that it breaks.")
    message: str
    choices: list[str] = Field(
        [], description="The possible values, if one has to be chosen."
    )


class ProblemOut(Schema):
    """Why an operation failed. Nothing was changed, unless there is a `key`."""

    type: str = Field(description="The kind of problem, as the URL of its description.")
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
    def fault_summary(self) -> str:
        """Return one line with the first faults and the number of further ones."""
        lines = [
            ": ".join(filter(None, (fault["field"][:LONGEST_FIELD], fault["message"])))
            for fault in self.faults[:MAX_FAULTS_IN_DETAIL]
        ]
        if len(self.faults) <= 1:
            return "".join(lines)
        fault_summary = "; ".join(line.removesuffix(".") for line in lines)
        more = len(self.faults) - len(lines)
        if not more:
            return f"{fault_summary}."
        template = gettext("%(said)s. See “faults” for %(more)s more.")
        return template % {"said": fault_summary, "more": more}

    def response(self) -> HttpResponse:
        status, title = KINDS[self.kind]
        body = {
            "type": TYPE_PREFIX + self.kind,
            "title": str(title),
            "status": status,
            "detail": self.detail or self.fault_summary or str(title),
            "faults": [{"field": "", "clause": "", **fault} for fault in self.faults],
            **self.further,
        }
        return HttpResponse(
            json.dumps(body),
            content_type=CONTENT_TYPE,
            status=status,
            headers=dict(self.headers),
        )


def unauthorized_problem(detail: str) -> ProblemError:
    """Return the problem for a call without the required API key."""
    return ProblemError(
        "no-token", detail, headers={"WWW-Authenticate": 'Bearer realm="Tricky"'}
    )


def refused_value_problem(field: str, message: str) -> ProblemError:
    """Return the problem for an impossible value of a field."""
    return ProblemError(
        "refused", message, faults=[{"field": field, "message": message}]
    )


MAX_FAULTS_IN_DETAIL = 3
LONGEST_FIELD = 40


WHOLE_NUMBER = _("Enter a whole number.")
YES_OR_NO = _("Must be true or false.")
CHOICE_REQUIRED = _("Must be one of %(choices)s.")
UUID = _("Must be a UUID.")
MOMENT = _("Use the format 2026-03-12T19:30:00+01:00.")
DAY = _("Use the format 2026-03-12.")
MESSAGES = {
    "extra_forbidden": _("Unknown field."),
    "missing": _("This field is required."),
    "json_invalid": _("This isn’t valid JSON."),
    "string_type": _("Must be text."),
    "string_too_short": ngettext_lazy(
        "Must have at least %(min_length)s character.",
        "Must have at least %(min_length)s characters.",
        "min_length",
    ),
    "string_too_long": ngettext_lazy(
        "Must have at most %(max_length)s character.",
        "Must have at most %(max_length)s characters.",
        "max_length",
    ),
    "int_type": WHOLE_NUMBER,
    "int_parsing": WHOLE_NUMBER,
    "int_from_float": WHOLE_NUMBER,
    "greater_than_equal": _("Must be %(ge)s or more."),
    "less_than_equal": _("Must be %(le)s or less."),
    "bool_type": YES_OR_NO,
    "bool_parsing": YES_OR_NO,
    "dict_type": _("Must be an object."),
    "list_type": _("Must be a list."),
    "too_short": _("Must be a list of %(min_length)s or more items."),
    "too_long": _("Must be a list of %(max_length)s or fewer items."),
    "literal_error": CHOICE_REQUIRED,
    "enum": CHOICE_REQUIRED,
    "uuid_type": UUID,
    "uuid_parsing": UUID,
    "datetime_parsing": MOMENT,
    "datetime_from_date_parsing": MOMENT,
    "timezone_aware": MOMENT,
    "date_parsing": DAY,
    "date_from_datetime_parsing": DAY,
}
"""Messages by Pydantic's error type; other types have Pydantic's own message."""


def schema_problem(errors: Sequence[Mapping[str, Any]]) -> ProblemError:
    """Return the problem for fields that do not match the schema."""
    faults = []
    for error in errors:
        source, *names = error["loc"]
        # The name of the parameter precedes the fields of a body, and of some queries.
        field = ".".join(map(str, names[1:] or names or [source]))
        limits, kind = dict(error.get("ctx", {})), error["type"]
        if source == "body" and len(names) <= 1:
            field, message = "body", gettext("Send a JSON object.")
        elif kind not in MESSAGES:
            message = str(error["msg"]).removeprefix("Value error, ")
        elif "expected" in limits:
            choices = limits["expected"].replace(" or ", ", ").replace("'", "")
            is_one = ", " not in choices
            template = (
                gettext("Must be “%(choices)s”.") if is_one else str(CHOICE_REQUIRED)
            )
            message = template % {"choices": choices}
        else:
            message = str(MESSAGES[kind] % limits)
        faults.append({"field": field, "message": message})
    return ProblemError("invalid", faults=faults)


STATUS_KINDS = {kind.status: name for name, kind in reversed(KINDS.items())}
"""The first kind with each status, for errors of which only the status is known."""


def problem_of_status(status: int, headers: Mapping[str, str]) -> ProblemError:
    """Return the problem for an error of which only the status is known."""
    is_ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    name = STATUS_KINDS.get(status, "broken" if is_ours else "unreadable")
    return ProblemError(name, headers=headers)
