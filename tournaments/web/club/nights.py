"""Nights of a club that are running or planned, and offers for a new one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from urllib.parse import urlencode

from django import forms
from django.db.models import Count, prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.models.matches import game_choices
from tournaments.event.setup.proposals import NightProposal, propose_nights
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedNight:
    """A tournament that is not over, as a club's page shows it."""

    tournament: Tournament
    player_count: int
    free_places: int | None
    """Free places; None without a limit."""
    is_open: bool
    """Whether players can register themselves."""

    @property
    def is_running(self) -> bool:
        return self.tournament.phase == Tournament.Phase.RUNNING


def build_unfinished_nights(
    tournaments: Sequence[Tournament], now: datetime
) -> list[UnfinishedNight]:
    """Return these tournaments with their free places, the soonest first.

    One query, and one more if a league is running.
    """
    running = [night for night in tournaments if night.is_running_league]
    prefetch_related_objects(running, "rounds")
    entries = Entry.objects.filter(tournament__in=tournaments).expected_or_present()
    entry_counts = entries.order_by().values("tournament").annotate(n=Count("pk"))
    player_counts = dict(entry_counts.values_list("tournament", "n"))
    return [
        UnfinishedNight(
            tournament=tournament,
            player_count=(count := player_counts.get(tournament.pk, 0)),
            free_places=max(0, tournament.capacity - count)
            if tournament.capacity
            else None,
            is_open=tournament.registration_state(now, count)
            == Tournament.RegistrationState.OPEN,
        )
        for tournament in sorted(tournaments, key=lambda night: night.starts_at)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedNight:
    number: int
    name: str
    proposal: NightProposal
    query: str
    """Query string for the form of a new tournament."""

    @property
    def table_count(self) -> int:
        return len(self.proposal.sizes)

    @property
    def description_lines(self) -> Sequence[str]:
        proposal = self.proposal
        sizes = {"sizes": " + ".join(str(size) for size in proposal.sizes)}
        hours, minutes = divmod(proposal.minutes, 60)
        duration = _("about %(hours)s h %(minutes)s min") % {
            "hours": hours,
            "minutes": f"{minutes:02}",
        }
        people = _("%(sizes)s people") % sizes
        lines = [f"{people}, {duration}"]
        if proposal.sit_out:
            text = ngettext(
                "%(out)s sits out each round",
                "%(out)s sit out each round",
                proposal.sit_out,
            )
            lines.append(text % {"out": proposal.sit_out})
        if proposal.format == "swiss":
            meetings = _("Results decide who plays whom. Few players meet twice.")
        elif proposal.format == "round_robin":
            meetings = _("Everyone meets equally often.")
        else:
            meetings = _("No one meets twice.")
            if proposal.repeats and not proposal.bound:
                meetings = _("Some people meet more than once.")
            elif proposal.repeats:
                text = _("At least %(bound)s repeats can’t be avoided.")
                meetings = text % {"bound": proposal.bound}
            if proposal.final_size:
                meetings += " " + _("The best players meet in a final.")
        return [*lines, meetings]


def list_offered_nights(
    *, people: int, hours: Decimal, game: str
) -> Sequence[OfferedNight]:
    """Return the proposed evenings, the best first, each with a distinct name."""
    found_proposals = propose_nights(people, int(hours * 60), game)
    # Each gets its shortest name that no other has.
    names_by_length = [
        [name(proposal) for proposal in found_proposals] for name in NAME_FUNCTIONS
    ]
    name_counts = [Counter(names) for names in names_by_length]
    return [
        OfferedNight(
            number=place + 1,
            name=next(
                (
                    names[place]
                    for names, counts in zip(names_by_length, name_counts, strict=True)
                    if counts[names[place]] == 1
                ),
                names_by_length[-1][place],
            ),
            proposal=proposal,
            query=urlencode(
                {
                    "people": people,
                    "hours": hours,
                    "game": game,
                    "format": proposal.format,
                    "final_size": proposal.final_size,
                    "rounds_planned": proposal.rounds,
                    "table_size": proposal.table_size,
                    "least_size": proposal.least_size,
                    "most_size": proposal.most_size,
                    "minutes": proposal.round_minutes,
                }
            ),
        )
        for place, proposal in enumerate(found_proposals)
    ]


def _tournament_format_name(proposal: NightProposal) -> str:
    if proposal.format == "swiss":
        return _("Swiss")
    if proposal.format == "round_robin":
        return _("Round robin")
    if proposal.final_size:
        return _("Final with %(players)s players") % {"players": proposal.final_size}
    return _("Planned night")


def _name_with_sizes(proposal: NightProposal) -> str:
    sizes = {
        "name": _tournament_format_name(proposal),
        "least": min(proposal.sizes),
        "most": max(proposal.sizes),
    }
    if sizes["least"] == sizes["most"]:
        return _("%(name)s, tables of %(most)s") % sizes
    return _("%(name)s, tables of %(least)s and %(most)s") % sizes


def _name_with_sizes_and_rounds(proposal: NightProposal) -> str:
    text = ngettext(
        "%(name)s, %(rounds)s round", "%(name)s, %(rounds)s rounds", proposal.rounds
    )
    return text % {"name": _name_with_sizes(proposal), "rounds": proposal.rounds}


NAME_FUNCTIONS = (
    _tournament_format_name,
    _name_with_sizes,
    _name_with_sizes_and_rounds,
)


class NightWizardForm(forms.Form):
    people = forms.IntegerField(
        label=gettext_lazy("People"), min_value=2, max_value=400
    )
    hours = forms.DecimalField(
        label=gettext_lazy("Hours"),
        min_value=1,
        max_value=12,
        max_digits=3,
        decimal_places=1,
        step_size=Decimal("0.5"),
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=game_choices)
