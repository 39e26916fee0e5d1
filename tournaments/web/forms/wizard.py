"""What a newcomer has: people, hours, a game."""

from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import game_choices


class WizardForm(forms.Form):
    """How many people, how much time, which game."""

    people = forms.IntegerField(label=_("People"), min_value=2, max_value=400)
    hours = forms.DecimalField(
        label=_("Hours"),
        min_value=1,
        max_value=12,
        max_digits=3,
        decimal_places=1,
        step_size=Decimal("0.5"),
    )
    game = forms.ChoiceField(label=_("Game"), choices=game_choices)
