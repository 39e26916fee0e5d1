"""Webhooks of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Happening, Webhook

ASKED = [kind for kind in Happening if kind != Happening.PING]


class WebhookForm(forms.Form):
    """Which address is told what, in whose words."""

    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/hook"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Tell it when"),
        choices=[(kind.value, kind.label) for kind in ASKED],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one thing to tell.")},
    )
    style = forms.ChoiceField(
        label=_("Format"),
        choices=Webhook.Style.choices,
        initial=Webhook.Style.STANDARD,
        widget=forms.RadioSelect,
    )
