"""How many rows a page of a list has: what the menu "Rows a page" offers."""

PAGE_SIZES = (10, 20, 25, 50, 100)
DEFAULT_PAGE_SIZE = 25
