"""Forms of guests and orders: query strings, pages and rows of files."""
