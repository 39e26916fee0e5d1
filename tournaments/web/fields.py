"""Form fields that several rooms share: slugs, time zones, dates and times."""

from datetime import UTC, datetime, timedelta
from datetime import timezone as fixed
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.locales.zones import (
    LONGEST_NAME,
    check_zone,
    find_zone,
    get_zone,
    offered_zones,
)


class SlugField(forms.SlugField):
    """A field for that word, which says what may stand in it."""

    def __init__(self, **options: Any) -> None:
        words = _(
            "Letters from a to z, digits and hyphens alone, without spaces: our-club."
        )
        super().__init__(max_length=40, error_messages={"invalid": words}, **options)


ZONES = "zones"
"""Under which a page lists the zones that browsers offer while one types."""
NO_PLACE = fixed(timedelta(0), "no place")
"""Of what is written without an offset: clocks that skip no hour, and are nobody's."""


class ZoneField(forms.CharField):
    """A time zone, typed and found as one types; read also where its city alone is written."""

    widget = forms.TextInput(
        attrs={
            "list": ZONES,
            "autocomplete": "off",
            "autocapitalize": "off",
            "spellcheck": "false",
        }
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NAME, **options)

    def clean(self, value: Any) -> str:
        """Return the name of the zone; refuse what names none."""
        text: str = super().clean(value)
        name = find_zone(text)
        if text:
            check_zone(name or text)
        return name


class ZoneForm(forms.Form):
    """A time zone and those that are offered."""

    time_zone = ZoneField()
    offered = staticmethod(offered_zones)
    words: Any

    def __init__(
        self, *args: Any, chosen: str = "", proposed: str = "", **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.initial = {"time_zone": chosen or proposed}
        field = self.fields["time_zone"]
        field.label = self.words
        if not chosen:
            field.widget.attrs["data-proposed"] = proposed


class OwnZoneForm(ZoneForm):
    """By whose clocks somebody reads every hour."""

    words = _("Your time zone")


class ClubZoneForm(ZoneForm):
    """Where the clocks of a club hang."""

    words = _("Time zone of the club")


class LocalDateTimeInput(forms.DateTimeInput):
    """A day and an hour, as browsers ask for them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A day and an hour by the clocks of a club, whoever reads them.

    An hour that they skip is refused. One that they show twice is the first, in summer time;
    the second stays where the form had it. Programs may say an offset instead.
    """

    widget = LocalDateTimeInput
    zone: ZoneInfo
    kept: datetime | None
    warning = ""
    """That the clocks show the hour twice, where the first was taken to be meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.set_zone(get_zone())

    def set_zone(self, zone: ZoneInfo, kept: datetime | None = None) -> None:
        """Read the clocks of a zone; what they show at the moment that is kept means that moment."""
        self.zone, self.kept = zone, kept

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, self.zone)
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Return the moment; refuse an hour that the clocks skip."""
        with timezone.override(NO_PLACE):
            read: datetime | None = super().to_python(value)
        try:
            if read is not None and read.tzinfo is NO_PLACE:
                read = self._resolve(read.replace(tzinfo=None))
            # Moments are stored in UTC, where the first and last days of all have none.
            return read and read.astimezone(UTC)
        except OverflowError:
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid"
            ) from None

    def _resolve(self, shown: datetime) -> datetime:
        """Return when the clocks show an hour."""
        minute = shown.replace(second=0, microsecond=0)
        if self.kept is not None:
            before = timezone.make_naive(self.kept, self.zone)
            if before.replace(second=0, microsecond=0) == minute:
                return self.kept
        moment = shown.replace(tzinfo=self.zone)
        then = moment.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None)
        if then != shown:
            raise forms.ValidationError(
                _(
                    "The clocks go forward in %(zone)s: there is no %(hour)s then, it is %(then)s."
                ),
                params={
                    "zone": self.zone.key,
                    "hour": time_format(shown, "TIME_FORMAT"),
                    "then": time_format(then, "TIME_FORMAT"),
                },
                code="skipped",
            )
        if moment.utcoffset() != moment.replace(fold=1).utcoffset():
            words = gettext(
                "The clocks go back in %(zone)s and show %(hour)s twice; the first is meant."
            )
            hour = time_format(shown, "TIME_FORMAT")
            self.warning = words % {"zone": self.zone.key, "hour": hour}
        return moment
