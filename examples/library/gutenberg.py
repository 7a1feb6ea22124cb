"""Turn the catalogue of Project Gutenberg, 75,000 real books, into a file for ``import_csv``.

It is https://www.gutenberg.org/cache/epub/feeds/pg_catalog.csv. For the first 20,000 of its texts:

    python gutenberg.py pg_catalog.csv gutenberg.csv 20000
"""

import csv
import sys
from collections.abc import Iterator
from itertools import islice

CLASSES = {
    "A": "General works",
    "B": "Philosophy and religion",
    "C": "Archaeology and biography",
    "D": "History",
    "E": "American history",
    "F": "American history",
    "G": "Geography",
    "H": "Social sciences",
    "J": "Politics",
    "K": "Law",
    "L": "Education",
    "M": "Music",
    "N": "Arts",
    "P": "Literature",
    "Q": "Science",
    "R": "Medicine",
    "S": "Agriculture",
    "T": "Technology",
}
"""The genre of a book by the first letter of its class in the Library of Congress Classification."""


def books(catalogue: Iterator[dict[str, str]]) -> Iterator[list[str]]:
    """The cells of each text: shelf, title, author, genre, language, and the year in which it was published there."""
    for text in catalogue:
        if text["Type"] == "Text":
            title, author = " ".join(text["Title"].split()), text["Authors"].split(";")[0]
            genre = CLASSES.get(text["LoCC"][:1], "Other")
            language = text["Language"].split(";")[0].strip()
            yield [f"PG-{text['Text#']}", title[:200], author[:100], genre, language, text["Issued"][:4]]


def main(source: str, target: str, most: str) -> None:
    """Write at most so many books of one file to another."""
    with open(source, newline="", encoding="utf-8") as read, open(target, "w", newline="", encoding="utf-8") as written:
        out = csv.writer(written)
        out.writerow(["shelf", "title", "author", "genre", "language", "year"])
        out.writerows(islice(books(csv.DictReader(read)), int(most)))


if __name__ == "__main__":
    main(*sys.argv[1:])
