"""What can be listened to, who may, and at which versions it is.

A topic is read anew whenever it is announced. Nothing that needs a right is ever told: of each
part its version, and the address in the API where whoever may reads it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from itertools import islice
from secrets import token_hex
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from scoring.api.problems import no_token, not_there
from scoring.models import Match
from stream.kinds import Kind
from tournaments.models import Club, Role, Standings, Tournament, User
from tournaments.people.origins import is_allowed
from tournaments.people.programs import token_of

API = "/api/v1"
LATEST = 100
"""Tournaments of a club of which each change is told; of older ones its history."""
AT_ONCE = 500
"""Keys in one question."""


class Topic(NamedTuple):
    """One thing to listen to, as people of its club hear it, or as everybody does."""

    kind: Kind
    key: int
    inside: bool = False

    @property
    def name(self) -> str:
        """Return by what it is announced; a sheet as the match that it shows."""
        kind = Kind.MATCH if self.kind is Kind.SHEET else self.kind
        return f"{kind} {self.key}"

    @property
    def has_version(self) -> bool:
        """Tell whether a look finds out that it changed; of a sheet that is announced alone."""
        return self.kind is not Kind.SHEET


class Part(NamedTuple):
    """Something of a topic that has a version of its own."""

    event: str
    version: int | str
    link: str
    """Where it is read."""


class State:
    """At which versions a topic is."""

    def __init__(
        self, parts: Iterable[Part], whole: Iterable[Part] | None = None
    ) -> None:
        """Keep its parts; `whole` is what somebody is told who heard nothing before."""
        self.parts = tuple(parts)
        self.whole = self.parts if whole is None else tuple(whole)

    @cached_property
    def id(self) -> str:
        """Return what tells this state from any other of its topic."""
        return ".".join(str(part.version) for part in self.whole)

    def since(self, before: "State | None") -> list[Part]:
        """Return what is other than in a state that somebody was told before."""
        if before is None:
            return list(self.whole)
        heard = {(part.event, part.link): part.version for part in before.parts}
        return [
            part
            for part in self.parts
            if heard.get((part.event, part.link)) != part.version
        ]


class Found(NamedTuple):
    """A topic, for who may listen."""

    topic: Topic
    allows_origin: bool
    """Whether the pages of another site may, which the request came from."""


def find(kind: Kind, name: str, *, secret: str, origin: str = "") -> Found:
    """Return the topic with this address, for whoever shows this token or none.

    Raises ProblemError for a token that opens nothing, and alike for what is not there and
    what is not for who asks: the drafts of a club.
    """
    user = _account_of(secret)
    if kind in {Kind.MATCH, Kind.SHEET}:
        match = Match.objects.filter(address=name).values_list("pk", flat=True).first()
        if match is None:
            raise not_there()
        club = Q(tournaments__rounds__tables__match=match)
        return Found(Topic(kind, match), _lets(origin, club))
    if kind is Kind.TOURNAMENT:
        tournaments = Tournament.objects.select_related("club")
        tournament = tournaments.filter(address=name).first()
        if tournament is None:
            raise not_there()
        inside = tournament.club.role_of(user) is not None
        if tournament.listing == Tournament.Listing.DRAFT and not inside:
            raise not_there()
        club = Q(pk=tournament.club_id)
        return Found(Topic(kind, tournament.pk, inside), _lets(origin, club))
    found = Club.objects.filter(slug=name).first()
    if found is None:
        raise not_there()
    inside = found.role_of(user) is not None
    return Found(Topic(kind, found.pk, inside), _lets(origin, Q(pk=found.pk)))


def _account_of(secret: str) -> User | None:
    if not secret:
        return None
    token = token_of(secret, timezone.now())
    if token is None:
        raise no_token(gettext("This token was ended, has expired, or never was."))
    return token.user


def _lets(origin: str, club: Q) -> bool:
    return bool(origin) and is_allowed(origin, club)


def read_states(topics: Collection[Topic]) -> Mapping[Topic, State | None]:
    """Return at which versions topics are; None for one that is there no more for who listens.

    A sheet is another one each time: its page knows what it shows, and asks.
    """
    states: dict[Topic, State | None] = dict.fromkeys(topics)
    for topic in topics:
        if topic.kind is Kind.SHEET:
            states[topic] = State([Part("sheet", token_hex(4), "")])
    matches = [topic for topic in topics if topic.kind is Kind.MATCH]
    for some in _batches(matches):
        rows = Match.objects.filter(pk__in=[topic.key for topic in some])
        for pk, address, version in rows.values_list("pk", "address", "version"):
            link = f"{API}/matches/{address}"
            states[Topic(Kind.MATCH, pk)] = State([Part("match", version, link)])
    tournaments = [topic for topic in topics if topic.kind is Kind.TOURNAMENT]
    for some in _batches(tournaments):
        stored = Tournament.objects.in_bulk({topic.key for topic in some})
        for topic in some:
            if found := stored.get(topic.key):
                states[topic] = _of_tournament(found, inside=topic.inside)
    for topic in topics:
        if topic.kind is Kind.CLUB:
            states[topic] = _of_club(topic.key, _role(inside=topic.inside))
    return states


def _batches(topics: Iterable[Topic]) -> Iterator[list[Topic]]:
    left = iter(topics)
    while some := list(islice(left, AT_ONCE)):
        yield some


def _role(*, inside: bool) -> Role | None:
    """Return the least role that somebody has who hears what a club's people hear."""
    return min(Role) if inside else None


def _of_tournament(tournament: Tournament, *, inside: bool) -> State | None:
    if tournament.listing == Tournament.Listing.DRAFT and not inside:
        return None
    link = f"{API}/tournaments/{tournament.address}"
    shown = Standings.objects.all().seen_by(_role(inside=inside), tournament)
    return State(
        [
            Part("tournament", tournament.version, link),
            Part("standings", shown.version if shown else 0, f"{link}/standings"),
        ]
    )


def _of_club(key: int, role: Role | None) -> State | None:
    club = Club.objects.filter(pk=key).values_list("slug", "history_version").first()
    if club is None:
        return None
    slug, version = club
    seen = Tournament.objects.filter(club=key).seen_by(role)
    latest = seen.order_by("-starts_at", "-pk").values_list("address", "version")
    history = Part("history", version, f"{API}/clubs/{slug}/leaderboards/all")
    tournaments = [
        Part("tournament", version, f"{API}/tournaments/{address}")
        for address, version in latest[:LATEST]
    ]
    told = sha256(repr(tournaments).encode()).hexdigest()[:16]
    listed = Part("tournaments", told, f"{API}/clubs/{slug}/tournaments")
    return State([history, *tournaments], whole=[history, listed])
