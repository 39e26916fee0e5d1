"""Forms of clubs, their teams, circuits and webhooks."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.circuits.persons import CircuitPlayer
from tournaments.models import Circuit, Club, Happening, Role, Webhook
from tournaments.names import make_slug
from tournaments.web.fields import SlugField
from tournaments.web.history.forms import PastDayField

if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
    CircuitModelForm = forms.ModelForm[Circuit]
else:
    ClubModelForm = CircuitModelForm = forms.ModelForm


class ClubForm(ClubModelForm):
    class Meta:
        model = Club
        fields = ["name"]
        field_classes = {"name": NameField}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.instance._state.adding:
            return cleaned
        slug = make_slug(cleaned.get("name", ""))
        if Club.objects.filter(slug=slug).exists():
            self.add_error(
                "name",
                _("A club with that name already exists. Add your town to the name."),
            )
        self.instance.slug = slug
        return cleaned


class PublicNameForm(forms.Form):
    """The name that others see next to an account's corrections, penalties and void tables."""

    public_name = NameField(label=_("Your name as shown to others"), max_length=80)


class CloseAccountForm(forms.Form):
    email = forms.CharField(
        label=_("Your e-mail address, exactly as shown"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, email: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.account_email = email

    def clean_email(self) -> str:
        typed = str(self.cleaned_data["email"])
        if typed.casefold() != self.account_email.casefold():
            message = _("That’s a different address. Type “%(email)s”.")
            raise forms.ValidationError(message, params={"email": self.account_email})
        return typed


class ClubLookForm(forms.Form):
    colour = forms.RegexField(
        label=_("Club colour"),
        regex=r"^#[0-9a-fA-F]{6}$",
        error_messages={"invalid": _("Enter a colour like #1f4e8c.")},
        widget=forms.TextInput(attrs={"type": "color"}),
    )
    logo = forms.FileField(
        label=_("Logo (PNG, JPEG or WebP)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )

    def clean_colour(self) -> str:
        return str(self.cleaned_data["colour"]).lower()


class ClubLanguageForm(forms.Form):
    """The language of a club for readers without a choice of their own."""

    language = forms.ChoiceField(
        label=_("Club language"),
        required=False,
        help_text=_(
            "For pages, printouts, e-mails and messages to people who haven’t chosen a "
            "language."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        browser_choice = ("", _("Each visitor’s browser language"))
        self.fields["language"].choices = [browser_choice, *settings.LANGUAGES]  # type: ignore[attr-defined]


class MemberForm(forms.Form):
    email = forms.EmailField(label=_("E-mail address"))
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=Role.choices,
        coerce=int,
        initial=Role.SCORER,
        widget=forms.RadioSelect,
    )

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def clean_role(self) -> Role:
        return Role(self.cleaned_data["role"])


class CircuitForm(CircuitModelForm):
    class Meta:
        model = Circuit
        fields = ["name", "counts", "best_of", "least_attendance", "lasts_days"]
        field_classes = {"name": NameField}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.instance._state.adding and cleaned.get("name"):
            slug = make_slug(cleaned["name"])
            if Circuit.objects.filter(slug=slug).exists():
                self.add_error(
                    "name",
                    _(
                        "A circuit with that name already exists. Add the year to the "
                        "name."
                    ),
                )
            self.instance.slug = slug
        return cleaned


class CircuitDayForm(forms.Form):
    as_of = PastDayField(label=_("As of"))

    def __init__(self, *args: Any, today: date, **options: Any) -> None:
        super().__init__(*args, **options)
        PastDayField.limit(self, today)


class InviteClubForm(forms.Form):
    club = SlugField(label=_("Club address (from its link …/clubs/address/)"))

    def clean_club(self) -> Club:
        club = Club.objects.filter(slug=self.cleaned_data["club"]).first()
        if club is None:
            raise forms.ValidationError(_("No club on this server has that address."))
        return club


class SamePersonForm(forms.Form):
    kept = forms.TypedChoiceField(label=_("This player"), coerce=int)
    merged = forms.TypedChoiceField(label=_("is the same person as"), coerce=int)

    def __init__(
        self, *args: Any, players: Sequence[CircuitPlayer], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        choices = [(player.player, str(player)) for player in players]
        for name in ("kept", "merged"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices


EVENT_KINDS = [kind for kind in Happening if kind != Happening.PING]


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/hook"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Send when"),
        choices=[(kind.value, kind.label) for kind in EVENT_KINDS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )
    style = forms.ChoiceField(
        label=_("Format"),
        choices=Webhook.Style.choices,
        initial=Webhook.Style.STANDARD,
        widget=forms.RadioSelect,
    )
