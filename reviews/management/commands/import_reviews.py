from dynamodb_lists.django.importing import ImportCommand
from reviews.imports import ReviewImport


class Command(ImportCommand):
    help = (
        "Import reviews. Days without a time begin at midnight, UTC. Existing reviews are changed, but keep "
        "the hotel's reply. Missing hotels are created. Rows are written in transactions, which cost twice the write "
        "units on AWS."
    )
    importer_class = ReviewImport
