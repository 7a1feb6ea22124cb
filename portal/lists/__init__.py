"""List pages: query string -> form -> one page of rows, as a full page, a part for htmx, or a CSV export."""

PAGE_SIZES = (10, 20, 25, 50, 100)
"""How many rows a page of a list has: what the menu "Rows a page" offers."""

DEFAULT_PAGE_SIZE = 25

FOUND_UNITS = 50
"""The read units after which a page of a search reads nothing more, if filters drop what is found."""
