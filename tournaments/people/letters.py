"""Letters to those who are to help in a club."""

from datetime import datetime

from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from tournaments.models import Invitation


def send_invitation(*, invitation_id: int, now: datetime) -> bool:
    """Return whether a letter went out; one that did is not sent again.

    Raises OSError where the mail server cannot be reached or refuses it.
    """
    unsent = Invitation.objects.unsent(now).select_related("club", "made_by")
    invitation = unsent.filter(pk=invitation_id).first()
    if invitation is None:
        return False
    subject = _("Help at %(club)s") % {"club": invitation.club.name}
    letter = render_to_string(
        "tournaments/letters/invitation.txt", {"invitation": invitation}
    )
    send_mail(subject, letter, None, [invitation.email])
    invitation.sent_at = now
    invitation.save(update_fields=["sent_at"])
    return True
