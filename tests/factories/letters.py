"""Every e-mail that the site sends."""

from types import SimpleNamespace

from tournaments.hooks.delivery import webhook_off_email
from tournaments.models import Club, Invitation, Role, User, Webhook
from tournaments.people.letters import (
    ACCOUNT_LETTERS,
    EmailContent,
    factors_removed_letter,
    invitation_letter,
    lost_factors_proof_letter,
)

SITE = "https://tricky.example"


def all_letters() -> dict[str, EmailContent]:
    invitation = Invitation(
        club=Club(name="Thursday Club", slug="thursday"),
        email="rosa@example.org",
        role=Role.SCORER,
        link=f"{SITE}/invitations/3f9a/",
        made_by=User(first_name="Fleur", last_name="Quist"),
    )
    hook = Webhook(
        pk=1,
        club=invitation.club,
        url="https://chat.example/hook",
        site=SITE,
        off_because=Webhook.OffReason.FAILING,
    )
    context = {
        "current_site": SimpleNamespace(domain="tricky.example"),
        "activate_url": f"{SITE}/accounts/confirm-email/MTI3/",
        "password_reset_url": f"{SITE}/accounts/password/reset/key/b-d4z/",
        "signup_url": f"{SITE}/accounts/signup/",
    }
    return {
        "invitation": invitation_letter(invitation),
        "webhook_off": webhook_off_email(hook),
        "lost_factors": lost_factors_proof_letter(
            site=SITE, proof="d4k1a2-01234567890123456789012345678901"
        ),
        "forgotten_factors": factors_removed_letter(site=SITE),
        **{name: letter(context) for name, letter in ACCOUNT_LETTERS.items()},
    }
