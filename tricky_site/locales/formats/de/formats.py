"""Days and times in German: the day first, with its point; 24 hours."""

DATE_FORMAT = "j. N Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j. N Y, H:i"
EXACT_DATETIME_FORMAT = "j. N Y, H:i:s"
SHORT_DATE_FORMAT = "j. N Y"
SHORT_DATETIME_FORMAT = "j. N, H:i"
MONTH_DAY_FORMAT = "j. N"
YEAR_MONTH_FORMAT = "N Y"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "\u202f"
FIRST_DAY_OF_WEEK = 1
"""Monday."""
