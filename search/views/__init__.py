"""Pages of the search."""
