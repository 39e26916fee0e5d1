"""The settings of a tournament."""

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.db.models.fields import NOT_PROVIDED
from django.forms.boundfield import BoundWidget
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.games.registry import table_game
from scoring.games.text_fields import NameField, ShortTextField
from scoring.locales.zones import first_known_zone
from scoring.models.matches import game_choices
from scoring.rules import GAMES, Refusal, start
from scoring.rules.game import Game
from scoring.rules.match_record import LONGEST_NAME
from scoring.web.views.requests import parse_small_number
from tournaments.changes import RefusedError
from tournaments.event.draw import check_byes_possible, check_drawable
from tournaments.event.setup.lifecycle import check_draft_allowed
from tournaments.models import Club, Tournament
from tournaments.models.validators import AVERAGE, BYE, check_bye
from tournaments.seating import (
    SeatingRefusal,
    TableSizeLimits,
    list_round_robin_player_counts,
    list_unfillable_player_counts,
)
from tournaments.standings import DEFAULT_TIE_BREAKS, unequal_mean_points_warning
from tournaments.standings.tie_breaks import TIE_BREAKS
from tournaments.web.fields import ZonedDateTimeField

if TYPE_CHECKING:
    TournamentModelForm = forms.ModelForm[Tournament]
else:
    TournamentModelForm = forms.ModelForm

PLACES = re.compile(r"\s*([2-6])\s*:((?:\s+\S+)+)\s*", re.ASCII)
HOUSE_RULE_GAMES = {
    name: game for game in GAMES for name in table_game(game).house_rule_texts
}
"""The game of each house rule."""
MATCH_OPTIONS = {
    "target": _("%(game)s has no point target. Leave this blank."),
    "contests": _("%(game)s has no contests. Leave this blank."),
    "hands": _("You can’t set a number of hands for %(game)s. Leave this blank."),
    "lowest_wins": _("In %(game)s the lowest total can’t win. Leave this blank."),
    "bids": _("%(game)s has no separate column for bids. Leave this blank."),
    "title": _("You can’t rename %(game)s. Leave this blank."),
    **dict.fromkeys(
        HOUSE_RULE_GAMES,
        _("%(game)s doesn’t have this house rule. Leave this blank."),
    ),
}
"""Options of all matches of a tournament, and their errors for games without them."""
BYE_SETTINGS = ("bye", "requested_bye", "late_bye")
PAST = Tournament.Format.PAST
MOST_SEED = 9999
"""The largest seed of a new tournament: short, because directors may type it again."""
BY_PLACE_AND_SIZE = "places"
POINTS = [
    ("linear", _("by rank, the same for every table size")),
    ("pairwise", _("players beaten minus players ahead")),
    ("wins", _("tables won")),
    ("margin", _("difference from the table average")),
    ("raw", _("points scored in the matches")),
    (BY_PLACE_AND_SIZE, _("by rank, with your own points for each table size")),
]


MOST_TIE_BREAKS = 8
"""Select boxes for tie-breaks, unless a tournament has more already."""


class OrderedSelectsWidget(forms.MultiWidget):
    def decompress(self, value: Sequence[str] | None) -> list[str]:
        return list(value or ())


class TieBreaksField(forms.MultiValueField):
    """Codes of tie-breaks in the order in which they decide."""

    def __init__(self, *, places: int = MOST_TIE_BREAKS, **options: Any) -> None:
        choices = [
            ("", "–"),
            *(
                (code, _(tie_break.explanation))
                for code, tie_break in TIE_BREAKS.items()
            ),
        ]
        fields = [
            forms.ChoiceField(choices=choices, required=False)
            for _place in range(places)
        ]
        lists = [
            forms.Select(choices=choices, attrs={"aria-label": f"{place}."})
            for place in range(1, places + 1)
        ]
        super().__init__(
            fields,
            widget=OrderedSelectsWidget(lists),
            require_all_fields=False,
            **options,
        )

    def compress(self, data_list: Sequence[str]) -> list[str]:
        """Return the chosen codes. Raises ValidationError if one is chosen twice."""
        chosen = [name for name in data_list if name]
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(_("Use each tie-break only once."))
        return chosen


QUESTIONS = {
    "points": (
        _("What decides who wins?"),
        {
            "linear": _("Ranks"),
            "raw": _("Points"),
            "wins": _("Tables won"),
        },
    ),
    "unfinished": (
        _("What if a table runs out of time?"),
        {
            "as_it_stands": _("Counts"),
            "deduct": _("Counts less"),
            "void": _("Doesn’t count"),
        },
    ),
    "quorum": (
        _("Who confirms a result?"),
        {
            "none": _("No one"),
            "one": pgettext_lazy("who agrees", "One"),
            "all": _("Everyone"),
        },
    ),
    "writing": (
        _("Who enters scores at a table?"),
        {
            "card": _("Table card"),
            "own": _("Own phones"),
            "open": _("Anyone"),
        },
    ),
    "autopilot": (
        _("How should the night run?"),
        {
            "off": _("Manual"),
            "help": _("Assisted"),
            "run": _("Automatic"),
        },
    ),
    "standings_shown": (
        _("When are standings public?"),
        {
            "live": _("Always"),
            "closed": _("Each round"),
            "finished": _("At the end"),
        },
    ),
}
"""The question of each field, and short labels of its answers."""
FIELDSETS = {
    _("Game and time"): (
        "name", "starts_at", "format", "game", "game_choice", "games", "target", "contests",
        "hands", "lowest_wins", "bids", "title", *HOUSE_RULE_GAMES,
    ),
    _("Rounds and tables"): (
        "rounds_planned", "minutes", "table_size", "least_size", "most_size", "table_fill",
        "smaller_tables", "seeding", "seed_pattern", "final_size", "advance", "strictness",
        "grace", "counts_late", "team_size", "separates_teammates",
    ),
    _("Scoring"): (
        "points", "places", "tie_breaks", "best_tables", "bye", "requested_bye", "late_bye",
        "deduction",
    ),
    _("Invitation and registration"): (
        "listing", "venue", "fee", "invitation", "capacity",
        "registration_opens_at", "registration_closes_at",
    ),
}  # fmt: skip
NEW_TOURNAMENT_FIELDS = (
    "name", "starts_at", "game", "title", "hands", "lowest_wins", "bids", "rounds_planned",
    "minutes",
)  # fmt: skip
"""Fields that every new tournament shows; all others have usual values."""
DEFAULTS = {
    field.name: field.default
    for field in Tournament._meta.concrete_fields
    if field.default is not NOT_PROVIDED
}
NEEDS = {
    "rounds_planned": "rounds",
    "bye": "rounds",
    "requested_bye": "rounds",
    "late_bye": "rounds",
    "final_size": "rounds cut",
    "advance": "rounds",
    "strictness": "swiss",
    "table_fill": "rounds unequal",
    "smaller_tables": "one-by-one",
    "seeding": "rounds unequal",
    "seed_pattern": "rounds unequal seeded",
    "grace": "rounds auto",
    "counts_late": "rounds auto",
    "games": "games",
    "hands": "pad",
    "lowest_wins": "pad",
    "bids": "pad",
    "title": "pad",
    **HOUSE_RULE_GAMES,
    "deduction": "deduct",
    "separates_teammates": "rounds teams",
    "places": "places",
}
"""Choices in other fields that make a field relevant; settings.css hides irrelevant ones."""


class OfferedAnswer(NamedTuple):
    """An answer to a question, as a short label and as a sentence."""

    widget: BoundWidget
    label: str
    hint: str


class SettingQuestion(NamedTuple):
    """A field shown as a question with two or three answers."""

    text: str
    field: forms.BoundField
    answers: Sequence[OfferedAnswer]


class FoldedSetting(NamedTuple):
    """A field, its needed choices (see `NEEDS`), and the answers missing from its question."""

    field: forms.BoundField
    needs: str
    answers: Sequence[BoundWidget]


class FoldedFieldset(NamedTuple):
    """Fields that are rarely changed, and a summary of their values."""

    legend: str
    fields: Sequence[FoldedSetting]
    summary: str
    is_open: bool


def explain_seeding(field: forms.Field) -> None:
    """Add a line of help about each order to the field of the seeding."""
    field.help_text = "\n".join(
        (
            gettext("round 1 is drawn by lot"),
            gettext("by the club’s ratings over all games, unrated players last"),
            gettext("by the numbers under Seeding on the desk"),
        )
    )


def explain_seed_pattern(field: forms.Field) -> None:
    """Add a line of help about each pattern to the field of the seed pattern."""
    field.help_text = "\n".join(
        (
            gettext("each table gets one player of each pot, by lot"),
            gettext("1, 2, 3 and back 6, 5, 4, so that tables are equally strong"),
            gettext("the strongest sit at table 1, the next at table 2"),
        )
    )


class TournamentForm(TournamentModelForm):
    """The settings of a tournament: six questions first, then folded fieldsets."""

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
        label=_("Points for sitting out (“average”, “half” of it, or a number)"),
        initial=AVERAGE,
        max_length=12,
    )
    requested_bye = forms.CharField(
        label=_(
            "Points for sitting out on request (“average”, “half” of it, or a number)"
        ),
        initial="0",
        max_length=12,
        required=False,
    )
    late_bye = forms.CharField(
        label=_(
            "Points for each round missed by arriving late (“average”, “half” of it, "
            "or a number)"
        ),
        initial="0",
        max_length=12,
        required=False,
    )
    target = forms.IntegerField(
        label=_("Points that end a match (leave blank for the default)"), required=False
    )
    contests = forms.IntegerField(label=_("DB2T: contests"), required=False)
    hands = forms.IntegerField(label=_("Any game: hands per match"), required=False)
    lowest_wins = forms.BooleanField(
        label=_("Any game: lowest total wins"), required=False
    )
    bids = forms.BooleanField(
        label=_("Any game: show a column for bids"), required=False
    )
    title = NameField(
        label=_("Any game: name of the game"), max_length=LONGEST_NAME, required=False
    )
    starts_at = ZonedDateTimeField(label=_("Starts at"))
    registration_opens_at = ZonedDateTimeField(
        label=_("Registration opens at (leave blank to open right away)"),
        required=False,
    )
    registration_closes_at = ZonedDateTimeField(
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
            "table_fill",
            "smaller_tables",
            "seeding",
            "seed_pattern",
            "capacity",
            "team_size",
            "separates_teammates",
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
            "venue": ShortTextField,
            "fee": ShortTextField,
            "invitation": ShortTextField,
        }
        widgets = dict.fromkeys(
            ("unfinished", "quorum", "writing", "autopilot", "standings_shown"),
            forms.RadioSelect,
        )

    def __init__(self, *args: Any, club: Club | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, game in HOUSE_RULE_GAMES.items():
            self.fields[name] = deepcopy(table_game(game).option_fields[name])
        tournament = self.instance
        if club is not None:
            tournament.club = club
        self.zone = tournament.club.zone if tournament.club_id else first_known_zone()
        for name, field in self.fields.items():
            if isinstance(field, ZonedDateTimeField):
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
        self.fields["table_fill"].help_text = "\n".join(
            (
                gettext("17 players: 4 + 4 + 3 + 3 + 3"),
                gettext("17 players: 5 + 4 + 4 + 4"),
                gettext("17 players: 4 + 4 + 4 + 4, and one sits out"),
            )
        )
        explain_seeding(self.fields["seeding"])
        explain_seed_pattern(self.fields["seed_pattern"])
        if tournament._state.adding:
            return
        tie_break_count = len(tournament.tie_breaks)
        if tie_break_count > MOST_TIE_BREAKS:
            old_field = self.fields["tie_breaks"]
            self.fields["tie_breaks"] = TieBreaksField(
                places=tie_break_count, label=old_field.label, required=False
            )
        by_place = isinstance(tournament.points, dict)
        places = tournament.points["places"] if by_place else {}
        self.initial = {
            **self.initial,
            "points": BY_PLACE_AND_SIZE if by_place else tournament.points or "linear",
            "places": "\n".join(
                f"{size}: {' '.join(map(str, worth))}"
                for size, worth in sorted(places.items(), reverse=True)
            ),
            "tie_breaks": tournament.tie_breaks,
            **{name: getattr(tournament, name) for name in BYE_SETTINGS},
            **{name: tournament.options.get(name) for name in MATCH_OPTIONS},
        }

    def questions(self) -> Iterator[SettingQuestion]:
        """Yield the questions, each with the short answers that the form offers."""
        for name, (text, labels) in QUESTIONS.items():
            answers = [
                OfferedAnswer(widget, str(labels[value]), str(widget.data["label"]))
                for widget in self[name].subwidgets
                if (value := str(widget.data["value"])) in labels
            ]
            yield SettingQuestion(str(text), self[name], answers)

    def new_tournament_fields(self) -> list[FoldedSetting]:
        """Return the fields in front of all others; none once the tournament is created."""
        if not self.instance._state.adding:
            return []
        return [
            FoldedSetting(self[name], NEEDS.get(name, ""), ())
            for name in NEW_TOURNAMENT_FIELDS
        ]

    def further_fields_summary(self) -> str:
        return self._format_changed_count(self._further_field_names())

    def has_further_errors(self) -> bool:
        return any(self[name].errors for name in self._further_field_names())

    def _further_field_names(self) -> list[str]:
        names = [*QUESTIONS, *(name for names in FIELDSETS.values() for name in names)]
        return [
            name for name in dict.fromkeys(names) if name not in NEW_TOURNAMENT_FIELDS
        ]

    def fieldsets(self) -> Iterator[FoldedFieldset]:
        """Yield the other fields by subject; open if one has errors or no game is chosen."""
        shown = {folded.field.name for folded in self.new_tournament_fields()}
        for legend, all_names in FIELDSETS.items():
            names = [name for name in all_names if name not in shown]
            fields = []
            for name in names:
                other_answers: list[BoundWidget] = []
                if name in QUESTIONS:
                    _text, labels = QUESTIONS[name]
                    other_answers = [
                        widget
                        for widget in self[name].subwidgets
                        if str(widget.data["value"]) not in labels
                    ]
                needs = NEEDS.get(name, "")
                fields.append(FoldedSetting(self[name], needs, other_answers))
            is_refused = any(folded.field.errors for folded in fields)
            lacks_game = "game" in names and not self["game"].value()
            yield FoldedFieldset(
                str(legend),
                fields,
                self._summarize_fields(names),
                is_refused or lacks_game,
            )

    def error_field_ids_and_labels(self) -> list[tuple[str, str]]:
        """Return the ids and labels of fields with errors, in the order of the page."""
        names = [*QUESTIONS, *(name for names in FIELDSETS.values() for name in names)]
        return [
            # A group of inputs has no id of its own: link to the first input.
            (
                field.id_for_label or f"{field.auto_id}_0",
                str(
                    QUESTIONS[field.name][0] if field.name in QUESTIONS else field.label
                ),
            )
            for field in (self[name] for name in dict.fromkeys(names))
            if field.errors
        ]

    def rounds_sentence(self) -> str:
        """Return the number and length of the rounds, as a sentence; empty without a number."""
        if self["format"].value() == Tournament.Format.LEAGUE:
            return gettext("In a league, any match between members counts.")
        rounds, minutes = self["rounds_planned"].value(), self["minutes"].value()
        number = parse_small_number(str(rounds))
        if number is None:
            return ""
        text = ngettext(
            "%(rounds)s round of %(minutes)s minutes.",
            "%(rounds)s rounds of %(minutes)s minutes.",
            number,
        )
        return text % {"rounds": rounds, "minutes": minutes}

    def _summarize_fields(self, names: Iterable[str]) -> str:
        if "game" in names:
            game = GAMES.get(str(self["game"].value()))
            starts = self["starts_at"].value()
            if not isinstance(starts, datetime):
                # An invalid form has the text as it was sent.
                try:
                    starts = parse_datetime(str(starts))
                except ValueError:
                    starts = None
            day = date_format(starts, "SHORT_DATETIME_FORMAT") if starts else ""
            return " · ".join(filter(None, [gettext(game.name) if game else "", day]))
        is_league = self["format"].value() == Tournament.Format.LEAGUE
        if "table_size" in names and not is_league:
            field_names = ("rounds_planned", "minutes", "table_size")
            text = gettext(
                "%(rounds_planned)s × %(minutes)s min, tables of %(table_size)s"
            )
            return text % {name: self[name].value() for name in field_names}
        return self._format_changed_count(names)

    def _format_changed_count(self, names: Iterable[str]) -> str:
        changed_count = sum(
            not self._is_default_or_short_answer(name) for name in names
        )
        if not changed_count:
            return gettext("default settings")
        return ngettext("%(n)s changed", "%(n)s changed", changed_count) % {
            "n": changed_count
        }

    def _is_default_or_short_answer(self, name: str) -> bool:
        value = self[name].value()
        if isinstance(value, list):
            value = [part for part in value if part]
        if name in QUESTIONS:
            _text, labels = QUESTIONS[name]
            return value is None or value in labels
        if value in (None, ""):
            return True
        usual = self.fields[name].initial
        if usual is None:
            usual = DEFAULTS.get(name, "")
        return str(value) == str(usual)

    @property
    def zone_name_unless_readers(self) -> str:
        """Return the time zone of the form's times if it is not the reader's; else empty."""
        read = timezone.get_current_timezone_name()
        return "" if read == self.zone.key else self.zone.key

    @property
    def warnings(self) -> list[str]:
        warnings = [
            field.warning
            for field in self.fields.values()
            if isinstance(field, ZonedDateTimeField) and field.warning
        ]
        if self.cleaned_data.get("points") == BY_PLACE_AND_SIZE:
            uneven = unequal_mean_points_warning(self.cleaned_data["places"])
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
                    "players": ", ".join(
                        map(str, list_round_robin_player_counts(size))
                    ),
                }
            )
        if self.cleaned_data["format"] == Tournament.Format.KNOCKOUT:
            sizing = self._table_size_limits(self.cleaned_data)
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
                        "Points of different games aren’t worth the same. Score by "
                        "rank instead."
                    )
                )
            )
        return warnings

    def _table_size_limits(self, cleaned: dict[str, Any]) -> TableSizeLimits:
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
        return self._clean_bye_points("bye")

    def clean_requested_bye(self) -> str:
        return self._clean_bye_points("requested_bye")

    def clean_late_bye(self) -> str:
        return self._clean_bye_points("late_bye")

    def _clean_bye_points(self, name: str) -> str:
        # A form without the field leaves the points as they are.
        stored = getattr(self.instance, name)
        text: str = self.cleaned_data[name].strip().casefold() or stored
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
        if cleaned.get("table_fill") == Tournament.TableFill.FULL:
            try:
                check_byes_possible(cleaned.get("format", ""))
            except RefusedError as refused:
                self.add_error(refused.field, refused.message)
        if {"least_size", "table_size", "most_size", "game"} <= cleaned.keys():
            self._fit_table_sizes_and_check_options(cleaned)
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
                        cleaned["format"],
                        cleaned["capacity"],
                        self._table_size_limits(cleaned),
                    )
                except SeatingRefusal as refusal:
                    self.add_error("capacity", str(refusal.message))
        return cleaned

    def _fit_table_sizes_and_check_options(self, cleaned: dict[str, Any]) -> None:
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
            self._check_match_options(
                game, size if size in game.seats else game.seats[-1]
            )
            return
        cleaned["least_size"] = max(least, game.seats[0])
        cleaned["most_size"] = min(most, game.seats[-1])
        if size not in game.seats:
            text = _("%(game)s is for %(least)s to %(most)s players.")
            limits = {"least": game.seats[0], "most": game.seats[-1]}
            self.add_error("table_size", text % {"game": _(game.name), **limits})
            return
        self._check_match_options(game, size)

    def _check_match_options(self, game: Game, size: int) -> None:
        """Add errors for options that the game does not have or allow at tables of a size."""
        default_options = game.option_defaults(size)
        chosen_options = self.chosen_match_options()
        for name in chosen_options.keys() - default_options.keys():
            self.add_error(name, MATCH_OPTIONS[name] % {"game": _(game.name)})
        try:
            known = (name for name in chosen_options if name in default_options)
            start(game.id, size, {name: chosen_options[name] for name in known})
        except Refusal as refusal:
            for fault in refusal.faults:
                self.add_error(fault.field.removeprefix("options."), str(fault.message))

    def chosen_match_options(self) -> dict[str, Any]:
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
        for name in BYE_SETTINGS:
            setattr(self.instance, name, chosen[name])
        self.instance.options = self.chosen_match_options()
        if self.instance._state.adding:
            # Otherwise the same places on the list would sit out at each night.
            self.instance.seed = 1 + secrets.randbelow(MOST_SEED)
        return super().save(commit)


SETTINGS = (
    *TournamentForm.Meta.fields,
    *("points", "tie_breaks", *BYE_SETTINGS, "options"),
)
"""Columns that the form writes."""
