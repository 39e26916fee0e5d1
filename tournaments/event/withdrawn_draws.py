"""Store withdrawn draws, and restore them as they were."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError, mark_changed
from tournaments.event.draw import read_seating, store_seats
from tournaments.models import Round, Tournament


def withdraw_draws(tournament: Tournament, rounds: Iterable[Round]) -> None:
    """Delete rounds in which nothing was played, and store their draws."""
    withdrawn_rounds = list(rounds)
    tournament.taken_back = []
    for round_ in withdrawn_rounds:
        is_drawn = round_.state == Round.State.DRAWN
        tournament.taken_back.append(
            {
                "number": round_.number,
                "state": Round.State.DRAWN if is_drawn else Round.State.PUBLISHED,
                "stage": round_.stage,
                "game": round_.game,
                "seed": round_.seed,
                "quality": round_.quality,
                "present": round_.present,
                "tables": read_seating(round_),
                "byes": list(round_.byes.values_list("entry_id", flat=True)),
            }
        )
    tournament.save(update_fields=["taken_back"])
    Round.objects.filter(pk__in=[round_.pk for round_ in withdrawn_rounds]).delete()


@transaction.atomic
def restore_draws(*, tournament_id: int) -> list[Round]:
    """Restore the rounds of the last withdrawn draw and return them.

    Published rounds are published again; rounds that ran have to be started again. Raises
    RefusedError if something else was drawn since, or if a seated entry was deleted.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    withdrawn_draws = tournament.taken_back
    numbers = [round_["number"] for round_ in withdrawn_draws]
    if not withdrawn_draws or tournament.rounds.filter(number__gte=numbers[0]).exists():
        raise RefusedError("round", _("No draw to restore."))
    seated_ids = {
        entry
        for round_ in withdrawn_draws
        for entries in (*round_["tables"], round_["byes"])
        for entry in entries
    }
    if tournament.entries.filter(pk__in=seated_ids).count() < len(seated_ids):
        raise RefusedError(
            "round", _("A player in that draw is no longer on the list. Draw again.")
        )
    rounds = []
    for fields in withdrawn_draws:
        tables, byes = fields.pop("tables"), fields.pop("byes")
        round_ = Round.objects.create(tournament=tournament, **fields)
        store_seats(round_, tables, byes)
        rounds.append(round_)
    tournament.taken_back = []
    tournament.save(update_fields=["taken_back"])
    mark_changed(tournament.pk)
    return rounds
