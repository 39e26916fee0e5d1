"""Languages of accounts and clubs: an e-mail is in the language of its recipient, not of the sender."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.conf import settings
from django.utils import translation

from scoring.locales.zones import use_time_zone
from tournaments.models import Club, User


def override_language(*languages: str) -> AbstractContextManager[None]:
    """Activate the first of these languages that the site has, else the site's default."""
    available = dict(settings.LANGUAGES)
    default = settings.LANGUAGE_CODE
    return translation.override(
        next((code for code in languages if code in available), default)
    )


def override_recipient_language(
    address: str, club: Club | None = None
) -> AbstractContextManager[None]:
    """Activate the language of the account with this e-mail address, else that of the club.

    Without a club the recipient requested the e-mail, and the page's language is the fallback.
    """
    accounts = User.objects.filter(email__iexact=address)
    own = accounts.values_list("language", flat=True).first() or ""
    return override_language(
        own, club.language if club else translation.get_language() or ""
    )


@contextmanager
def override_club_locale(club_id: int) -> Iterator[None]:
    """Activate the language and the time zone of a club; one query."""
    clubs = Club.objects.filter(pk=club_id).values_list("language", "time_zone")
    language, time_zone = clubs.first() or ("", "")
    with override_language(language), use_time_zone(time_zone):
        yield
