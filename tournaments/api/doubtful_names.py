"""Names that may mean a known player: programs say who is meant, as people do on pages."""

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
IS_ANOTHER = Field(
    False,
    description="The new name may be somebody else's (`doubtful`), and is another person's.",
)


class AnswersGiven(Given):
    """Who is meant by names that may mean a known player."""

    meant: Annotated[dict[Name, Name | None], Field(max_length=MOST_NAMES)] = Field(
        {},
        description="For each name that was answered with `doubtful`: one of its `choices`,"
        " or null for another person.",
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
    words = gettext(
        "“%(name)s” may be %(others)s. Say in “meant” who it is, or null for another "
        "person."
    )
    faults = [
        _fault(field.replace("%d", str(at)), name, doubles[name], words)
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


def _fault(
    field: str, name: str, known: Sequence[Known], words: str
) -> Mapping[str, object]:
    choices = [who.name for who in known]
    message = words % {"name": name, "others": ", ".join(choices)}
    return {"field": field, "message": message, "choices": choices}


def doubtful_rename(doubtful: DoubtfulNameError) -> ProblemError:
    """Return the problem of a new name that may be that of somebody else."""
    words = gettext(
        "“%(name)s” may be %(others)s. Merge them if both are one person, or send "
        "“is_another” as true."
    )
    fault = _fault("name", doubtful.name, doubtful.known, words)
    return ProblemError("doubtful", detail_of([fault]), faults=[fault])
