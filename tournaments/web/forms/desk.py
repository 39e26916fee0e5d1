"""What is typed at the desk itself."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import TextField

LARGEST_FINAL = 200


class AnnouncementForm(forms.Form):
    """One sentence for everybody."""

    text = TextField(
        label=_("Tell everybody"), max_length=200, strip=True, empty_value=""
    )


class CutForm(forms.Form):
    """How many go on to the final."""

    size = forms.IntegerField(
        label=_("Players in the final"), min_value=2, max_value=LARGEST_FINAL
    )
