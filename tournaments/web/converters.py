"""What parts of an address may look like: nothing else reaches a view."""

from scoring.models.matches import ADDRESS_LENGTH
from tournaments.files.writing import FORMATS


class SmallNumber:
    """A number that every column holds."""

    regex = "[0-9]{1,6}"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_url(self, value: object) -> str:
        """Return the digits."""
        return str(value)


class Key(SmallNumber):
    """The primary key of a row, of which there may be many."""

    regex = "[0-9]{1,12}"


class Address:
    """The address of a tournament."""

    regex = f"[0-9A-Za-z_-]{{{ADDRESS_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """Return the address."""
        return value

    def to_url(self, value: str) -> str:
        """Return the address."""
        return value


class Ending:
    """How the name of a file ends in which a table is written."""

    regex = "|".join(FORMATS)

    def to_python(self, value: str) -> str:
        """Return the ending."""
        return value

    def to_url(self, value: str) -> str:
        """Return the ending."""
        return value
