"""An evening's load on a site: phones that enter hands and retry, people who read, people who sign in."""

import itertools
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from http.cookies import SimpleCookie
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.deliveries import delivery
from tests.night import EVENING_PASSWORD

PATIENCE = 15
"""Seconds that a phone waits for an answer."""
AGAIN_AFTER = 1
"""Seconds after which it tries once more."""
BETWEEN_HANDS = 7
"""Seconds: an evening played by fast people."""
BETWEEN_PAGES = 0.5
BETWEEN_SIGN_INS = 4
OVER = b'"clause": "record.finished"'
"""In the answer to a hand for a match that is over."""
BROKEN = 0
"""The status of what was not answered at all."""


class LoggedResponse(NamedTuple):
    began: float
    ended: float
    who: str
    asked: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_failure(self) -> bool:
        return self.status == BROKEN or self.status >= 500


@dataclass
class Book:
    said: list[LoggedResponse] = field(default_factory=list)

    def failures(
        self, since: float = 0, until: float = float("inf")
    ) -> list[LoggedResponse]:
        """Return what failed that began within a time."""
        return [it for it in self.said if it.is_failure and since <= it.began < until]


_addresses = itertools.count(2)


class Visitor:
    def __init__(self, port: int, book: Book, who: str) -> None:
        self.port, self.book, self.who = port, book, who
        self.address = f"127.0.0.{next(_addresses) % 250 + 2}"
        self.cookies: dict[str, str] = {}
        self._connection: HTTPConnection | None = None
        self._trusting = ssl._create_unverified_context()  # noqa: S323 - a certificate of a test

    def ask(
        self, path: str, sent: bytes | None = None, **headers: str
    ) -> LoggedResponse:
        named = {name.replace("_", "-"): words for name, words in headers.items()}
        if self.cookies:
            named["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        method = "GET" if sent is None else "POST"
        began = time.monotonic()
        try:
            if self._connection is None:
                self._connection = self._connect()
            self._connection.request(method, path, sent, named)
            answer = self._connection.getresponse()
            body, status, told = answer.read(), answer.status, self._keep(answer)
        except (OSError, HTTPException) as error:
            self.leave()
            body, status, told = repr(error).encode(), BROKEN, {}
        said = LoggedResponse(
            began, time.monotonic(), self.who, f"{method} {path}", status, told, body
        )
        self.book.said.append(said)
        return said

    def _connect(self) -> HTTPConnection:
        return HTTPSConnection(
            "localhost",
            self.port,
            timeout=PATIENCE,
            source_address=(self.address, 0),
            context=self._trusting,
        )

    def _keep(self, answer: HTTPResponse) -> dict[str, str]:
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                if morsel.value and morsel["max-age"] != "0":
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)
        if answer.will_close:
            self.leave()
        return {name.lower(): words for name, words in answer.headers.items()}

    def leave(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def sign_in(self, email: str, password: str = EVENING_PASSWORD) -> LoggedResponse:
        """Return what is answered to somebody who signs in: 302 where they are in."""
        page = self.ask("/accounts/login/")
        if page.status != 200:
            return page
        # By https its name says that only this host sets it.
        (token,) = (
            value for name, value in self.cookies.items() if name.endswith("csrftoken")
        )
        fields = {"login": email, "password": password, "csrfmiddlewaretoken": token}
        return self.ask(
            "/accounts/login/",
            urlencode(fields).encode(),
            Content_Type="application/x-www-form-urlencoded",
            Origin=f"https://localhost:{self.port}",
        )


class Directed(Visitor):
    """Somebody whom a proxy sends to one web process and no other."""

    def _connect(self) -> HTTPConnection:
        return HTTPConnection("localhost", self.port, timeout=PATIENCE)

    def ask(
        self, path: str, sent: bytes | None = None, **headers: str
    ) -> LoggedResponse:
        proxy = {"X_Forwarded_Proto": "https", "X_Forwarded_For": self.address}
        return super().ask(path, sent, **{**proxy, **headers})


class Phone(Visitor):
    """The phone of a table, which sends each hand until it hears that it is there."""

    def __init__(self, port: int, book: Book, table: Mapping[str, str]) -> None:
        super().__init__(port, book, "phone")
        self.match, self.token = table["match"], table["token"]
        self.acknowledged: list[tuple[str, int]] = []
        self.corrected: list[tuple[str, int]] = []
        self.version = 0
        self.refused: list[LoggedResponse] = []
        self.tries = 0

    def enter(self, ended: Event) -> None:
        """Send the next hand until it is acknowledged, or the evening ends."""
        number = len(self.acknowledged) + 1
        if key := self._deliver(ended, number, "enter", [9, 5, 3]):
            self.acknowledged.append((key, number))

    def correct(self, ended: Event) -> None:
        number = len(self.acknowledged)
        points = [9, 5, len(self.corrected) % 9]
        if key := self._deliver(ended, number, "replace", points, base=self.version):
            self.corrected.append((key, number))

    def _deliver(
        self, ended: Event, number: int, kind: str, points: list[int], **told: int
    ) -> str:
        """Return the key of what was acknowledged; empty where it was not."""
        hand = delivery(number, points, kind, **told)
        while not ended.is_set():
            self.tries += 1
            said = self.ask(
                f"/m/{self.match}/entries/",
                json.dumps(hand).encode(),
                Content_Type="application/json",
                X_Seat_Token=self.token,
            )
            if said.status == 200 and (version := json.loads(said.body).get("version")):
                self.version = version
                return str(hand["key"])
            if not said.is_failure:
                self.refused.append(said)
                return ""
            ended.wait(AGAIN_AFTER)
        return ""


class Evening:
    def __init__(self, port: int, told: Mapping[str, Any]) -> None:
        self.book, self.ended, self.hands_end = Book(), Event(), Event()
        self.told, self.port = told, port
        self.phones = [Phone(port, self.book, table) for table in told["tables"]]
        self.correcting: list[Phone] = []
        """Those that correct each of their hands once."""
        self._threads: list[Thread] = []

    def begin(self) -> None:
        for number, phone in enumerate(self.phones):
            late = BETWEEN_HANDS * number / len(self.phones)
            self._let(self._play, phone, late)
        for number in range(4):
            self._let(self._read, number)
        for email in self.told["accounts"][:2]:
            self._let(self._sign_in, email)

    def _let(self, act: Any, *arguments: object) -> None:
        thread = Thread(target=act, args=arguments, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _play(self, phone: Phone, late: float) -> None:
        self.hands_end.wait(late)
        while not self.hands_end.is_set() and not phone.refused:
            phone.enter(self.ended)
            if phone in self.correcting and not phone.refused:
                phone.correct(self.ended)
            self.hands_end.wait(BETWEEN_HANDS)
        phone.leave()

    def _read(self, number: int) -> None:
        reader = Visitor(self.port, self.book, "reader")
        matches = [f"/m/{phone.match}/live/?v=0" for phone in self.phones[:4]]
        pages = [*self.told["pages"], *matches]
        for page in itertools.cycle(pages[number:] + pages[:number]):
            if self.ended.wait(BETWEEN_PAGES):
                break
            reader.ask(page)
        reader.leave()

    def _sign_in(self, email: str) -> None:
        while not self.ended.wait(BETWEEN_SIGN_INS):
            visitor = Visitor(self.port, self.book, "sign-in")
            visitor.sign_in(email)
            visitor.leave()

    def end(self) -> None:
        """Let each phone hear of its last hand, then let everybody go."""
        self.hands_end.set()
        deadline = time.monotonic() + PATIENCE * 2
        for thread in self._threads[: len(self.phones)]:
            thread.join(max(0.1, deadline - time.monotonic()))
        self.ended.set()
        for thread in self._threads:
            thread.join(PATIENCE * 2)
