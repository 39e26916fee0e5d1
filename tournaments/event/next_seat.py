"""Describe what comes next for the players of a table: their next seats, or when to expect them."""

from datetime import datetime, timedelta

from django.db.models import Q
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.competition import NextTableNotice, ResultState
from scoring.models import LogEntry
from scoring.versions import SITE
from scoring.versions.cache import VersionedCache
from tournaments.event.rights import OwnPlaces
from tournaments.event.rounds import directors_next_step
from tournaments.models import (
    AutoStep,
    Place,
    Round,
    Table,
    Tournament,
)
from tournaments.models.round_names import round_subject, round_subject_by_number

ANNOUNCEMENTS = {
    AutoStep.Kind.SEAT: gettext_lazy("%(round)s: seats appear at %(time)s."),
    AutoStep.Kind.START: gettext_lazy("%(round)s starts at %(time)s."),
    AutoStep.Kind.CUT: gettext_lazy("Seats for the final appear at %(time)s."),
}
"""Announcements for players of the automatic steps that give them a table."""

LATER = VersionedCache[int, Round | None](lambda _round: [SITE])
"""The latest later round with published seats, by the primary key of a round."""


def has_counting_result_or_closed_round(table: Table) -> bool:
    """Return whether the result of a table's match counts, or its round is closed."""
    has_counting_result = table.match is not None and table.match.has_counting_result
    return has_counting_result or table.round.state == Round.State.CLOSED


def build_next_table_notice(
    table: Table, own_places: OwnPlaces
) -> NextTableNotice | None:
    """Return what comes after the match of a table; None until that is done.

    `own_places` are the places of the requesting phone or account, which sees only its own next seats.
    """
    if not has_counting_result_or_closed_round(table):
        return None
    tournament = table.round.tournament
    if tournament.is_league:
        sentence = _open_result_sentence(table) or _("Result saved.")
        return _tournament_link(tournament, sentence, _("Go to league"))
    if tournament.phase == Tournament.Phase.FINISHED:
        sentence = _("The tournament is over.")
        return _tournament_link(tournament, sentence, _("See final standings"))
    later_rounds = Round.objects.published().filter(
        tournament=tournament, number__gt=table.round.number
    )
    next_round = LATER.get_or_load(
        table.round_id, lambda: later_rounds.order_by("-number").first()
    )
    step = find_step_for_players(tournament)
    if next_round is not None and next_round.state == Round.State.CLOSED:
        sentence = _sentence_after_closed_round(next_round, step)
    elif next_round is not None and len(own_places.at_table) == 1:
        sentence = _own_seat_sentence(next_round, own_places.at_table[0], step)
    elif next_round is not None:
        return _describe_next_seats(table, next_round, own_places, step)
    elif table.round.state == Round.State.CLOSED:
        sentence = _sentence_after_closed_round(table.round, step)
    elif step is not None:
        sentence = step_announcement_text(step)
    else:
        sentence = _sentence_after_done_table(table)
    if not own_places.at_table:
        return _tournament_link(tournament, sentence, _("Go to tournament"))
    address = my_night_url(tournament, own_places)
    return NextTableNotice(
        sentence=sentence, address=address, label=_("Go to My night")
    )


def _describe_next_seats(
    table: Table, next_round: Round, own_places: OwnPlaces, step: AutoStep | None
) -> NextTableNotice:
    """Return the next seats of a table's players, or of the players that share a phone."""
    tournament = table.round.tournament
    entries = [place.entry_id for place in own_places.at_table]
    if not own_places.at_table:
        entries = list(table.places.values_list("entry", flat=True))
    places = (
        next_round.places.filter(entry__in=entries)
        .select_related("table", "entry")
        .order_by("table__number", "index")
    )
    template = _("%(name)s: table %(table)s, seat %(seat)s")
    seats = [
        template
        % {
            "name": place.entry.name,
            "table": place.table.number,
            "seat": place.index + 1,
        }
        for place in places
    ]
    seated = {place.entry_id for place in places}
    template = _("%(name)s: sitting out")
    seats += [
        template % {"name": place.entry.name}
        for place in own_places.at_table
        if place.entry_id not in seated
    ]
    page = reverse("tournaments:round", args=[tournament.address, next_round.number])
    return NextTableNotice(
        sentence=_("%(round)s: who sits where")
        % {"round": _round_with_time(next_round, step)},
        seats=seats,
        address=my_night_url(tournament, own_places)
        if own_places.at_table
        else f"{page}?seats",
        label=_("Go to My night") if own_places.at_table else _("See all seats"),
    )


def _own_seat_sentence(
    next_round: Round, own_place: Place, step: AutoStep | None
) -> str:
    place = (
        next_round.places.filter(entry=own_place.entry_id)
        .select_related("table")
        .order_by("table__number", "index")
        .first()
    )
    name = _round_with_time(next_round, step)
    if place is not None:
        sentence = _("%(round)s: you’re at table %(table)s, seat %(seat)s.")
        seat = {"table": place.table.number, "seat": place.index + 1}
        return sentence % {"round": name, **seat}
    if next_round.playoff_table_count is not None:
        sentence = _("%(round)s is only for players who advanced.")
        return sentence % {"round": round_subject(next_round)}
    return _("%(round)s: you’re sitting out.") % {"round": name}


def _round_with_time(round_: Round, step: AutoStep | None) -> str:
    """Return the name of a round, with its starting time if that is known."""
    name = round_subject(round_)
    if round_.state == Round.State.RUNNING:
        return _("%(round)s has started") % {"round": name}
    if step is None or step.kind != AutoStep.Kind.START:
        return name
    time = time_format(localtime(step.due_at), "TIME_FORMAT")
    return _("%(round)s at %(time)s") % {"round": name, "time": time}


def find_step_for_players(tournament: Tournament) -> AutoStep | None:
    """Return the announced step if it concerns players (see `ANNOUNCEMENTS`); else None."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    announced = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return announced.filter(kind__in=ANNOUNCEMENTS).first()


def step_announcement_text(step: AutoStep) -> str:
    """Return the announcement of a step for players, with its time."""
    time = time_format(localtime(step.due_at), "TIME_FORMAT")
    name = round_subject_by_number(step.tournament, step.number)
    text = ANNOUNCEMENTS[AutoStep.Kind(step.kind)]
    return str(text) % {"round": name, "time": time}


def _sentence_after_closed_round(round_: Round, step: AutoStep | None) -> str:
    """Return what comes after the last published round, once it is closed."""
    if step is not None:
        return step_announcement_text(step)
    rounds = list(round_.tournament.rounds.order_by("number"))
    sentence = _("%(round)s is over. The next step will appear here.")
    if (
        directors_next_step(round_.tournament, rounds, rounds[-1].tables.count())
        == "finish"
    ):
        sentence = _("%(round)s is over. The final standings follow.")
    return sentence % {"round": round_subject(round_)}


def _sentence_after_done_table(table: Table) -> str:
    missing_confirmation = _open_result_sentence(table)
    if not (table.disputed or missing_confirmation):
        return _("This table is done. The next step will appear here.")
    next_hint = _("The next step will appear here.")
    # The notices above the sheet already mention a dispute.
    return next_hint if table.disputed else f"{missing_confirmation} {next_hint}"


def _open_result_sentence(table: Table) -> str:
    """Return the sentence that a result is disputed or not confirmed; empty if it is neither."""
    if table.result_state == ResultState.DISPUTED:
        return _("The result is disputed.")
    if table.result_state == ResultState.UNCONFIRMED:
        return _("The result isn’t confirmed yet.")
    return ""


def _tournament_link(
    tournament: Tournament, sentence: str, label: str
) -> NextTableNotice:
    return NextTableNotice(
        sentence=sentence, address=tournament.get_absolute_url(), label=label
    )


def my_night_url(tournament: Tournament, own_places: OwnPlaces) -> str:
    """Return the URL of the player's page; for several players, that of the first at the table."""
    entry_args = (
        [own_places.at_table[0].entry.number] if own_places.is_of_several else []
    )
    return reverse("tournaments:me", args=[tournament.address, *entry_args])


def has_entered_last_hand(table: Table) -> bool:
    """Return whether a hand was entered after the last hand was called.

    Hands that a phone had saved before and sent later do not count.
    """
    called_at, match = table.round.last_hand_at, table.match
    if called_at is None or match is None:
        return False
    is_entered_after = Q(entered_at=None) | Q(entered_at__gt=called_at)
    hand_entries = match.log.filter(is_entered_after, kind=LogEntry.Kind.ENTER)
    return hand_entries.filter(made_at__gt=called_at).exists()


def last_hand_notice(table: Table) -> str:
    """Return a notice about the last hand; empty if it is not called, or the table is void or done."""
    if (
        table.round.last_hand_at is None
        or table.void
        or has_counting_result_or_closed_round(table)
    ):
        return ""
    if has_entered_last_hand(table):
        return _("The last hand is in. Ask the director before you enter another.")
    return _("Last hand. Finish this one and don’t start another.")


def deadline_notice(table: Table, now: datetime) -> str:
    """Return when an unfinished table will count as it stands; empty if it has no such limit.

    Shown with the last hand, and again once the clock has run out.
    """
    tournament = table.round.tournament
    is_automatic = tournament.autopilot != Tournament.Autopilot.OFF
    if table.ends_at is None or not (is_automatic and tournament.counts_late):
        return ""
    deadline = localtime(table.ends_at + timedelta(minutes=tournament.grace))
    warning = _("If you’re still playing at %(time)s, the scores count as they are.")
    if table.ends_at < now:
        warning = _("Time’s up. At %(time)s, this table’s scores count as they are.")
    return warning % {"time": time_format(deadline, "TIME_FORMAT")}
