"""Names that may mean somebody known: a program says who is meant, as a person does on a page."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from django.utils.translation import gettext
from ninja import Field

from scoring.api.problems import ProblemError, detail_of, refused
from scoring.api.schemas import Given, Name
from scoring.rules.names import same_name_key
from tournaments.models import Club
from tournaments.people.doubles import DoubtfulNameError, Known, likely_doubles

MOST_NAMES = 500


class AnswersGiven(Given):
    """Who is meant by names that may mean somebody known."""

    meant: Annotated[dict[Name, Name | None], Field(max_length=MOST_NAMES)] = Field(
        {},
        description="By a name that was answered with `doubtful`: the one of its `choices` who"
        " is meant, null for another person.",
    )


def resolve_names(
    club: Club, names: Sequence[str], answers: AnswersGiven, *, field: str = "names.%d"
) -> list[str]:
    """Return the names with those in place of which others are meant.

    Raises ProblemError for names that wait for an answer, and for answers about other names.
    """
    doubles = likely_doubles(club, names)
    for name, meant in answers.meant.items():
        is_needed = meant is None or name in doubles
        if name not in names or not is_needed:
            raise refused(
                f"meant.{name}",
                gettext("This name is not asked about. Leave its answer out."),
            )
    resolved = {
        name: _resolve(name, known, answers.meant) for name, known in doubles.items()
    }
    faults = [
        _fault(field.replace("%d", str(at)), name, doubles[name])
        for at, name in enumerate(names)
        if resolved.get(name, name) is None
    ]
    if faults:
        raise ProblemError("doubtful", detail_of(faults), faults=faults)
    return [resolved.get(name) or name for name in names]


def _resolve(
    name: str, known: Sequence[Known], meant: Mapping[str, str | None]
) -> str | None:
    """Return the name of the person meant; None without a possible answer."""
    if name not in meant:
        return None
    answer = meant[name]
    if answer is None:
        return name
    by_key = {same_name_key(who.name): who.name for who in known}
    return by_key.get(same_name_key(answer))


def _fault(field: str, name: str, known: Sequence[Known]) -> Mapping[str, object]:
    choices = [who.name for who in known]
    words = gettext(
        "“%(name)s” may be %(others)s. Say in “meant” who it is, or null for another "
        "person."
    )
    message = words % {"name": name, "others": ", ".join(choices)}
    return {"field": field, "message": message, "choices": choices}


def doubtful_rename(doubtful: DoubtfulNameError) -> ProblemError:
    """Return the problem of a new name that may be that of somebody else."""
    choices = [who.name for who in doubtful.known]
    words = gettext(
        "“%(name)s” may be %(others)s. Merge them if both are one person, or send "
        "“is_another” as true."
    )
    message = words % {"name": doubtful.name, "others": ", ".join(choices)}
    fault = {"field": "name", "message": message, "choices": choices}
    return ProblemError("doubtful", detail_of([fault]), faults=[fault])
