"""What browsers, phones and programs send: forms, deliveries, calls, files, queries."""

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
    words,
    write_json,
)
from tests.fuzz.site import (
    RECORD_DOCUMENTS,
    Fault,
    Site,
    describe_fault,
    written_since,
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
HEADS = words(
    "If-None-Match If-Modified-Since Accept-Language Cookie HX-Request HX-Current-URL "
    "Range X-Forwarded-For Origin Referer Accept"
)
BESIDE = {"INSERT scoring_logentry", "UPDATE scoring_match"}
"""What is written of a hand that differs from the one that is there: it stands beside it until
somebody chooses, and its phone is told so with 409."""
NO_FORMS = {name for names in NO_PAGES.values() for name in names.split()}
OTHERS_SHOWN = {
    "phone": words("tournaments:me tournaments:join tournaments:table"),
    "stranger": words(
        "account_login account_signup account_reset_password account_confirm_email"
    ),
}
"""Who is shown a form that those who direct are not."""
SAFE = {"GET", "HEAD", "OPTIONS"}


@dataclass(frozen=True)
class HostileRequest:
    kind: str
    who: str
    method: str
    path: str
    content: bytes = b""
    content_type: str = URLENCODED
    headers: Mapping[str, str] = field(default_factory=dict)
    of: str = ""
    """The name of the pattern, or of the operation, that it is for."""

    def play(self, site: Site) -> Fault | None:
        client = site.clients[self.who]
        answer = client.generic(
            self.method,
            self.path,
            self.content,
            self.content_type,
            headers=dict(self.headers),
        )
        error = getattr(answer, "exc_info", None)
        if error and answer.status_code >= 500:
            return describe_fault(error[1], f"{self.method} {self.of}")
        what = written_since()
        if answer.status_code >= 500:
            return Fault(f"answered {answer.status_code} ({self.method} {self.of})")
        if what and self.method in SAFE:
            return Fault(f"reading wrote {sorted(what)} ({self.of})")
        if what <= BESIDE and answer.status_code == HTTPStatus.CONFLICT:
            return None
        if what and (why := why_refused(answer)):
            return Fault(f"{why}, and wrote {sorted(what)} ({self.method} {self.of})")
        return None


def why_refused(answer: Any) -> str:
    """Return by what one sees that something was refused; empty where it was not."""
    if answer.status_code >= 400:
        return f"answered {answer.status_code}"
    for shown in getattr(answer, "context", None) or ():
        for value in shown.flatten().values() if hasattr(shown, "flatten") else ():
            if isinstance(value, BaseForm) and value.is_bound and value.errors:
                return "showed a form with faults"
    request = getattr(answer, "wsgi_request", None)
    queued = getattr(getattr(request, "_messages", None), "_queued_messages", ())
    if any(message.level >= ERROR for message in queued):
        return "said what is wrong"
    return ""


# Forms.


@dataclass
class Form:
    action: str
    method: str
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    """Names with what a browser could send for them."""
    files: list[str] = field(default_factory=list)


class FormReader(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._path, self._form, self._select = path, None, None

    _form: Form | None
    _select: tuple[str, list[str]] | None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {key: value or "" for key, value in attrs}
        name, value = at.get("name", ""), at.get("value", "")
        if tag == "form":
            self._form = Form(
                at.get("action") or self._path, at.get("method", "get").lower()
            )
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "select" and name:
            self._select = (name, [])
            self._form.fields.append(self._select)
        elif tag == "option" and self._select:
            self._select[1].append(value)
        elif tag == "input" and at.get("type") == "file":
            self._form.files.append(name)
        elif tag in ("input", "button", "textarea") and name:
            self._form.fields.append((name, self._offered(at)))

    @staticmethod
    def _offered(at: Mapping[str, str]) -> list[str]:
        kind, value = at.get("type", "text"), at.get("value", "")
        if kind in ("checkbox", "radio"):
            return [value or "on"]
        if value or kind in ("hidden", "submit"):
            return [value]
        return {
            "number": [at.get("min") or "1", "0", "3"],
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
        self._posted, self._read = cycle(self.patterns), cycle(self.patterns)
        self.forms = self._forms()

    # What stands in an address.

    def address_of(self, pattern: Pattern, chance: Random) -> str:
        """Return an address of a pattern, mostly one at which something is."""
        for _try in range(9):
            values = {
                part: self._part(pattern, part, chance) for part in pattern.arguments
            }
            try:
                return reverse(pattern.name, kwargs=values)
            except NoReverseMatch:
                continue
        return "/"

    def _part(self, pattern: Pattern, part: str, chance: Random) -> Any:
        known = self.site.values
        key = part
        if part == "address":
            key = "tournament" if pattern.name.startswith("tournaments:") else "match"
            if pattern.name == "tournaments:invitation":
                key = "invitation"
        if part == "key" and pattern.name.startswith(("tournaments:", "scoring:")):
            key = "uuid"
        chosen = chance.random()
        if chosen < 0.03 and part in ("address", "slug"):
            key = "foreign"
        if chosen > 0.97:
            return (
                some_number(chance)
                if part in ("number", "pk", "table")
                else some_text(chance)
            )
        return chance.choice(known[key])

    # Forms as pages offer them.

    def _forms(self) -> dict[str, list[Form]]:
        """Return by their pattern the forms that pages show to whoever may use them."""
        chance = Random(0)
        read: dict[str, list[Form]] = {}
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for pattern in self.patterns:
            if pattern.name in NO_FORMS:
                continue
            others = [
                who for who, names in OTHERS_SHOWN.items() if pattern.name in names
            ]
            for who in ("director", *others):
                path = self.address_of(pattern, chance)
                for form in self._forms_at(who, path):
                    name = name_at(form.action)
                    key = (name, tuple(sorted(name for name, _ in form.fields)))
                    if name and form.method == "post" and key not in seen:
                        seen.add(key)
                        read.setdefault(name, []).append(form)
        self.site.be_as_before()
        return read

    def _forms_at(self, who: str, path: str) -> Iterator[Form]:
        answer = self.site.clients[who].get(path)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            reader = FormReader(path)
            reader.feed(b"".join(answer).decode())
            yield from reader.forms

    def form(self, chance: Random) -> HostileRequest:
        """Return a posted form with something hostile in it; each address has its turn."""
        pattern = next(self._posted)
        known = self.forms.get(pattern.name)
        who = chance.choice(("director", "director", "director", *self.site.clients))
        if known and chance.random() < 0.9:
            form = chance.choice(known)
            path = form.action
            if chance.random() < 0.2:
                path = self.address_of(pattern, chance)
        else:
            form = chance.choice(chance.choice(list(self.forms.values())))
            path = self.address_of(pattern, chance)
        fields = self._filled(form, chance)
        headers = {"HX-Request": "true"} if chance.random() < 0.2 else {}
        if form.files or chance.random() < 0.1:
            content, kind = self._multipart(fields, form.files, chance), MULTIPART
        else:
            content, kind = urlencoded(fields), URLENCODED
        if chance.random() < 0.03:
            content = mangle(content, chance)
        if chance.random() < 0.02:
            kind = chance.choice(ODD_TYPES)
        return HostileRequest(
            "forms", who, "POST", path, content, kind, headers, of=pattern.name
        )

    def _filled(self, form: Form, chance: Random) -> list[tuple[str, str]]:
        fields = [
            (name, chance.choice(offered))
            for name, offered in form.fields
            if offered and name != "csrfmiddlewaretoken"
        ]
        for _change in range(chance.choice((0, 1, 1, 1, 2, 3))):
            if not fields:
                return [(some_text(chance), some_text(chance))]
            place = chance.randrange(len(fields))
            name, value = fields[place]
            way = chance.randrange(8)
            if way == 0:
                del fields[place]
            elif way == 1:
                fields.insert(place, (name, some_text(chance)))
            elif way == 2:
                other = chance.randrange(len(fields))
                fields[place] = (name, fields[other][1])
            elif way == 3:
                fields[place] = (name, str(some_number(chance)))
            elif way == 4:
                fields[place] = (name, value + some_text(chance))
            else:
                fields[place] = (name, some_text(chance))
        return fields

    def _multipart(
        self, fields: Sequence[tuple[str, str]], files: Sequence[str], chance: Random
    ) -> bytes:
        parts = [
            f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode(
                "utf-8", "surrogatepass"
            )
            + value.encode("utf-8", "surrogatepass")
            for name, value in fields
        ]
        for name in files or ["file"]:
            called = chance.choice(
                ("a.csv", "a.xlsx", "a.json", "a.png", "../a", "\x00", "é", "")
            )
            head = f'Content-Disposition: form-data; name="{name}"; filename="{called}"\r\n'
            coding = chance.choice(
                ("", "", "", "Content-Transfer-Encoding: base64\r\n")
            )
            content = chance.choice(self.uploads)
            if chance.random() < 0.5:
                content = mangle(content, chance)
            parts.append(f"{head}{coding}\r\n".encode() + content)
        between = f"--{BOUNDARY}".encode()
        return (
            b"".join(b"%s\r\n%s\r\n" % (between, part) for part in parts)
            + between
            + b"--\r\n"
        )

    uploads: Sequence[bytes] = (b"name\nAnn\nBo\n",)
    """Files that are fine, of every kind that a form takes."""

    # Queries of pages.

    @cached_property
    def asked_for(self) -> list[str]:
        """Return the names of what forms of all pages send, and of what addresses ask for."""
        names = {
            name
            for forms in self.forms.values()
            for form in forms
            for name, _ in form.fields
        }
        asked = "page q search game season since until from to after before seen version next step"
        return sorted(
            names | set(asked.split()) | {"table", "match", "sort", "by", "who", "n"}
        )

    def page(self, chance: Random) -> HostileRequest:
        """Return a page that is asked for with a hostile query; each address has its turn."""
        pattern = next(self._read)
        path = self.address_of(pattern, chance)
        query = [
            (chance.choice(self.asked_for), some_text(chance))
            for _field in range(chance.choice((0, 1, 1, 2, 4)))
        ]
        who = chance.choice(list(self.site.clients))
        method = chance.choice(("GET", "GET", "GET", "HEAD", "OPTIONS"))
        headers = {}
        if chance.random() < 0.2:
            name = chance.choice(HEADS)
            headers[name] = in_a_head(some_text(chance))
        asked = f"{path}?{urlencoded(query).decode()}" if query else path
        return HostileRequest(
            "pages", who, method, asked, headers=headers, of=pattern.name
        )

    # What phones deliver.

    def delivery(self, chance: Random) -> HostileRequest:
        phone = chance.choice(self.site.phones)
        record = phone.record
        kind = chance.choice(DELIVERED)
        hand = chance.choice(record["hands"])
        bodies = {
            "reseat": {"seat": 0, "name": "Zoë"},
            "pen": {"seat": 1},
            "confirm": {"seat": 0},
            "withdraw": {"seat": 0, "confirmation": str(UUID(int=5))},
            "start": {**record, "hands": [], "format": "trick-record", "version": 1},
            "board": {"kind": "begin", "seed": str(UUID(int=5))},
        }
        of_hand = kind not in bodies
        entry = {
            "format": "trick-entry",
            "version": 1,
            "key": str(UUID(int=chance.getrandbits(128))),
            "kind": kind,
            "number": chance.choice((1, 2, 2)) if of_hand else None,
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
        others = (
            [chance.choice(RECORD_DOCUMENTS)["hands"]] if chance.random() < 0.2 else ()
        )
        if chance.random() < 0.7 and isinstance(entry["body"], dict):
            entry["body"] = change_document(entry["body"], chance, others)
        if chance.random() < 0.5:
            entry = change_document(entry, chance)
        path = f"/m/{phone.address}/entries/"
        if kind == "start" and chance.random() < 0.7:
            path = f"/m/new-match-{chance.getrandbits(44):011x}A/entries/"
        token = phone.token if chance.random() < 0.95 else some_text(chance)
        headers = {"X-Seat-Token": in_a_head(token)}
        content = write_json(entry, chance)
        of = "scoring:entries"
        return HostileRequest(
            "deliveries", "stranger", "POST", path, content, JSON, headers, of
        )


DELIVERED = [
    *("enter", "enter", "contract", "replace", "void", "restore", "keep"),
    *("reseat", "pen", "confirm", "withdraw", "board", "start"),
]


def urlencoded(fields: Sequence[tuple[str, str]]) -> bytes:
    """Return fields as a form writes them, lone surrogates and all."""
    coded = (
        "=".join(
            quote_from_bytes(part.encode("utf-8", "surrogatepass")) for part in each
        )
        for each in fields
    )
    return "&".join(coded).encode()


def in_a_head(text: str) -> str:
    """Return a text as a server hands it on that stood in the head of a request."""
    return text.encode("latin-1", "replace").decode("latin-1")


def name_at(path: str) -> str:
    """Return the name of the pattern that an address leads to; empty for none."""
    try:
        return resolve(urlsplit(path).path).view_name
    except Resolver404:
        return ""
