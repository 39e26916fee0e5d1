"""What directors fill in for a circuit of several clubs."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.circuits.persons import CircuitPlayer
from tournaments.models import Circuit, Club
from tournaments.web.forms.leaderboards import day_field
from tournaments.web.forms.slugs import SlugField

if TYPE_CHECKING:
    CircuitModelForm = forms.ModelForm[Circuit]
else:
    CircuitModelForm = forms.ModelForm


class CircuitForm(CircuitModelForm):
    """What a circuit is called, and how its leaderboard counts."""

    class Meta:
        """What of a circuit is filled in."""

        model = Circuit
        fields = ["name", "counts", "best_of", "least_attendance", "lasts_days"]
        field_classes = {"name": NameField}

    def clean(self) -> dict[str, Any]:
        """Make an address of a new circuit's name."""
        cleaned = super().clean() or {}
        if self.instance._state.adding and cleaned.get("name"):
            slug = slugify(cleaned["name"])[:40]
            if not slug or Circuit.objects.filter(slug=slug).exists():
                self.add_error(
                    "name",
                    _("There is a circuit of that name already; add the year to it."),
                )
            self.instance.slug = slug
        return cleaned


class CircuitDayForm(forms.Form):
    """As of which day a circuit's leaderboard is wanted."""

    as_of = day_field(_("As it stood on"))

    def __init__(self, *args: Any, today: date, **options: Any) -> None:
        """Offer no day to come."""
        super().__init__(*args, **options)
        self.today = today

    def clean_as_of(self) -> date | None:
        """Refuse a day that is to come."""
        day: date | None = self.cleaned_data["as_of"]
        if day is not None and day > self.today:
            words = _("%(day)s is still to come; choose a day up to %(today)s.")
            days = {"day": day, "today": self.today}
            raise forms.ValidationError(
                words
                % {
                    which: date_format(one, "DATE_FORMAT")
                    for which, one in days.items()
                }
            )
        return day


class InviteClubForm(forms.Form):
    """A club that is to take part."""

    club = SlugField(label=_("The club's address, as in its link: …/clubs/address/"))

    def clean_club(self) -> Club:
        """Return the club; refuse an address where none is."""
        club = Club.objects.filter(slug=self.cleaned_data["club"]).first()
        if club is None:
            raise forms.ValidationError(
                _("There is no club of this address on this host.")
            )
        return club


class SamePersonForm(forms.Form):
    """Two players of a circuit who are one person."""

    kept = forms.TypedChoiceField(label=_("This player"), coerce=int)
    merged = forms.TypedChoiceField(label=_("is also this one"), coerce=int)

    def __init__(
        self, *args: Any, players: Sequence[CircuitPlayer], **options: Any
    ) -> None:
        """Offer who has a result there."""
        super().__init__(*args, **options)
        choices = [(each.player, str(each)) for each in players]
        for name in ("kept", "merged"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices
