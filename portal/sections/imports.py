"""The import of a declared list: a row of a CSV file is an item."""

from collections.abc import Sequence
from typing import Any, ClassVar

from dynamodb_lists.schema.entities import columns
from dynamodb_lists.writing.changes import OPEN_GATE, Gate
from portal.forms.row_forms import RowForm
from portal.history.entities import IMPORT, Actor
from portal.imports.command import ImportCommand
from portal.imports.csv_rows import Csv
from portal.imports.importer import Importer, Planned, Saved
from portal.sections.commands import ItemWriter
from portal.sections.forms import RecordForm


class ItemImport(Importer[Any]):
    """Writes items with their counts. Importing a file twice changes nothing."""

    writer: ClassVar[type[ItemWriter[Any]]]

    def __init__(self, actor: Actor = IMPORT) -> None:
        super().__init__(actor)

    def entity_of(self, form: Any) -> Any:
        return form.new()

    def lane(self, entity: Any) -> str:
        return repr(self.writer.listed.declaration.combination(entity))

    def plan(self, batch: Sequence[Any]) -> Planned:
        return self.writer(self.actor).planned(batch), {}

    def save(self, batch: Sequence[Any], gate: Gate = OPEN_GATE) -> Saved:
        writer = self.writer(self.actor)
        return writer.save(lambda: writer.planned(batch), gate), {}


def import_command(writer: type[ItemWriter[Any]], form: type[RecordForm]) -> type[ImportCommand]:
    """The command ``manage.py import_... FILE.csv`` of an app. ``form`` checks each row."""
    declared = writer.listed.declaration
    attributes = {
        "writer": writer,
        "noun": declared.kind,
        "id_fields": writer.ids,
        "format": Csv(columns(form.entity, computed=False)),
        "form_class": type(f"{form.__name__}Row", (RowForm, form), {}),
    }
    importer_class = type(f"{writer.__name__}Import", (ItemImport,), attributes)
    words = f"Import {declared.name}. Those that are stored are changed."
    return type("Command", (ImportCommand,), {"help": words, "importer_class": importer_class})
