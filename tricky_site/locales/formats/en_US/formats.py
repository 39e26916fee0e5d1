"""Dates and times in US English: the month first; 12 hours with a.m. and p.m."""

DATE_FORMAT = "M j, Y"
TIME_FORMAT = "g:i A"
DATETIME_FORMAT = "M j, Y, g:i A"
EXACT_DATETIME_FORMAT = "M j, Y, g:i:s A"
SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "M j, g:i A"
MONTH_DAY_FORMAT = "M j"
WEEKDAY_FORMAT = "l, F j"
YEAR_MONTH_FORMAT = "M Y"
FIRST_DAY_OF_WEEK = 0
"""Sunday."""
