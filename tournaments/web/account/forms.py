"""Forms of an account."""

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.utils import encrypt
from allauth.mfa.webauthn import forms as webauthn
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import ShortTextField
from tournaments.people.factors import digest_unless_app_code

ADDRESS, NEW_PASSWORD = _("E-mail address"), _("New password")
PASSWORD_HINT = _("At least 10 characters. A few unrelated words work best.")


class RelabelledFieldsMixin:
    """Mixin that relabels allauth's fields and removes their placeholders."""

    labels: ClassVar[dict[str, Promise | str]] = {}
    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = self.labels.get(name, field.label)
            # A placeholder repeats the label, and disappears while typing.
            field.widget.attrs.pop("placeholder", None)
        if "password1" in self.fields:
            self.fields["password1"].help_text = PASSWORD_HINT


class LoginForm(RelabelledFieldsMixin, account.LoginForm):  # type: ignore[misc]  # has no types
    labels = {"login": ADDRESS, "remember": _("Stay signed in")}


class SignupForm(RelabelledFieldsMixin, account.SignupForm):  # type: ignore[misc]
    labels = {"email": ADDRESS}


class AddEmailForm(RelabelledFieldsMixin, account.AddEmailForm):  # type: ignore[misc]
    labels = {"email": _("Another e-mail address")}


class ResetPasswordForm(RelabelledFieldsMixin, account.ResetPasswordForm):  # type: ignore[misc]
    labels = {"email": ADDRESS}


class ChangePasswordForm(RelabelledFieldsMixin, account.ChangePasswordForm):  # type: ignore[misc]
    labels = {
        "oldpassword": _("Current password"),
        "password1": NEW_PASSWORD,
        "password2": _("Repeat new password"),
    }


class SetPasswordForm(RelabelledFieldsMixin, account.SetPasswordForm):  # type: ignore[misc]
    labels = {"password2": _("Repeat new password")}


class ResetPasswordKeyForm(RelabelledFieldsMixin, account.ResetPasswordKeyForm):  # type: ignore[misc]
    labels = {"password1": NEW_PASSWORD, "password2": _("Repeat new password")}


class ReauthenticateForm(RelabelledFieldsMixin, account.ReauthenticateForm):  # type: ignore[misc]
    """Asks for the password again."""


class SecondFactorCodeMixin(RelabelledFieldsMixin):
    """Mixin for a form that takes the digits of an authenticator app or a recovery code."""

    labels = {"code": _("Recovery code")}
    user: Any
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = Authenticator.objects.filter(user=self.user)
        self.factors = frozenset(kinds.values_list("type", flat=True))
        if self.has_authenticator_app:
            self.fields["code"].label = _("Code from your app, or a recovery code")

    def clean_code(self) -> str:
        """Return the accepted code as it is stored; each code is accepted once."""
        self.cleaned_data["code"] = digest_unless_app_code(
            self.user, self.cleaned_data["code"]
        )
        code: str = super().clean_code()  # type: ignore[misc]  # of the form that it is mixed into
        return code

    @property
    def has_authenticator_app(self) -> bool:
        return Authenticator.Type.TOTP in self.factors

    @property
    def has_passkey(self) -> bool:
        """Whether the account has a passkey, or a security key as second factor."""
        return Authenticator.Type.WEBAUTHN in self.factors


class AuthenticateForm(SecondFactorCodeMixin, mfa.AuthenticateForm):  # type: ignore[misc]
    """Takes a code after the password."""


class ReauthenticateByCodeForm(SecondFactorCodeMixin, mfa.ReauthenticateForm):  # type: ignore[misc]
    """Takes a code from an account that is already signed in."""


class AddAuthenticatorAppForm(RelabelledFieldsMixin, totp.ActivateTOTPForm):  # type: ignore[misc]
    labels = {"code": _("Six-digit code from the app")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["inputmode"] = "numeric"

    def clean_code(self) -> str:
        """Return the digits, after marking them as used so that they sign in no one."""
        code: str = super().clean_code()
        app = Authenticator(
            user=self.user,
            type=Authenticator.Type.TOTP,
            data={"secret": encrypt(self.secret)},
        )
        if not app.wrap().validate_code(code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class AddPasskeyForm(RelabelledFieldsMixin, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    name = ShortTextField(required=False, max_length=100)
    labels = {
        "name": _("Device name"),
        "passwordless": _("Sign in without a password"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = _(
            "You sign in with your fingerprint, face or PIN. Without this option, you "
            "enter your password first and then use the passkey."
        )


class RenamePasskeyForm(RelabelledFieldsMixin, webauthn.EditWebAuthnForm):  # type: ignore[misc]
    name = ShortTextField(required=False, max_length=100)
    labels = {"name": _("Device name")}
