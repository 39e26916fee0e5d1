"""In which language somebody is answered: that which they chose, else that of where they
are, else that of their browser."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def chosen_by(request: HttpRequest) -> str:
    """Return the language that somebody chose here, empty for none."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def speak_here(request: HttpRequest, language: str) -> None:
    """Answer in the language of a place, empty for none, whoever has chosen none.

    To be called where a request is answered; it holds until the answer is there.
    """
    if language and language in dict(settings.LANGUAGES) and not chosen_by(request):
        translation.activate(language)
