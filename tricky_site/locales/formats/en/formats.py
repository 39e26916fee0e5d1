"""Dates and times in English: the day first; 24 hours."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
EXACT_DATETIME_FORMAT = "j M Y, H:i:s"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M, H:i"
MONTH_DAY_FORMAT = "j M"
WEEKDAY_FORMAT = "l, j F"
YEAR_MONTH_FORMAT = "M Y"
FIRST_DAY_OF_WEEK = 1
"""Monday."""
