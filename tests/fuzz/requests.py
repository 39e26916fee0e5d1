"""Hostile requests of browsers and phones: forms, uploads, queries and deliveries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from http import HTTPStatus
from itertools import cycle
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, urlsplit
from uuid import UUID

from django.contrib.messages import ERROR
from django.forms import BaseForm
from django.urls import NoReverseMatch, Resolver404, resolve, reverse

from tests.browser.every_page import NO_PAGES, Pattern, patterns
from tests.fuzz.hostile import (
    change_document,
    mangle,
    some_number,
    some_text,
    split_words,
    write_json,
)
from tests.fuzz.site import (
    RECORD_DOCUMENTS,
    Fault,
    Site,
    describe_fault,
    take_writes,
)

URLENCODED = "application/x-www-form-urlencoded"
JSON = "application/json"
BOUNDARY = "----fuzz"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
ODD_TYPES = [
    *("", "text/plain", JSON, "multipart/form-data", "multipart/form-data; boundary="),
    *("x" * 300, f"{JSON}; charset=utf-16", "multipart/mixed; b=\xe9"),
    *(f"{URLENCODED}; charset=utf-7", f"{URLENCODED}; charset=klingon"),
]
HEADERS = split_words(
    "If-None-Match If-Modified-Since Accept-Language Cookie HX-Request HX-Current-URL "
    "Range X-Forwarded-For Origin Referer Accept"
)
CONFLICT_WRITES = {"INSERT scoring_logentry", "UPDATE scoring_match"}
"""Writes of a hand that conflicts with a stored one: both are kept until someone chooses, and the
phone gets 409."""
PAGES_WITHOUT_FORMS = {name for names in NO_PAGES.values() for name in names.split()}
PAGES_BY_VISITOR = {
    "phone": split_words("tournaments:me tournaments:join tournaments:table"),
    "stranger": split_words(
        "account_login account_signup account_reset_password account_confirm_email"
    ),
}
"""Pages with other forms for these visitors than for directors."""
SAFE = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True)
class HostileRequest:
    kind: str
    visitor: str
    method: str
    path: str
    content: bytes = b""
    content_type: str = URLENCODED
    headers: Mapping[str, str] = field(default_factory=dict)
    target: str = ""
    """The name of its URL pattern or operation."""

    def play(self, site: Site) -> Fault | None:
        client = site.clients[self.visitor]
        answer = client.generic(
            self.method,
            self.path,
            self.content,
            self.content_type,
            headers=dict(self.headers),
        )
        error = getattr(answer, "exc_info", None)
        if error and answer.status_code >= 500:
            return describe_fault(error[1], f"{self.method} {self.target}")
        writes = take_writes()
        if answer.status_code >= 500:
            return Fault(f"answered {answer.status_code} ({self.method} {self.target})")
        if writes and self.method in SAFE:
            return Fault(f"reading wrote {sorted(writes)} ({self.target})")
        if writes <= CONFLICT_WRITES and answer.status_code == HTTPStatus.CONFLICT:
            return None
        if writes and (signs := refusal_signs(answer)):
            return Fault(
                f"{signs}, and wrote {sorted(writes)} ({self.method} {self.target})"
            )
        return None


def refusal_signs(answer: Any) -> str:
    """Return how the response shows a refusal; empty if it doesn't."""
    if answer.status_code >= 400:
        return f"answered {answer.status_code}"
    for context_layer in getattr(answer, "context", None) or ():
        for value in (
            context_layer.flatten().values()
            if hasattr(context_layer, "flatten")
            else ()
        ):
            if isinstance(value, BaseForm) and value.is_bound and value.errors:
                return "showed a form with faults"
    request = getattr(answer, "wsgi_request", None)
    messages = getattr(getattr(request, "_messages", None), "_queued_messages", ())
    if any(message.level >= ERROR for message in messages):
        return "said what is wrong"
    return ""


# Forms


@dataclass
class Form:
    action: str
    method: str
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    """Names with values that a browser could send."""
    files: list[str] = field(default_factory=list)


class FormReader(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._path, self._form, self._select = path, None, None

    _form: Form | None
    _select: tuple[str, list[str]] | None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "form":
            self._form = Form(
                attributes.get("action") or self._path,
                attributes.get("method", "get").lower(),
            )
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "select" and name:
            self._select = (name, [])
            self._form.fields.append(self._select)
        elif tag == "option" and self._select:
            self._select[1].append(value)
        elif tag == "input" and attributes.get("type") == "file":
            self._form.files.append(name)
        elif tag in ("input", "button", "textarea") and name:
            self._form.fields.append((name, self._possible_values(attributes)))

    @staticmethod
    def _possible_values(attributes: Mapping[str, str]) -> list[str]:
        kind, value = attributes.get("type", "text"), attributes.get("value", "")
        if kind in ("checkbox", "radio"):
            return [value or "on"]
        if value or kind in ("hidden", "submit"):
            return [value]
        return {
            "number": [attributes.get("min") or "1", "0", "3"],
            "email": ["new@example.org"],
            "url": ["https://example.org/hook"],
            "date": ["2026-03-12"],
            "datetime-local": ["2026-03-12T19:00"],
        }.get(kind, ["Zoë", "1", "Ann\nBo"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "select":
            self._select = None


class Requests:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.patterns = [
            pattern
            for pattern in patterns()
            if pattern.name not in ("readyz", "metrics", "api_reference")
        ]
        self._form_patterns, self._page_patterns = (
            cycle(self.patterns),
            cycle(self.patterns),
        )
        self.forms = self._find_forms()

    # Arguments of addresses

    def address_of(self, pattern: Pattern, rng: Random) -> str:
        """Return an address of a pattern, mostly of an existing page."""
        for _try in range(9):
            values = {
                name: self._argument(pattern, name, rng) for name in pattern.arguments
            }
            try:
                return reverse(pattern.name, kwargs=values)
            except NoReverseMatch:
                continue
        return "/"

    def _argument(self, pattern: Pattern, name: str, rng: Random) -> Any:
        values = self.site.values
        key = name
        if name == "address":
            key = "tournament" if pattern.name.startswith("tournaments:") else "match"
            if pattern.name == "tournaments:invitation":
                key = "invitation"
        if name == "key" and pattern.name.startswith(("tournaments:", "scoring:")):
            key = "uuid"
        draw = rng.random()
        if draw < 0.03 and name in ("address", "slug"):
            key = "foreign"
        if draw > 0.97:
            return (
                some_number(rng)
                if name in ("number", "pk", "table")
                else some_text(rng)
            )
        return rng.choice(values[key])

    # Forms of pages

    def _find_forms(self) -> dict[str, list[Form]]:
        """Return the forms of all pages by their pattern."""
        rng = Random(0)
        forms: dict[str, list[Form]] = {}
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for pattern in self.patterns:
            if pattern.name in PAGES_WITHOUT_FORMS:
                continue
            visitors = [
                visitor
                for visitor, names in PAGES_BY_VISITOR.items()
                if pattern.name in names
            ]
            for visitor in ("director", *visitors):
                path = self.address_of(pattern, rng)
                for form in self._forms_of_page(visitor, path):
                    name = pattern_name(form.action)
                    key = (name, tuple(sorted(name for name, _ in form.fields)))
                    if name and form.method == "post" and key not in seen:
                        seen.add(key)
                        forms.setdefault(name, []).append(form)
        self.site.reset()
        return forms

    def _forms_of_page(self, visitor: str, path: str) -> Iterator[Form]:
        answer = self.site.clients[visitor].get(path)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            reader = FormReader(path)
            reader.feed(b"".join(answer).decode())
            yield from reader.forms

    def form(self, rng: Random) -> HostileRequest:
        """Return a hostile form submission; patterns take turns."""
        pattern = next(self._form_patterns)
        known_forms = self.forms.get(pattern.name)
        visitor = rng.choice(("director", "director", "director", *self.site.clients))
        if known_forms and rng.random() < 0.9:
            form = rng.choice(known_forms)
            path = form.action
            if rng.random() < 0.2:
                path = self.address_of(pattern, rng)
        else:
            form = rng.choice(rng.choice(list(self.forms.values())))
            path = self.address_of(pattern, rng)
        fields = self._fill(form, rng)
        headers = {"HX-Request": "true"} if rng.random() < 0.2 else {}
        if form.files or rng.random() < 0.1:
            content, kind = self._multipart(fields, form.files, rng), MULTIPART
        else:
            content, kind = urlencoded(fields), URLENCODED
        if rng.random() < 0.03:
            content = mangle(content, rng)
        if rng.random() < 0.02:
            kind = rng.choice(ODD_TYPES)
        return HostileRequest(
            "forms", visitor, "POST", path, content, kind, headers, target=pattern.name
        )

    def _fill(self, form: Form, rng: Random) -> list[tuple[str, str]]:
        fields = [
            (name, rng.choice(values))
            for name, values in form.fields
            if values and name != "csrfmiddlewaretoken"
        ]
        for _change in range(rng.choice((0, 1, 1, 1, 2, 3))):
            if not fields:
                return [(some_text(rng), some_text(rng))]
            index = rng.randrange(len(fields))
            name, value = fields[index]
            action = rng.randrange(8)
            if action == 0:
                del fields[index]
            elif action == 1:
                fields.insert(index, (name, some_text(rng)))
            elif action == 2:
                other = rng.randrange(len(fields))
                fields[index] = (name, fields[other][1])
            elif action == 3:
                fields[index] = (name, str(some_number(rng)))
            elif action == 4:
                fields[index] = (name, value + some_text(rng))
            else:
                fields[index] = (name, some_text(rng))
        return fields

    def _multipart(
        self, fields: Sequence[tuple[str, str]], files: Sequence[str], rng: Random
    ) -> bytes:
        parts = [
            f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode(
                "utf-8", "surrogatepass"
            )
            + value.encode("utf-8", "surrogatepass")
            for name, value in fields
        ]
        for name in files or ["file"]:
            file_name = rng.choice(
                ("a.csv", "a.xlsx", "a.json", "a.png", "../a", "\x00", "é", "")
            )
            head = f'Content-Disposition: form-data; name="{name}"; filename="{file_name}"\r\n'
            encoding = rng.choice(("", "", "", "Content-Transfer-Encoding: base64\r\n"))
            content = rng.choice(self.uploads)
            if rng.random() < 0.5:
                content = mangle(content, rng)
            parts.append(f"{head}{encoding}\r\n".encode() + content)
        delimiter = f"--{BOUNDARY}".encode()
        return (
            b"".join(b"%s\r\n%s\r\n" % (delimiter, part) for part in parts)
            + delimiter
            + b"--\r\n"
        )

    uploads: Sequence[bytes] = (b"name\nAnn\nBo\n",)
    """Valid files of every kind that a form takes."""

    # Queries of pages

    @cached_property
    def parameter_names(self) -> list[str]:
        """Return the names of form fields and query parameters."""
        names = {
            name
            for forms in self.forms.values()
            for form in forms
            for name, _ in form.fields
        }
        common = "page q search game season since until from to after before seen version next step"
        return sorted(
            names | set(common.split()) | {"table", "match", "sort", "by", "who", "n"}
        )

    def page(self, rng: Random) -> HostileRequest:
        """Return a request of a page with a hostile query; patterns take turns."""
        pattern = next(self._page_patterns)
        path = self.address_of(pattern, rng)
        query = [
            (rng.choice(self.parameter_names), some_text(rng))
            for _field in range(rng.choice((0, 1, 1, 2, 4)))
        ]
        visitor = rng.choice(list(self.site.clients))
        method = rng.choice(("GET", "GET", "GET", "HEAD", "OPTIONS"))
        headers = {}
        if rng.random() < 0.2:
            name = rng.choice(HEADERS)
            headers[name] = header_value(some_text(rng))
        url = f"{path}?{urlencoded(query).decode()}" if query else path
        return HostileRequest(
            "pages", visitor, method, url, headers=headers, target=pattern.name
        )

    # Deliveries of phones

    def delivery(self, rng: Random) -> HostileRequest:
        phone = rng.choice(self.site.phones)
        record = phone.record
        kind = rng.choice(ENTRY_KINDS)
        hand = rng.choice(record["hands"])
        bodies = {
            "reseat": {"seat": 0, "name": "Zoë"},
            "pen": {"seat": 1},
            "confirm": {"seat": 0},
            "withdraw": {"seat": 0, "confirmation": str(UUID(int=5))},
            "start": {**record, "hands": [], "format": "trick-record", "version": 1},
            "board": {"kind": "begin", "seed": str(UUID(int=5))},
        }
        is_hand = kind not in bodies
        entry = {
            "format": "trick-entry",
            "version": 1,
            "key": str(UUID(int=rng.getrandbits(128))),
            "kind": kind,
            "number": rng.choice((1, 2, 2)) if is_hand else None,
            "base": phone.version,
            "body": bodies.get(
                kind, hand if kind in ("enter", "contract", "replace") else None
            ),
            "made_by": record["players"][0],
            "reason": "",
            "phone": "0123456789abcdef",
            "waiting": 1,
            "entered_at": "2026-03-12T20:00:00+01:00",
        }
        others = [rng.choice(RECORD_DOCUMENTS)["hands"]] if rng.random() < 0.2 else ()
        if rng.random() < 0.7 and isinstance(entry["body"], dict):
            entry["body"] = change_document(entry["body"], rng, others)
        if rng.random() < 0.5:
            entry = change_document(entry, rng)
        path = f"/m/{phone.address}/entries/"
        if kind == "start" and rng.random() < 0.7:
            path = f"/m/new-match-{rng.getrandbits(44):011x}A/entries/"
        token = phone.token if rng.random() < 0.95 else some_text(rng)
        headers = {"X-Seat-Token": header_value(token)}
        content = write_json(entry, rng)
        target = "scoring:entries"
        return HostileRequest(
            "deliveries", "stranger", "POST", path, content, JSON, headers, target
        )


ENTRY_KINDS = [
    *("enter", "enter", "contract", "replace", "void", "restore", "keep"),
    *("reseat", "pen", "confirm", "withdraw", "board", "start"),
]


def urlencoded(fields: Sequence[tuple[str, str]]) -> bytes:
    """Return URL-encoded fields, including lone surrogates."""
    pairs = (
        "=".join(
            quote_from_bytes(part.encode("utf-8", "surrogatepass")) for part in field_
        )
        for field_ in fields
    )
    return "&".join(pairs).encode()


def header_value(text: str) -> str:
    """Return a text as a server passes on a request header."""
    return text.encode("latin-1", "replace").decode("latin-1")


def pattern_name(path: str) -> str:
    """Return the name of the URL pattern of an address; empty if there is none."""
    try:
        return resolve(urlsplit(path).path).view_name
    except Resolver404:
        return ""
