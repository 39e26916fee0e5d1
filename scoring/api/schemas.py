"""What schemas of all operations are made of: fields that are taken as they are written."""

from typing import Annotated, Any

from django.db.models import TextChoices
from ninja import Field, Schema
from pydantic import ConfigDict, StringConstraints

LARGEST_NUMBER = 2**31 - 1
LARGEST_KEY = 2**63 - 1


class Given(Schema):
    """What a program sends: a field that is not known is refused, never left out."""

    model_config = ConfigDict(extra="forbid")


Count = Annotated[int, Field(strict=True, ge=0, le=LARGEST_NUMBER)]
Key = Annotated[int, Field(strict=True, ge=1, le=LARGEST_KEY)]
Yes = Annotated[bool, Field(strict=True)]
Text = Annotated[
    str, StringConstraints(strict=True, max_length=500, pattern=r"^[^\x00]*$")
]
Name = Annotated[
    str,
    StringConstraints(strict=True, min_length=1, max_length=80, pattern=r"^[^\x00]*$"),
]

Number = Annotated[int, Field(ge=1, le=32767)]
"""In an address: of a round, a table, an entry, a hand."""
Address = Annotated[str, Field(min_length=1, max_length=40)]
"""In an address: what finds a club, a tournament, a match."""
Reference = Annotated[int, Field(ge=1, le=LARGEST_KEY)]
"""In an address: the number of a player, a penalty, an announcement."""


def one_of(choices: type[TextChoices]) -> Any:
    """Return a field that holds one of these; the schema lists them."""
    return Field(json_schema_extra={"enum": list(choices.values)})
