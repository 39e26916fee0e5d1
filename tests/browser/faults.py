"""Two phones, a server, its worker and its database, any of which can fail at any time."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from tests.browser import network as net
from tests.browser.acts import CHOOSE, CORRECT, FILL, SAVE, VOID
from tests.browser.faulty_phone import Act, Phone
from tests.browser.playing import NAMES, fill_new_match
from tests.browser.stored import match_id, stored_entries
from tests.site import VERIFICATION_QUERY, Site

READY_PROBABILITY = 0.2
"""Probability that a phone gets the time to start its own server before the first step."""
SAME_PROBABILITY = 0.3
"""Probability that two players enter the same points for the same hand."""
WEIGHTS = {
    "enter": 16,
    "correct": 4,
    "void": 2,
    "choose": 1,
    "same hand": 2,
    "late": 2,
    "goes away": 5,
    "comes back": 4,
    "corrected while one is away": 1,
    **dict.fromkeys([net.LOST_BEFORE, net.LOST_AFTER, net.TWICE, net.DELAYED], 1.5),
    net.PORTAL: 1,
    net.CUT: 0.6,
    net.SERVER_KILLED: 0.6,
    "worker killed": 0.6,
    "reload": 1,
    "page closed": 1,
    "browser killed": 0.6,
}
"""Relative frequencies of the kinds of steps."""
IN_TURN = (
    *("enter", "correct", "void", "choose", "same hand", "late", "goes away"),
    *("corrected while one is away", net.LOST_BEFORE, net.LOST_AFTER, net.TWICE),
    *(net.DELAYED, net.PORTAL, net.CUT, net.SERVER_KILLED, "worker killed"),
    *("comes back", "reload", "page closed", "browser killed"),
)
CERTAIN_STEPS = 4
"""Number of certain steps of each script, taken from `IN_TURN` in order."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens, with its own random generator."""

    kind: str
    phone: int
    rng: Random
    is_certain: bool = False
    """Whether everything is prepared before the step, so that it certainly happens."""


def kinds_of(seed: int) -> tuple[str, ...]:
    """Return the kinds of the certain steps of a script."""
    start = CERTAIN_STEPS * seed % len(IN_TURN)
    return IN_TURN[start : start + CERTAIN_STEPS]


def plan(seed: int, most_steps: int) -> list[Step]:
    """Return the steps for a seed, regardless of their effects.

    There are between half of `most_steps` and `most_steps` random steps, and the certain ones.
    """
    rng = Random(seed)
    steps_drawn = rng.randint(most_steps // 2, most_steps)
    kinds = rng.choices([*WEIGHTS], [*WEIGHTS.values()], k=steps_drawn)
    steps = [
        Step(kind, rng.randrange(2), Random(f"{seed} {index}"))
        for index, kind in enumerate(kinds)
    ]
    for kind in kinds_of(seed):
        step = Step(kind, rng.randrange(2), Random(f"{seed} {kind}"), is_certain=True)
        steps.insert(rng.randint(0, len(steps)), step)
    return steps


def draw_points(rng: Random) -> list[int]:
    return [rng.randint(0, 20) for _seat in range(3)]


class Script:
    """One evening with many faults."""

    def __init__(
        self, site: Site, phones: list[Phone], seed: int, counts: Counter[str]
    ) -> None:
        self.site, self.phones, self.seed = site, phones, seed
        self.counts = counts
        self.actions: list[Act] = [Act(0, "start")]
        """Actions of players; the index is the `act` of their entries."""
        self.steps_played: list[str] = []

    def begin(self, table: str = "") -> None:
        """Open the match at the address `table`, or a new one, on both phones."""
        rng = Random(f"{self.seed} begin")
        self.site.until_it_answers()
        for phone in self.phones:
            self.counts["a fault without a delivery"] += len(phone.network.faults)
            phone.forget()
        self.address = table or self._start()
        for phone in self.phones:
            phone.open(self.address)
            phone.wait_until_stored(self.address)
            if rng.random() < READY_PROBABILITY:
                phone.give_time()

    def _start(self) -> str:
        phone = self.phones[0]
        phone.go("/matches/new/")
        phone.page.evaluate("globalThis.act = 0")
        options = {"multiple": 9}
        fill_new_match(phone.page, "tricky_bid", NAMES[:3], options).click()
        phone.page.get_by_role("link", name="Enter hand 1").wait_for()
        return phone.page.url.split("/")[4]

    def play(self, most_steps: int) -> None:
        for step in plan(self.seed, most_steps):
            phone = self.phones[step.phone]
            self.steps_played.append(f"{step.phone}: {step.kind}")
            if step.is_certain:
                self._prepare(step)
            if step.kind in net.FAULTS:
                self._apply_fault(phone, step)
            elif self._steps[step.kind](self, phone, step.rng):
                self.counts[step.kind] += 1
            else:
                self.steps_played[-1] += ", in vain"

    def _prepare(self, step: Step) -> None:
        """Prepare the condition of the step, such as a network or a hand."""
        self.site.until_it_answers()
        for phone in self.phones:
            phone.set_offline(offline=step.kind == "comes back")
            if step.kind != "comes back":
                phone.send_all()
        phone = self.phones[step.phone]
        if step.kind in {"correct", "void", "corrected while one is away"}:
            self.enter(phone, step.rng)
        if step.kind == "choose":
            self._enter_on_both_phones([[1, 2, 3], [3, 2, 1]])
        if step.kind == "late":
            phone.network.faults.append(net.DELAYED)
            self.enter(phone, step.rng)

    def _apply_fault(self, phone: Phone, step: Step) -> None:
        """Add a fault to the next delivery, and perhaps cause a delivery."""
        phone.network.faults.append(step.kind)
        if step.is_certain or step.rng.random() < 0.5:
            self.enter(phone, step.rng)

    def _run_action(self, phone: Phone, kind: str, script: str, *args: object) -> bool:
        """Run an action on a form, and return whether it stored an entry."""
        index = len(self.actions)
        self.actions.append(Act(phone.number, "in vain"))
        result = phone.run_script(script, index, self.address, *args)
        if result is False:
            return False
        shown_points = tuple(result) if isinstance(result, list) else ()
        self.actions[index] = Act(phone.number, kind, shown_points)
        return any(entry["act"] == index for entry in phone.stored)

    def enter(self, phone: Phone, rng: Random) -> bool:
        """Enter the next hand, by the numbering of this phone."""
        points = draw_points(rng)
        filled = phone.run_script(FILL, 0, self.address, points)
        return filled and self._run_action(phone, "enter", SAVE)

    def correct(self, phone: Phone, rng: Random) -> bool:
        fraction, points = rng.random(), draw_points(rng)
        return self._run_action(phone, "replace", CORRECT, fraction, points)

    def correct_while_one_is_away(self, phone: Phone, rng: Random) -> bool:
        other_phone = self.phones[1 - phone.number]
        other_phone.set_offline(offline=True)
        phone.set_offline(offline=False)
        return self.correct(phone, rng) and self.enter(other_phone, rng)

    def enter_on_both(self, _phone: Phone, rng: Random) -> bool:
        """Enter the next hand on both phones at once, with different or sometimes equal points."""
        points = draw_points(rng)
        other_points = points if rng.random() < SAME_PROBABILITY else draw_points(rng)
        return self._enter_on_both_phones([points, other_points])

    def _enter_on_both_phones(self, points_by_phone: list[list[int]]) -> bool:
        filled = [
            phone.run_script(FILL, 0, self.address, points)
            for phone, points in zip(self.phones, points_by_phone, strict=True)
        ]
        saved = [self._run_action(phone, "enter", SAVE) for phone in self.phones]
        if not (all(filled) and all(saved)):
            return False
        return len({phone.stored[-1].get("number") for phone in self.phones}) == 1

    def choose(self, phone: Phone, rng: Random) -> bool:
        return self._run_action(phone, "choose", CHOOSE, rng.random())

    def void(self, phone: Phone, rng: Random) -> bool:
        return self._run_action(phone, "void", VOID, rng.random())

    def arrive_late(self, phone: Phone, rng: Random) -> bool:
        """Let delayed deliveries arrive after later ones."""
        if phone.network.delayed:
            self.enter(phone, rng)
        return phone.network.deliver_late(rng) > 0

    def go_away(self, phone: Phone, _rng: Random) -> bool:
        was_offline = phone.is_offline
        phone.set_offline(offline=True)
        return not was_offline

    def come_back(self, phone: Phone, _rng: Random) -> bool:
        was_offline = phone.is_offline
        phone.set_offline(offline=False)
        return was_offline

    def reload(self, phone: Phone, _rng: Random) -> bool:
        phone.reload()
        return True

    def close_page(self, phone: Phone, _rng: Random) -> bool:
        phone.close_page(self.address)
        return True

    def kill_browser(self, _phone: Phone, rng: Random) -> bool:
        """Kill the browser of the second phone; all its stored entries must come back."""
        phone = self.phones[1]
        if rng.random() < 0.7:
            phone.set_offline(offline=True)
            self.enter(phone, rng)
        phone.die()
        phone.page.goto(f"{self.site.url}/m/{self.address}/")
        found = phone.queued_keys()
        found |= {entry.key for entry in stored_entries(self.site, self.address)}
        lost = [entry for entry in phone.stored if entry["key"] not in found]
        assert not lost, f"the phone came back without {lost}"
        return True

    def kill_worker(self, _phone: Phone, _rng: Random) -> bool:
        """Kill the worker while it verifies the match, or with that task in the queue."""
        verify = partial(self.site.ask_to_verify, match_id(self.site, self.address))
        kill = self.site.restart_worker
        busy = self.site.strike_at_work(self.address, verify, VERIFICATION_QUERY, kill)
        return busy or self.site.queued() > 0

    _steps: dict[str, Callable[["Script", Phone, Random], bool]] = {
        "enter": enter,
        "correct": correct,
        "void": void,
        "choose": choose,
        "same hand": enter_on_both,
        "corrected while one is away": correct_while_one_is_away,
        "late": arrive_late,
        "goes away": go_away,
        "comes back": come_back,
        "reload": reload,
        "page closed": close_page,
        "browser killed": kill_browser,
        "worker killed": kill_worker,
    }
