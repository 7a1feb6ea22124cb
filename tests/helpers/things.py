"""A cheap import for tests: things, which are kept in a list instead of a database."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django import forms
from django.conf import settings
from django.core.management import BaseCommand, call_command

from dynamodb_lists import List, Refused, Unavailable
from dynamodb_lists.django import importing
from dynamodb_lists.django.importing import ImportCommand
from dynamodb_lists.lists.file_rows import Saved
from portal.forms.entity_forms import RowForm
from portal.imports import Save
from portal.imports.importer import Importer
from portal.imports.json_rows import JsonLines


class ThingForm(RowForm):
    """A thing, with its price and its parts."""

    name = forms.CharField(max_length=12)
    price = forms.DecimalField(required=False)
    parts = forms.Field(required=False)


class Things(ImportCommand, Importer[dict[str, Any]]):
    """A command that is its own import. It keeps what it saves, and refuses things called "sold"."""

    format = JsonLines()
    form_class = ThingForm
    noun = "thing"
    id_fields = ("name",)
    batch_size = 2
    down = "down"
    """The thing at which the database does not answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        BaseCommand.__init__(self, *args, **kwargs)
        self.saved: list[dict[str, Any]] = []
        self.sizes: list[int] = []

    def importer_of(self, options: Any) -> "Things":
        """Return these things: they are the importer of each user."""
        return self

    def entity_of(self, form: ThingForm) -> dict[str, Any]:
        """Return the values."""
        return form.cleaned_data

    def identity(self, entity: dict[str, Any]) -> tuple[str, ...]:
        """Return the name."""
        return (entity["name"],)

    def lane(self, entity: dict[str, Any]) -> str:
        """Return the first letter."""
        return str(entity["name"][0])

    def save(self, things: Sequence[dict[str, Any]], save: Save = List.save) -> Saved:
        """Keep them in a list."""
        if any(thing["name"] == self.down for thing in things):
            raise Unavailable("The database does not answer.")
        if any(thing["name"] == "refused" for thing in things):
            raise Refused("The database refused a call.", "AccessDenied", "Tell somebody.")
        refused = {self.identity(thing): "sold already" for thing in things if thing["name"].startswith("sold")}
        good = [thing for thing in things if self.identity(thing) not in refused]
        self.saved += good
        self.sizes.append(len(things))
        return len(good), refused

    @property
    def names(self) -> list[str]:
        """What was saved."""
        return [thing["name"] for thing in self.saved]


Things.importer_class = Things


def with_writers(number: int) -> Any:
    """Let imports inside the block write with so many threads."""
    return patch.dict(importing.WRITERS, {settings.DYNAMODB_ENGINE: number})


def write(path: Path, *lines: str | bytes) -> Path:
    encoded_lines = [line if isinstance(line, bytes) else line.encode() for line in lines]
    path.write_bytes(b"".join(line + b"\n" for line in encoded_lines))
    return path


def run(file: Path) -> tuple[Things, str]:
    command, out = Things(), StringIO()
    call_command(command, file, stdout=out)
    return command, out.getvalue()
