"""docs/compared.md says what each list costs; all of them return the same rows. ``make compared`` has more rooms."""

import subprocess
import sys

import pytest
from django.conf import settings

from dynamodb_lists.tests.helpers import dynamodb_local


@pytest.mark.skipif(dynamodb_local.wanted(), reason="it starts an embedded engine")
def test_the_smallest_table_is_what_a_run_measures() -> None:
    command = [sys.executable, "-m", "compared", "200", "--check"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
