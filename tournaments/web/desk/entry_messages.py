"""Messages about changes to the list of players."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.words import names_in_a_row
from tournaments.event.entries import Entered
from tournaments.models import Entry, Tournament

State = Entry.State


@contextmanager
def moving_up(request: HttpRequest, tournament: Tournament) -> Iterator[None]:
    """Name the players that a change moves up from the waiting list."""
    waiting = list(tournament.entries.all().waiting())
    yield
    states = dict(
        tournament.entries.filter(pk__in=[entry.pk for entry in waiting]).values_list(
            "pk", "state"
        )
    )
    names = [
        entry.name
        for entry in waiting
        if states.get(entry.pk)
        == (State.PRESENT if entry.waits_here else State.EXPECTED)
    ]
    if names:
        words = ngettext(
            "%(names)s moves up from the waiting list.",
            "%(names)s move up from the waiting list.",
            len(names),
        )
        messages.success(request, words % {"names": names_in_a_row(names)})


def show_entered(request: HttpRequest, entered: Entered, *, checks_in: bool) -> None:
    """Say what became of each group of an entered list; `checks_in` if they are here."""
    changes = _added_lines(entered.entries, checks_in=checks_in)
    queued = [entry.name for entry in entered.entries if not entry.takes_a_place]
    rest: list[str] = []
    if checks_in:
        for before, lines in (
            (State.EXPECTED, changes),
            (State.DROPPED, changes),
            (State.NO_SHOW, changes),
            (State.WAITING, changes),
            (State.PRESENT, rest),
        ):
            now_here = [
                entry.name
                for entry, state in entered.known_entries
                if state == before and entry.state == State.PRESENT
            ]
            lines += _line(_checked_in_words(before, len(now_here)), now_here)
        queued += [
            entry.name
            for entry, state in entered.known_entries
            if entry.state == State.WAITING != state
        ]
        still = [
            entry.name
            for entry, state in entered.known_entries
            if entry.state == State.WAITING == state
        ]
        words = ngettext(
            "No place is free: %(names)s is still on the waiting list.",
            "No place is free: %(names)s are still on the waiting list.",
            len(still),
        )
        rest += _line(words, still)
    else:
        known = list(dict.fromkeys(entered.known))
        words = ngettext(
            "%(names)s was entered before, and is there once.",
            "%(names)s were entered before, and are there once.",
            len(known),
        )
        rest += _line(words, known)
    words = ngettext(
        "All places are taken: %(names)s is on the waiting list.",
        "All places are taken: %(names)s are on the waiting list.",
        len(queued),
    )
    changes += _line(words, queued)
    if changes:
        messages.success(request, " ".join(changes))
    if rest:
        messages.info(request, " ".join(rest))


def _added_lines(entries: Sequence[Entry], *, checks_in: bool) -> list[str]:
    placed = sum(entry.takes_a_place for entry in entries)
    words = ngettext("%(n)s player added.", "%(n)s players added.", placed)
    if checks_in:
        words = ngettext(
            "%(n)s player added and checked in.",
            "%(n)s players added and checked in.",
            placed,
        )
    return [words % {"n": placed}] if placed else []


def _checked_in_words(before: Entry.State, count: int) -> str:
    match before:
        case State.PRESENT:
            return _("Checked in already: %(names)s.")
        case State.WAITING:
            return _("Checked in from the waiting list: %(names)s.")
        case State.DROPPED:
            return _("Back after leaving: %(names)s.")
        case State.NO_SHOW:
            return _("Marked absent before, and checked in now: %(names)s.")
        case _:
            return ngettext(
                "%(names)s is checked in.", "%(names)s are checked in.", count
            )


def _line(words: str, names: Sequence[str]) -> list[str]:
    return [words % {"names": names_in_a_row(names)}] if names else []


def show_left_out(request: HttpRequest, names: Sequence[str]) -> None:
    """Say which pending names are not entered."""
    if names:
        words = _("Left out: %(names)s.") % {"names": names_in_a_row(names)}
        messages.success(request, words)
