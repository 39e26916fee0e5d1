"""What of a tournament is decided: taken by the form of its page, so that one rule holds for both."""

from datetime import datetime
from typing import Any, Literal

from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Schema

from scoring.api.problems import refused
from scoring.api.schemas import Count, Given, Moment, Name, Small, Text, Yes
from tournaments.api.filled import as_posted
from tournaments.models import Tournament
from tournaments.web.forms import TournamentForm
from tournaments.web.forms.tie_breaks import TieBreaksField

Format = Literal[
    "planned", "swiss", "round_robin", "heats", "knockout", "league", "past"
]
GameChoice = Literal["tournament", "round", "table"]
Listing = Literal["draft", "listed", "unlisted", "archived"]
Unfinished = Literal["as_it_stands", "deduct", "void"]
Quorum = Literal["none", "one", "all"]
Writing = Literal["card", "own", "open"]
Autopilot = Literal["off", "help", "run"]
Shown = Literal["live", "closed", "finished"]

SETTINGS = (*TournamentForm.Meta.fields, "points", "tie_breaks", "bye", "options")
"""The columns that the form decides."""


class SettingsGiven(Given):
    """Settings of a tournament; what is left out stays, or is as usual in a new one."""

    name: Name | None = None
    starts_at: Moment | None = None
    format: Format | None = None
    game: Name | None = None
    game_choice: GameChoice | None = None
    games: list[Name] | None = Field(
        None, description="Of the rounds in turn, or for tables to choose from."
    )
    target: Count | None = Field(None, description="Points that end a match.")
    contests: Count | None = Field(None, description="Contests of a match of DB2T.")
    rounds_planned: Small | None = None
    minutes: Small | None = None
    table_size: Small | None = None
    least_size: Small | None = None
    most_size: Small | None = None
    capacity: Small | None = Field(None, description="0 for as many as come.")
    final_size: Small | None = None
    advance: Small | None = None
    strictness: Small | None = None
    best_tables: Small | None = None
    points: Text | None = Field(
        None,
        description="`linear` and the like; `places` goes by the field of that name.",
    )
    places: Text | None = Field(
        None, description="A line for each table size, as in `4: 10 6 3 1`."
    )
    tie_breaks: list[Name] | None = None
    bye: Text | None = Field(None, description="`average`, or a number as in `5/2`.")
    unfinished: Unfinished | None = None
    deduction: Small | None = None
    quorum: Quorum | None = None
    writing: Writing | None = None
    autopilot: Autopilot | None = None
    grace: Small | None = None
    counts_late: Yes | None = None
    standings_shown: Shown | None = None
    listing: Listing | None = None
    venue: Text | None = None
    fee: Text | None = None
    invitation: Text | None = None
    registration_opens_at: Moment | None = None
    registration_closes_at: Moment | None = None


class SettingsChanged(SettingsGiven):
    """Other settings of a tournament that is there."""

    version: Count | None = Field(
        None,
        description="That of the tournament as it was read: refused where it is another now.",
    )


class SettingsOut(Schema):
    """What was decided about a tournament."""

    format: str
    game: str
    game_choice: str
    games: list[str]
    options: dict[str, Any]
    rounds_planned: int
    minutes: int
    table_size: int
    least_size: int
    most_size: int
    capacity: int
    final_size: int
    advance: int
    strictness: int
    best_tables: int
    points: Any = Field(description="A name, or points by place for each table size.")
    tie_breaks: list[str]
    bye: str
    unfinished: str
    deduction: int
    quorum: str
    writing: str
    autopilot: str
    grace: int
    counts_late: bool
    standings_shown: str
    listing: str
    venue: str
    fee: str
    invitation: str
    registration_opens_at: datetime | None
    registration_closes_at: datetime | None


def settings_form(given: SettingsGiven, tournament: Tournament | None = None) -> Any:
    """Return the form of the settings, filled in with what a program gave.

    Whatever it did not give is as it is, or as the page offers it. Raises ProblemError for more
    tie-breaks than the page has places for.
    """
    chosen = given.model_dump(exclude_unset=True, exclude={"version"})
    initial = {"starts_at": timezone.now().replace(microsecond=0)}
    empty = TournamentForm(instance=tournament, initial={} if tournament else initial)
    values = {
        name: chosen.get(name, empty.get_initial_for_field(field, name))
        for name, field in empty.fields.items()
    }
    asked = empty.fields["tie_breaks"]
    assert isinstance(asked, TieBreaksField)
    offered = len(asked.fields)
    if len(values["tie_breaks"] or ()) > offered:
        words = gettext("Name %(most)s at most.") % {"most": offered}
        raise refused("tie_breaks", words)
    return TournamentForm(as_posted(values), instance=tournament)
