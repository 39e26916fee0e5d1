"""A site on several machines, all of them this one: every part as in docs/how-to/several-machines.md, and each can be killed."""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, Thread

import psycopg
from django.conf import settings
from psycopg import sql

from tests.processes import wait_until
from tests.site import Managed

ROOT = Path(settings.BASE_DIR)
DEPLOY = ROOT / "deploy"
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")
BIN = Path(sys.executable).parent
TOOLS = ("haproxy", "pgbouncer", "redis-server", "socat", "openssl", "curl", "psql")
OWNER = "postgres"
NAME = "localhost"
WEBS, WORKERS = ("web1", "web2", "web3"), ("worker1", "worker2")


def missing_tools() -> list[str]:
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    return missing + [str(POSTGRESQL)] * (not (POSTGRESQL / "initdb").exists())


def free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _number in range(count)]
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def documented_commands(heading: str) -> str:
    """Return the commands that docs/how-to/several-machines.md gives under a heading."""
    page = (ROOT / "docs/how-to/several-machines.md").read_text()
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert blocks, heading
    return "".join(blocks)


def pgbouncer_at(places: Mapping[str, object]) -> str:
    """Return deploy/pgbouncer.ini with other places after the beginnings of lines."""
    text = (DEPLOY / "pgbouncer.ini").read_text()
    for begins, place in places.items():
        pattern = re.compile(f"^({re.escape(begins)}).*$", re.MULTILINE)
        text, count = pattern.subn(rf"\g<1>{place}", text)
        assert count == 1, begins
    return text


def unprivileged() -> dict[str, object]:
    """Return as whom servers run that refuse to be root's."""
    if os.geteuid():
        return {}
    who = pwd.getpwnam(OWNER)
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


def lay_certificate(folder: Path) -> Path:
    """Return a file with a certificate for localhost that nobody else vouches for, and its key."""
    key, certificate = folder / "key.pem", folder / "authority.pem"
    subprocess.run(
        (
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days"),
            *("2", "-keyout", str(key), "-out", str(certificate)),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
        ),
        check=True,
        capture_output=True,
    )
    both = folder / "certificate.pem"
    both.write_text(certificate.read_text() + key.read_text())
    return both


def build_clock(folder: Path) -> Path:
    """Return a library, made in a folder, that shows whoever loads it a clock of ours."""
    made = folder / "clock.so"
    source = Path(__file__).with_name("clock.c")
    words = ("cc", "-O2", "-shared", "-fPIC", "-o", str(made), str(source))
    subprocess.run(words, check=True, capture_output=True)
    return made


class Part:
    def __init__(
        self,
        command: tuple[str, ...],
        log: Path,
        environment: Mapping[str, str],
        *,
        is_unprivileged: bool = False,
    ) -> None:
        self.command, self.log, self.environment = command, log, environment
        self._as: dict[str, object] = unprivileged() if is_unprivileged else {}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # type: ignore[call-overload]
                self.command,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=ROOT if not self._as else "/",
                **self._as,
            )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """Kill it and its children, as a power cut would."""
        if self.process is None:
            return
        for pid in (self.process.pid, *child_processes(self.process.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None


class HAProxy(Part):
    """HAProxy as deploy/ has it, in front of web processes at these ports."""

    def __init__(
        self,
        folder: Path,
        ports: Mapping[str, int],
        webs: Sequence[int],
        around: Mapping[str, str] = os.environ,
    ) -> None:
        self.socket = folder / "admin.sock"
        environment = {
            **around,
            "TRICKY_NAME": NAME,
            "TRICKY_CERTIFICATE": str(folder / "certificate.pem"),
            "TRICKY_HTTP": f"127.0.0.1:{ports['http']}",
            "TRICKY_HTTPS_AT": f":{ports['https']}",
            "TRICKY_ADMIN": str(self.socket),
            "TRICKY_ERRORS": str(DEPLOY),
            **{
                f"TRICKY_WEB_{number}": f"127.0.0.1:{port}"
                for number, port in enumerate(webs, 1)
            },
        }
        command = ("haproxy", "-db", "-f", str(DEPLOY / "haproxy.cfg"))
        super().__init__(command, folder / "haproxy.log", environment)

    def states(self) -> dict[str, str]:
        """Return how it finds each web process; nothing before it answers."""
        with socket.socket(socket.AF_UNIX) as admin, suppress(OSError):
            admin.connect(str(self.socket))
            admin.sendall(b"show stat web 4 -1\n")
            told = b"".join(iter(lambda: admin.recv(65536), b"")).decode()
            rows = [line.split(",") for line in told.splitlines()[1:] if line]
            return {row[1]: row[17].split()[0] for row in rows}
        return {}

    def restart(self, webs: Mapping[str, str]) -> None:
        """Restart web processes by the script, each by its command, one after the other."""
        words = [word for each in webs.items() for word in each]
        done = subprocess.run(
            [str(DEPLOY / "restart-web"), *words],
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def child_processes(pid: int) -> list[int]:
    """Return the processes below one, in sessions of their own as well."""
    parents = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(each.parent.name)] = int(
                each.read_text().rpartition(")")[2].split()[1]
            )
        except OSError:
            continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


class Machines(Managed):
    def __init__(self, statics: Path, clock: Path | None = None) -> None:
        """Choose folders and ports; nothing runs yet.

        With a `clock`, as `build_clock` returns it, every part sees one that `put_clock` puts.
        """
        self.folder = Path(mkdtemp(prefix="machines-"))
        self.folder.chmod(0o755)
        ahead = str(self.folder / "ahead")
        by_clock = {"LD_PRELOAD": str(clock), "CLOCK_AHEAD": ahead}
        around = {**os.environ, **(by_clock if clock else {})}
        self.put_clock(0)
        self.databases = self.folder / "databases"
        self.databases.mkdir()
        if not os.geteuid():
            shutil.chown(self.databases, OWNER, OWNER)
        names = ("primary", "standby", "pgbouncer", "redis", "http", "https")
        self.ports = dict(zip((*names, *WEBS), free_ports(9), strict=True))
        self.tools = {**around, "PATH": f"{POSTGRESQL}:{os.environ['PATH']}"}
        redis = f"redis://127.0.0.1:{self.ports['redis']}"
        self.environment = {
            **around,
            "DATABASE_URL": f"postgres://{OWNER}@127.0.0.1:{self.ports['pgbouncer']}/tricky",
            "PGBOUNCER": "1",
            "CELERY_BROKER_URL": f"{redis}/0",
            "CACHE_URL": f"{redis}/1",
            "CELERY_QUEUE": "tricky",
            "TRICKY_HTTPS": "1",
            "ALLOWED_HOSTS": NAME,
            "SECRET_KEY": "only for a test of machines",
            "STATIC_ROOT": str(statics),
            "TRICKY_VAR": str(self.folder / "var"),
            "LOG_LEVEL": "WARNING",
        }
        webs = [self.ports[web] for web in WEBS]
        self.proxy = HAProxy(self.folder, self.ports, webs, around)
        self.primary = "primary"
        self.parts = self._described()

    def _described(self) -> dict[str, Part]:
        def of_site(*command: str) -> Part:
            named = (str(BIN / command[0]), *command[1:])
            return Part(named, self.folder / "site.log", self.environment)

        def of_data(*command: str) -> Part:
            log = self.folder / f"{Path(command[0]).name}.log"
            return Part(command, log, self.tools, is_unprivileged=True)

        def postgres(name: str) -> Part:
            data, port = self.databases / name, self.ports[name]
            options = ("-p", str(port), "-k", str(self.databases))
            return of_data(str(POSTGRESQL / "postgres"), "-D", str(data), *options)

        for name in ("postgres", "pgbouncer", "redis-server"):
            log = self.folder / f"{name}.log"
            log.touch()
            log.chmod(0o666)
        granian = (
            *("granian", "--interface", "wsgi", "--host", "127.0.0.1", "--workers"),
            *("1", "--blocking-threads", "192", "--no-ws", "--backlog", "4096"),
            *("--backpressure", "20000", "--port"),
        )
        celery = ("celery", "-A", "tricky_site")
        redis = ("--port", str(self.ports["redis"]), "--dir", str(self.databases))
        return {
            "primary": postgres("primary"),
            "standby": postgres("standby"),
            "pgbouncer": of_data("pgbouncer", str(self.databases / "pgbouncer.ini")),
            "redis": of_data("redis-server", *redis, "--appendonly", "yes"),
            **{
                web: of_site(
                    *granian, str(self.ports[web]), "tricky_site.wsgi:application"
                )
                for web in WEBS
            },
            **{
                worker: of_site(
                    *(*celery, "worker", "--concurrency", "1", "-n", f"{worker}@%h")
                )
                for worker in WORKERS
            },
            "beat": of_site(*celery, "beat"),
            "haproxy": self.proxy,
        }

    # How it is set up

    def lay(self) -> None:
        initdb = ("initdb", "-D", str(self.databases / "primary"), "-A", "trust")
        self.as_owner(*initdb, "-U", OWNER, "--encoding", "UTF8", "--no-instructions")
        with (self.databases / "primary/postgresql.conf").open("a") as further:
            further.write("max_connections = 60\nshared_buffers = 64MB\n")
        self.start("primary")
        with self.connected("primary", "postgres") as database:
            database.execute("CREATE DATABASE tricky")
        self.follow("Add a standby")
        self._lay_pgbouncer()
        self.start("pgbouncer")
        self.start("redis")
        self.manage("migrate", "--verbosity", "0")
        lay_certificate(self.folder)
        for name in (*WEBS, *WORKERS, "beat", "haproxy"):
            self.start(name)
        wait_until(lambda: all(map(self.answers, WEBS)), self.logs)
        wait_until(lambda: set(self.proxy.states().values()) == {"UP"}, self.logs)

    def as_owner(self, *command: str, **environment: str) -> None:
        done = subprocess.run(  # type: ignore[call-overload]
            command,
            env={**self.tools, **environment},
            cwd="/",
            check=False,
            capture_output=True,
            text=True,
            **unprivileged(),
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"

    def follow(self, heading: str) -> None:
        """Do what docs/how-to/several-machines.md says under a heading, word for word."""
        place = f"host=127.0.0.1 user={OWNER} dbname=postgres port="
        pidfile = self.databases / "pgbouncer.pid"
        self.as_owner(
            *("bash", "-euo", "pipefail", "-c", documented_commands(heading)),
            PRIMARY=f"{place}{self.ports['primary']}",
            STANDBY=f"{place}{self.ports['standby']}",
            STANDBY_DATA=str(self.databases / "standby"),
            START_STANDBY=self._start_standby(),
            STANDBY_HOST="127.0.0.1",
            STANDBY_PORT=str(self.ports["standby"]),
            PRIMARY_INI=str(self.databases / "primary.ini"),
            PGBOUNCER_PID=str(pidfile),
        )

    def _start_standby(self) -> str:
        script = self.databases / "start-standby"
        options = f"-p {self.ports['standby']} -k {self.databases}"
        log = self.folder / "postgres.log"
        script.write_text(
            "#!/bin/sh\n"
            f"exec pg_ctl start -w -D {self.databases}/standby -l {log} -o '{options}'\n"
        )
        script.chmod(0o755)
        return str(script)

    def _lay_pgbouncer(self) -> None:
        own = self.databases
        (own / "primary.ini").write_text(
            f"[databases]\ntricky = host=127.0.0.1 port={self.ports['primary']} dbname=tricky\n"
        )
        (own / "userlist.txt").write_text(f'"{OWNER}" ""\n')
        places = {
            "%include ": f"{own}/primary.ini",
            "listen_port = ": self.ports["pgbouncer"],
            "auth_type = ": "trust",
            "auth_file = ": f"{own}/userlist.txt",
        }
        (own / "pgbouncer.ini").write_text(pgbouncer_at(places))
        with (own / "pgbouncer.ini").open("a") as further:
            further.write(f"pidfile = {own}/pgbouncer.pid\nunix_socket_dir =\n")
        for path in own.glob("*.*"):
            if path.is_file():
                path.chmod(0o666)

    # How it goes on

    def put_clock(self, hours: int) -> None:
        """Let the clock be ahead of the real one by so much."""
        # In place: who looks at the file goes on looking at it.
        (self.folder / "ahead").touch()
        with (self.folder / "ahead").open("r+b") as ahead:
            ahead.write((hours * 3600).to_bytes(8, sys.byteorder, signed=True))

    def start(self, name: str) -> None:
        """Start a part; a database until it answers."""
        self.parts[name].start()
        if name in {"primary", "standby"}:
            wait_until(lambda: self.is_open(name), self.logs)
            wait_until(lambda: self._takes_questions(name), self.logs)
        elif name in self.ports:
            wait_until(lambda: self.is_open(name), self.logs)

    def is_open(self, name: str) -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.ports[name])) == 0

    def _takes_questions(self, name: str) -> bool:
        try:
            with self.connected(name, "postgres"):
                return True
        except psycopg.OperationalError:
            return False

    def kill(self, name: str) -> None:
        if name == "pgbouncer":
            (self.databases / "pgbouncer.pid").unlink(missing_ok=True)
        if name in {"primary", "standby"}:
            self.kill_database(name)
        else:
            self.parts[name].kill()

    def answers(self, web: str) -> bool:
        url = f"http://127.0.0.1:{self.ports[web]}/healthz"
        asked = ("curl", "-fsS", "-m", "2", "-H", f"Host: {NAME}", url)
        return subprocess.run(asked, check=False, capture_output=True).returncode == 0

    @contextmanager
    def connected(
        self, name: str = "", database: str = "tricky"
    ) -> Iterator[psycopg.Connection]:
        """Give a connection to a database server itself, the primary where none is named."""
        with psycopg.connect(
            host="127.0.0.1",
            port=self.ports[name or self.primary],
            user=OWNER,
            dbname=database,
            autocommit=True,
            connect_timeout=5,
        ) as connection:
            yield connection

    @contextmanager
    def started_again(self) -> Iterator[None]:
        """Start web processes that end, as systemd does."""
        ended = Event()

        def look() -> None:
            while not ended.wait(0.1):
                for web in WEBS:
                    process = self.parts[web].process
                    if process is not None and process.poll() is not None:
                        self.parts[web].start()
                        self._note(web)

        for web in WEBS:
            self._note(web)
        thread = Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _note(self, web: str) -> None:
        (self.folder / f"{web}.pid").write_text(str(self.parts[web].pid))

    def restart_webs(self) -> None:
        # What `systemctl restart` does: it is back when the old one has gone and a new one runs.
        restart = (
            "old=$(cat {0}); kill -TERM $old; "
            "while [ $(cat {0}) = $old ]; do sleep 0.1; done"
        )
        self.proxy.restart(
            {web: restart.format(self.folder / f"{web}.pid") for web in WEBS}
        )

    def logs(self) -> str:
        return "\n".join(
            f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}"
            for log in sorted(self.folder.glob("*.log"))
        )

    def end(self) -> None:
        for part in reversed(self.parts.values()):
            part.kill()
        for name in ("primary", "standby"):
            # The standby that the steps started is no child of ours.
            pidfile = self.databases / name / "postmaster.pid"
            if pidfile.exists():
                self.kill_database(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill_database(self, name: str) -> None:
        pidfile = self.databases / name / "postmaster.pid"
        pid = int(pidfile.read_text().split()[0])
        for each in (pid, *child_processes(pid)):
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if (process := self.parts[name].process) is not None:
            process.wait()
            self.parts[name].process = None
        # One that nobody has taken note of yet would be believed to run.
        wait_until(lambda: not Path(f"/proc/{pid}").exists(), self.logs)


def entered(
    connection: psycopg.Connection, address: str, kind: str = "enter"
) -> list[tuple[str, int]]:
    """Return the keys and numbers of the hands in the log of a match, or of what else it has of a kind.

    Each as often as it is there.
    """
    asked = sql.SQL("""
        SELECT scoring_logentry.key::text, hand_number FROM scoring_logentry
        JOIN scoring_match ON scoring_match.id = match_id
        WHERE address = %s AND kind = %s ORDER BY scoring_logentry.version
    """)
    return [(key, number) for key, number in connection.execute(asked, [address, kind])]
