"""Reads settings from the environment: an invalid one stops the start, and the error names it."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured
from environ import FileAwareEnv

Cast = Callable[[str], Any]
REFUSALS = (ValueError, OSError, ZoneInfoNotFoundError, ImproperlyConfigured)


class Env(FileAwareEnv):  # type: ignore[misc]  # has no types
    """Settings by a scheme. `NAME_FILE` can name a file with the value, which is more private than the environment."""

    def get_value(self, var: str, *_args: object, **_options: object) -> Any:
        """Return the value of a setting, or its default if it is unset or empty.

        Values may begin with "$", which the library would treat as a reference to another variable.
        """
        cast, default = self.scheme[var]
        if os.environ.get(var) and os.environ.get(f"{var}_FILE"):
            raise ImproperlyConfigured(f"{var} and {var}_FILE cannot both be set.")
        try:
            text = self.ENVIRON.get(var, "").strip("\r\n")
        except OSError as error:
            raise ImproperlyConfigured(f"{var}_FILE: {error}.") from error
        try:
            return self.parse_value(text, cast) if text else default
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} must {error}.") from error


def read_environment_file(path: Path) -> None:
    """Add the variables in a file to the environment, which keeps those that it has.

    Raises ImproperlyConfigured if the file exists and can't be read: with other settings, the site
    would use another database.
    """
    if path.exists():
        if not os.access(path, os.R_OK):
            raise ImproperlyConfigured(f"{path} must be readable by this user.")
        Env.read_env(path)


def make_cast(demand: str, accepts: Cast, parse: Cast = str) -> Cast:
    """Return a cast that parses accepted text. `demand` completes the error message "NAME must …"."""

    def cast(text: str) -> Any:
        try:
            if accepts(text):
                return parse(text)
        except REFUSALS:
            pass
        raise ValueError(demand.format(repr(text)))

    return cast


def pattern_matcher(pattern: str) -> Cast:
    return re.compile(pattern, re.ASCII).fullmatch


def positive_number_cast(parse: Callable[[int], Any] = int) -> Cast:
    """Return a cast that accepts whole numbers from 1."""
    demand, digits = "be 1 or more, not {}", pattern_matcher(r"[1-9]\d{0,6}")
    return make_cast(demand, digits, lambda text: parse(int(text)))


def choice_cast(*values: str) -> Cast:
    """Return a cast that accepts only these values."""
    return make_cast(f"be {' or '.join(values)}, not {{}}", values.__contains__)


def secret_cast(length: int) -> Cast:
    """Return a cast that accepts secrets of this length or more."""
    demand = f"be {length} characters or more"
    return make_cast(demand, lambda text: len(text) >= length)


switch = make_cast(
    "be 1 or 0, not {}",
    pattern_matcher("(?i:0|1|false|true)"),
    lambda text: text.lower() in {"1", "true"},
)
port = make_cast(
    "be a port, 1 to 65535, not {}",
    lambda text: re.match(r"[1-9]", text) and range(65536).index(int(text)),
    int,
)
hours = positive_number_cast(lambda count: timedelta(hours=count))
days = positive_number_cast(lambda count: timedelta(days=count))
networks = make_cast(
    "be networks such as 10.0.0.0/8,fd00::/8, not {}",
    bool,
    lambda text: [str(ip_network(part.strip())) for part in text.split(",") if part],
)
origins = make_cast(
    "be origins such as https://tricky.example.org, not {}",
    pattern_matcher(r"\s*https?://[^\s,/]+\s*(,\s*https?://[^\s,/]+\s*)*"),
    lambda text: [part.strip() for part in text.split(",")],
)
time_zone = make_cast("be a time zone such as Europe/Berlin", ZoneInfo)
postgresql_url = make_cast(
    "begin with postgres://", pattern_matcher("(postgres|postgresql|psql|pgsql)://.*")
)
redis_url = make_cast(
    "begin with redis:// or rediss://", pattern_matcher("rediss?://.*")
)
broker_url = make_cast(
    "begin with redis://, rediss://, amqp:// or amqps://",
    pattern_matcher("(rediss?|amqps?)://.*"),
)
email_url = make_cast(
    "be a URL such as smtp+tls://name:password@mail.example:587", Env.email_url_config
)
contact = make_cast(
    "be mailto:… or https://…",
    pattern_matcher(r"mailto:[^@\s]+@[\w.-]+\.\w+|https://[\w-]+\.[\w.-]+"),
)
vapid_key = make_cast("be 32 bytes in base64url", pattern_matcher(r"[\w-]{43}=?"))
readable_file = make_cast("be a readable file", lambda path: os.access(path, os.R_OK))
file_to_write = make_cast(
    "be in a folder that this user can write",
    lambda path: os.access(Path(path).parent, os.W_OK),
)
