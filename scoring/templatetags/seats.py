"""Fields of an entry form, seat by seat."""

from typing import Any

from django import forms, template

from scoring.forms import EntryForm
from scoring.forms.tricky_bid import TrickyBidForm
from scoring.rules.tricks_and_treats.pieces import HELD_KINDS

register = template.Library()


@register.filter
def seat_fields(form: EntryForm, prefix: str) -> list[forms.BoundField]:
    """Return the field of each seat."""
    return [form[f"{prefix}_{seat}"] for seat in range(form.state.seats)]


@register.filter
def holding_fields(
    form: EntryForm,
) -> list[tuple[forms.BoundField, list[forms.BoundField]]]:
    """Return each seat's tokens, with the fields of the treats that can be held."""
    mix = form.state.options["treats"]
    kinds = [kind for kind in HELD_KINDS if mix.get(kind)]
    return [
        (form[f"tokens_{seat}"], [form[f"treats_{seat}_{kind}"] for kind in kinds])
        for seat in range(form.state.seats)
    ]


@register.filter
def tally_fields(
    form: TrickyBidForm,
) -> list[tuple[forms.BoundField, forms.BoundField]]:
    """Return the winner and the antes of each trick."""
    return [(form[f"winner_{trick}"], form[f"antes_{trick}"]) for trick in form.tricks]


@register.filter
def actor_fields(form: EntryForm) -> list[tuple[str, list[forms.BoundField], Any]]:
    """Return each name with the fields of their dice, and of declaring trump."""
    return [
        (
            name,
            [form[f"dice_{seat}_{die}"] for die in range(3)],
            form[f"plays_trump_{seat}"],
        )
        for seat, name in enumerate(form.names)
    ]
