"""Byes on request: coming rounds that a player sits out."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.locales.sentences import join_names
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.late_arrivals import DRAWN_ROUND_BY_ROUND
from tournaments.exact import format_exact_number
from tournaments.models import Entry, NightEvent, Round, Tournament, User


def may_request_byes(entry: Entry) -> bool:
    """Return whether a player takes part, and may ask to sit out rounds on their own phone."""
    return entry.is_expected_or_present and bool(rounds_open_for_requests(entry))


def coming_rounds(tournament: Tournament) -> list[int]:
    """Return the numbers of the planned rounds whose seats are not published.

    Empty in a final, in formats in which nobody sits out on request, and after the end.
    """
    if (
        tournament.format not in DRAWN_ROUND_BY_ROUND
        or tournament.phase == Tournament.Phase.FINISHED
        or tournament.rounds.filter(stage__gt=0).exists()
    ):
        return []
    published = tournament.rounds.exclude(state=Round.State.DRAWN).count()
    return list(range(published + 1, tournament.rounds_planned + 1))


def rounds_open_for_requests(entry: Entry) -> list[int]:
    """Return the coming rounds that a player can still ask to sit out, or to play after all.

    A round in whose draw the player sits out is not among them.
    """
    drawn_byes = set(entry.byes.values_list("round__number", flat=True))
    return [
        number for number in coming_rounds(entry.tournament) if number not in drawn_byes
    ]


def join_round_numbers(numbers: Sequence[int]) -> str:
    """Return the rounds as in `round 2 and round 3`; empty for none."""
    names = [_("round %(number)s") % {"number": number} for number in numbers]
    return join_names(names)


def requested_byes_in_words(entry: Entry) -> str:
    """Return a sentence about the coming rounds that a player sits out on request."""
    coming = coming_rounds(entry.tournament)
    rounds = [number for number in entry.bye_rounds if number in coming]
    if not rounds:
        return _("%(name)s plays every coming round.") % {"name": entry.name}
    text = _("%(name)s sits out %(rounds)s.")
    return text % {"name": entry.name, "rounds": join_round_numbers(rounds)}


def coming_byes_in_words(
    tournament: Tournament, entries: Iterable[Entry], *, after_round: int
) -> str:
    """Return who sits out which later rounds on request, as in `Ann (round 3)`; empty for none."""
    taking_part = [entry for entry in entries if entry.is_expected_or_present]
    if not any(entry.bye_rounds for entry in taking_part):
        return ""
    coming = [number for number in coming_rounds(tournament) if number > after_round]
    rounds_by_name = {
        entry.name: [number for number in coming if number in entry.bye_rounds]
        for entry in taking_part
    }
    return ", ".join(
        f"{name} ({join_round_numbers(numbers)})"
        for name, numbers in rounds_by_name.items()
        if numbers
    )


def requested_bye_points_in_words(tournament: Tournament) -> str:
    """Return what a round that a player sits out on request counts, as a sentence."""
    shares = {
        "average": _("the average of your other rounds"),
        "half": _("half the average of your other rounds"),
    }
    text = _("Points for this round: %(points)s.")
    worth = tournament.requested_bye
    return text % {"points": shares.get(worth) or format_exact_number(Fraction(worth))}


@transaction.atomic
def request_or_cancel_bye(
    *, entry_id: int, number: int, is_requested: bool, now: datetime
) -> Entry:
    """Apply a player's own wish to sit out a round, or to play it after all; return the entry.

    Raises RefusedError for a round that is not open for requests, and if the player takes no part.
    """
    tournament = Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    entry.tournament = tournament
    open_rounds = rounds_open_for_requests(entry)
    if number not in open_rounds or not entry.is_expected_or_present:
        message = _("Too late to change %(round)s. Ask the director.")
        values = {"round": join_round_numbers([number])}
        raise RefusedError("round", message % values)
    numbers = set(open_rounds).intersection(entry.bye_rounds)
    (numbers.add if is_requested else numbers.discard)(number)
    return set_requested_byes(entry_id=entry_id, numbers=numbers, now=now)


@transaction.atomic
def set_requested_byes(
    *,
    entry_id: int,
    numbers: Collection[int],
    user: User | None = None,
    now: datetime | None = None,
) -> Entry:
    """Let a player sit out exactly these of the open rounds, and return the entry.

    Requests for other rounds stay. A drawn round whose seats are not published has to be drawn
    again. Raises RefusedError for a round that is not open for requests.
    """
    tournament = Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    entry.tournament = tournament
    open_rounds = rounds_open_for_requests(entry)
    before = set(entry.bye_rounds)
    if refused := sorted(set(numbers) - set(open_rounds) - before):
        message = _("Too late to sit out %(rounds)s. The seats are published.")
        values = {"rounds": join_round_numbers(refused)}
        raise RefusedError("rounds", message % values)
    wanted = before.difference(open_rounds).union(numbers)
    if wanted == before:
        return entry
    entry.bye_rounds = sorted(wanted)
    entry.save(update_fields=["bye_rounds"])
    for kind, changed in (
        (NightEvent.Kind.BYE_REQUESTED, wanted - before),
        (NightEvent.Kind.BYE_CANCELLED, before - wanted),
    ):
        for number in sorted(changed):
            NightEvent.objects.record_entry(
                kind,
                entry,
                by=user,
                now=now,
                round_number=number,
                last_round_number=number,
            )
    mark_changed(tournament.pk)
    return entry
