"""A phone in any browser: what people do with it, told by very few means."""

import json
from abc import ABC, abstractmethod
from time import monotonic, sleep
from typing import Any

SIZE = (390, 844)
PATIENCE = 30.0
"""Seconds that a busy machine may need for what a page is to show."""
HEARD = 3.0
"""Seconds that a page may need to hear of a tap."""
AIM = """
(async () => {
  const wanted = %s;
  const isSeen = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
  const all = wanted.css
    ? [...document.querySelectorAll(wanted.css)]
    : [...document.querySelectorAll("a, button, label, summary")].filter(
        (e) => (e.getAttribute("aria-label") ?? e.textContent).trim().replace(/\\s+/g, " ").startsWith(wanted.words));
  const found = all.find(isSeen);
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const middle = () => {
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const at = middle();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  if (String(middle()) !== String(at) || !found.contains(document.elementFromPoint(...at))) return null;
  removeEventListener("click", globalThis.guard, true);
  globalThis.tapped = "nothing";
  globalThis.guard = (event) => {
    removeEventListener("click", globalThis.guard, true);
    globalThis.tapped = found.contains(event.target) ? "it" : "another";
    if (globalThis.tapped === "it") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("click", globalThis.guard, true);
  return at;
})()
"""
"""The position of an element at rest; a tap outside it has no effect."""


class ScriptError(AssertionError):
    """What was asked of a page failed there."""


class Phone(ABC):
    """A page of 390 × 844 that can be led, asked and tapped."""

    def __init__(self, origin: str) -> None:
        self.origin = origin

    @abstractmethod
    def navigate(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    def evaluate(self, script: str) -> Any:
        """Return what an expression gives, which may be a promise; nothing while one page follows another.

        Raises:
            ScriptError: it fails on this page.
        """

    @abstractmethod
    def tap_at(self, x: float, y: float) -> None:
        """Tap a point of the window."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return what the window shows, as a PNG."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def go(self, path: str) -> None:
        self.navigate(f"{self.origin}{path}")

    def tap(self, words: str = "", *, css: str = "") -> None:
        """Tap what is seen with these words, or what a selector finds first."""
        wanted = json.dumps({"words": words, "css": css})
        ends = monotonic() + PATIENCE
        while monotonic() < ends:
            self.tap_at(*self.until(AIM % wanted))
            if self._has_tapped():
                return
        raise AssertionError(f"never hit: {words or css}")

    def _has_tapped(self) -> bool:
        """Tell whether the last tap hit what it was meant for: it did where another page came of it."""
        ends = monotonic() + HEARD
        while (tapped := self.evaluate("globalThis.tapped")) == "nothing":
            if monotonic() > ends:
                return False
            sleep(0.05)
        return bool(tapped != "another")

    def until(self, expression: str) -> Any:
        """Return what an expression gives once it gives something; fails after a while.

        A page that is still on its way may lack what the expression asks it for.
        """
        fault: ScriptError | None = None
        ends = monotonic() + PATIENCE
        while monotonic() < ends:
            try:
                if value := self.evaluate(expression):
                    return value
            except ScriptError as error:
                fault = error
            sleep(0.1)
        page = self.evaluate("location.pathname + '\\n' + document.body?.innerText")
        raise AssertionError(f"never: {expression}\n{page}") from fault

    def sees(self, words: str) -> None:
        text = 'document.body.innerText.replace(/\\s+/g, " ")'
        self.until(f"{text}.includes({json.dumps(words)})")
