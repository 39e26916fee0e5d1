"""Forms about players: merges, deletions, names that may mean known players."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.rules.names import normalize_text
from tournaments.models import Club
from tournaments.people.similar_names import KnownPlayer, find_similar_players


class MergePlayersForm(forms.Form):
    merged = forms.TypedChoiceField(label=gettext_lazy("This player"), coerce=int)
    kept = forms.TypedChoiceField(
        label=gettext_lazy("is the same person as (keep this name)"), coerce=int
    )

    def __init__(
        self, *args: Any, names_by_player: Mapping[int, str], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        for name in ("merged", "kept"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = list(names_by_player.items())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "kept" in cleaned and cleaned["kept"] == cleaned.get("merged"):
            self.add_error("kept", _("Choose two different players."))
        return cleaned


class ErasePlayerForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("The name, exactly as shown"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


SOMEBODY_ELSE = "new"
LEAVE_OUT = "none"
IS = "is:"
"""Prefix of a known player's name in an answer."""


class SimilarNamesForm(forms.Form):
    """A question for each name that may mean a known player.

    The page sends the names along as `asked`, so that answers match their questions.
    """

    def __init__(
        self,
        *args: Any,
        doubles: Mapping[str, Sequence[KnownPlayer]],
        is_optional: bool = False,
        takes_names: bool = True,
        **options: Any,
    ) -> None:
        """Ask about each of these names.

        If `is_optional`, answers may be missing or leave a name out. Without `takes_names`,
        names can only be left out.
        """
        super().__init__(*args, **options)
        self.doubles = doubles
        for number, (name, candidates) in enumerate(doubles.items()):
            self.fields[f"who-{number}"] = forms.ChoiceField(
                label=(
                    _("Who is “%(name)s”?")
                    if takes_names
                    else _("“%(name)s” wasn’t added.")
                )
                % {"name": name},
                choices=[
                    *(
                        (
                            *(
                                (f"{IS}{candidate.name}", candidate.label)
                                for candidate in candidates
                            ),
                            (SOMEBODY_ELSE, _("someone else")),
                        )
                        if takes_names
                        else ()
                    ),
                    *([(LEAVE_OUT, _("Leave this name out"))] if is_optional else ()),
                ],
                required=not is_optional,
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose who you mean.")},
            )

    @property
    def meant_names_by_typed(self) -> dict[str, str]:
        """Return the meant name for each answered one, without names that are left out."""
        return {
            name: name if answer == SOMEBODY_ELSE else answer.removeprefix(IS)
            for name, answer in self._answers_by_typed.items()
            if answer != LEAVE_OUT
        }

    @property
    def left_out_names(self) -> list[str]:
        return [
            name
            for name, answer in self._answers_by_typed.items()
            if answer == LEAVE_OUT
        ]

    @property
    def _answers_by_typed(self) -> dict[str, str]:
        """Return the answer for each name, without names that have none."""
        return {
            name: answer
            for number, name in enumerate(self.doubles)
            if (answer := self.cleaned_data[f"who-{number}"])
        }


class ResolvedNames(NamedTuple):
    """Names that are clear, or all meant names once `questions` are answered."""

    clear_names: list[str]
    questions: SimilarNamesForm | None
    """Asks about the other names; None if there are none."""


def resolve_names(
    request: HttpRequest, club: Club, names: Sequence[str]
) -> ResolvedNames:
    names = [normalize_text(name) for name in names]
    doubles = find_similar_players(club, names)
    if not doubles:
        return ResolvedNames(names, None)
    is_answered = request.POST.getlist("asked") == list(doubles)
    form = SimilarNamesForm(request.POST if is_answered else None, doubles=doubles)
    if form.is_valid():
        meant_names = [form.meant_names_by_typed.get(name, name) for name in names]
        return ResolvedNames(meant_names, None)
    return ResolvedNames([name for name in names if name not in doubles], form)
