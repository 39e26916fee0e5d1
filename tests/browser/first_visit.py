"""Limits for the size of a first visit."""

STYLES, SCRIPTS, FONTS, TOTAL = 18_500, 44_000, 40_000, 100_000
"""Compressed sizes in bytes."""
IS_NEVER_IDLE = """
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...rest) => (time < 4000 ? wait(act, time, ...rest) : 0);
"""
"""Prevents requests of an idle page, which do not belong to a first visit, however slow it is."""
