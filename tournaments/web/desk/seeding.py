"""The seeding of round 1 at the desk: by lot, by rating, or by numbers that the director enters."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.event.seeding import read_club_ratings, save_seeding
from tournaments.models import Entry, Role, Round, Tournament
from tournaments.names import localized_sort_key
from tournaments.ratings import Rating
from tournaments.web.access import in_tournament
from tournaments.web.actions import show_changed_or_unchanged_message, show_refusals
from tournaments.web.desk.settings_form import explain_seed_pattern, explain_seeding

if TYPE_CHECKING:
    TournamentModelForm = forms.ModelForm[Tournament]
else:
    TournamentModelForm = forms.ModelForm

MOST_SEED_RANK = 9_999
Seeding = Tournament.Seeding


class SeedRow(NamedTuple):
    """A player in the list of seeds."""

    field: forms.BoundField
    rating: Rating | None


class SeedingForm(TournamentModelForm):
    """How round 1 is seeded, and a number for each player."""

    class Meta:
        model = Tournament
        fields = ["seeding", "seed_pattern"]

    def __init__(
        self,
        *args: Any,
        entries: Sequence[Entry],
        ratings: Mapping[int, Rating],
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        explain_seeding(self.fields["seeding"])
        explain_seed_pattern(self.fields["seed_pattern"])
        self.ratings = ratings
        self.entries = sorted(entries, key=self._list_key)
        for entry in self.entries:
            self.fields[f"rank_{entry.number}"] = forms.IntegerField(
                label=entry.name,
                min_value=1,
                max_value=MOST_SEED_RANK,
                required=False,
                initial=entry.seed_rank,
                widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4}),
            )

    def _list_key(self, entry: Entry) -> tuple[Any, ...]:
        """Return the key that lists players by their number or rating, the others by name."""
        name = localized_sort_key(entry.name)
        if self.instance.seeding == Seeding.HAND and entry.seed_rank is not None:
            return 0, entry.seed_rank, name
        if self.instance.seeding != Seeding.LOT and entry.pk in self.ratings:
            return 1, self.ratings[entry.pk].ranking_key, name
        return 2, 0, name

    def rows(self) -> list[SeedRow]:
        return [
            SeedRow(self[f"rank_{entry.number}"], self.ratings.get(entry.pk))
            for entry in self.entries
        ]

    @property
    def ranks(self) -> dict[int, int | None]:
        """Return the entered numbers by entry."""
        return {
            entry.pk: self.cleaned_data[f"rank_{entry.number}"]
            for entry in self.entries
        }


def number_by_rating(
    entries: Collection[Entry], ratings: Mapping[int, Rating]
) -> dict[str, int]:
    """Return initial values of the form: numbers from 1 in the order of the ratings."""
    rated = sorted(
        (entry for entry in entries if entry.pk in ratings),
        key=lambda entry: ratings[entry.pk].ranking_key,
    )
    return {f"rank_{entry.number}": rank for rank, entry in enumerate(rated, start=1)}


@in_tournament(Role.DIRECTOR)
def seeding_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show and change how round 1 is seeded; *Fill in by rating* only fills in the numbers."""
    entries = list(tournament.entries.all().expected_or_present())
    ratings = read_club_ratings(tournament, entries)
    is_filled = request.method == "POST" and "fill" in request.POST
    form = SeedingForm(
        None if is_filled else request.POST or None,
        instance=tournament,
        entries=entries,
        ratings=ratings,
        initial={"seeding": Seeding.HAND, **number_by_rating(entries, ratings)}
        if is_filled
        else None,
    )
    if form.is_bound and form.is_valid():
        with (
            show_refusals(form, "seeding"),
            show_changed_or_unchanged_message(
                request,
                _saved_message(tournament),
                lambda: (
                    Tournament.objects.values("seeding", "seed_pattern").get(
                        pk=tournament.pk
                    ),
                    list(
                        tournament.entries.order_by("pk").values_list("pk", "seed_rank")
                    ),
                ),
                unchanged_message=_("No changes to save."),
            ),
        ):
            save_seeding(
                tournament_id=tournament.pk,
                seeding=form.cleaned_data["seeding"],
                pattern=form.cleaned_data["seed_pattern"],
                ranks=form.ranks,
            )
        if form.is_valid():
            return redirect("tournaments:desk", tournament.address)
    context = {
        "tournament": tournament,
        "form": form,
        "is_filled": is_filled,
        "is_too_late": tournament.rounds.published().exists(),
    }
    return render(request, "tournaments/desk/seeding.html", context)


def _saved_message(tournament: Tournament) -> str:
    if tournament.rounds.filter(number=1, state=Round.State.DRAWN).exists():
        return _("Seeding saved. Draw again to use it.")
    return _("Seeding saved.")
