"""A new club, and who helps there."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournaments.models import Club, Role, User

if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm


class ClubForm(ClubModelForm):
    """A club's name; its address follows from it."""

    class Meta:
        """What of a club is typed."""

        model = Club
        fields = ["name"]

    def clean(self) -> dict[str, Any]:
        """Make an address of the name; refuse one that is taken."""
        cleaned = super().clean() or {}
        slug = slugify(cleaned.get("name", ""))[:40]
        if cleaned.get("name") and not slug:
            self.add_error("name", _("Use at least one letter of a to z, or a digit."))
        elif Club.objects.filter(slug=slug).exists():
            self.add_error(
                "name", _("There is a club of that name; add a place to it.")
            )
        self.instance.slug = slug
        return cleaned


class MemberForm(forms.Form):
    """An account, by its e-mail address, and its role."""

    email = forms.EmailField(label=_("E-mail address"))
    role = forms.TypedChoiceField(
        label=_("Role"), choices=Role.choices, coerce=int, initial=Role.SCORER
    )

    def clean_email(self) -> User:
        """Return the account; refuse an address that has none."""
        email = self.cleaned_data["email"].lower()
        user = User.objects.filter(email=email).first()
        if user is None:
            raise forms.ValidationError(
                _("Nobody has signed up with this address; ask them to do so first.")
            )
        return user
