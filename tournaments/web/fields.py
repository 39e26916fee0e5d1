"""Forms and fields shared by several packages: names with slugs, time zones, dates and times."""

from datetime import UTC, datetime, timedelta
from datetime import timezone as fixed
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.locales.zones import (
    LONGEST_NAME,
    check_zone,
    find_zone_name,
    first_known_zone,
    offered_zone_names,
)
from tournaments.names import make_slug

if TYPE_CHECKING:
    NamedModelForm = forms.ModelForm[Any]
else:
    NamedModelForm = forms.ModelForm


class SlugField(forms.SlugField):
    """A slug, with an error message that names the allowed characters."""

    def __init__(self, **options: Any) -> None:
        message = _(
            "Use only letters from a to z, digits and hyphens, for example our-club."
        )
        super().__init__(max_length=40, error_messages={"invalid": message}, **options)


class SluggedNameForm(NamedModelForm):
    """A form that makes the slug of a new row from its name, and refuses a name whose slug is taken."""

    name_taken: Promise | str
    reserved_slugs: frozenset[str] = frozenset()
    """Slugs that rows cannot have, since other pages use them: their type is put in front."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.instance._state.adding and cleaned.get("name"):
            slug = make_slug(cleaned["name"])
            if slug in self.reserved_slugs:
                slug = f"{self.instance._meta.model_name}-{slug}"
            if self.rows_with_unique_slugs().filter(slug=slug).exists():
                self.add_error("name", str(self.name_taken))
            self.instance.slug = slug
        return cleaned

    def rows_with_unique_slugs(self) -> QuerySet[Any]:
        """Return the rows of which no two have the same slug."""
        rows: QuerySet[Any] = self._meta.model._default_manager.all()
        return rows


ZONES = "time-zones"
"""Id of the `<datalist>` with the time zones that browsers suggest."""
NO_ZONE = fixed(timedelta(0), "no place")
"""Marks a time typed without an offset; a fixed zone, so that it skips no hour."""


class TimeZoneField(forms.CharField):
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
        name = find_zone_name(text)
        if text:
            check_zone(name or text)
        return name


class TimeZoneChoiceForm(forms.Form):
    """A time zone, with suggestions; `chosen` is the current one, `proposed` a default."""

    time_zone = TimeZoneField()
    offered_zone_names = staticmethod(offered_zone_names)
    zone_label: Any

    def __init__(
        self, *args: Any, chosen: str = "", proposed: str = "", **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.initial = {"time_zone": chosen or proposed}
        field = self.fields["time_zone"]
        field.label = self.zone_label
        if not chosen:
            field.widget.attrs["data-proposed"] = proposed


class OwnTimeZoneForm(TimeZoneChoiceForm):
    """The time zone in which a visitor reads times."""

    zone_label = _("Your time zone")


class ClubTimeZoneForm(TimeZoneChoiceForm):
    """The time zone of a club."""

    zone_label = _("Club time zone")


class LocalDateTimeInput(forms.DateTimeInput):
    """A `datetime-local` input, to the minute."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class ZonedDateTimeField(forms.DateTimeField):
    """A date and time in a club's time zone, regardless of the reader's.

    A time that the clocks skip is refused. One that they show twice is the first, in summer
    time, unless the stored value is the second. Programs may send an offset instead.
    """

    widget = LocalDateTimeInput
    zone: ZoneInfo
    stored_value: datetime | None
    warning = ""
    """Set if the clocks show the time twice and the first was assumed; else empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.set_zone(first_known_zone())

    def set_zone(self, zone: ZoneInfo, stored_value: datetime | None = None) -> None:
        """Read times in this zone; the same minute as the stored `stored_value` stays that moment."""
        self.zone, self.stored_value = zone, stored_value

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, self.zone)
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Return the moment in UTC. Raises ValidationError for a time that the clocks skip."""
        with timezone.override(NO_ZONE):
            moment: datetime | None = super().to_python(value)
        try:
            if moment is not None and moment.tzinfo is NO_ZONE:
                moment = self._resolve_local_time(moment.replace(tzinfo=None))
            # Stored in UTC: the very first and last days may overflow there.
            return moment and moment.astimezone(UTC)
        except OverflowError:
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid"
            ) from None

    def _resolve_local_time(self, local_time: datetime) -> datetime:
        """Return the moment at which the clocks of the zone show a time."""
        minute = local_time.replace(second=0, microsecond=0)
        if self.stored_value is not None:
            stored_time = timezone.make_naive(self.stored_value, self.zone)
            if stored_time.replace(second=0, microsecond=0) == minute:
                return self.stored_value
        moment = local_time.replace(tzinfo=self.zone)
        then = moment.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None)
        if then != local_time:
            raise forms.ValidationError(
                _(
                    "The clocks in %(zone)s go forward that day, so "
                    "there’s no %(hour)s. Did you mean %(then)s?"
                ),
                params={
                    "zone": self.zone.key,
                    "hour": time_format(local_time, "TIME_FORMAT"),
                    "then": time_format(then, "TIME_FORMAT"),
                },
                code="skipped",
            )
        if moment.utcoffset() != moment.replace(fold=1).utcoffset():
            self._set_repeated_time_warning(local_time)
        return moment

    def _set_repeated_time_warning(self, local_time: datetime) -> None:
        text = gettext(
            "The clocks in %(zone)s go back and show %(hour)s twice. Tricky uses the "
            "first time."
        )
        hour = time_format(local_time, "TIME_FORMAT")
        self.warning = text % {"zone": self.zone.key, "hour": hour}
