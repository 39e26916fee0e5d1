"""A new club, and who helps there."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.models import Club, Role

if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm


class ClubForm(ClubModelForm):
    """A club's name; the address of a new one follows from it, and stays."""

    class Meta:
        """What of a club is typed."""

        model = Club
        fields = ["name"]
        field_classes = {"name": NameField}

    def clean(self) -> dict[str, Any]:
        """Make an address of the name; refuse one that is taken."""
        cleaned = super().clean() or {}
        if not self.instance._state.adding:
            return cleaned
        slug = slugify(cleaned.get("name", ""))[:40]
        if cleaned.get("name") and not slug:
            self.add_error("name", _("Use at least one letter of a to z, or a digit."))
        elif Club.objects.filter(slug=slug).exists():
            self.add_error(
                "name", _("There is a club of that name; add a place to it.")
            )
        self.instance.slug = slug
        return cleaned


class AccountNameForm(forms.Form):
    """What others read beside what an account corrected, penalised or made void."""

    public_name = NameField(label=_("Your name, for others to read"), max_length=80)


class CloseAccountForm(forms.Form):
    """The address of an account that is to be closed, typed out: nothing brings it back."""

    email = forms.CharField(
        label=_("Your e-mail address, as it is written here"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, email: str, **options: Any) -> None:
        """Ask for the address of one account."""
        super().__init__(*args, **options)
        self.own = email

    def clean_email(self) -> str:
        """Refuse any other address."""
        typed = str(self.cleaned_data["email"])
        if typed.casefold() != self.own.casefold():
            words = _("This is not the address; type “%(email)s”.")
            raise forms.ValidationError(words, params={"email": self.own})
        return typed


class ClubLookForm(forms.Form):
    """The colour of a club's cloth, and its logo."""

    colour = forms.RegexField(
        label=_("Colour of the cloth"),
        regex=r"^#[0-9a-fA-F]{6}$",
        error_messages={"invalid": _("Write it as in #1f4e8c.")},
        widget=forms.TextInput(attrs={"type": "color"}),
    )
    logo = forms.FileField(
        label=_("Logo: PNG, JPEG or WebP"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )

    def clean_colour(self) -> str:
        """Return the colour as it is stored."""
        return str(self.cleaned_data["colour"]).lower()


class ClubLanguageForm(forms.Form):
    """What a club speaks to whoever has chosen no language."""

    language = forms.ChoiceField(
        label=_("Language of the club"),
        required=False,
        help_text=_("For pages, prints, letters and messages to whoever chose none."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the languages of the site."""
        super().__init__(*args, **kwargs)
        as_read = ("", _("As each reader’s browser wants it"))
        self.fields["language"].choices = [as_read, *settings.LANGUAGES]  # type: ignore[attr-defined]


class MemberForm(forms.Form):
    """Somebody, by their e-mail address, and their role."""

    email = forms.EmailField(label=_("E-mail address"))
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=Role.choices,
        coerce=int,
        initial=Role.SCORER,
        widget=forms.RadioSelect,
    )

    def clean_email(self) -> str:
        """Return the address as accounts have it."""
        return str(self.cleaned_data["email"]).lower()

    def clean_role(self) -> Role:
        """Return the role."""
        return Role(self.cleaned_data["role"])
