"""Names of devices, from their user agents."""

BROWSERS = (
    # All but the last also contain the names of other browsers.
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


def device_name(user_agent: str) -> str:
    """Return the common names of the browser and the machine; empty for a program.

    >>> device_name("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'Firefox · Android'
    >>> device_name("curl/8.5")
    ''
    """
    labels = (
        next((name for mark, name in table if mark in user_agent), "")
        for table in (BROWSERS, MACHINES)
    )
    return " · ".join(name for name in labels if name)
