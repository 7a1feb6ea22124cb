"""The number of examples of a property test that uses the database. ``make fuzz`` runs more."""

import os

DEPTH = float(os.environ.get("DEPTH", "1"))


def examples(usual: int) -> int:
    """The ``usual`` number of examples, times ``DEPTH``."""
    return max(1, round(usual * DEPTH))
