"""`manage.py seat`: a plan for a whole night, without the database."""

import json
import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from scoring.rules.wording import say
from tournaments.seating import (
    DrawRequest,
    SeatingRefusal,
    TableSizeLimits,
    measure_quality,
    plan_night,
)

MOST_PLAYERS = 2_000
MOST_ROUNDS = 100
RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


class Command(BaseCommand):
    help = "Plan the seating of a whole night with as few repeats as possible."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument(
            "--rounds", type=int, required=True, help="rounds of the whole night"
        )
        parser.add_argument("--table", type=int, default=4, help="players at a table")
        parser.add_argument(
            "--min", type=int, help="smallest table (default: one fewer)"
        )
        parser.add_argument("--max", type=int, help="largest table (default: one more)")
        parser.add_argument("--seed", type=int, default=1, help="another plan")
        parser.add_argument("--played", metavar="FILE", help="rounds already played")
        parser.add_argument("--active", help="players who are here, such as 1,2,5-40")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the plan as one JSON object; exit status 1 if there is none."""
        try:
            answer = plan_seating(options)
        except SeatingRefusal as refusal:
            error = {"field": refusal.field, "message": str(refusal.message)}
            self.stdout.write(json.dumps({"error": error}))
            sys.exit(1)
        self.stdout.write(json.dumps(answer))


def plan_seating(options: dict[str, Any]) -> dict[str, Any]:
    """Return the plan for these options, as JSON values.

    Raises SeatingRefusal if they allow none.
    """
    began = perf_counter()
    players = _check_range(options["players"], "players", 2, MOST_PLAYERS)
    rounds = _check_range(options["rounds"], "rounds", 1, MOST_ROUNDS)
    table = _check_range(options["table"], "table", 2, MOST_PLAYERS)
    least, most = options["min"], options["max"]
    played_rounds = _read_played_rounds(options["played"]) if options["played"] else []
    if len(played_rounds) > rounds:
        raise seating_refusal(
            "rounds", _("Enter at least as many rounds as have already been played.")
        )
    active = list(range(1, players + 1))
    if options["active"] is not None:
        active = []
        for part in options["active"].split(","):
            match = RANGE.fullmatch(part.strip())
            first = int(match[1]) if match else 0
            last = int(match[2] or first) if match else 0
            if not 1 <= first <= last <= MOST_PLAYERS:
                raise seating_refusal(
                    "active",
                    _("“%(part)s” isn’t a player number or a range such as 5-40.")
                    % {"part": part},
                )
            active += [
                number for number in range(first, last + 1) if number not in active
            ]
    draw = plan_night(
        DrawRequest(
            players=active,
            sizing=TableSizeLimits(
                preferred=table,
                least=max(table - 1, 2) if least is None else least,
                most=table + 1 if most is None else most,
            ),
            played=played_rounds,
            seed=options["seed"],
        ),
        rounds - len(played_rounds),
    )
    night = [*played_rounds, *draw.rounds]
    night_quality = measure_quality(night)
    return {
        "rounds": night,
        "repeats": night_quality.repeats,
        "bound": night_quality.bound,
        "most_meetings": night_quality.most_meetings,
        "byes": [[] for _tables in played_rounds]
        + [list(bye_players) for bye_players in draw.byes],
        "seed": draw.seed,
        "seconds": round(perf_counter() - began, 3),
    }


def seating_refusal(field: str, message: str) -> SeatingRefusal:
    return SeatingRefusal(field, say(message.replace("%", "%%")))


def _check_range(number: int, field: str, least: int, most: int) -> int:
    if not least <= number <= most:
        message = _("%(field)s must be a number from %(least)s to %(most)s.")
        raise seating_refusal(
            field, message % {"field": field, "least": least, "most": most}
        )
    return number


def _read_played_rounds(name: str) -> list[list[list[int]]]:
    """Return the rounds of a file, as this command prints them."""
    try:
        document = json.loads(Path(name).read_bytes())
    except OSError as error:
        reason = _("%(name)s can’t be read: %(reason)s.")
        raise seating_refusal(
            "played", reason % {"name": name, "reason": error.strerror}
        ) from None
    except (ValueError, RecursionError):
        raise seating_refusal("played", _("This file isn’t valid JSON.")) from None
    rounds = document.get("rounds") if isinstance(document, dict) else document
    if not isinstance(rounds, list):
        raise seating_refusal("played", _("Put a list of rounds under “rounds”."))
    for number, tables in enumerate(rounds):
        _check_round(tables, f"played.rounds[{number}]")
    return rounds


def _check_round(tables: Any, field: str) -> None:
    """Raise SeatingRefusal unless these are tables of players, with each player seated once."""
    seated: set[int] = set()
    if not isinstance(tables, list):
        raise seating_refusal(field, _("A round must be a list of tables."))
    for number, table in enumerate(tables):
        table_field = f"{field}[{number}]"
        if not isinstance(table, list) or not table:
            raise seating_refusal(
                table_field, _("A table must be a list of player numbers.")
            )
        for player in table:
            if not isinstance(player, int) or isinstance(player, bool) or player < 1:
                raise seating_refusal(
                    table_field,
                    _("A player’s number must be a whole number, 1 or more."),
                )
            if player in seated:
                message = _("Player %(player)s is seated twice in this round.")
                raise seating_refusal(table_field, message % {"player": player})
            seated.add(player)
