"""A worker ends when the process that started it is gone: it would else go on with the port taken, and nobody could end it."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading


def end_with_parent() -> None:
    """From now on, end this process in order, as by SIGTERM, when the one that started it has ended. Does nothing in one that was not
    started by ``multiprocessing``."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        # The sentinel is the end of a pipe that only the parent has open: it becomes readable however the parent ends.
        multiprocessing.connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="pagefile-parent", daemon=True).start()
