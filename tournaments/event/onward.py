"""Where those who have played at a table go on: the next seats, or when these are known; and by when."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.competition import Onward, ResultState
from scoring.versions import SITE
from scoring.versions.cache import VersionedCache
from tournaments.event.rights import OwnPlaces
from tournaments.models import SHOWN, AutoStep, Place, Round, Table, Tournament
from tournaments.models.round_names import round_subject, round_subject_of

SEATED_AT = (AutoStep.Kind.SEAT, AutoStep.Kind.START, AutoStep.Kind.CUT)
"""Steps of a night that runs itself after which players have a table."""

LATER = VersionedCache[int, Round | None](lambda _round: [SITE])
"""By the round before, the latest of which everybody may see who sits where."""


def is_done(table: Table) -> bool:
    """Tell whether the match of a table is over, or its round has left the table behind."""
    is_over = table.match is not None and table.match.is_settled
    return is_over or table.round.state == Round.State.CLOSED


def onward_from(table: Table, own: OwnPlaces) -> Onward | None:
    """Return what comes after the match of a table; None until that is done.

    `own` are the places of whoever asks, who is told of their own seats alone.
    """
    if not is_done(table):
        return None
    tournament = table.round.tournament
    if tournament.is_league:
        sentence = _open_result(table) or _("The match is in.")
        return _to_the_tournament(tournament, sentence, _("To the league"))
    if tournament.phase == Tournament.Phase.FINISHED:
        sentence = _("The tournament is over.")
        return _to_the_tournament(tournament, sentence, _("To the final standings"))
    coming = _next_round(table)
    if coming is not None and len(own.here) == 1:
        sentence = _own_seat(table, coming, own.here[0])
    elif coming is not None:
        return _seated(table, coming, own)
    else:
        sentence = _what_comes(table, _coming_step(tournament))
    if not own.here:
        return _to_the_tournament(tournament, sentence, _("To the tournament"))
    address = own_page(tournament, own)
    return Onward(sentence=sentence, address=address, label=_("To my night"))


def _next_round(table: Table) -> Round | None:
    """Return the latest round after a table's of which everybody may see who sits where."""
    later = Round.objects.filter(
        tournament=table.round.tournament,
        number__gt=table.round.number,
        state__in=SHOWN,
    )
    return LATER.get_or_load(table.round_id, lambda: later.order_by("-number").first())


def _coming_step(tournament: Tournament) -> AutoStep | None:
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    announced = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return announced.filter(kind__in=SEATED_AT).order_by("due_at", "pk").first()


def _seated(table: Table, coming: Round, own: OwnPlaces) -> Onward:
    """Return who of a table sits where in the round that comes, or who of a family does."""
    tournament = table.round.tournament
    entries = [place.entry_id for place in own.here]
    if not own.here:
        entries = list(table.places.values_list("entry", flat=True))
    places = (
        coming.places.filter(entry__in=entries)
        .select_related("table", "entry")
        .order_by("table__number", "index")
    )
    seats = _seats(places)
    seated = {place.entry_id for place in places}
    words = _("%(name)s: sits it out")
    seats += [
        words % {"name": place.entry.name}
        for place in own.here
        if place.entry_id not in seated
    ]
    return Onward(
        sentence=_("%(round)s: who sits where")
        % {"round": _round_at(coming, _starting_step(tournament))},
        seats=seats,
        address=own_page(tournament, own)
        if own.here
        else f"{_page_of(tournament, coming)}?seats",
        label=_("To my night") if own.here else _("All seats"),
    )


def _starting_step(tournament: Tournament) -> AutoStep | None:
    """Return the step that lets a round begin, where it is announced."""
    step = _coming_step(tournament)
    return step if step is not None and step.kind == AutoStep.Kind.START else None


def _own_seat(table: Table, coming: Round, own: Place) -> str:
    """Return where one person sits in the round that comes, in a sentence."""
    place = (
        coming.places.filter(entry=own.entry_id)
        .select_related("table")
        .order_by("table__number", "index")
        .first()
    )
    name = _round_at(coming, _starting_step(table.round.tournament))
    if place is not None:
        words = _("%(round)s: you sit at table %(table)s, seat %(seat)s.")
        seat = {"table": place.table.number, "seat": place.index + 1}
        return words % {"round": name, **seat}
    if coming.tables_left is not None:
        words = _("%(round)s is played by those who go on.")
        return words % {"round": round_subject(coming)}
    return _("%(round)s: you sit it out.") % {"round": name}


def _seats(places: Iterable[Place]) -> list[str]:
    words = _("%(name)s: table %(table)s, seat %(seat)s")
    return [
        words
        % {
            "name": place.entry.name,
            "table": place.table.number,
            "seat": place.index + 1,
        }
        for place in places
    ]


def _round_at(coming: Round, step: AutoStep | None) -> str:
    """Return a round by its name, with its hour where that is known."""
    name = round_subject(coming)
    if coming.state == Round.State.RUNNING:
        return _("%(round)s has begun") % {"round": name}
    if step is None:
        return name
    time = time_format(localtime(step.due_at), "TIME_FORMAT")
    return _("%(round)s at %(time)s") % {"round": name, "time": time}


def _what_comes(table: Table, step: AutoStep | None) -> str:
    """Return what those who wait for the next seats are told."""
    if step is not None:
        time = time_format(localtime(step.due_at), "TIME_FORMAT")
        if step.kind == AutoStep.Kind.CUT:
            return _("The final is seated at %(time)s.") % {"time": time}
        name = round_subject_of(table.round.tournament, step.number)
        return _("%(round)s is seated at %(time)s.") % {"round": name, "time": time}
    if table.round.state == Round.State.CLOSED and table.round.tables_left == 1:
        return _("The final is over. The final standings follow.")
    if table.round.state == Round.State.CLOSED:
        words = _("%(round)s is over. What comes next appears here.")
        return words % {"round": round_subject(table.round)}
    if table.disputed:
        # The lines above the sheet say that it is.
        return _("What comes next appears here.")
    if open_result := _open_result(table):
        coming = _("What comes next appears here.")
        return f"{open_result} {coming}"
    return _("This table is done. What comes next appears here.")


def _open_result(table: Table) -> str:
    """Return what the result of a table still needs, in a sentence; empty for nothing."""
    if table.result_state == ResultState.DISPUTED:
        return _("The result is disputed.")
    if table.result_state == ResultState.UNCONFIRMED:
        return _("The result is not confirmed yet.")
    return ""


def _page_of(tournament: Tournament, round_: Round) -> str:
    return reverse("tournaments:round", args=[tournament.address, round_.number])


def _to_the_tournament(tournament: Tournament, sentence: str, label: str) -> Onward:
    return Onward(sentence=sentence, address=tournament.get_absolute_url(), label=label)


def own_page(tournament: Tournament, own: OwnPlaces) -> str:
    """Return the page of the first who sits at a table, or the only one that a phone has."""
    whose = [own.here[0].entry.number] if own.is_of_several else []
    return reverse("tournaments:me", args=[tournament.address, *whose])


def warning_of(table: Table, now: datetime) -> str:
    """Return when a table that lags counts as it stands; empty where it has all the time.

    It is said with the last hand, and again once the clock is over.
    """
    tournament = table.round.tournament
    is_alone = tournament.autopilot != Tournament.Autopilot.OFF
    if table.ends_at is None or not (is_alone and tournament.counts_late):
        return ""
    until = localtime(table.ends_at + timedelta(minutes=tournament.grace))
    words = _("Whatever is not done at %(time)s counts as it stands.")
    if table.ends_at < now:
        words = _("Time is over: at %(time)s this table counts as it stands.")
    return words % {"time": time_format(until, "TIME_FORMAT")}
