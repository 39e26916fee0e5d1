"""A whole club that comes from another host."""

from typing import Any
from uuid import uuid4

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.files.archive.arrivals import LARGEST
from tournaments.models import Club
from tournaments.web.forms.slugs import SlugField


class ArrivalForm(forms.Form):
    """The archive, and another address where its own is taken."""

    file = forms.FileField(
        label=_("The archive: a ZIP of at most four megabytes"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    slug = SlugField(
        label=_("Another address for the club, where its own is taken"), required=False
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_file(self) -> Any:
        """Return the file; refuse one that is not read to its end."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            raise forms.ValidationError(
                _(
                    "This archive is larger than four megabytes. Whoever runs this host "
                    "can bring it in: manage.py import_club."
                )
            )
        return file

    def clean_slug(self) -> str:
        """Return the address; refuse one that is taken."""
        slug = str(self.cleaned_data["slug"]).lower()
        if slug and Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("There is a club at this address already; choose another.")
            )
        return slug
