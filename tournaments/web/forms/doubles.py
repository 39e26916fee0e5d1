"""Asking whom a name means, where it may well be somebody who is known."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.people.doubles import Known

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
