"""JSON columns whose values say of which version they are: whatever is read from the database is of the newest."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.fields.json import KeyTransform

from scoring.upgrades import Versions


class VersionedField(models.JSONField):
    """A JSON object with its version: upgraded when a row is read, stamped when a row is written.

    Rows of earlier releases are never rewritten for it. To migrations it is a plain JSON column: they see what is stored.
    """

    def __init__(self, *args: Any, versions: Versions, **options: Any) -> None:
        """Take the versions that the values have had."""
        super().__init__(*args, **options)
        self.versions = versions

    def deconstruct(self) -> Any:
        """Describe the column to migrations."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def clone(self) -> Any:
        """Return the column as migrations compare it."""
        _, _, args, options = self.deconstruct()
        return models.JSONField(*args, **options)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        """Return a stored value in the newest version; a part of one, asked for by its key, as it is stored."""
        stored = super().from_db_value(value, expression, connection)
        is_whole = isinstance(stored, Mapping) and not isinstance(expression, KeyTransform)
        return self.versions.read(stored) if is_whole else stored

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        """Prepare a value for the database."""
        return super().get_db_prep_save(self.stamped(value), connection)

    def stamped(self, value: Any) -> Any:
        """Return a value with its version, as it is stored."""
        return self.versions.stamped(value) if isinstance(value, Mapping) else value
