"""What parts of an address may look like: nothing else reaches a view."""

from tournaments.models.tournaments import CODE_LENGTH


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


class Code:
    """The code of a tournament."""

    # Older codes have a few letters more.
    regex = f"[0-9a-z]{{{CODE_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """Return the code."""
        return value

    def to_url(self, value: str) -> str:
        """Return the code."""
        return value
