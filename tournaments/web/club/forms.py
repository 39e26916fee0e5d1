"""Forms of clubs, their teams, circuits and webhooks."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from scoring.locales.zones import offered_zone_names
from tournaments.circuits.persons import CircuitPlayer
from tournaments.models import Circuit, Club, Happening, Role, Webhook
from tournaments.people.looks import HOUSE
from tournaments.web.fields import SlugField, SluggedNameForm, TimeZoneField
from tournaments.web.history.forms import DaysUpToTodayForm, DayUpToTodayField


class ClubNameForm(SluggedNameForm):
    name_taken = _("A club with that name already exists. Add your town to the name.")

    class Meta:
        model = Club
        fields = ["name"]
        field_classes = {"name": NameField}


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


class ClubSettingsForm(ClubNameForm):
    """The name, look, language and time zone of a club; fields that are not sent keep their values."""

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
    language = forms.ChoiceField(
        label=_("Club language"),
        required=False,
        choices=[("", _("Each visitor’s browser language")), *settings.LANGUAGES],
        help_text=_(
            "For pages, printouts, e-mails and messages to people who haven’t chosen a "
            "language."
        ),
    )
    time_zone = TimeZoneField(label=_("Club time zone"))
    offered_zone_names = staticmethod(offered_zone_names)

    def __init__(self, data: dict[str, Any], files: Any, *, instance: Club) -> None:
        stored = {
            "name": instance.name,
            "colour": instance.colour or HOUSE,
            "language": instance.language,
            "time_zone": instance.time_zone,
        }
        super().__init__(
            {**stored, **data} if data else None,
            files if data else None,
            initial=stored,
            instance=instance,
        )


class InviteTeamMemberForm(forms.Form):
    email = forms.EmailField(label=_("E-mail address"))
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=Role.choices,
        coerce=lambda value: Role(int(value)),
        initial=Role.SCORER,
        widget=forms.RadioSelect,
    )


class CircuitForm(SluggedNameForm):
    name_taken = _("A circuit with that name already exists. Add the year to the name.")

    class Meta:
        model = Circuit
        fields = ["name", "counts", "best_of", "least_attendance", "lasts_days"]
        field_classes = {"name": NameField}


class CircuitAsOfDayForm(DaysUpToTodayForm):
    as_of = DayUpToTodayField(label=_("As of"))


class InviteClubToCircuitForm(forms.Form):
    club = SlugField(label=_("Club address (from its link …/clubs/address/)"))

    def clean_club(self) -> Club:
        club = Club.objects.filter(slug=self.cleaned_data["club"]).first()
        if club is None:
            raise forms.ValidationError(_("No club on this server has that address."))
        return club


class MergeCircuitPlayersForm(forms.Form):
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
