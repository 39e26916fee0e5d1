"""Teams of a tournament: who is in which, and their standings."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import join_names, translate
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_name_fault, normalize_text, same_name_key
from tournaments.changes import RefusedError, mark_changed
from tournaments.models import Entry, NightEvent, StandingsRow, Tournament, User
from tournaments.models.reasons import serialize_reason, translate_reason
from tournaments.standings import MemberScore, team_standings

PAIR = 2
ACTIVE_STATES = (Entry.State.EXPECTED, Entry.State.PRESENT, Entry.State.WAITING)
"""States of members that take up a place in their team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    name: str
    """As stored; a number for a team without a name."""
    members: Sequence[Entry]
    """In order of their numbers; those who left are members too."""
    size: int
    """The size of a complete team."""

    @property
    def label(self) -> str:
        """Return the name; partners without one are named themselves."""
        if not self.name.isdecimal():
            return self.name
        if self.size == PAIR:
            return join_names([member.name for member in self.members])
        return _("Team %(number)s") % {"number": self.name}

    @property
    def active_count(self) -> int:
        """Return how many members have not left and were not absent."""
        return sum(member.state in ACTIVE_STATES for member in self.members)

    @property
    def missing_count(self) -> int:
        """Return how many players a full team has more."""
        return max(0, self.size - self.active_count)

    @property
    def missing_text(self) -> str:
        """Return that the team is incomplete, as in `1 of 2 players`; empty if it is complete."""
        if not self.missing_count:
            return ""
        values = {"n": self.active_count, "size": self.size}
        return _("%(n)s of %(size)s players") % values


def read_teams(tournament: Tournament) -> list[Team]:
    """Return the teams of a tournament, numbered ones first and the others by name; one query."""
    if not tournament.team_size:
        return []
    return _build_teams(tournament.entries.all().by_team(), tournament.team_size)


def _build_teams(
    members_by_name: Mapping[str, Sequence[Entry]], size: int
) -> list[Team]:
    teams = [
        Team(name=name, members=members, size=size)
        for name, members in members_by_name.items()
    ]
    return sorted(teams, key=lambda team: _sort_key(team.name))


def _sort_key(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (10**LONGEST_NAME, name.casefold())


def find_team(
    tournament: Tournament, entry: Entry, entries: Iterable[Entry]
) -> Team | None:
    """Return the team of an entry among all entries; None without one."""
    if not (tournament.team_size and entry.team):
        return None
    members = [other for other in entries if other.team == entry.team]
    return Team(name=entry.team, members=members, size=tournament.team_size)


def incomplete_teams_in_words(
    tournament: Tournament, entries: Collection[Entry]
) -> str:
    """Return which of the entries have no team or an incomplete one; empty if all is well."""
    if not tournament.team_size:
        return ""
    teams = _build_teams(_group_by_team(entries), tournament.team_size)
    incomplete = [team.label for team in teams if 0 < team.active_count < team.size]
    single = [
        entry.name
        for entry in entries
        if entry.is_expected_or_present and not entry.team
    ]
    sentences = []
    if incomplete:
        text = ngettext(
            "%(n)s incomplete team: %(names)s.",
            "%(n)s incomplete teams: %(names)s.",
            len(incomplete),
        )
        values = {"n": len(incomplete), "names": ", ".join(incomplete)}
        sentences.append(text % values)
    if single:
        text = ngettext(
            "%(n)s player has no team.", "%(n)s players have no team.", len(single)
        )
        sentences.append(text % {"n": len(single)})
    return " ".join(sentences)


def team_labels_by_entry(tournament: Tournament) -> dict[int, str]:
    """Return the label of each entry's team by primary key; entries without one are left out."""
    return {
        member.pk: team.label
        for team in read_teams(tournament)
        for member in team.members
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStandingsLine:
    rank: int
    team: Team
    points: Fraction
    member_rows: Sequence[StandingsRow]
    """In the order of the standings."""
    reason: str
    """Why the line is above the next, if both have the same points; else empty."""
    unconfirmed: int
    """Number of tables of members that are disputed or lack confirmations; a common one counts for each."""


def team_lines(
    tournament: Tournament, rows: Iterable[StandingsRow]
) -> list[TeamStandingsLine]:
    """Return the standings of teams that follow from these rows of the standings, best first.

    Empty without teams. Points of all stages count. Teams are those of now, also in standings
    that were frozen earlier.
    """
    if not tournament.team_size:
        return []
    rows_by_team: dict[str, list[StandingsRow]] = {}
    for row in rows:
        if row.entry.team:
            rows_by_team.setdefault(row.entry.team, []).append(row)
    members = {
        name: sorted((row.entry for row in rows), key=lambda entry: entry.number)
        for name, rows in rows_by_team.items()
    }
    teams = {team.name: team for team in _build_teams(members, tournament.team_size)}
    labels = {name: team.label for name, team in teams.items()}
    ranked = team_standings(
        {name: list(map(_member_score, rows_by_team[name])) for name in teams},
        tournament.tie_breaks,
    )
    return [
        TeamStandingsLine(
            rank=line.rank,
            team=teams[line.team],
            points=line.points,
            member_rows=rows_by_team[line.team],
            reason=translate_reason(serialize_reason(line.reason, labels))
            if line.reason
            else "",
            unconfirmed=sum(row.unconfirmed for row in rows_by_team[line.team]),
        )
        for line in ranked
    ]


def all_stage_points(row: StandingsRow) -> Fraction:
    """Return the points of a row with those of earlier stages, as they count for a team."""
    return Fraction(row.points) + Fraction(row.earlier_points)


def _member_score(row: StandingsRow) -> MemberScore:
    return MemberScore(
        all_stage_points(row),
        {
            name: None if value is None else Fraction(value)
            for name, value in row.values.items()
        },
    )


@transaction.atomic
def assign_teams(
    *,
    tournament_id: int,
    team_texts: Mapping[int, str],
    user: User | None = None,
) -> int:
    """Put entries into the teams that are typed for them, and return how many changed.

    `team_texts` are by primary key: the name of a team, or that of another player, who then is
    in the same team; empty for none. Raises RefusedError with the entry's number as field for a
    text that cannot be a name, and for a team that would be larger than the tournament allows.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    entries = list(tournament.entries.by_number())
    before = {entry.pk: entry.team for entry in entries}
    for entry in entries:
        if entry.pk in team_texts:
            _set_team(entry, team_texts[entry.pk], entries, tournament.team_size)
    for entry in entries:
        if entry.pk in team_texts:
            _check_not_overfull(entry, entries, tournament.team_size)
    changed = [entry for entry in entries if entry.team != before[entry.pk]]
    _store_teams(tournament, changed, user)
    return len(changed)


def join_teams_named_after(
    tournament: Tournament, new_entries: Sequence[Entry]
) -> None:
    """Put new entries into incomplete teams that bear their names, because a partner named them.

    The team then has a number instead of that name. The caller has locked the tournament.
    """
    if not tournament.team_size:
        return
    entries = list(tournament.entries.by_number())
    own = {entry.pk for entry in new_entries}
    teams = {
        same_name_key(team.name): team
        for team in _build_teams(_group_by_team(entries), tournament.team_size)
        if team.active_count < team.size
    }
    changed: list[Entry] = []
    for entry in entries:
        team = teams.get(same_name_key(entry.name)) if entry.pk in own else None
        if team is not None and not entry.team:
            number = _free_number(entries)
            for member in (*team.members, entry):
                member.team = number
                changed.append(member)
    Entry.objects.bulk_update(changed, ["team"])


@transaction.atomic
def draw_teams(
    *,
    tournament_id: int,
    shuffle: Callable[[list[Entry]], None],
    user: User | None = None,
) -> list[Entry]:
    """Put the players with a place and without a team into teams at random, and return them.

    Incomplete teams are filled first. The last new team is incomplete if the numbers don't fit.
    `shuffle` puts a list into random order in place.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    entries = list(tournament.entries.by_number())
    single = [
        entry for entry in entries if entry.is_expected_or_present and not entry.team
    ]
    shuffle(single)
    open_places = [
        team.name
        for team in _build_teams(_group_by_team(entries), tournament.team_size)
        for _place in range(team.active_count, team.size)
    ]
    remaining = iter(single)
    for name, entry in zip(open_places, remaining, strict=False):
        entry.team = name
    while team := list(islice(remaining, tournament.team_size)):
        name = _free_number(entries)
        for entry in team:
            entry.team = name
    _store_teams(tournament, single, user)
    return single


@transaction.atomic
def dissolve_teams(*, tournament_id: int, user: User | None = None) -> None:
    """Take all players out of their teams."""
    tournament = Tournament.objects.lock(pk=tournament_id)
    entries = list(tournament.entries.exclude(team=""))
    for entry in entries:
        entry.team = ""
    _store_teams(tournament, entries, user)


def _store_teams(
    tournament: Tournament, entries: Collection[Entry], user: User | None
) -> None:
    if not entries:
        return
    Entry.objects.bulk_update(entries, ["team"])
    NightEvent.objects.record(NightEvent.Kind.TEAMS, tournament=tournament, by=user)
    mark_changed(tournament.pk)


def _group_by_team(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    members: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.team:
            members.setdefault(entry.team, []).append(entry)
    return members


def _set_team(
    entry: Entry, text: str, entries: Sequence[Entry], team_size: int
) -> None:
    """Set the team of an entry by what was typed; a named player without a team joins it too."""
    text = normalize_text(text)
    if not text:
        entry.team = ""
        return
    key = same_name_key(text)
    others = [other for other in entries if other.pk != entry.pk]
    for team in _build_teams(_group_by_team(others), team_size):
        if key in (same_name_key(team.name), same_name_key(team.label)):
            entry.team = team.name
            return
    for other in others:
        if same_name_key(other.name) == key:
            other.team = other.team or _free_number(entries)
            entry.team = other.team
            return
    if len(text) > LONGEST_NAME:
        message = _("A team’s name has at most %(most)s characters.")
        raise RefusedError(str(entry.number), message % {"most": LONGEST_NAME})
    if fault := find_name_fault(text):
        raise RefusedError(str(entry.number), translate(fault))
    entry.team = text


def _free_number(entries: Iterable[Entry]) -> str:
    """Return the lowest number that is not the name of a team."""
    used = {entry.team for entry in entries}
    number = 1
    while str(number) in used:
        number += 1
    return str(number)


def _check_not_overfull(entry: Entry, entries: Sequence[Entry], team_size: int) -> None:
    """Raise RefusedError if the entry's team has more active members than its size."""
    members = [other for other in entries if other.team and other.team == entry.team]
    team = Team(name=entry.team, members=members, size=team_size)
    if team.active_count > team_size:
        others = [other.name for other in members if other.pk != entry.pk]
        message = _("A team has %(size)s players. %(names)s are in this team already.")
        raise RefusedError(
            str(entry.number),
            message % {"size": team_size, "names": join_names(others)},
        )
