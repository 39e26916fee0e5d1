"""Two phones, a server, its worker and its database; any of them may fail at any time."""

import re
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.sync_api import BrowserContext, Error, Request, Route

from tests.browser.offline import (
    PAGES_SEND_ALONE,
    SAVES_DATA,
    clock_wrong_by,
    until,
    until_everything_is_sent,
)
from tests.site import Site

STEPS = (6, 12)
PATIENT = 0.2
"""How often a phone is given the time to start its own server before anything happens."""
HOURS = (0, 3)
"""By how much the phones' clocks are wrong."""
KEEPS_NOTE = """
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (value, ...rest) {
    const request = add.call(this, value, ...rest);
    // What is shown as kept is what the transaction has brought to the disk.
    if (value?.kind) this.transaction.addEventListener("complete", () => noteKept(value.key, `${value.kind} ${value.number} on ${value.base}`));
    return request;
  };
"""
HELD = "import('KEPT').then((kept) => kept.heldMatch('%s')).then(Boolean)"
SUBMIT = """
  const { go } = await import('PAGES');
  const find = (selector) => document.querySelector(selector);
  const submit = (form, button) => new Promise((resolve) => {
    const see = () => form.hasAttribute("aria-busy") || resolve();
    new MutationObserver(see).observe(form, { attributeFilter: ["aria-busy"] });
    setTimeout(resolve, 15000);
    form.requestSubmit(button);
  });
  const confirm = async () => {
    const reason = find("[name=reason][value=mistyped]");
    if (!reason) return false;
    reason.checked = true;
    await submit(find("form[data-keep]"), find("[name=confirm]"));
    return true;
  };
"""
SAVE = """
  const [address, kind, number, points] = args;
  await go(`/m/${address}/${kind === "enter" ? "hands/new/" : `hands/${number}/correct/`}`);
  const form = find(`form[data-keep=${kind}]`);
  if (!form) return false;
  for (const [seat, worth] of points.entries()) find(`[name=points_${seat}]`).value = worth;
  await submit(form, find("form[data-keep] .save .primary"));
  return kind === "enter" || confirm();
"""
VOID = """
  const [address, number] = args;
  await go(`/m/${address}/hands/${number}/`);
  const form = find("form[action$='/void/']");
  if (!form) return false;
  await submit(form);
  return confirm();
"""
CHOOSE = """
  const [address, which] = args;
  await go(`/m/${address}/`);
  const link = find(".refusal a[href*='/hands/']");
  if (!link) return false;
  await go(link.getAttribute("href"));
  const forms = document.querySelectorAll(".versions form");
  if (!forms.length) return false;
  await submit(forms[Math.floor(which * forms.length)]);
  return true;
"""


class Phone:
    """A phone, its network and what it called kept."""

    def __init__(
        self, context: BrowserContext, site: Site, rng: Random, *, hours: int = 0
    ) -> None:
        """Give somebody a phone of its own storage, whose clock is wrong by hours.

        One whose clock is wrong has Background Sync, which no fault of a page's requests
        touches, and saves data: its own server starts only where it is needed.
        """
        self.context, self.site, self.rng = context, site, rng
        self.saves_data = bool(hours)
        self.kept: dict[str, str] = {}
        """What each entry that was kept is, by its key."""
        self.faults: list[str] = []
        self.is_away = False
        context.set_default_timeout(30_000)
        context.expose_function("noteKept", self.note_kept)
        self.late: list[Request] = []
        """Deliveries that hang somewhere in the network."""
        context.add_init_script(KEEPS_NOTE)
        context.add_init_script(clock_wrong_by(hours))
        context.add_init_script(SAVES_DATA if hours else PAGES_SEND_ALONE)
        context.route("**/entries/", self.deliver)
        self.page = context.new_page()

    def note_kept(self, key: str, told: str) -> None:
        """Note what the phone has called kept."""
        self.kept[key] = told

    def deliver(self, route: Route) -> None:
        """Let a delivery pass, or let happen to it what is to happen."""
        fault = self.faults.pop() if self.faults else ""
        try:
            if fault == "lost before":
                route.abort()
            elif fault == "lost after":
                route.fetch()
                route.abort()
            elif fault == "twice":
                route.fetch()
                route.continue_()
            elif fault == "delayed":
                self.late.append(route.request)
                route.abort()
            elif fault == "portal":
                route.fulfill(status=200, content_type="text/html", body="Sign in")
            else:
                route.continue_()
        except Exception:
            self.faults.clear()

    def deliver_late(self) -> None:
        """Let what hung in the network arrive, in any order."""
        self.rng.shuffle(self.late)
        for one in self.late:
            # A server that is down loses it for good; the phone has it still.
            with suppress(Error):
                self.context.request.post(
                    one.url, headers=one.headers, data=one.post_data
                )
        self.late.clear()

    def go(self, path: str) -> None:
        """Go to a page as a tap does: the phone's own server lives on."""
        if self.page.url == "about:blank":
            self.page.goto(self.site.url)
        self.page.evaluate(
            f"path => import('{self.module('pages')}').then(({{go}}) => go(path))", path
        )

    def open(self, address: str) -> None:
        """Open the match."""
        self.go(f"/m/{address}/")

    @property
    def is_ready(self) -> bool:
        """Tell whether its own server has started."""
        return bool(self.page.evaluate("'ready' in document.documentElement.dataset"))

    def give_time(self) -> None:
        """Wait until the phone can go on alone; a slow one goes on as it is."""
        if self.saves_data:
            return
        with suppress(AssertionError):
            until(self.page, "'ready' in document.documentElement.dataset")

    def until_held(self, address: str) -> None:
        """Wait until the phone holds the match, and the page of its next hand."""
        until(self.page, "Boolean(navigator.serviceWorker.controller)")
        until(self.page, HELD.replace("KEPT", self.module("kept")) % address)
        until(self.page, f"caches.match('/m/{address}/hands/new/').then(Boolean)")

    def save(self, address: str, kind: str, number: int) -> bool:
        """Save a hand by its form."""
        points = [self.rng.randint(0, 20) for _seat in range(3)]
        return self.act(SAVE, address, kind, number, points)

    def act(self, script: str, *args: object) -> bool:
        """Do something on the page; return whether it could be done."""
        script = SUBMIT.replace("PAGES", self.module("pages")) + script
        return bool(self.page.evaluate(f"async (args) => {{ {script} }}", list(args)))

    def module(self, name: str) -> str:
        """Return the address of a module of the phone's."""
        scripts = Path(self.site.environment["STATIC_ROOT"], "scoring/js/phone")
        return f"/static/scoring/js/phone/{next(scripts.glob(f'{name}.*.js')).name}"

    def set_away(self, *, away: bool) -> None:
        """Take the network away, or give it back."""
        self.is_away = away
        self.context.set_offline(away)

    def reload(self) -> None:
        """Load the page anew; its own server starts anew with it."""
        self.page.reload()

    def switch_off_and_on(self, address: str) -> None:
        """Close the page and open another."""
        self.page.close(run_before_unload=False)
        self.page = self.context.new_page()
        self.page.goto(f"{self.site.url}/m/{address}/")

    def until_it_shows(self, address: str, words: str) -> None:
        """Wait until all is sent, and the sheet has come to the same as the server."""
        self.open(address)
        shown = "document.querySelector('[data-words]')?.textContent ?? ''"
        until(self.page, f"({shown}) === {words!r}", 20)


class Script:
    """One evening on which everything fails."""

    def __init__(self, site: Site, phones: list[Phone], seed: int) -> None:
        """Draw what happens from the seed."""
        self.site, self.phones, self.rng = site, phones, Random(seed)
        self.address = self._start()
        self.told: list[str] = []

    def _start(self) -> str:
        phone = self.phones[0]
        phone.set_away(away=False)
        phone.go("/matches/new/")
        phone.page.locator("[name=game][value=tricky_bid]").check(force=True)
        for seat, name in enumerate(("Ann", "Bo", "Cy")):
            phone.page.fill(f"[name=name_{seat}]", name)
        phone.page.locator("summary", has_text="Options").click()
        phone.page.fill("[name=multiple]", "9")
        phone.page.get_by_role("button", name="Start the match").click()
        phone.page.get_by_role("link", name="Enter hand 1").wait_for()
        address = phone.page.url.split("/")[4]
        for one in self.phones:
            one.set_away(away=False)
            one.open(address)
            one.until_held(address)
            if self.rng.random() < PATIENT:
                one.give_time()
        return address

    def play(self) -> None:
        """Let it all happen."""
        steps: list[Callable[[Phone], object]] = [
            *[self.enter] * 8,
            *[self.correct] * 2,
            *[self.enter_on_both] * 2,
            *[self.choose] * 3,
            *[self.void] * 1,
            *[self.arrive_late] * 2,
            *[self.lose] * 4,
            *[self.toggle] * 4,
            lambda phone: phone.reload(),
            lambda phone: phone.switch_off_and_on(self.address),
            lambda phone: self.site.restart_server(),
            lambda phone: self.site.restart_worker(),
            lambda phone: self.site.cut_connections(),
        ]
        for _step in range(self.rng.randint(*STEPS)):
            phone = self.rng.choice(self.phones)
            step = self.rng.choice(steps)
            self.told.append(
                f"{self.phones.index(phone)}: {getattr(step, '__name__', 'fault')}"
            )
            step(phone)
        for phone in self.phones:
            phone.faults.clear()
            phone.set_away(away=False)
            phone.deliver_late()

    def enter(self, phone: Phone) -> None:
        """Enter the next hand, as this phone counts."""
        phone.save(self.address, "enter", 0)

    def correct(self, phone: Phone) -> None:
        """Correct a hand that may be there."""
        phone.save(self.address, "replace", self.rng.randint(1, 2))

    def enter_on_both(self, phone: Phone) -> None:
        """Enter the next hand on every phone, each with what its owner saw."""
        for one in self.phones:
            self.enter(one)

    def choose(self, phone: Phone) -> None:
        """Choose between two versions of a hand, where there are two."""
        phone.act(CHOOSE, self.address, self.rng.random())

    def void(self, phone: Phone) -> None:
        """Make a hand void that may be there."""
        if phone.is_ready or not phone.is_away:
            phone.act(VOID, self.address, self.rng.randint(1, 2))

    def arrive_late(self, phone: Phone) -> None:
        """Let what hung in the network arrive after what was sent later."""
        phone.deliver_late()

    def lose(self, phone: Phone) -> None:
        """Let something happen to the next deliveries."""
        phone.faults += self.rng.choices(
            ["lost before", "lost after", "twice", "portal", "delayed"], k=2
        )

    def toggle(self, phone: Phone) -> None:
        """Take the network away or give it back."""
        phone.set_away(away=not phone.is_away)

    def check(self) -> None:
        """Hold the promise against what is there."""
        for phone in self.phones:
            phone.page.evaluate("dispatchEvent(new Event('online'))")
            until_everything_is_sent(phone.page, 60)
        words = self._words()
        for phone in self.phones:
            phone.until_it_shows(self.address, words)
        kept = {key: told for phone in self.phones for key, told in phone.kept.items()}
        del kept[self._start_key()]
        stored = self._stored()
        assert sorted(stored) == sorted(set(stored)), self.told
        lost = [told for key, told in kept.items() if key not in stored]
        assert lost == [], f"lost {lost} in {self.told}"

    def _words(self) -> str:
        """Return the agreement words that the server shows."""
        with urllib.request.urlopen(f"{self.site.url}/m/{self.address}/") as page:  # noqa: S310 - our own
            found = re.search("data-words>(.*?)<", page.read().decode())
        return found[1] if found else ""

    def _query(self, text: str) -> list[tuple[str]]:
        with self.site.database() as database:
            return database.execute(text, [self.address]).fetchall()

    def _stored(self) -> list[str]:
        rows = self._query(
            "SELECT log.key::text FROM scoring_logentry log "
            "JOIN scoring_match m ON m.id = log.match_id WHERE m.address = %s"
        )
        return [key for (key,) in rows]

    def _start_key(self) -> str:
        ((key,),) = self._query(
            "SELECT key::text FROM scoring_match WHERE address = %s"
        )
        return key
