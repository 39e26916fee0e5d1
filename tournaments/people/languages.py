"""What accounts and clubs speak: whoever is written to reads their own language, not that of
whoever caused it."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation

from tournaments.models import Club, User


def speaks_from_now_on(*, user: User, language: str) -> User:
    """Return the account, spoken to in this language wherever it signs in; empty for none."""
    user.language = language
    user.save(update_fields=["language"])
    return user


def speaking(*languages: str) -> AbstractContextManager[None]:
    """Speak the first of these languages that there is, else the site's own."""
    known = dict(settings.LANGUAGES)
    of_site = settings.LANGUAGE_CODE
    return translation.override(
        next((code for code in languages if code in known), of_site)
    )


def speaking_to(address: str, club: Club | None = None) -> AbstractContextManager[None]:
    """Speak the language of the account with this e-mail address, else that of the club.

    Where a letter has to do with no club, whoever asks for it gets it, in the language of the page.
    """
    accounts = User.objects.filter(email__iexact=address)
    own = accounts.values_list("language", flat=True).first() or ""
    return speaking(own, club.language if club else translation.get_language() or "")


def speaking_in_club(club_id: int) -> AbstractContextManager[None]:
    """Speak the language of a club; one query."""
    clubs = Club.objects.filter(pk=club_id).values_list("language", flat=True)
    return speaking(clubs.first() or "")
