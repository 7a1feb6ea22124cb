"""Texts in natural order. Tests of the package and of the portal sort them."""

NATURAL = [
    "007",
    "08",
    "9",
    "99",
    "101",
    "101 a",
    "101-2",
    "102",
    "1009",
    "1010",
    "1000001",
    "A-9",
    "a-10",
    "B 2",
    "b 10",
    "v1.9",
    "v1.10",
]
