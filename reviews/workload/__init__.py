"""What reviews store, read and write, for ``manage.py estimate_cost``."""

from reviews.workload.loads import ReviewWorkload

__all__ = ["ReviewWorkload"]
