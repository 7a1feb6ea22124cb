"""What must agree in the table ``notes``."""

from notes.lists import NOTES

RULES = (NOTES,)
