"""A phone in any browser, with a small set of actions."""

import json
from abc import ABC, abstractmethod
from time import monotonic, sleep
from typing import Any

SIZE = (390, 844)
PATIENCE = 30.0
"""Seconds that a busy machine may need to show something."""
REACTION_SECONDS = 3.0
"""Seconds that a page may need to react to a tap."""
FIND_TARGET = """
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
    """A script failed on the page."""


class Phone(ABC):
    """A page of 390 × 844 that can be opened, evaluated and tapped."""

    def __init__(self, origin: str) -> None:
        self.origin = origin

    @abstractmethod
    def navigate(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    def evaluate(self, script: str) -> Any:
        """Return the value of an expression, which may be a promise; None during a page load.

        Raises:
            ScriptError: it fails on this page.
        """

    @abstractmethod
    def tap_at(self, x: float, y: float) -> None:
        """Tap a point of the window."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return a screenshot of the window as PNG."""

    @abstractmethod
    def close(self) -> None:
        """Quit the browser."""

    def go(self, path: str) -> None:
        self.navigate(f"{self.origin}{path}")

    def tap(self, text: str = "", *, css: str = "") -> None:
        """Tap the first visible element with this text or selector."""
        target = json.dumps({"words": text, "css": css})
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            self.tap_at(*self.until(FIND_TARGET % target))
            if self._has_tapped():
                return
        raise AssertionError(f"never hit: {text or css}")

    def _has_tapped(self) -> bool:
        """Return whether the last tap hit its target; a new page counts as a hit."""
        deadline = monotonic() + REACTION_SECONDS
        while (tapped := self.evaluate("globalThis.tapped")) == "nothing":
            if monotonic() > deadline:
                return False
            sleep(0.05)
        return bool(tapped != "another")

    def until(self, expression: str) -> Any:
        """Wait until an expression has a truthy value, and return it.

        Errors are ignored meanwhile, as a loading page may lack parts.
        """
        last_error: ScriptError | None = None
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            try:
                if value := self.evaluate(expression):
                    return value
            except ScriptError as error:
                last_error = error
            sleep(0.1)
        page = self.evaluate("location.pathname + '\\n' + document.body?.innerText")
        raise AssertionError(f"never: {expression}\n{page}") from last_error

    def expect_text(self, expected: str) -> None:
        page_text = 'document.body.innerText.replace(/\\s+/g, " ")'
        self.until(f"{page_text}.includes({json.dumps(expected)})")
