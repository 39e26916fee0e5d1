"""What lies in deploy/ is valid, as the programs that read it say."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
import yaml

from tests.deploy.machines import (
    DEPLOY,
    ROOT,
    HAProxy,
    Part,
    documented_commands,
    free_ports,
    lay_certificate,
    pgbouncer_at,
    unprivileged,
)
from tests.processes import read_output, run, wait_until
from tricky_site.settings import env

UNITS = sorted((DEPLOY / "systemd").iterdir())
WEB_UNIT = DEPLOY / "systemd/tricky-web@.service"
COMPOSE = [ROOT / "compose.yaml", DEPLOY / "compose.machines.yaml"]


def requires_tool(tool: str) -> pytest.MarkDecorator:
    reason = f"{tool} is not installed"
    return pytest.mark.skipif(shutil.which(tool) is None, reason=reason)


@requires_tool("haproxy")
@requires_tool("openssl")
def test_haproxy_finds_its_file_valid(tmp_path: Path) -> None:
    lay_certificate(tmp_path)
    proxy = HAProxy(tmp_path, {"http": 8080, "https": 8443}, [8001, 8002, 8003])
    checked = run(
        "haproxy", "-c", "-f", DEPLOY / "haproxy.cfg", **dict(proxy.environment)
    )
    assert checked.returncode == 0, checked.stderr
    assert "WARNING" not in checked.stderr


@pytest.fixture
def open_folder() -> Iterator[Path]:
    folder = Path(mkdtemp(prefix="pgbouncer-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@requires_tool("pgbouncer")
def test_pgbouncer_starts_with_its_file_without_warnings(
    open_folder: Path,
) -> None:
    (port,) = free_ports(1)
    (open_folder / "primary.ini").write_text("[databases]\ntricky = host=127.0.0.1\n")
    (open_folder / "userlist.txt").write_text('"tricky" "secret"\n')
    places = {
        "%include ": f"{open_folder}/primary.ini",
        "listen_port = ": port,
        "auth_file = ": f"{open_folder}/userlist.txt",
    }
    ini = open_folder / "pgbouncer.ini"
    ini.write_text(pgbouncer_at(places) + "unix_socket_dir =\n")
    log = open_folder / "log"
    part = Part(("pgbouncer", str(ini)), log, os.environ, is_unprivileged=True)
    part.start()
    try:
        wait_until(lambda: "process up" in log.read_text(), log.read_text)
    finally:
        part.kill()
    assert not re.search(r"WARNING|ERROR|FATAL|unknown", log.read_text())
    assert unprivileged() or os.geteuid()


@requires_tool("systemd-analyze")
def test_systemd_finds_the_units_valid() -> None:
    said = run("systemd-analyze", "verify", *UNITS)
    lines = (said.stdout + said.stderr).splitlines()
    # What they start is at its place on a host alone.
    assert [line for line in lines if "is not executable" not in line] == []


def test_every_way_to_start_uses_the_same_server_options() -> None:
    for path in (ROOT / "script/web", DEPLOY / "start-web", WEB_UNIT, *COMPOSE):
        words = re.sub(r"\\?\n +", " ", path.read_text())
        started = [
            command
            for command in re.findall(r"granian --interface wsgi .+", words)
            if "tricky_site.wsgi" in command
        ]
        assert started, path
        for command in started:
            assert " --blocking-threads 192 " in command, path
            # Else phones that keep their connections take the place of those who come.
            assert " --backlog 4096 --backpressure 20000 " in command, path


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_containers_use_only_documented_settings(path: Path) -> None:
    services = yaml.safe_load(path.read_text())["services"]
    others = {"postgres", "redis", "haproxy", "pgbouncer"}
    given = {
        name
        for service, described in services.items()
        if service not in others
        for name in described["environment"]
    }
    hosting = (ROOT / "docs/reference/settings.md").read_text()
    settings = set(re.findall(r"^\| `(\w+)` \|", hosting, re.M))
    owners = {"POSTGRES_PASSWORD", "DATABASE_OWNER_PASSWORD"}
    assert given - settings <= {"GRANIAN_WORKERS", *owners}


WITHOUT_EXAMPLE = {
    # Only for the commands that change tables.
    *("DATABASE_OWNER_URL", "DATABASE_AS_OWNER"),
    # Never on a site that others reach.
    "DEBUG",
}


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_every_setting_reaches_containers(path: Path) -> None:
    services = yaml.safe_load(path.read_text())["services"]
    others = {"postgres", "redis", "haproxy", "pgbouncer"}
    for name in services.keys() - others:
        env_file = path.parent / services[name]["env_file"]
        assert env_file.resolve() == ROOT / ".env", name


def test_example_environment_explains_every_setting() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    values = dict(
        line.lstrip("#").split("=", 1)
        for line in lines
        if re.match(r"#?[A-Z_]+=", line)
    )
    assert values.keys() == env.scheme.keys() - WITHOUT_EXAMPLE | {
        *("HOST", "GRANIAN_WORKERS")
    }
    files = {"LEAKED_PASSWORDS", "SECURITY_LOG"}
    for name in values.keys() & env.scheme.keys() - files:
        if values[name]:
            cast, _default = env.scheme[name]
            env.parse_value(values[name], cast)


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_no_container_has_a_known_password(path: Path) -> None:
    contents = path.read_text().replace("as in redis://:password@", "")
    secrets = re.findall(r"//(\w*:[^@\n]*)@", contents) + re.findall(
        r"(?:PASSWORD|requirepass|SECRET_KEY):? (\S+)", contents
    )
    assert len(secrets) > 6
    # Without one nothing starts: the first time that a name stands it says what to do.
    assert [it for it in secrets if not re.search(r'\$\{\w+|^""$', it)] == []
    for name in set(re.findall(r"\$\{(\w*(?:PASSWORD|SECRET_KEY))", contents)):
        assert re.search(rf"\$\{{{name}:\?", contents), name


def test_container_secrets_are_random_and_private(
    tmp_path: Path,
) -> None:
    written: list[str] = []
    named: set[str] = set()
    for number in (1, 2):
        file = tmp_path / str(number)
        make = ("bash", DEPLOY / "make-env", "localhost")
        read_output(*make, ENV_FILE=str(file))
        assert file.stat().st_mode & 0o777 == 0o600
        written += re.findall(
            r"^\w+(?:KEY|PASSWORD)=(\S{43,})$", file.read_text(), re.M
        )
        named = set(re.findall(r"^(\w+)=", file.read_text(), re.M))
        assert run(*make, ENV_FILE=str(file)).returncode == 1
    wanted = set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text()))
    assert wanted <= named
    assert len(set(written)) == len(written) == 2 * len(wanted)


def test_only_the_migration_container_has_the_owners_password() -> None:
    for path in COMPOSE:
        services = yaml.safe_load(path.read_text())["services"]
        owning = {
            name
            for name, described in services.items()
            if "DATABASE_OWNER_URL" in described.get("environment", {})
        }
        assert owning == {"migrate"}


def test_container_logs_are_limited() -> None:
    for path in COMPOSE:
        services = yaml.safe_load(path.read_text())["services"]
        for name in set(services) - {"haproxy", "pgbouncer"}:
            options = services[name]["logging"]["options"]
            assert set(options) == {"max-size", "max-file"}, name


@requires_tool("logrotate")
def test_logrotate_finds_its_file_valid(tmp_path: Path) -> None:
    own = tmp_path / "tricky"
    lines = (DEPLOY / "logrotate").read_text().splitlines()
    # Of a user that is on a host alone.
    own.write_text("\n".join(line for line in lines if "su tricky" not in line) + "\n")
    own.chmod(0o644)
    said = run("logrotate", "--debug", "--state", tmp_path / "state", own)
    assert (said.returncode, "error:" in said.stderr) == (0, False), said.stderr


def test_systemd_credentials_are_secrets_of_the_site() -> None:
    contents = (DEPLOY / "credentials.conf").read_text()
    loaded = re.findall(r"^LoadCredentialEncrypted=([\w-]+):", contents, re.M)
    used = re.findall(r"(\w+)_FILE=%d/([\w-]+)", contents)
    assert sorted(name for _variable, name in used) == sorted(loaded)
    assert {variable for variable, _name in used} <= env.scheme.keys()


@requires_tool("docker")
@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_compose_finds_its_files_valid(path: Path) -> None:
    if run("docker", "compose", "version").returncode:
        pytest.skip("docker has no compose")
    names = re.findall(r"\$\{(\w+)", path.read_text())
    config = ("docker", "compose", "-f", path, "--profile", "*", "config", "--quiet")
    checked = run(*config, **dict.fromkeys(names, "said"))
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    "heading",
    [
        "Add a standby",
        "The standby failed",
        "The standby is back",
        "The primary failed",
    ],
)
def test_the_steps_of_the_document_are_commands(heading: str) -> None:
    read = run("bash", "-n", fed=documented_commands(heading))
    assert (read.returncode, read.stderr) == (0, "")
