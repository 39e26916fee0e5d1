"""Languages: in which one somebody is answered, and how they choose another."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST
from django.views.i18n import LANGUAGE_QUERY_PARAMETER
from django.views.i18n import set_language as set_cookie

from scoring.web.languages import chosen_by
from tournaments.models import User
from tournaments.people.languages import speaks_from_now_on

Answer = Callable[[HttpRequest], HttpResponse]
NEW = "_language_of_account"
"""Where a request keeps what an account speaks that signs in with it."""


def spoken(answer: Answer) -> Answer:
    """Answer everybody in a language of theirs; views may speak that of a club instead.

    What was answered in one language is kept for nobody who wants another.
    """

    def answer_in_language(request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            response = answer(request)
            response.headers.setdefault(
                "Content-Language", translation.get_language() or settings.LANGUAGE_CODE
            )
        # What never changes under its address is the same for everybody.
        if "immutable" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        if language := getattr(request, NEW, ""):
            _keep(response, language)
        return response

    return answer_in_language


def choice(request: HttpRequest) -> dict[str, object]:
    """Return the languages that a page offers, and the one that was chosen, empty for none."""
    drafts = {
        language.code for language in settings.OTHER_LANGUAGES if language.is_draft
    }
    offered = [(code, name, code in drafts) for code, name in settings.LANGUAGES]
    return {"languages": offered, "language_chosen": chosen_by(request)}


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Speak another language to whoever asks, there and wherever their account signs in.

    Without one, that of the club or the browser is spoken again.
    """
    response = set_cookie(request)
    language = request.POST.get(LANGUAGE_QUERY_PARAMETER, "")
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    if isinstance(request.user, User) and (
        not language or language in dict(settings.LANGUAGES)
    ):
        speaks_from_now_on(user=request.user, language=language)
    return response


@receiver(user_logged_in)
def speak_to_account(
    sender: object, request: HttpRequest | None, user: User, **_more: object
) -> None:
    """Speak to an account as it was spoken to last; one that never chose takes what was chosen here."""
    if request is None:
        return
    if user.language:
        setattr(request, NEW, user.language)
    elif chosen := chosen_by(request):
        speaks_from_now_on(user=user, language=chosen)


def _keep(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )
