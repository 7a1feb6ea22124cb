"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.dynamodb_local import missing, problem, running, wanted

__all__ = ["missing", "problem", "running", "wanted"]
