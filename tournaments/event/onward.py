"""Where those who have played at a table go on: the next seats, or when these are known."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from scoring.competition import Onward
from tournaments.models import SHOWN, AutoStep, Place, Round, Table, Tournament

SEATED_AT = (AutoStep.Kind.SEAT, AutoStep.Kind.START, AutoStep.Kind.CUT)
"""Steps of a night that runs itself after which players have a table."""


def onward_from(table: Table, own: Place | None) -> Onward | None:
    """Return what comes after the match of a table; None while it goes on.

    `own` is the place of whoever asks, who is told of their own seat alone. A table that
    was left behind by its round is over as well.
    """
    tournament = table.round.tournament
    is_over = table.match is not None and table.match.is_settled
    if not is_over and table.round.state != Round.State.CLOSED:
        return None
    if tournament.is_league:
        return _to_the_tournament(tournament, _("The match is in."), _("To the league"))
    if tournament.phase == Tournament.Phase.FINISHED:
        sentence = _("The tournament is over.")
        return _to_the_tournament(tournament, sentence, _("To the final standings"))
    coming = _next_round(table)
    if coming is not None:
        return _seated(table, coming, own)
    sentence = _what_comes(table, _coming_step(tournament))
    if own is None:
        return _to_the_tournament(tournament, sentence, _("To the tournament"))
    return _to_own_page(tournament, sentence)


def _next_round(table: Table) -> Round | None:
    """Return the latest round after a table's of which everybody may see who sits where."""
    later = Round.objects.filter(
        tournament=table.round.tournament,
        number__gt=table.round.number,
        state__in=SHOWN,
    )
    return later.order_by("-number").first()


def _coming_step(tournament: Tournament) -> AutoStep | None:
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    announced = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return announced.filter(kind__in=SEATED_AT).order_by("due_at", "pk").first()


def _seated(table: Table, coming: Round, own: Place | None) -> Onward:
    """Return who of a table sits where in the round that comes; for one person their seat."""
    tournament = table.round.tournament
    step = _coming_step(tournament)
    is_known = step is not None and step.kind == AutoStep.Kind.START
    name = _round_at(coming, step if is_known else None)
    entries = [own.entry_id] if own else table.places.values_list("entry", flat=True)
    places = list(
        coming.places.filter(entry__in=entries)
        .select_related("table", "entry")
        .order_by("table__number", "index")
    )
    if own is None:
        return Onward(
            sentence=_("%(round)s: who sits where") % {"round": name},
            seats=_seats(places),
            address=f"{_page_of(coming)}?seats",
            label=_("All seats"),
        )
    if not places:
        words = _("%(round)s: you sit it out.")
        if coming.tables_left is not None:
            words = _("%(round)s is played by those who go on.")
            name = round_in_words(coming)
        sentence = words % {"round": name}
        return _to_own_page(tournament, sentence)
    words = _("%(round)s: you sit at table %(table)s, seat %(seat)s.")
    seat = {"table": places[0].table.number, "seat": places[0].index + 1}
    return _to_own_page(tournament, words % {"round": name, **seat})


def _seats(places: Sequence[Place]) -> list[str]:
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
    name = round_in_words(coming)
    if coming.state == Round.State.RUNNING:
        return _("%(round)s has begun") % {"round": name}
    if step is None:
        return name
    time = time_format(localtime(step.due_at), "TIME_FORMAT")
    return _("%(round)s at %(time)s") % {"round": name, "time": time}


def round_in_words(round_: Round) -> str:
    """Return what begins a sentence on a round."""
    match round_.tables_left:
        case 1:
            return _("The final")
        case 2:
            return _("The semi-final")
        case _:
            return _("Round %(number)s") % {"number": round_.number}


def _what_comes(table: Table, step: AutoStep | None) -> str:
    """Return what those who wait for the next seats are told."""
    number = {"number": table.round.number}
    if step is not None:
        time = time_format(localtime(step.due_at), "TIME_FORMAT")
        if step.kind == AutoStep.Kind.CUT:
            return _("The final is seated at %(time)s.") % {"time": time}
        words = _("Round %(number)s is seated at %(time)s.")
        return words % {"number": step.number, "time": time}
    if table.round.state == Round.State.CLOSED:
        return _("Round %(number)s is over. What comes next appears here.") % number
    return _("This table is done. What comes next appears here.")


def _page_of(round_: Round) -> str:
    return reverse("tournaments:round", args=[round_.tournament.address, round_.number])


def _to_the_tournament(tournament: Tournament, sentence: str, label: str) -> Onward:
    return Onward(sentence=sentence, address=tournament.get_absolute_url(), label=label)


def _to_own_page(tournament: Tournament, sentence: str) -> Onward:
    address = reverse("tournaments:me", args=[tournament.address])
    return Onward(sentence=sentence, address=address, label=_("To my night"))
