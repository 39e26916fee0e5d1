"""What a device says it is, in a few words."""

BROWSERS = (
    # Each but the last calls itself by the names of others as well.
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
MACHINES = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)


def device_of(user_agent: str) -> str:
    """Return browser and machine by the names that people have for them; empty for a program.

    >>> device_of("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'Firefox · Android'
    >>> device_of("curl/8.5")
    ''
    """
    named = (
        next((name for mark, name in known if mark in user_agent), "")
        for known in (BROWSERS, MACHINES)
    )
    return " · ".join(name for name in named if name)
