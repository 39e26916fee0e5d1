"""Tokens for programs, and web sites that may ask for a club."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.models import Club, Scope, User
from tournaments.names import reading_key

DAYS = [("30", _("30 days")), ("365", _("a year")), ("", _("until you end it"))]


class TokenForm(forms.Form):
    """What a program may do, where, and for how long."""

    name = NameField(label=_("What is it for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("Besides reading, it may"),
        choices=[(scope.value, scope.label) for scope in Scope if scope != Scope.READ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=_("In"),
        required=False,
        empty_label=_("all your clubs"),
    )
    days = forms.ChoiceField(
        label=_("It holds for"),
        choices=DAYS,
        initial="365",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        """Offer the clubs of an account."""
        super().__init__(*args, **options)
        club = self.fields["club"]
        assert isinstance(club, forms.ModelChoiceField)
        club.queryset = Club.objects.all().of(user)
        by_name = sorted(club.queryset, key=lambda each: reading_key(each.name))
        club.choices = [("", club.empty_label), *((each.pk, each) for each in by_name)]

    def expires_at(self, now: datetime) -> datetime | None:
        """Return when it ends by itself; None for never."""
        days: str = self.cleaned_data["days"]
        return now + timedelta(days=int(days)) if days else None


class OriginForm(forms.Form):
    """A web site whose pages may show a club and ask for it."""

    origin = forms.CharField(
        label=_("Address of the site"),
        max_length=200,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org"}),
    )
