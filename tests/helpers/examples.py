"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.examples import DEPTH, examples, load_profile, usual

__all__ = ["DEPTH", "examples", "load_profile", "usual"]
