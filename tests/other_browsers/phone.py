"""A phone in any browser: what people do with it, told by very few means."""

import json
from abc import ABC, abstractmethod
from time import monotonic, sleep
from typing import Any

SIZE = (390, 844)
PATIENCE = 30.0
"""Seconds that a busy machine may need for what a page is to show."""
FIND = """
(() => {
  const wanted = %s;
  const isSeen = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
  const all = wanted.css
    ? [...document.querySelectorAll(wanted.css)]
    : [...document.querySelectorAll("a, button, label, summary")].filter(
        (e) => (e.getAttribute("aria-label") ?? e.textContent).trim().replace(/\\s+/g, " ").startsWith(wanted.words));
  const found = all.find(isSeen);
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const at = [x + width / 2, y + height / 2];
  const top = document.elementFromPoint(...at);
  return top && (found.contains(top) || top.contains(found)) ? at : null;
})()
"""


class Phone(ABC):
    """A page of 390 × 844 that can be led, asked and tapped."""

    def __init__(self, origin: str) -> None:
        """Visit pages of this origin."""
        self.origin = origin

    @abstractmethod
    def navigate(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    def evaluate(self, script: str) -> Any:
        """Return what an expression of JavaScript gives; promises are waited for."""

    @abstractmethod
    def tap_at(self, x: float, y: float) -> None:
        """Tap a point of the window."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def go(self, path: str) -> None:
        """Load a page of the app."""
        self.navigate(f"{self.origin}{path}")

    def tap(self, words: str = "", *, css: str = "") -> None:
        """Tap what is seen with these words, or what a selector finds first."""
        wanted = json.dumps({"words": words, "css": css})
        x, y = self.until(FIND % wanted)
        self.tap_at(x, y)

    def until(self, expression: str) -> Any:
        """Return what an expression gives once it gives something; fails after a while."""
        ends = monotonic() + PATIENCE
        while monotonic() < ends:
            if value := self.evaluate(expression):
                return value
            sleep(0.1)
        page = self.evaluate("location.pathname + '\\n' + document.body.innerText")
        raise AssertionError(f"never: {expression}\n{page}")

    def sees(self, words: str) -> None:
        """Wait until the page says something."""
        text = 'document.body.innerText.replace(/\\s+/g, " ")'
        self.until(f"{text}.includes({json.dumps(words)})")
