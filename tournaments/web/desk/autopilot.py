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
    Kind.SEAT: gettext_lazy("%(round)s is seated in"),
    Kind.START: gettext_lazy("%(round)s starts in"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: the last hand is called in"),
    Kind.CLOSE: gettext_lazy("%(round)s is closed in"),
    Kind.CUT: gettext_lazy("The final is seated in"),
    Kind.FINISH: gettext_lazy("The tournament is finished in"),
}
"""Text before a countdown."""
HELD = {
    Kind.SEAT: gettext_lazy("%(round)s is not seated before you say so."),
    Kind.START: gettext_lazy("%(round)s does not start before you say so."),
    Kind.LAST_HAND: gettext_lazy("The last hand is not called before you say so."),
    Kind.CLOSE: gettext_lazy("%(round)s is not closed before you say so."),
    Kind.CUT: gettext_lazy("The final is not seated before you say so."),
    Kind.FINISH: gettext_lazy("The tournament is not finished before you say so."),
}
DONE = {
    Kind.SEAT: gettext_lazy("%(round)s was seated"),
    Kind.START: gettext_lazy("%(round)s was started"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: the last hand was called"),
    Kind.CLOSE: gettext_lazy("%(round)s was closed"),
    Kind.CUT: gettext_lazy("The final was seated"),
    Kind.FINISH: gettext_lazy("The tournament was finished"),
}
COMES_AT = {
    Kind.SEAT: gettext_lazy("%(round)s is seated at %(time)s."),
    Kind.START: gettext_lazy("%(round)s starts at %(time)s."),
    Kind.CUT: gettext_lazy("The final is seated at %(time)s."),
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
    match wanted.what:
        case Obstacle.PEOPLE:
            return _("It waits for players: too few are here to make a table.")
        case Obstacle.LISTING:
            return _("It is a draft: let players find it, and it begins at its hour.")
        case Obstacle.CLOCK:
            return _("It waits while the clock is paused.")
        case Obstacle.SETTLING:
            words = ngettext(
                "It waits for a person: table %(tables)s is to be settled.",
                "It waits for a person: tables %(tables)s are to be settled.",
                len(wanted.tables),
            )
        case _:
            words = ngettext(
                "It waits for table %(tables)s.",
                "It waits for tables %(tables)s.",
                len(wanted.tables),
            )
    return words % {"tables": tables}
