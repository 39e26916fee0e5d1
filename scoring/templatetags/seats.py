"""Fields of an entry form, seat by seat."""

from django import forms, template

from scoring.games.entry_form import EntryForm

register = template.Library()


@register.filter
def seat_fields(form: EntryForm, prefix: str) -> list[forms.BoundField]:
    return [form[f"{prefix}_{seat}"] for seat in range(form.state.seats)]
