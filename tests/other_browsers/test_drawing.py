"""Drawings with recent browser features: dots by `pathLength`, columns by subgrid."""

from io import BytesIO
from math import ceil

import pytest
from PIL import Image

from tests.factories import entered_match
from tests.other_browsers.phone import Phone

pytestmark = pytest.mark.django_db(transaction=True)
LANE = """(() => {
  const lane = document.querySelector(".race > li:last-child .lane");
  const { left, top, width } = lane.getBoundingClientRect();
  const holes = parseInt(lane.querySelector("line").getAttribute("pathLength"));
  const run = lane.querySelector(".peg use").getBoundingClientRect().right;
  return { left, top, width, holes, run, scale: devicePixelRatio };
})()"""
COLUMNS = """(() => {
  const columns = { ".lane": [], ".num": [] };
  document.querySelector(".race .num").textContent = "98765";
  for (const [kind, places] of Object.entries(columns)) {
    for (const each of document.querySelectorAll(`.race ${kind}`)) {
      const { left, right } = each.getBoundingClientRect();
      places.push([left, right]);
    }
  }
  return columns;
})()"""
"""The edges of each lane and total, with one total much wider than the others."""


def test_lane_has_a_hole_at_every_step(phone: Phone) -> None:
    phone.go(entered_match([{"points": [20, 5, 1]}], "tricky_bid").get_absolute_url())
    lane = phone.until(LANE)
    picture = Image.open(BytesIO(phone.picture())).convert("RGB")

    def colour(step: float) -> tuple[int, ...]:
        x = lane["left"] + step * lane["width"] / lane["holes"]
        point = (round(x * lane["scale"]), round((lane["top"] + 13) * lane["scale"]))
        pixel = picture.getpixel(point)
        assert isinstance(pixel, tuple)
        return pixel

    first = ceil((lane["run"] - lane["left"]) * lane["holes"] / lane["width"])
    free_steps = range(first, lane["holes"])
    assert len(free_steps) > 10
    (cloth,) = {colour(step + 0.5) for step in free_steps}
    (hole,) = {colour(step) for step in free_steps}
    assert hole != cloth


def test_race_lanes_and_totals_are_aligned(phone: Phone) -> None:
    phone.go(entered_match([{"points": [20, 5, 1]}], "tricky_bid").get_absolute_url())
    phone.until("document.querySelectorAll('.race > li').length === 3")
    for boxes in phone.evaluate(COLUMNS).values():
        for edges in zip(*boxes, strict=True):
            assert max(edges) - min(edges) < 1
