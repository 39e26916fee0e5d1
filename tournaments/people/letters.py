"""E-mails: invitations to clubs, and those about accounts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Invitation
from tournaments.people.languages import override_recipient_language

WORDS = "tournaments/letters/letter"


def are_emails_printed_to_console() -> bool:
    """Return whether e-mails are printed on the console instead of sent."""
    return settings.EMAIL_BACKEND.endswith(".console.EmailBackend")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailContent:
    """The content of an e-mail, rendered as plain text and as HTML."""

    subject: str
    paragraphs: Sequence[str]
    act: str
    """Label of the button that leads to `link`."""
    link: str
    further: Sequence[str] = ()
    """Small print below the button."""
    sender: str

    @property
    def text(self) -> str:
        """Return the e-mail as plain text."""
        return render_to_string(f"{WORDS}.txt", {"letter": self})

    @property
    def html(self) -> str:
        """Return the e-mail as HTML that loads nothing from the network."""
        return render_to_string(f"{WORDS}.html", {"letter": self})

    def build_message(self, address: str, **envelope: Any) -> EmailMultiAlternatives:
        """Return the message to an address; `envelope` has further arguments of the message."""
        # A line break in a name would end the subject, and the e-mail would not be sent.
        subject = " ".join(self.subject.split())
        message = EmailMultiAlternatives(subject, self.text, to=[address], **envelope)
        message.attach_alternative(self.html, "text/html")
        return message


def invitation_letter(invitation: Invitation) -> EmailContent:
    """Return the e-mail that invites to help in a club."""
    club = invitation.club.name
    invitation_text = _("You’re invited to join the team at %(club)s as %(role)s.") % {
        "club": club,
        "role": invitation.get_role_display(),
    }
    director = invitation.made_by
    return EmailContent(
        subject=_("Join the %(club)s team") % {"club": club},
        paragraphs=[
            invitation_text,
            _("Your account already has this role.")
            if invitation.answered_at
            else _("Sign in, or create an account with any address."),
        ],
        act=_("Open club") if invitation.answered_at else _("Accept invitation"),
        link=invitation.link,
        further=[] if invitation.answered_at else [_("The link works for 30 days.")],
        sender=f"{director.public_name}, {club}" if director else club,
    )


def send_invitation(*, invitation_id: int, now: datetime) -> bool:
    """Send the e-mail of an invitation, unless it was sent before, and return whether it was sent now.

    Raises OSError if the mail server cannot be reached or refuses it.
    """
    unsent = Invitation.objects.with_unsent_email(now).select_related("club", "made_by")
    invitation = unsent.filter(pk=invitation_id).first()
    if invitation is None:
        return False
    with override_recipient_language(invitation.email, invitation.club):
        invitation_letter(invitation).build_message(invitation.email).send()
    invitation.sent_at = now
    invitation.save(update_fields=["sent_at"])
    return True


def address_confirmation_letter(context: Mapping[str, Any]) -> EmailContent:
    """Return the e-mail that asks to confirm an address."""
    return EmailContent(
        subject=_("Confirm your e-mail address"),
        paragraphs=[
            _(
                "Someone used this address for an account at %(site)s. If it was you, "
                "confirm your address."
            )
            % {"site": context["current_site"].domain}
        ],
        act=_("Confirm address"),
        link=context["activate_url"],
        further=[
            _("If it wasn’t you, ignore this e-mail. No account will use your address.")
        ],
        sender=_site_sender_name(context),
    )


def account_exists_letter(context: Mapping[str, Any]) -> EmailContent:
    """Return the e-mail about a sign-up with the address of an existing account."""
    return EmailContent(
        subject=_("You already have an account"),
        paragraphs=[
            _(
                "Someone tried to create an account with this address, but it already has one."
            )
        ],
        act=_("Choose a new password"),
        link=context["password_reset_url"],
        further=[_("If it wasn’t you, ignore this e-mail. Nothing was changed.")],
        sender=_site_sender_name(context),
    )


def password_reset_letter(context: Mapping[str, Any]) -> EmailContent:
    """Return the e-mail with a link to choose a new password."""
    return EmailContent(
        subject=_("Choose a new password"),
        paragraphs=[_("You asked for a new password.")],
        act=_("Choose a new password"),
        link=context["password_reset_url"],
        further=[
            _("If it wasn’t you, ignore this e-mail. Your password stays the same.")
        ],
        sender=_site_sender_name(context),
    )


def unknown_address_letter(context: Mapping[str, Any]) -> EmailContent:
    """Return the e-mail about a password reset for an address without an account."""
    return EmailContent(
        subject=_("No account with this address"),
        paragraphs=[
            _("Someone asked for a new password, but no account has this address."),
            _(
                "You may have signed up with another address. If not, create an account."
            ),
        ],
        act=_("Create account"),
        link=context["signup_url"],
        further=[_("If it wasn’t you, ignore this e-mail.")],
        sender=_site_sender_name(context),
    )


def lost_factors_proof_letter(*, site: str, proof: str) -> EmailContent:
    """Return the e-mail with the proof that the owner passes on to the host."""
    return EmailContent(
        subject=_("Did you lose your passkey?"),
        paragraphs=[
            _(
                "Someone asked the person who runs %(site)s for access to this account "
                "without its passkeys, app and recovery codes. If it was you, give "
                "them this code:"
            )
            % {"site": _domain(site)},
            proof,
        ],
        act=_("See account activity"),
        link=site + reverse("tournaments:account_history"),
        further=[
            _(
                "If it wasn’t you, don’t share this code, and nothing will change. The "
                "code works for three days."
            )
        ],
        sender=_("Tricky at %(site)s") % {"site": _domain(site)},
    )


def factors_removed_letter(*, site: str) -> EmailContent:
    """Return the e-mail to an account from which the host removed passkeys, app and codes."""
    return EmailContent(
        subject=_("Your passkeys and codes were removed"),
        paragraphs=[
            _(
                "The person who runs %(site)s removed your passkeys, app and recovery "
                "codes after someone proved this account is theirs."
            )
            % {"site": _domain(site)},
            _(
                "You’re signed out everywhere. Sign in with your password, then add a "
                "passkey or an app again."
            ),
        ],
        act=_("Sign in"),
        link=site + reverse("account_login"),
        further=[
            _(
                "If it wasn’t you, choose a new password now and tell the person who "
                "runs the server."
            )
        ],
        sender=_("Tricky at %(site)s") % {"site": _domain(site)},
    )


def _domain(site: str) -> str:
    return urlsplit(site).netloc or site


def _site_sender_name(context: Mapping[str, Any]) -> str:
    return _("Tricky at %(site)s") % {"site": context["current_site"].domain}


ACCOUNT_LETTERS: Mapping[str, Callable[[Mapping[str, Any]], EmailContent]] = {
    "account/email/email_confirmation": address_confirmation_letter,
    "account/email/email_confirmation_signup": address_confirmation_letter,
    "account/email/account_already_exists": account_exists_letter,
    "account/email/password_reset_key": password_reset_letter,
    "account/email/unknown_account": unknown_address_letter,
}
"""E-mails about accounts, by the template names of allauth."""
