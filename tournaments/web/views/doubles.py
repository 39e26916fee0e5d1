"""Asking whom a name means before somebody is entered twice."""

from collections.abc import Sequence

from django.http import HttpRequest

from scoring.rules.names import normalize_text
from tournaments.models import Club
from tournaments.people.doubles import likely_doubles
from tournaments.web.forms.doubles import DoublesForm


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
