"""All inputs of names and texts refuse unsafe characters and accept real names."""

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from typing import Any, cast, get_args, get_origin

import pytest
from django import forms
from pydantic import TypeAdapter, ValidationError

import scoring.games
import scoring.web
import tournaments.web
from scoring.api.schemas import BodySchema, OptionalReason, Reason, Text
from scoring.api.schemas import Name as APIName
from scoring.games.text_fields import NameField, ShortTextField
from scoring.matchlog.starting import check_seat_names
from scoring.rules import Refusal
from scoring.rules.match_record import read_record
from scoring.sync.protocol import UnreadableError, read_entry
from tricky_site.api.assembly import api

UNSAFE_NAMES = {
    "control": "An\x07n",
    "delete": "An\x7fn",
    "C1 control": "An\x9fn",
    "FFFE": "An\ufffen",
    "noncharacter": "An\U0001fffen",
    "override": "An\u202en",
    "isolate": "An\u2066n",
}
INVISIBLE_NAMES = {
    "zero width": "\u200b",
    "filler": "\u3164",
    "marks": "\u200e\u2060",
    "Braille blank": "\u2800\ufe0f",
    "combining alone": "\u0301",
}
REAL_NAMES = {
    "apostrophe": "O’Brien",
    "Persian": "می\u200cترا",
    "emoji": "👩\u200d🌾",
    "flag": "🏴‍☠️ Jack",
    "Hebrew with mark": "\u200fרות",
    "umlaut": "Strauß",
    "CJK": "山田 太郎",
}
UNCHECKED_FIELDS = {
    # Parsed, compared with stored values, or searched for.
    "AddAuthenticatorAppForm.code",
    "AuthenticateForm.code",
    "ReauthenticateByCodeForm.code",
    "SignupForm.username",
    "CloseAccountForm.email",
    "TournamentCodeForm.code",
    "ErasePlayerForm.name",
    "HandSearchForm.bidder",
    "PastResultsImportForm.workbook",
    "AddPlayersForm.file_as",
    "AddPlayersForm.names_as",
    "AddPlayersForm.packed_file",
    "AllowedOriginForm.origin",
    "PenaltyForm.points",
    "HistorySearchForm.q",
    "TournamentForm.bye",
    "TournamentForm.late_bye",
    "TournamentForm.requested_bye",
    "TournamentForm.places",
    "WebhookForm.url",
    # Lists: each name in them is checked when it is entered or read.
    "PastResultsImportForm.text",
    "AddPlayersForm.names",
    "OwnSeatingForm.seating",
}


def forms_of_the_site() -> Iterator[type[forms.Form]]:
    for package in (scoring.web, tournaments.web):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for value in vars(module).values():
                if (
                    isinstance(value, type)
                    and issubclass(value, forms.BaseForm)
                    and value.__module__ == info.name
                ):
                    yield cast(type[forms.Form], value)


def text_fields() -> Iterator[tuple[str, forms.Field]]:
    """Yield the fields of all forms that take any characters."""
    for form in forms_of_the_site():
        for name, field in form.base_fields.items():
            if type(field) is forms.CharField or isinstance(field, ShortTextField):
                yield f"{form.__name__}.{name}", field


def test_every_form_text_has_a_checked_field() -> None:
    unchecked = {
        name for name, field in text_fields() if not isinstance(field, ShortTextField)
    }
    assert unchecked - UNCHECKED_FIELDS == set()
    checked = [
        field for _name, field in text_fields() if isinstance(field, ShortTextField)
    ]
    assert len(checked) > 12


@pytest.mark.parametrize("name", UNSAFE_NAMES.values(), ids=UNSAFE_NAMES)
def test_refuses_unsafe_characters_in_every_form(name: str) -> None:
    for _name, field in text_fields():
        if isinstance(field, ShortTextField):
            with pytest.raises(forms.ValidationError, match=r"U\+"):
                field.clean(name)


@pytest.mark.parametrize("name", INVISIBLE_NAMES.values(), ids=INVISIBLE_NAMES)
def test_refuses_invisible_names_in_every_form(name: str) -> None:
    for _name, field in text_fields():
        if isinstance(field, NameField):
            with pytest.raises(forms.ValidationError, match="visible"):
                field.clean(name)


@pytest.mark.parametrize("name", REAL_NAMES.values(), ids=REAL_NAMES)
def test_accepts_real_names_in_every_form(name: str) -> None:
    for _name, field in text_fields():
        if isinstance(field, ShortTextField):
            assert field.clean(name) == name


def schemas(base: type[BodySchema] = BodySchema) -> Iterator[type[BodySchema]]:
    for schema in base.__subclasses__():
        yield schema
        yield from schemas(schema)


def accepts_any_text(annotation: Any, metadata: Sequence[Any]) -> bool:
    """Return whether a field accepts any characters without our check."""
    if get_origin(annotation) is not None:
        return any(
            accepts_any_text(part, [])
            if not hasattr(part, "__metadata__")
            else accepts_any_text(part.__origin__, list(part.__metadata__))
            for part in get_args(annotation)
            if not isinstance(part, str | int)
        )
    if annotation is not str:
        return False
    return not any(type(each).__name__ == "AfterValidator" for each in metadata)


def test_every_api_text_is_checked() -> None:
    assert api.get_openapi_schema()
    unchecked = {
        f"{schema.__name__}.{name}"
        for schema in schemas()
        for name, field in schema.model_fields.items()
        if accepts_any_text(field.annotation, list(field.metadata))
    }
    assert unchecked <= {
        # Parsed by its own parser.
        "ClubPatch.colour",
        "ClubPatch.language",
        "ClubPatch.time_zone",
        "ClubInput.time_zone",
        "EntryInput.body",
        "EntryInput.phone",
        "InvitationInput.email",
        "MatchInput.options",
        "WebhookPatch.url",
        "WebhookInput.url",
    }


@pytest.mark.parametrize(
    "kind",
    [APIName, Text, Reason, OptionalReason],
    ids=["name", "text", "reason", "optional reason"],
)
@pytest.mark.parametrize("name", UNSAFE_NAMES.values(), ids=UNSAFE_NAMES)
def test_refuses_unsafe_characters_from_programs(kind: Any, name: str) -> None:
    with pytest.raises(ValidationError, match=r"U\+"):
        TypeAdapter(kind).validate_python(name)


@pytest.mark.parametrize("name", REAL_NAMES.values(), ids=REAL_NAMES)
def test_accepts_real_names_everywhere_else(name: str) -> None:
    assert TypeAdapter(APIName).validate_python(name) == name
    check_seat_names([name])
    assert read_record(record_with(name)).players == (name, "Bo")


@pytest.mark.parametrize(
    "name",
    [*UNSAFE_NAMES.values(), *INVISIBLE_NAMES.values(), "An\ud800n"],
    ids=[*UNSAFE_NAMES, *INVISIBLE_NAMES, "half pair"],
)
def test_refuses_bad_names_from_phones_and_files(name: str) -> None:
    with pytest.raises(Refusal):
        check_seat_names([name])
    with pytest.raises(Refusal):
        read_record(record_with(name))


@pytest.mark.parametrize("name", UNSAFE_NAMES.values(), ids=UNSAFE_NAMES)
def test_refuses_unsafe_characters_in_every_phone_command(name: str) -> None:
    escaped = "".join(f"\\u{ord(c):04x}" if ord(c) < 0xFFFF else c for c in name)
    document = (
        '{"key": "0b6f3a86-9d1e-4b3c-8f53-0d7f6a1c2b3d", "format": "trick-entry",'
        f' "version": 1, "kind": "reseat", "body": {{"name": "{escaped}"}}}}'
    )
    with pytest.raises(UnreadableError):
        read_entry(document.encode())


def record_with(name: str) -> dict[str, Any]:
    return {
        "format": "trick-record",
        "version": 1,
        "game": "tricky",
        "players": [name, "Bo"],
        "hands": [],
    }
