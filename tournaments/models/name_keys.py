"""A column with the key by which names are sorted and found."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.rules.match_record import LONGEST_NAME
from tournaments.names import name_key

MOST_LETTERS = 18 * LONGEST_NAME
"""A single character can expand to eighteen letters."""


if TYPE_CHECKING:
    TextColumn = models.CharField[str, str]
else:
    TextColumn = models.CharField


class NameKeyField(TextColumn):
    """The key of the name in another field of the same row; stored whenever the row is saved.

    Compared letter by letter on every database, so that all of them sort alike: the rules for
    names are part of the key.
    """

    def __init__(self, *, of: str = "name", **options: Any) -> None:
        options |= {"max_length": MOST_LETTERS, "editable": False, "default": ""}
        super().__init__(**options)
        self.of = of

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        for option in ("max_length", "editable", "default"):
            options.pop(option, None)
        return name, path, args, {**options, "of": self.of}

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        collation = "C" if connection.vendor == "postgresql" else None
        return {**super().db_parameters(connection), "collation": collation}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: FBT001
        key = name_key(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, key)
        return key
