"""What accounts and clubs speak: whoever is written to reads their own language, not that of
whoever caused it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.conf import settings
from django.utils import translation

from scoring.locales.zones import keeping_time
from tournaments.models import Club, User


def speaking(*languages: str) -> AbstractContextManager[None]:
    """Speak the first of these languages that there is, else the site's own."""
    known = dict(settings.LANGUAGES)
    of_site = settings.LANGUAGE_CODE
    return translation.override(
        next((code for code in languages if code in known), of_site)
    )


def recipient_language(
    address: str, club: Club | None = None
) -> AbstractContextManager[None]:
    """Speak the language of the account with this e-mail address, else that of the club.

    Where a letter has to do with no club, whoever asks for it gets it, in the language of the page.
    """
    accounts = User.objects.filter(email__iexact=address)
    own = accounts.values_list("language", flat=True).first() or ""
    return speaking(own, club.language if club else translation.get_language() or "")


@contextmanager
def as_in_club(club_id: int) -> Iterator[None]:
    """Speak the language of a club and read its clocks; one query."""
    clubs = Club.objects.filter(pk=club_id).values_list("language", "time_zone")
    language, time_zone = clubs.first() or ("", "")
    with speaking(language), keeping_time(time_zone):
        yield
