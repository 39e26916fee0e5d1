"""The settings of a tournament."""

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField, TextField
from scoring.locales.zones import get_zone
from scoring.models.matches import game_choices
from scoring.rules import GAMES, Refusal, start
from scoring.rules.match_record import LONGEST_NAME
from tournaments.changes import RefusedError
from tournaments.event.draw import check_drawable
from tournaments.event.setup.lifecycle import check_draft_allowed
from tournaments.models import Club, Tournament
from tournaments.models.validators import AVERAGE, BYE, check_bye
from tournaments.seating import (
    SeatingRefusal,
    TableSizeLimits,
    list_round_robin_sizes,
    list_unfillable_player_counts,
)
from tournaments.standings import DEFAULT_TIE_BREAKS, warning_of_uneven_table_sizes
from tournaments.web.desk.settings_fields import (
    MOST_TIE_BREAKS,
    SettingsForm,
    TieBreaksField,
)
from tournaments.web.fields import MomentField

PLACES = re.compile(r"\s*([2-6])\s*:((?:\s+\S+)+)\s*", re.ASCII)
MATCH_OPTIONS = {
    "target": _("%(game)s doesn’t end at a number of points. Leave this blank."),
    "contests": _("%(game)s has no contests. Leave this blank."),
    "hands": _("%(game)s doesn’t end after a number of hands. Leave this blank."),
    "lowest_wins": _("In %(game)s the lowest total can’t win. Leave this blank."),
    "title": _("%(game)s has a name already. Leave this blank."),
}
"""Options of all matches of a tournament, and their errors for games without them."""
PAST = Tournament.Format.PAST
BY_PLACE_AND_SIZE = "places"
POINTS = [
    ("linear", _("by rank, the same for every table size")),
    ("pairwise", _("players beaten minus players ahead")),
    ("wins", _("tables won")),
    ("margin", _("difference from the table average")),
    ("raw", _("points scored in the matches")),
    (BY_PLACE_AND_SIZE, _("by rank, with your own points for each table size")),
]


class TournamentForm(SettingsForm):
    game = forms.ChoiceField(
        label=_("Game"), choices=lambda: [("", "–"), *game_choices()]
    )
    games = forms.MultipleChoiceField(
        label=_("Games to play in turn, or for tables to choose from"),
        choices=game_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    points = forms.ChoiceField(
        label=_("Tournament points"),
        choices=POINTS,
        initial="linear",
        widget=forms.RadioSelect,
    )
    places = forms.CharField(
        label=_("Points by rank, one line per table size"),
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "4: 10 6 3 1"}),
    )
    tie_breaks = TieBreaksField(
        label=_("Break ties by (in this order)"),
        initial=list(DEFAULT_TIE_BREAKS),
        required=False,
    )
    bye = forms.CharField(
        label=_("Points for sitting out (“average” or a number)"),
        initial=AVERAGE,
        max_length=12,
    )
    target = forms.IntegerField(
        label=_("Points that end a match (leave blank for the default)"), required=False
    )
    contests = forms.IntegerField(label=_("DB2T: contests"), required=False)
    hands = forms.IntegerField(label=_("Any game: number of hands"), required=False)
    lowest_wins = forms.BooleanField(
        label=_("Any game: the lowest total wins"), required=False
    )
    title = NameField(
        label=_("Any game: name of the game"), max_length=LONGEST_NAME, required=False
    )
    starts_at = MomentField(label=_("Starts at"))
    registration_opens_at = MomentField(
        label=_("Registration opens at (leave blank to open right away)"),
        required=False,
    )
    registration_closes_at = MomentField(
        label=_(
            "Registration closes at (leave blank for the start of round 1 or the end "
            "of the league)"
        ),
        required=False,
    )

    class Meta:
        model = Tournament
        fields = [
            "name",
            "starts_at",
            "format",
            "game",
            "game_choice",
            "games",
            "rounds_planned",
            "minutes",
            "table_size",
            "least_size",
            "most_size",
            "capacity",
            "final_size",
            "advance",
            "strictness",
            "best_tables",
            "unfinished",
            "deduction",
            "quorum",
            "writing",
            "autopilot",
            "grace",
            "counts_late",
            "standings_shown",
            "listing",
            "venue",
            "fee",
            "invitation",
            "registration_opens_at",
            "registration_closes_at",
        ]
        field_classes = {
            "name": NameField,
            "venue": TextField,
            "fee": TextField,
            "invitation": TextField,
        }
        widgets = dict.fromkeys(
            ("unfinished", "quorum", "writing", "autopilot", "standings_shown"),
            forms.RadioSelect,
        )

    def __init__(self, *args: Any, club: Club | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        tournament = self.instance
        if club is not None:
            tournament.club = club
        self.zone = tournament.club.zone if tournament.club_id else get_zone()
        for name, field in self.fields.items():
            if isinstance(field, MomentField):
                field.set_zone(self.zone, getattr(tournament, name))
        self.fields["listing"].required = False
        # The choices have only the names, since a phone cuts off longer ones; the rest is the
        # help text.
        format_labels = {
            value: str(label).partition(":")
            for value, label in Tournament.Format.choices
            if value != PAST
        }
        formats = self.fields["format"]
        formats.widget.choices = [
            (value, name.strip()) for value, (name, *_help) in format_labels.items()
        ]
        formats.help_text = "\n".join(
            help_text.strip() for *_name, help_text in format_labels.values()
        )
        if tournament._state.adding:
            return
        tie_break_count = len(tournament.tie_breaks)
        if tie_break_count > MOST_TIE_BREAKS:
            old_field = self.fields["tie_breaks"]
            self.fields["tie_breaks"] = TieBreaksField(
                places=tie_break_count, label=old_field.label, required=False
            )
        by_place = isinstance(tournament.points, dict)
        self.initial = {
            **self.initial,
            "points": BY_PLACE_AND_SIZE if by_place else tournament.points or "linear",
            "places": format_places(tournament.points["places"]) if by_place else "",
            "tie_breaks": tournament.tie_breaks,
            "bye": tournament.bye,
            **{name: tournament.options.get(name) for name in MATCH_OPTIONS},
        }

    @property
    def other_zone(self) -> str:
        """Return the time zone of the form's times if it is not the reader's; else empty."""
        read = timezone.get_current_timezone_name()
        return "" if read == self.zone.key else self.zone.key

    @property
    def warnings(self) -> list[str]:
        warnings = [
            field.warning
            for field in self.fields.values()
            if isinstance(field, MomentField) and field.warning
        ]
        if self.cleaned_data.get("points") == BY_PLACE_AND_SIZE:
            uneven = warning_of_uneven_table_sizes(self.cleaned_data["places"])
            warnings += [str(uneven)] if uneven else []
        if self.cleaned_data["format"] == Tournament.Format.ROUND_ROBIN:
            size = self.cleaned_data["table_size"]
            warnings.append(
                _(
                    "A round robin at tables of %(size)s only works with these "
                    "numbers of players: %(players)s."
                )
                % {
                    "size": size,
                    "players": ", ".join(map(str, list_round_robin_sizes(size))),
                }
            )
        if self.cleaned_data["format"] == Tournament.Format.KNOCKOUT:
            sizing = self._sizing(self.cleaned_data)
            least, most = sizing.least, sizing.most
            if least == most:
                text = _(
                    "No one sits out in a knockout. Tables of %(size)s work with "
                    "%(players)s players and so on."
                )
                multiples = ", ".join(str(tables * least) for tables in range(1, 5))
                warnings.append(text % {"size": least, "players": multiples})
            elif impossible := ", ".join(
                map(str, list_unfillable_player_counts(sizing))
            ):
                text = _(
                    "No one sits out in a knockout. Tables of %(least)s to %(most)s "
                    "work with %(least)s or more players, except %(not)s."
                )
                warnings.append(
                    text % {"least": least, "most": most, "not": impossible}
                )
        one_game = self.cleaned_data["game_choice"] == Tournament.GameChoice.TOURNAMENT
        if not one_game and self.cleaned_data["points"] in ("raw", "margin"):
            warnings.append(
                str(
                    _(
                        "Points of different games aren’t worth the same. Use ranks "
                        "instead."
                    )
                )
            )
        return warnings

    def _sizing(self, cleaned: dict[str, Any]) -> TableSizeLimits:
        return TableSizeLimits(
            preferred=cleaned["table_size"],
            least=cleaned["least_size"],
            most=cleaned["most_size"],
        )

    def clean_format(self) -> str:
        """Return the format. Raises ValidationError if a league with rounds would change."""
        chosen: str = self.cleaned_data["format"]
        if chosen == PAST and self.instance.format != PAST:
            raise forms.ValidationError(
                _("To add past results, import them as a list.")
            )
        tournament = self.instance
        leagues = {chosen == Tournament.Format.LEAGUE, tournament.is_league}
        if (
            not tournament._state.adding
            and len(leagues) > 1
            and tournament.rounds.exists()
        ):
            raise forms.ValidationError(
                _(
                    "Rounds or matches already exist, so you can’t switch to or from "
                    "a league."
                )
            )
        return chosen

    def clean_bye(self) -> str:
        text: str = self.cleaned_data["bye"].strip().casefold()
        check_bye(text)
        return text

    def clean_places(self) -> dict[int, list[Fraction]]:
        """Return the points of each place by table size. Raises ValidationError otherwise."""
        places: dict[int, list[Fraction]] = {}
        for line in self.cleaned_data["places"].splitlines():
            read = PLACES.fullmatch(line)
            worth = read[2].split() if read else []
            if (
                read is None
                or len(worth) != int(read[1])
                or not all(BYE.fullmatch(points) for points in worth)
            ):
                raise forms.ValidationError(
                    _(
                        "“%(line)s”: enter the table size, then the points, for "
                        "example 3: 10 4 1."
                    )
                    % {"line": line[:40]}
                )
            places[int(read[1])] = [Fraction(points) for points in worth]
        return places

    def clean_listing(self) -> str:
        """Return the listing. Raises ValidationError for a draft that has players already."""
        # A form without the field leaves the listing as it is.
        listing: str = self.cleaned_data["listing"] or self.instance.listing
        self.instance.listing = listing
        if not self.instance._state.adding:
            try:
                check_draft_allowed(self.instance)
            except RefusedError as refused:
                raise forms.ValidationError(refused.message) from None
        return listing

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        opens = cleaned.get("registration_opens_at")
        closes = cleaned.get("registration_closes_at")
        if opens and closes and closes <= opens:
            self.add_error(
                "registration_closes_at", _("Registration must close after it opens.")
            )
        if {"least_size", "table_size", "most_size", "game"} <= cleaned.keys():
            self._fit_sizes_and_check_options(cleaned)
            if cleaned.get("points") == BY_PLACE_AND_SIZE and "places" in cleaned:
                sizes = range(cleaned["least_size"], cleaned["most_size"] + 1)
                missing_sizes = [
                    str(size) for size in sizes if size not in cleaned["places"]
                ]
                if missing_sizes:
                    text = _("Add a line for tables of %(sizes)s.")
                    self.add_error("places", text % {"sizes": ", ".join(missing_sizes)})
            if not self.errors and cleaned["capacity"]:
                # A full tournament has to be drawable in the format.
                try:
                    check_drawable(
                        cleaned["format"], cleaned["capacity"], self._sizing(cleaned)
                    )
                except SeatingRefusal as refusal:
                    self.add_error("capacity", str(refusal.message))
        return cleaned

    def _fit_sizes_and_check_options(self, cleaned: dict[str, Any]) -> None:
        """Add errors for table sizes and match lengths that the rules do not allow."""
        least, size, most = (
            cleaned[name] for name in ("least_size", "table_size", "most_size")
        )
        if not least <= size <= most:
            self.add_error(
                "table_size",
                _("Choose a table size between the smallest and the largest."),
            )
        game = GAMES[cleaned["game"]]
        if cleaned.get("game_choice") != Tournament.GameChoice.TOURNAMENT:
            # Each round or table is limited by its own game.
            return
        cleaned["least_size"] = max(least, game.seats[0])
        cleaned["most_size"] = min(most, game.seats[-1])
        if size not in game.seats:
            text = _("%(game)s is for %(least)s to %(most)s players.")
            limits = {"least": game.seats[0], "most": game.seats[-1]}
            self.add_error("table_size", text % {"game": _(game.name), **limits})
            return
        default_options = game.option_defaults(size)
        chosen_options = self.options()
        for name in chosen_options.keys() - default_options.keys():
            self.add_error(name, MATCH_OPTIONS[name] % {"game": _(game.name)})
        try:
            start(
                game.id,
                size,
                {
                    name: chosen_options[name]
                    for name in chosen_options
                    if name in default_options
                },
            )
        except Refusal as refusal:
            for fault in refusal.faults:
                self.add_error(fault.field.removeprefix("options."), str(fault.message))

    def options(self) -> dict[str, Any]:
        values = {name: self.cleaned_data.get(name) for name in MATCH_OPTIONS}
        return {
            name: value
            for name, value in values.items()
            if value not in (None, "") and value is not False
        }

    def save(self, commit: bool = True) -> Tournament:  # noqa: FBT001, FBT002
        chosen = self.cleaned_data
        self.instance.points = chosen["points"]
        if chosen["points"] == BY_PLACE_AND_SIZE:
            self.instance.points = {
                "places": {
                    str(size): [str(points) for points in worth]
                    for size, worth in chosen["places"].items()
                }
            }
        self.instance.tie_breaks = list(chosen["tie_breaks"])
        self.instance.bye = chosen["bye"]
        self.instance.options = self.options()
        return super().save(commit)


def format_places(places: dict[str, list[str]]) -> str:
    """Return points by place as text for the form, a line for each table size."""
    return "\n".join(
        f"{size}: {' '.join(str(points) for points in worth)}"
        for size, worth in sorted(places.items(), reverse=True)
    )
