"""Questions about names that may belong to known players."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _

from scoring.rules.names import normalize_text
from tournaments.models import Club
from tournaments.people.doubles import Known, likely_doubles

SOMEBODY_ELSE = "new"
LEAVE_OUT = "none"
IS = "is:"
"""What stands before the name of somebody known, in an answer."""


class DoublesForm(forms.Form):
    """One question for each name that may mean somebody known.

    What was asked is sent along as `asked`, so that the answers fit the questions.
    """

    def __init__(
        self,
        *args: Any,
        doubles: Mapping[str, Sequence[Known]],
        is_optional: bool = False,
        **options: Any,
    ) -> None:
        """Ask about each of these names; if optional, answers may wait or leave a name out."""
        super().__init__(*args, **options)
        self.doubles = doubles
        for number, (name, known) in enumerate(doubles.items()):
            self.fields[f"who-{number}"] = forms.ChoiceField(
                label=_("“%(name)s”: who is this?") % {"name": name},
                choices=[
                    *((f"{IS}{who.name}", who.words) for who in known),
                    (SOMEBODY_ELSE, _("somebody else")),
                    *([(LEAVE_OUT, _("Leave this name out"))] if is_optional else ()),
                ],
                required=not is_optional,
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose who is meant.")},
            )

    @property
    def answers(self) -> dict[str, str | None]:
        """Return what each answered name stands for; None for one that is left out."""
        given = {
            name: self.cleaned_data[f"who-{number}"]
            for number, name in enumerate(self.doubles)
        }
        return {
            name: None if given[name] == LEAVE_OUT else meant
            for name, meant in self.meant.items()
            if given[name]
        }

    @property
    def meant(self) -> dict[str, str]:
        """Return by each name that was asked about the one it stands for."""
        answers = {
            name: self.cleaned_data[f"who-{number}"]
            for number, name in enumerate(self.doubles)
        }
        return {
            name: name if answer == SOMEBODY_ELSE else answer.removeprefix(IS)
            for name, answer in answers.items()
        }


def resolve_names(
    request: HttpRequest, club: Club, names: Sequence[str]
) -> tuple[list[str], DoublesForm | None]:
    """Return the names that are sure, and a form that asks about the others, if any.

    Names that were asked about come back as what they were said to mean.
    """
    names = [normalize_text(name) for name in names]
    doubles = likely_doubles(club, names)
    if not doubles:
        return names, None
    is_answered = request.POST.getlist("asked") == list(doubles)
    form = DoublesForm(request.POST if is_answered else None, doubles=doubles)
    if form.is_valid():
        return [form.meant.get(name, name) for name in names], None
    return [name for name in names if name not in doubles], form
