"""What a night does next by itself, or waits for, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.event.autopilot.decision import For, Kind, Waiting
from tournaments.event.autopilot.steps import is_drawn_for_all, wanted_of
from tournaments.models import AutoStep, Tournament

LATEST = 5
"""Steps that were done and stand on the desk."""
COMES = {
    Kind.SEAT: gettext_lazy("Round %(number)s is seated in"),
    Kind.START: gettext_lazy("Round %(number)s starts in"),
    Kind.LAST_HAND: gettext_lazy("The last hand of round %(number)s is called in"),
    Kind.CLOSE: gettext_lazy("Round %(number)s is closed in"),
    Kind.CUT: gettext_lazy("The final is seated in"),
    Kind.FINISH: gettext_lazy("The tournament is finished in"),
}
"""What stands before the time that is left."""
HELD = {
    Kind.SEAT: gettext_lazy("Round %(number)s is not seated before you say so."),
    Kind.START: gettext_lazy("Round %(number)s does not start before you say so."),
    Kind.LAST_HAND: gettext_lazy("The last hand is not called before you say so."),
    Kind.CLOSE: gettext_lazy("Round %(number)s is not closed before you say so."),
    Kind.CUT: gettext_lazy("The final is not seated before you say so."),
    Kind.FINISH: gettext_lazy("The tournament is not finished before you say so."),
}
DONE = {
    Kind.SEAT: gettext_lazy("seated round %(number)s"),
    Kind.START: gettext_lazy("started round %(number)s"),
    Kind.LAST_HAND: gettext_lazy("called the last hand of round %(number)s"),
    Kind.CLOSE: gettext_lazy("closed round %(number)s"),
    Kind.CUT: gettext_lazy("seated the final"),
    Kind.FINISH: gettext_lazy("finished the tournament"),
}
OF_FINAL = {
    Kind.START: gettext_lazy("The final starts in"),
    Kind.LAST_HAND: gettext_lazy("The last hand of the final is called in"),
    Kind.CLOSE: gettext_lazy("The final is closed in"),
}
HELD_OF_FINAL = {
    Kind.START: gettext_lazy("The final does not start before you say so."),
    Kind.CLOSE: gettext_lazy("The final is not closed before you say so."),
}
DONE_OF_FINAL = {
    Kind.START: gettext_lazy("started the final"),
    Kind.LAST_HAND: gettext_lazy("called the last hand of the final"),
    Kind.CLOSE: gettext_lazy("closed the final"),
}
COMES_AT = {
    Kind.SEAT: gettext_lazy("Round %(number)s is seated at %(time)s."),
    Kind.START: gettext_lazy("Round %(number)s starts at %(time)s."),
    Kind.CUT: gettext_lazy("The final is seated at %(time)s."),
}
"""What players are told before it happens."""
AT_OF_FINAL = {Kind.START: gettext_lazy("The final starts at %(time)s.")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What comes next by itself, and what was done so."""

    step: AutoStep | None
    """The step that stands announced; None while the night waits."""
    sentence: str
    draws_anew: bool
    """Whether the seats that the desk shows are drawn again with the step, for who is here then."""
    done: Sequence[tuple[AutoStep, str]]
    """The latest steps, each in words."""

    @property
    def is_held(self) -> bool:
        """Tell whether it waits for a person."""
        return self.step is not None and self.step.state == AutoStep.State.HELD

    @property
    def can_undo(self) -> AutoStep | None:
        """Return the step that was done last, where it was not undone."""
        latest = self.done[0][0] if self.done else None
        return latest if latest and latest.state == AutoStep.State.DONE else None

    @property
    def digest(self) -> str:
        """Return what changes whenever this does."""
        step = self.step
        standing = step and (step.pk, step.state, step.due_at.timestamp(), step.refused)
        done = [(taken.pk, taken.state) for taken, _words in self.done]
        return repr((standing, self.sentence, self.draws_anew, done))


def ahead_of(tournament: Tournament) -> Ahead | None:
    """Return what the desk shows; None for a tournament that does nothing by itself."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    step = tournament.auto_steps.standing().first()
    final = _final_of(tournament)
    taken = tournament.auto_steps.taken().select_related("by")[:LATEST]
    return Ahead(
        step=step,
        sentence=_of_step(step, final) if step else words_of_waiting(tournament),
        draws_anew=step is not None and _draws_anew(tournament, step),
        done=[(done, _in_words(DONE, DONE_OF_FINAL, done, final)) for done in taken],
    )


def _draws_anew(tournament: Tournament, step: AutoStep) -> bool:
    if step.kind != Kind.SEAT:
        return False
    drawn = tournament.rounds.filter(number=step.number).first()
    return drawn is not None and not is_drawn_for_all(drawn)


def coming_step(tournament: Tournament) -> AutoStep | None:
    """Return the announced step that players are told of; None without one."""
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return None
    announced = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return announced.filter(kind__in=COMES_AT).first()


def comes_in(step: AutoStep | None) -> str:
    """Return what stands before the time until a step; empty without one."""
    if step is None:
        return ""
    return _in_words(COMES, OF_FINAL, step, _final_of(step.tournament))


def comes_at(step: AutoStep) -> str:
    """Return what is done at which hour, for who plays."""
    at = time_format(localtime(step.due_at), "TIME_FORMAT")
    words = _in_words(COMES_AT, AT_OF_FINAL, step, _final_of(step.tournament))
    return words % {"time": at}


def step_done(step: AutoStep) -> str:
    """Return what a step did, as in `closed round 2`."""
    return _in_words(DONE, DONE_OF_FINAL, step, _final_of(step.tournament))


Words = Mapping[AutoStep.Kind, object]


def _final_of(tournament: Tournament) -> int | None:
    """Return the number of the final that is drawn; None without one."""
    knockout = tournament.format == Tournament.Format.KNOCKOUT
    if not (tournament.final_size or knockout):
        return None
    last = tournament.rounds.order_by("-number").first()
    return last.number if last is not None and last.tables_left == 1 else None


def _in_words(words: Words, of_final: Words, step: AutoStep, final: int | None) -> str:
    kind = Kind(step.kind)
    if step.number == final and kind in of_final:
        return str(of_final[kind])
    return str(words[kind]).replace("%(number)s", str(step.number))


def _of_step(step: AutoStep, final: int | None) -> str:
    if step.state == AutoStep.State.HELD:
        return _in_words(HELD, HELD_OF_FINAL, step, final)
    return _in_words(COMES, OF_FINAL, step, final)


def words_of_waiting(tournament: Tournament) -> str:
    """Return what a night waits for; empty where it is over, or about to announce a step."""
    wanted = wanted_of(tournament)
    if not isinstance(wanted, Waiting):
        return ""
    tables = ", ".join(str(table) for table in wanted.tables)
    match wanted.what:
        case For.PEOPLE:
            return _("It waits for players: too few are here to make a table.")
        case For.LISTING:
            return _("It is a draft: let players find it, and it begins at its hour.")
        case For.CLOCK:
            return _("It waits while the clock is paused.")
        case For.SETTLING:
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
