"""Days and times in Spanish: the day first; 24 hours."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M, H:i"
MONTH_DAY_FORMAT = "j M"
YEAR_MONTH_FORMAT = "M Y"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "\u202f"
FIRST_DAY_OF_WEEK = 1
"""Monday."""
