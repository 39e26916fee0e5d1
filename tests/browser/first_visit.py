"""What a first visit may take."""

STYLES, SCRIPTS, FONTS, WHOLE = 18_500, 42_500, 40_000, 100_000
"""Bytes as they are sent, compressed."""
IS_NEVER_IDLE = """
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...rest) => (time < 4000 ? wait(act, time, ...rest) : 0);
"""
"""What a page fetches once it is idle is no part of a first visit, however slow that is."""
