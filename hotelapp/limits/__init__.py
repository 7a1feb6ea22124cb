"""The limits of a page: its deadline, its place among the pages that wait, and both for its SQL."""
