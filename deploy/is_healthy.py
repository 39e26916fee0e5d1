"""Ends well where a process of this container serves: is_healthy.py [ADDRESS]."""

import os
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

PAGES = f"http://127.0.0.1:{os.environ.get('PORT', 8000)}/healthz"
PATIENCE = 4
"""Seconds: a process that is busy is not dead."""


def site_host_name() -> str:
    """Return a name by which the site may be asked."""
    name = os.environ.get("ALLOWED_HOSTS", "").partition(",")[0].strip().lstrip(".")
    return "localhost" if name in {"", "*"} else name


url = urlsplit(sys.argv[1] if len(sys.argv) > 1 else PAGES)
connection = HTTPConnection(str(url.hostname), url.port, timeout=PATIENCE)
try:
    connection.request("GET", url.path, headers={"Host": site_host_name()})
    sys.exit(connection.getresponse().status != 200)
except OSError as error:
    sys.exit(str(error))
