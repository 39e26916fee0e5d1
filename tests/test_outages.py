"""Services of a site hang, die or are slow: saving a hand still works, or a page says why not."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias
from urllib.error import HTTPError
from uuid import uuid4

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.deliveries import delivery
from tests.processes import PATIENCE, running_program, wait_until
from tests.proxy import Cut, running_proxy
from tests.site import Site, free_port, hosted
from tests.statics import collect_statics

ANSWER_SECONDS = 5
"""Seconds in which a site answers while a service hangs, and recovers afterwards."""
POOL_PATIENCE = 3
"""Seconds for which a site tries to connect to PostgreSQL."""
MORE_SECONDS = 1
"""Seconds by which an outage may delay an answer, compared to the same one before it."""


class Broker:
    """A Redis of its own, which can hang and die."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    @contextmanager
    def running(self) -> Iterator[int]:
        """Run it until the end of the block, or until the test kills it."""
        options = ("--port", str(self.port), "--save", "", "--dir", str(self.folder))
        with running_program(self.folder / "log", "redis-server", *options) as pid:
            wait_until(self.answers, "the broker does not start")
            yield pid

    def answers(self) -> bool:
        try:
            with Redis.from_url(self.url, socket_timeout=1) as redis:
                return bool(redis.ping())
        except RedisError:
            return False

    def queued(self, queue: str) -> int:
        with Redis.from_url(self.url, socket_timeout=5) as redis:
            length: int = redis.llen(queue)
            return length


SEND = """
from scoring.queue import send_task_or_run_now, wait_for_background
from scoring.tasks import repair_match
for number in range(5):
    send_task_or_run_now(repair_match, number, 1)
print("given", flush=True)
input()
wait_for_background()
print("sent", flush=True)
"""


@pytest.mark.services
def test_hanging_broker_delays_no_request_and_receives_tasks_later(
    tmp_path: Path,
) -> None:
    broker = Broker(tmp_path)
    queue = f"hangs-{uuid4().hex}"
    environment = {
        "CELERY_BROKER_URL": broker.url,
        "CELERY_QUEUE": queue,
        "DATABASE_URL": "",
    }
    with broker.running() as pid:
        os.kill(pid, signal.SIGSTOP)
        sender = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", SEND],
            env={**os.environ, **environment, "TRICKY_VAR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert sender.stdout is not None
        assert sender.stdin is not None
        try:
            assert sender.stdout.readline() == "given\n"
            os.kill(pid, signal.SIGCONT)
            print(file=sender.stdin, flush=True)
            assert sender.stdout.readline() == "sent\n"
            assert broker.queued(queue) == 5
        finally:
            sender.kill()
            sender.wait()
            sender.stdin.close()
            sender.stdout.close()


HEAD = (
    "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
    f"Cookie: csrftoken={'a' * 32}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n"
    "Content-Length: 1000\r\n"
)
"""Head of a form request; without the cookie it would be refused before its body is read."""
DOWNLOAD = (
    "GET /static/scoring/vendor/pyodide-314.0.7/pyodide.asm.wasm HTTP/1.1\r\n"
    "Host: localhost\r\n\r\n"
)
"""A response of ten megabytes that the slow client does not read."""


@pytest.mark.services
@pytest.mark.long(15)
@pytest.mark.parametrize(
    ("clients", "sent"),
    [(400, f"{HEAD}\r\nl"), (800, HEAD), (3000, ""), (400, DOWNLOAD)],
    ids=["in the body", "in the head", "before they ask", "in the answer"],
)
def test_slow_clients_do_not_block_others(
    clients: int, sent: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # The server inherits this limit of open files; script/web sets the same.
    hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(20_000, hard_limit), hard_limit))
    site = Site(
        f"slow_{uuid4().hex[:8]}", free_port(), collect_statics(tmp_path_factory)
    )
    site.start_server()
    try:
        site.until_it_answers()
        healthz = f"{site.url}/healthz"
        usual_seconds = [ask(healthz).seconds for _request in range(20)]
        with ExitStack() as sockets:
            for _client in range(clients):
                client = sockets.enter_context(socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", site.port))
                client.sendall(sent.encode())
            time.sleep(1)
            answers = [ask(healthz, patience=ANSWER_SECONDS) for _request in range(20)]
        assert {answer.status for answer in answers} == {200}
        # Compare with the time without them, as the machine may be busy.
        assert (
            median(answer.seconds for answer in answers)
            < median(usual_seconds) + MORE_SECONDS
        )
    finally:
        assert site.server is not None
        os.killpg(site.server.pid, signal.SIGKILL)
        site.server.wait()


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float


def ask(
    url: str, document: object = None, patience: float = PATIENCE, **headers: str
) -> Answer:
    data = None if document is None else json.dumps(document).encode()
    request = urllib.request.Request(  # noqa: S310 - our own
        url, data, {"Content-Type": "application/json", **headers}
    )
    started_at = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=patience) as answer:  # noqa: S310 - our own
            status, body, response_headers = (
                answer.status,
                answer.read(),
                answer.headers,
            )
    except HTTPError as error:
        with error:
            status, body, response_headers = error.code, error.read(), error.headers
    return Answer(status, response_headers, body, time.monotonic() - started_at)


Entry: TypeAlias = dict[str, object]
"""A hand in the format of a phone."""


class TableOfANight:
    """A table of a tournament; each of its hands changes the standings."""

    def __init__(self, site: Site) -> None:
        self.site, self.hands = site, 0
        document: dict[str, Any] = json.loads(site.run("print_table"))
        self.address, self.token = document["match"], document["token"]
        self.tournament: int = document["tournament"]

    def enter(self) -> Answer:
        return self.deliver(self.next_hand())

    def next_hand(self) -> Entry:
        self.hands += 1
        return delivery(self.hands)

    def deliver(self, entry: Entry, patience: float = PATIENCE) -> Answer:
        """Deliver an entry. Raises TimeoutError if there is no response in time."""
        url = f"{self.site.url}/m/{self.address}/entries/"
        return ask(url, entry, patience, **{"X-Seat-Token": self.token})

    def hands_in_the_log(self) -> list[int]:
        """Return the numbers of the hands in the log, with duplicates."""
        with self.site.database() as database:
            rows = database.execute(HANDS, [self.address]).fetchall()
        return [number for (number,) in rows]

    def is_counted(self) -> bool:
        values = {"tournament": self.tournament}
        with self.site.database() as database:
            ((is_current,),) = database.execute(COUNTED, values).fetchall()
        return bool(is_current)

    def seconds_until_counted(self) -> float:
        started_at = time.monotonic()
        wait_until(self.is_counted, "the standings stay behind: " + self.site.log())
        return time.monotonic() - started_at


HANDS = """
    SELECT hand_number FROM scoring_logentry
    JOIN scoring_match ON scoring_match.id = match_id
    WHERE address = %s AND kind = 'enter' ORDER BY hand_number
"""
COUNTED = """
    SELECT EXISTS (
        SELECT FROM tournaments_standings WHERE tournament_id = %(tournament)s
        AND frozen_as = '' AND entries = (
            SELECT sum(scoring_match.version) FROM tournaments_table
            JOIN tournaments_round ON tournaments_round.id = round_id
            JOIN scoring_match ON scoring_match.id = match_id
            WHERE tournaments_round.tournament_id = %(tournament)s
        )
    )
"""


def state_of(site: Site, part: str) -> tuple[int, str]:
    """Return the status of readiness and the state of a part."""
    answer = ask(f"{site.url}/readyz", patience=ANSWER_SECONDS)
    assert b"127.0.0.1" not in answer.body
    return answer.status, json.loads(answer.body)["parts"][part]["state"]


PHONES = 12
"""Phones that load two pages each at the same time."""
OUTAGE_SECONDS = int(os.environ.get("AWAY", "5"))
"""Seconds of an outage. After twenty, components that retry with growing delays are late; test that by hand."""


@pytest.mark.services
@pytest.mark.long(40)
def test_posts_answer_at_once_and_standings_catch_up_after_a_broker_outage(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    broker = Broker(tmp_path)
    durations: dict[str, float] = {}
    with ExitStack() as stack:
        first_run = stack.enter_context(ExitStack())
        pid = first_run.enter_context(broker.running())
        name = f"broker_{uuid4().hex[:8]}"
        site = stack.enter_context(
            hosted(
                name,
                collect_statics(tmp_path_factory),
                has_beat=True,
                broker=broker.url,
            )
        )
        table = TableOfANight(site)
        assert table.enter().status == 200
        durations["usual"] = table.seconds_until_counted()
        wait_until(
            lambda: state_of(site, "sweep") == (200, "ok"), "no sweep is heard of"
        )

        pages = (f"{site.url}/", f"{site.url}/m/{table.address}/")
        for page in pages:
            assert ask(page).status == 200
        with ThreadPoolExecutor(2 * PHONES) as phones:
            usual_page = max(page.seconds for page in phones.map(ask, pages * PHONES))
        usual_post = max(table.enter().seconds for _hand in range(4))
        os.kill(pid, signal.SIGSTOP)
        posts = [table.enter() for _hand in range(4)]
        with ThreadPoolExecutor(2 * PHONES) as phones:
            responses = list(phones.map(ask, pages * PHONES))
        assert max(page.seconds for page in responses) < usual_page + MORE_SECONDS
        assert {page.status for page in responses} == {200}
        wait_until(
            lambda: state_of(site, "broker") == (503, "away"), "it is not missed"
        )
        # A task that was already with the worker may have counted the others.
        posts.append(table.enter())
        assert max(post.seconds for post in posts) < usual_post + MORE_SECONDS
        assert {post.status for post in posts} == {200}
        time.sleep(OUTAGE_SECONDS)
        assert not table.is_counted()
        os.kill(pid, signal.SIGCONT)
        durations["standings, after it hung"] = table.seconds_until_counted()

        first_run.close()
        posts = [table.enter() for _hand in range(5)]
        time.sleep(OUTAGE_SECONDS)
        posts += [table.enter() for _hand in range(5)]
        assert max(post.seconds for post in posts) < usual_post + MORE_SECONDS
        assert {post.status for post in posts} == {200}
        wait_until(
            lambda: state_of(site, "broker") == (503, "away"), "it is not missed"
        )
        assert not table.is_counted()
        stack.enter_context(broker.running())
        durations["standings, after it was dead"] = table.seconds_until_counted()
        wait_until(lambda: state_of(site, "broker") == (200, "ok"), "not ready again")
    assert {
        phase: seconds
        for phase, seconds in durations.items()
        if seconds > ANSWER_SECONDS
    } == {}


@pytest.mark.services
@pytest.mark.long(40)
def test_pages_send_retry_after_during_a_postgresql_outage_and_recover(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        running_proxy(5432) as proxy,
        hosted(
            f"restarts_{uuid4().hex[:8]}",
            collect_statics(tmp_path_factory),
            has_worker=False,
            server=f"postgres://postgres@127.0.0.1:{proxy.port}",
        ) as site,
    ):
        table = TableOfANight(site)
        page = f"{site.url}/m/{table.address}/"
        assert ask(page).status == 200
        assert table.enter().status == 200
        proxy.refuse()
        responses = [ask(page), table.enter(), ask(page)]
        assert [answer.status for answer in responses] == [503] * 3
        assert {answer.headers["Retry-After"] for answer in responses} == {"30"}
        assert "Tricky is unavailable right now" in responses[0].body.decode()
        assert (
            max(answer.seconds for answer in responses) < POOL_PATIENCE + MORE_SECONDS
        )
        assert ask(f"{site.url}/healthz").status == 200
        wait_until(
            lambda: state_of(site, "database") == (503, "away"), "it is not missed"
        )
        time.sleep(OUTAGE_SECONDS)
        proxy.restore()
        started_at = time.monotonic()
        wait_until(lambda: ask(page).status == 200, "the site has not come back")
        seconds = time.monotonic() - started_at
        table.hands -= 1
        assert table.enter().status == 200
        print(
            {"503 within": [answer.seconds for answer in responses], "back in": seconds}
        )
        assert seconds < POOL_PATIENCE + MORE_SECONDS


SECONDS_PER_QUERY = 0.3
"""Seconds per query to a slow database; an entry needs some twenty queries."""


@pytest.mark.services
@pytest.mark.long(30)
def test_entry_counts_once_despite_a_cut_commit_or_slow_database(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with (
        running_proxy(5432) as proxy,
        hosted(
            f"cut_{uuid4().hex[:8]}",
            collect_statics(tmp_path_factory),
            has_worker=False,
            server=f"postgres://postgres@127.0.0.1:{proxy.port}",
        ) as site,
    ):
        table = TableOfANight(site)
        assert table.enter().status == 200
        cuts: list[tuple[Cut, list[int]]] = [("before", [1]), ("after", [1, 2, 3])]
        for when, logged in cuts:
            entry = table.next_hand()
            proxy.cut_commit(when)
            assert table.deliver(entry).status == 503
            assert table.hands_in_the_log() == logged
            # The phone resends it until it gets a confirmation.
            assert table.deliver(entry).status == 200
        proxy.delay = SECONDS_PER_QUERY
        entry = table.next_hand()
        attempts = 0
        while True:
            attempts += 1
            try:
                answer = table.deliver(entry, patience=2)
            except TimeoutError:
                continue
            break
        assert (answer.status, attempts > 1) == (200, True)
        proxy.delay = 0
        assert table.hands_in_the_log() == [1, 2, 3, 4]
        # Its commits would have been cut as well.
        site.start_worker()
        site.until_worker_works()
        site.run("come_up_to_date")
        site.manage("rebuild", "--check")
