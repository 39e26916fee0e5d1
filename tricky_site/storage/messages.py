"""Messages for the next page, in a cookie: showing them writes nothing to the database."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Messages in a cookie for this host only."""

    cookie_name = "__Host-messages" if settings.SESSION_COOKIE_SECURE else "messages"


class MessageStorage(FallbackStorage):
    """Messages in a cookie; in the session if they are too long for it."""

    storage_classes = (HostCookieStorage, SessionStorage)
