from dynamodb_lists.django.importing import ImportCommand
from rooms.imports import RoomImport


class Command(ImportCommand):
    """Imports rooms. The counts of their hotels are packed at the end, also if the import was stopped."""

    help = (
        "Import hotels and rooms. Sizes are in m2, rates are for a night, in major currency units. Existing rooms are "
        "changed. There may also be the columns time_zone, service, reason, out_of_order_until, housekeeping, note, "
        "assignee and priority. Rows are written in transactions, which cost twice the write units on AWS."
    )
    importer_class = RoomImport
