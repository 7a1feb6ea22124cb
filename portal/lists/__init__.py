"""List pages: query string -> form -> one page of rows, as a full page, a part for htmx, or a CSV export."""
