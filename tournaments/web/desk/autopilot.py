"""The next step of the autopilot, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.event.autopilot import (
    AutopilotObstacle,
    Kind,
    WaitReason,
    is_draw_up_to_date,
    pending_step,
)
from tournaments.models import AutoStep, Tournament
from tournaments.models.round_names import round_subject_by_number

LATEST = 5
"""Completed steps shown on the desk."""
COUNTDOWN_LABELS = {
    Kind.SEAT: gettext_lazy("%(round)s: seating appears in"),
    Kind.START: gettext_lazy("%(round)s starts in"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: last hand is called in"),
    Kind.CLOSE: gettext_lazy("%(round)s closes in"),
    Kind.CUT: gettext_lazy("Seating for the final appears in"),
    Kind.FINISH: gettext_lazy("The tournament ends in"),
}
"""Text before a countdown."""
HELD_SENTENCES = {
    Kind.SEAT: gettext_lazy(
        "%(round)s: the seating stays hidden until you publish it."
    ),
    Kind.START: gettext_lazy("%(round)s waits until you start it."),
    Kind.LAST_HAND: gettext_lazy("You call the last hand yourself."),
    Kind.CLOSE: gettext_lazy("%(round)s stays open until you close it."),
    Kind.CUT: gettext_lazy(
        "The seating for the final stays hidden until you publish it."
    ),
    Kind.FINISH: gettext_lazy("The tournament stays open until you finish it."),
}
STEP_SUMMARIES = {
    Kind.SEAT: gettext_lazy("%(round)s: seating published"),
    Kind.START: gettext_lazy("%(round)s started"),
    Kind.LAST_HAND: gettext_lazy("%(round)s: last hand called"),
    Kind.CLOSE: gettext_lazy("%(round)s closed"),
    Kind.CUT: gettext_lazy("Seating for the final published"),
    Kind.FINISH: gettext_lazy("Tournament finished"),
}
BUTTON_LABELS = {
    Kind.SEAT: gettext_lazy("Publish now"),
    Kind.START: gettext_lazy("Start now"),
    Kind.LAST_HAND: gettext_lazy("Call last hand now"),
    Kind.CLOSE: gettext_lazy("Close now"),
    Kind.CUT: gettext_lazy("Publish now"),
    Kind.FINISH: gettext_lazy("Finish now"),
}
"""Labels of the button that does a step at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutopilotAgenda:
    """The next step of the autopilot, and its latest ones."""

    step: AutoStep | None
    """The step that is announced or held; None while the autopilot waits."""
    sentence: str
    redraws: bool
    """Whether the step draws the shown seats again, for the players present then."""
    latest_steps: Sequence[tuple[AutoStep, str]]
    """The latest completed steps, each in words."""

    @property
    def is_on_hold(self) -> bool:
        return self.step is not None and self.step.state == AutoStep.State.HELD

    @property
    def do_now_label(self) -> str:
        """Return the label of the button that does the step at once; empty without a step."""
        return str(BUTTON_LABELS[Kind(self.step.kind)]) if self.step else ""

    @property
    def undoable_step(self) -> AutoStep | None:
        """Return the last completed step; None if it was undone."""
        latest = self.latest_steps[0][0] if self.latest_steps else None
        return latest if latest and latest.state == AutoStep.State.DONE else None

    @property
    def digest(self) -> str:
        """Return a text that differs whenever the agenda does."""
        step = self.step
        step_state = step and (
            step.pk,
            step.state,
            step.due_at.timestamp(),
            step.refused,
        )
        completed = [
            (past_step.pk, past_step.state) for past_step, _summary in self.latest_steps
        ]
        return repr((step_state, self.sentence, self.redraws, completed))


def read_autopilot_agenda(tournament: Tournament) -> AutopilotAgenda | None:
    """Return the agenda of a tournament; None if its autopilot is off."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    step = tournament.auto_steps.held_or_announced().first()
    redraws = False
    if step is not None and step.kind == Kind.SEAT:
        round_ = tournament.rounds.filter(number=step.number).first()
        redraws = round_ is not None and not is_draw_up_to_date(round_)
    completed = tournament.auto_steps.done_or_undone().select_related("by")[:LATEST]
    return AutopilotAgenda(
        step=step,
        sentence=_format_step_text(
            HELD_SENTENCES if step.state == AutoStep.State.HELD else COUNTDOWN_LABELS,
            step,
        )
        if step
        else autopilot_waiting_reason(tournament),
        redraws=redraws,
        latest_steps=[
            (completed_step, step_summary(completed_step))
            for completed_step in completed
        ],
    )


def countdown_label(step: AutoStep | None) -> str:
    """Return the text before a countdown to the step; empty without a step."""
    return _format_step_text(COUNTDOWN_LABELS, step) if step is not None else ""


def step_summary(step: AutoStep) -> str:
    """Return what a step did, as in `Round 2 was closed`."""
    return _format_step_text(STEP_SUMMARIES, step)


def _format_step_text(texts: Mapping[AutoStep.Kind, object], step: AutoStep) -> str:
    name = round_subject_by_number(step.tournament, step.number)
    return str(texts[Kind(step.kind)]) % {"round": name}


def autopilot_waiting_reason(tournament: Tournament) -> str:
    """Return what the autopilot waits for; empty if it is done or about to announce a step."""
    waiting = pending_step(tournament)
    if not isinstance(waiting, WaitReason):
        return ""
    tables = ", ".join(str(table) for table in waiting.tables)
    match waiting.obstacle:
        case AutopilotObstacle.PEOPLE:
            return _("Waiting for players: not enough are here for a table.")
        case AutopilotObstacle.LISTING:
            return _(
                "This tournament is still a draft. Show it to everyone, "
                "and it will start on time."
            )
        case AutopilotObstacle.CLOCK:
            return _("On hold while the clock is paused.")
        case AutopilotObstacle.SETTLING:
            text = ngettext(
                "Waiting for your decision at table %(tables)s.",
                "Waiting for your decision at tables %(tables)s.",
                len(waiting.tables),
            )
        case _:
            text = ngettext(
                "Waiting for table %(tables)s.",
                "Waiting for tables %(tables)s.",
                len(waiting.tables),
            )
    return text % {"tables": tables}
