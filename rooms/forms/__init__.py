"""Forms of rooms: query strings, pages and rows of files."""
