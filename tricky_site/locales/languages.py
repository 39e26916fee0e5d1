"""Languages: in which one somebody is answered, and how they choose another."""

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_POST
from django.views.i18n import LANGUAGE_QUERY_PARAMETER
from django.views.i18n import set_language as set_cookie

from scoring.web.views.requests import chosen_by
from tournaments.models import User
from tournaments.people.languages import speaks_from_now_on
from tricky_site.http.middleware import chosen_by_account


def choice(request: HttpRequest) -> dict[str, object]:
    """Return the languages that a page offers, and the one that was chosen, empty for none.

    Of each its code, its name, whether it is a draft, and "true" where it is spoken.
    """
    drafts = {
        language.code for language in settings.OTHER_LANGUAGES if language.is_draft
    }
    spoken = translation.get_language()
    offered = [
        (code, name, code in drafts, "true" if code == spoken else "")
        for code, name in settings.LANGUAGES
    ]
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
        chosen_by_account(request)[settings.LANGUAGE_COOKIE_NAME] = user.language
    elif chosen := chosen_by(request):
        speaks_from_now_on(user=user, language=chosen)
