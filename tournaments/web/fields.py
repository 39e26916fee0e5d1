"""Form fields shared by several packages: slugs, time zones, dates and times."""

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
    """A slug, with an error message that names the allowed characters."""

    def __init__(self, **options: Any) -> None:
        words = _(
            "Use only letters from a to z, digits and hyphens, for example our-club."
        )
        super().__init__(max_length=40, error_messages={"invalid": words}, **options)


ZONES = "zones"
"""Id of the `<datalist>` with the time zones that browsers suggest."""
NO_PLACE = fixed(timedelta(0), "no place")
"""Marks a time typed without an offset; a fixed zone, so that it skips no hour."""


class ZoneField(forms.CharField):
    """A time zone, typed with suggestions; its city alone is accepted too."""

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
        """Return the name of the zone. Raises ValidationError for an unknown one."""
        text: str = super().clean(value)
        name = find_zone(text)
        if text:
            check_zone(name or text)
        return name


class ZoneForm(forms.Form):
    """A time zone, with suggestions; `chosen` is the current one, `proposed` a default."""

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
    """The time zone in which a visitor reads times."""

    words = _("Your time zone")


class ClubZoneForm(ZoneForm):
    """The time zone of a club."""

    words = _("Club time zone")


class LocalDateTimeInput(forms.DateTimeInput):
    """A `datetime-local` input, to the minute."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A date and time in a club's time zone, regardless of the reader's.

    A time that the clocks skip is refused. One that they show twice is the first, in summer
    time, unless the stored value is the second. Programs may send an offset instead.
    """

    widget = LocalDateTimeInput
    zone: ZoneInfo
    kept: datetime | None
    warning = ""
    """Set if the clocks show the time twice and the first was assumed; else empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.set_zone(get_zone())

    def set_zone(self, zone: ZoneInfo, kept: datetime | None = None) -> None:
        """Read times in this zone; the same minute as the stored `kept` stays that moment."""
        self.zone, self.kept = zone, kept

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, self.zone)
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Return the moment in UTC. Raises ValidationError for a time that the clocks skip."""
        with timezone.override(NO_PLACE):
            read: datetime | None = super().to_python(value)
        try:
            if read is not None and read.tzinfo is NO_PLACE:
                read = self._resolve(read.replace(tzinfo=None))
            # Stored in UTC: the very first and last days may overflow there.
            return read and read.astimezone(UTC)
        except OverflowError:
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid"
            ) from None

    def _resolve(self, shown: datetime) -> datetime:
        """Return the moment at which the clocks of the zone show a time."""
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
                    "The clocks in %(zone)s go forward then: %(hour)s is skipped. "
                    "Did you mean %(then)s?"
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
                "The clocks in %(zone)s go back and show %(hour)s twice. The first "
                "one counts."
            )
            hour = time_format(shown, "TIME_FORMAT")
            self.warning = words % {"zone": self.zone.key, "hour": hour}
        return moment
