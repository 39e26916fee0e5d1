"""The next step of the autopilot, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.event.autopilot.decision import Kind, Obstacle, Waiting, pending_step
from tournaments.event.autopilot.steps import is_drawn_for_all
from tournaments.models import AutoStep, Tournament
from tournaments.models.round_names import round_subject_by_number

LATEST = 5
"""Completed steps shown on the desk."""
COMES = {
    Kind.SEAT: gettext_lazy("%(round)s: seating in"),
    Kind.START: gettext_lazy("%(round)s starts in"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: last hand in"),
    Kind.CLOSE: gettext_lazy("%(round)s closes in"),
    Kind.CUT: gettext_lazy("The final: seating in"),
    Kind.FINISH: gettext_lazy("The tournament ends in"),
}
"""Text before a countdown."""
HELD = {
    Kind.SEAT: gettext_lazy("%(round)s: the seating waits until you publish it."),
    Kind.START: gettext_lazy("%(round)s waits until you start it."),
    Kind.LAST_HAND: gettext_lazy("The last hand waits until you call it."),
    Kind.CLOSE: gettext_lazy("%(round)s stays open until you close it."),
    Kind.CUT: gettext_lazy("The final’s seating waits until you publish it."),
    Kind.FINISH: gettext_lazy("The tournament stays open until you finish it."),
}
DONE = {
    Kind.SEAT: gettext_lazy("%(round)s: seating published"),
    Kind.START: gettext_lazy("%(round)s started"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: last hand called"),
    Kind.CLOSE: gettext_lazy("%(round)s closed"),
    Kind.CUT: gettext_lazy("The final: seating published"),
    Kind.FINISH: gettext_lazy("Tournament finished"),
}
DO_NOW = {
    Kind.SEAT: gettext_lazy("Publish now"),
    Kind.START: gettext_lazy("Start now"),
    Kind.LAST_HAND: gettext_lazy("Call it now"),
    Kind.CLOSE: gettext_lazy("Close now"),
    Kind.CUT: gettext_lazy("Publish now"),
    Kind.FINISH: gettext_lazy("Finish now"),
}
"""Labels of the button that does a step at once."""
COMES_AT = {
    Kind.SEAT: gettext_lazy("%(round)s: seats at %(time)s."),
    Kind.START: gettext_lazy("%(round)s starts at %(time)s."),
    Kind.CUT: gettext_lazy("Seats for the final at %(time)s."),
}
"""Announcements of a step for players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The next step of the autopilot, and its latest ones."""

    step: AutoStep | None
    """The step that is announced or held; None while the autopilot waits."""
    sentence: str
    redraws: bool
    """Whether the step draws the shown seats again, for the players present then."""
    done: Sequence[tuple[AutoStep, str]]
    """The latest completed steps, each in words."""

    @property
    def is_held(self) -> bool:
        return self.step is not None and self.step.state == AutoStep.State.HELD

    @property
    def button_label(self) -> str:
        """Return the label of the button that does the step at once; empty without a step."""
        return str(DO_NOW[Kind(self.step.kind)]) if self.step else ""

    @property
    def undoable(self) -> AutoStep | None:
        """Return the last completed step; None if it was undone."""
        latest = self.done[0][0] if self.done else None
        return latest if latest and latest.state == AutoStep.State.DONE else None

    @property
    def digest(self) -> str:
        """Return a text that differs whenever the agenda does."""
        step = self.step
        standing = step and (step.pk, step.state, step.due_at.timestamp(), step.refused)
        done = [(taken.pk, taken.state) for taken, _words in self.done]
        return repr((standing, self.sentence, self.redraws, done))


def read_agenda(tournament: Tournament) -> Agenda | None:
    """Return the agenda of a tournament; None if its autopilot is off."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    step = tournament.auto_steps.active().first()
    redraws = False
    if step is not None and step.kind == Kind.SEAT:
        drawn = tournament.rounds.filter(number=step.number).first()
        redraws = drawn is not None and not is_drawn_for_all(drawn)
    taken = tournament.auto_steps.completed().select_related("by")[:LATEST]
    return Agenda(
        step=step,
        sentence=_describe(HELD if step.state == AutoStep.State.HELD else COMES, step)
        if step
        else waiting_reason(tournament),
        redraws=redraws,
        done=[(done, step_summary(done)) for done in taken],
    )


def coming_step(tournament: Tournament) -> AutoStep | None:
    """Return the announced step if it concerns players (see `COMES_AT`); else None."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    announced = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return announced.filter(kind__in=COMES_AT).first()


def countdown_words(step: AutoStep | None) -> str:
    """Return the text before a countdown to the step; empty without a step."""
    return _describe(COMES, step) if step is not None else ""


def time_words(step: AutoStep) -> str:
    """Return the announcement of a step for players, with its time."""
    at = time_format(localtime(step.due_at), "TIME_FORMAT")
    return _describe(COMES_AT, step, time=at)


def step_summary(step: AutoStep) -> str:
    """Return what a step did, as in `Round 2 was closed`."""
    return _describe(DONE, step)


def _describe(
    words: Mapping[AutoStep.Kind, object], step: AutoStep, **values: str
) -> str:
    name = round_subject_by_number(step.tournament, step.number)
    return str(words[Kind(step.kind)]) % {"round": name, **values}


def waiting_reason(tournament: Tournament) -> str:
    """Return what the autopilot waits for; empty if it is done or about to announce a step."""
    wanted = pending_step(tournament)
    if not isinstance(wanted, Waiting):
        return ""
    tables = ", ".join(str(table) for table in wanted.tables)
    match wanted.obstacle:
        case Obstacle.PEOPLE:
            return _("Waiting for players: too few are here for a table.")
        case Obstacle.LISTING:
            return _(
                "This tournament is a draft. Show it to everyone and it starts on time."
            )
        case Obstacle.CLOCK:
            return _("Waiting while the clock is paused.")
        case Obstacle.SETTLING:
            words = ngettext(
                "Waiting for you: settle table %(tables)s.",
                "Waiting for you: settle tables %(tables)s.",
                len(wanted.tables),
            )
        case _:
            words = ngettext(
                "Waiting for table %(tables)s.",
                "Waiting for tables %(tables)s.",
                len(wanted.tables),
            )
    return words % {"tables": tables}
