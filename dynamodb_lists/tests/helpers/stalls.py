"""An engine that does not answer, because its process is stopped."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from dynamodb_lists.connection.engine import Engine


@contextmanager
def stopped(engine: Engine) -> Iterator[None]:
    """Stop the engine's process, as a machine that swaps would. Its system still accepts connections."""
    engine.process.send_signal(signal.SIGSTOP)
    os.waitpid(engine.process.pid, os.WUNTRACED)  # until all its threads have stopped
    try:
        yield
    finally:
        engine.process.send_signal(signal.SIGCONT)
