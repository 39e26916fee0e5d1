"""Texts of notifications for players and directors."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.locales.zones import use_time_zone
from scoring.matchlog.confirmations import INVALIDATING_KINDS
from tournaments.event.autopilot import AutopilotObstacle, WaitReason, pending_step
from tournaments.event.push import NoticeKind, PushMessage
from tournaments.event.rights import may_settle
from tournaments.event.rounds import is_table_confirmed
from tournaments.models import (
    Announcement,
    Entry,
    Round,
    Subscription,
    Table,
    Tournament,
)
from tournaments.models.round_names import round_name, round_subject
from tournaments.people.languages import override_language
from tournaments.web.desk.autopilot import autopilot_waiting_reason

LONGEST = 300
"""Characters of a title: push services refuse messages of more than a few thousand bytes."""


class PushNotice(NamedTuple):
    """A notification for one device; each occasion is sent to it once."""

    subscription_id: int
    message: PushMessage
    occasion: str
    says: str = ""
    """If this differs from the last notice, the occasion is sent again."""


def build_push_notices(
    kind: NoticeKind, subject_id: int, now: datetime
) -> Iterator[PushNotice]:
    """Yield a notice for each subscribed device; none if the event no longer applies."""
    match kind:
        case NoticeKind.SEATED | NoticeKind.STARTED:
            yield from _round_notices(kind, subject_id)
        case NoticeKind.ANNOUNCEMENT:
            active = Announcement.objects.filter(pk=subject_id, withdrawn_at=None)
            announcement = active.select_related("tournament__club").first()
            if announcement is not None:
                tournament, text = announcement.tournament, announcement.text
                occasion = f"said-{subject_id}"
                yield from _player_notices(tournament, lambda _entry: text, occasion)
        case NoticeKind.PLACE:
            entries = Entry.objects.filter(pk=subject_id)
            moved_up = entries.select_related("tournament__club").first()
            if moved_up is not None and moved_up.is_expected_or_present:
                yield from _player_notices(
                    moved_up.tournament,
                    lambda entry: (
                        _("You’ve got a place!") if entry.pk == subject_id else ""
                    ),
                    f"place-{subject_id}-{moved_up.waiting_number}",
                )
        case NoticeKind.MATCH_OVER:
            yield from _confirmation_request_notices(subject_id)
        case NoticeKind.CALLED | NoticeKind.DISPUTED:
            yield from _call_or_dispute_notices(kind, subject_id)
        case NoticeKind.BLOCKED:
            yield from _autopilot_blocked_notices(subject_id, now)


def _round_notices(kind: NoticeKind, round_id: int) -> Iterator[PushNotice]:
    state = Round.State.PUBLISHED if kind == NoticeKind.SEATED else Round.State.RUNNING
    rounds = Round.objects.filter(pk=round_id, state=state)
    round_ = rounds.select_related("tournament__club").first()
    if round_ is None or (round_.tournament.is_league and not round_.is_playoff):
        return
    places = round_.places.filter(entry__subscriptions__isnull=False)
    places_by_entry = {
        place.entry_id: place for place in places.select_related("table").distinct()
    }
    byes = set(round_.byes.values_list("entry_id", flat=True))

    def write_title(entry: Entry) -> str:
        place = places_by_entry.get(entry.pk)
        if place is not None:
            text = _("%(round)s: you’re at table %(table)s, seat %(seat)s")
            if kind == NoticeKind.STARTED:
                text = _("%(round)s is starting: table %(table)s, seat %(seat)s")
            return text % {
                "round": round_subject(round_),
                "table": place.table.number,
                "seat": place.index + 1,
            }
        if entry.pk in byes and kind == NoticeKind.SEATED:
            text = _("%(round)s: you’re sitting out")
            return text % {"round": round_name(round_)}
        return ""

    # A player that was moved since gets a second notice, since its text differs.
    yield from _player_notices(round_.tournament, write_title, f"{kind}-{round_id}")


def _confirmation_request_notices(table_id: int) -> Iterator[PushNotice]:
    table = (
        Table.objects.with_places_and_entries()
        .select_related("round__tournament__club")
        .filter(pk=table_id, void=False, disputed=False, match__finished=True)
        .first()
    )
    if table is None or table.round.state != Round.State.RUNNING:
        return
    tournament = table.round.tournament
    if is_table_confirmed(table, tournament.quorum) or table.match is None:
        return
    waiting = table.match.seats.filter(confirmed_at=None).values_list(
        "index", flat=True
    )
    seats = set(waiting)
    waiting_entries = {
        place.entry_id for place in table.places.all() if place.index in seats
    }

    def write_title(entry: Entry) -> str:
        text = _("Table %(table)s is done. Please confirm the result")
        return text % {"table": table.number} if entry.pk in waiting_entries else ""

    url_args = [tournament.address, table.round.number, table.number]
    address = reverse("tournaments:table", args=url_args)
    review_count = table.match.log.filter(kind__in=INVALIDATING_KINDS).count()
    yield from _player_notices(
        tournament,
        write_title,
        f"over-{table_id}",
        address,
        content_key=f"{review_count}",
    )


def _call_or_dispute_notices(kind: NoticeKind, table_id: int) -> Iterator[PushNotice]:
    tables = Table.objects.filter(pk=table_id).exclude(called_at=None)
    table = tables.select_related("round__tournament__club").first()
    if table is None or table.called_at is None:
        return

    def write_title() -> str:
        text = _("Table %(table)s is calling you")
        if table.disputed:
            text = _("Table %(table)s disputes its result")
        title = text % {"table": table.number}
        return f"{title}: {reason}" if (reason := table.dispute_reason_text) else title

    occasion = f"{kind}-{table_id}-{table.called_at.timestamp():.0f}"
    yield from _desk_notices(table.round.tournament, write_title, occasion)


def _autopilot_blocked_notices(
    tournament_id: int, now: datetime
) -> Iterator[PushNotice]:
    tournament = Tournament.objects.select_related("club").get(pk=tournament_id)
    step = tournament.auto_steps.held_or_announced().first()
    if step is not None:
        if step.refused:
            occasion = f"refused-{step.pk}"
            refused = step.refused
            yield from _desk_notices(tournament, lambda: refused, occasion)
        return
    waiting = pending_step(tournament)
    if not isinstance(waiting, WaitReason):
        return
    match waiting.obstacle:
        case AutopilotObstacle.SETTLING:
            needs_somebody = True
        case AutopilotObstacle.TABLES:
            current = tournament.rounds.filter(state=Round.State.RUNNING).first()
            ends = current.ends_at if current else None
            needs_somebody = ends is not None and ends < now
        case AutopilotObstacle.CLOCK:
            # The director has paused the clock and knows.
            needs_somebody = False
        case _:
            needs_somebody = tournament.starts_at <= now
    if not needs_somebody:
        return
    # Waiting for fewer tables is not a new occasion; another table to settle is.
    rounds = tournament.rounds.count()
    tables = waiting.tables if waiting.obstacle == AutopilotObstacle.SETTLING else ()
    occasion = f"blocked-{tournament_id}-{rounds}-{waiting.obstacle}-{tables}"
    yield from _desk_notices(
        tournament, lambda: autopilot_waiting_reason(tournament), occasion
    )


def _player_notices(
    tournament: Tournament,
    write_title: Callable[[Entry], str],
    occasion: str,
    address: str = "",
    content_key: str = "",
) -> Iterator[PushNotice]:
    """Yield the notices for players with a title; a changed `says` (or title) is sent again."""
    for subscription in (
        tournament.subscriptions.for_players().select_related("entry").order_by("pk")
    ):
        entry = subscription.entry
        if entry is None:
            continue
        own = reverse("tournaments:me", args=[tournament.address, entry.number])
        body = f"{entry.name} · {tournament.name}"
        # Each player of a shared phone gets a link to their own confirmation.
        link = f"{address}?for={entry.number}" if address else own
        club = tournament.club
        with (
            override_language(subscription.language, club.language),
            use_time_zone(subscription.time_zone, club.time_zone),
        ):
            title = write_title(entry)
            notice = _build_notice(subscription, title, body, link, occasion)
        if title:
            yield notice._replace(says=content_key or title)


def _desk_notices(
    tournament: Tournament, write_title: Callable[[], str], occasion: str
) -> Iterator[PushNotice]:
    address = reverse("tournaments:desk", args=[tournament.address])
    for subscription in tournament.subscriptions.for_desk().select_related("user"):
        user = subscription.user
        # A removed role ends the notifications of an earlier subscription.
        if user is None or not may_settle(tournament.club, user):
            continue
        club = tournament.club
        with (
            override_language(user.language, subscription.language, club.language),
            use_time_zone(user.time_zone, subscription.time_zone, club.time_zone),
        ):
            notice = _build_notice(
                subscription, write_title(), tournament.name, address, occasion
            )
        yield notice


def _build_notice(
    subscription: Subscription, title: str, body: str, url: str, occasion: str
) -> PushNotice:
    message = PushMessage(
        title=title[:LONGEST],
        body=body[:LONGEST],
        url=url,
        tag=f"{subscription.pk}-{occasion.partition('-')[0]}",
        stop=_("Turn off"),
    )
    return PushNotice(subscription.pk, message, occasion)
