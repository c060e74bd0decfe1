"""Checkpoints that are written beside the training, one at a time."""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from mindspore.core import log

_saving: threading.Thread | None = None
_starting = threading.Lock()       # one thread at a time takes the place of the last


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written beside the program.

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> mindspore.save_checkpoint(nn.Dense(2, 1), folder + "/net.ckpt", async_save=True)
        >>> while mindspore.async_ckpt_thread_status():
        ...     pass
        >>> sorted(mindspore.load_checkpoint(folder + "/net.ckpt"))
        ['bias', 'weight']
    """
    return _saving is not None and _saving.is_alive()


def start_saving(path: str, write: Callable[[Any], None], stored: list[Any]) -> None:
    """Call `write` with `stored` in a thread of its own, which the end of the program waits for."""
    global _saving

    def run() -> None:
        try:
            write(stored)
        except Exception as error:  # in a thread of its own, where no caller catches it
            reason = f"{type(error).__name__}: {error}"
            log.critical("For 'save_checkpoint', the file %s was not written: %s", path, reason)

    with _starting:
        finish_saving()
        thread = threading.Thread(target=run, name="save checkpoint")
        thread.start()
        _saving = thread


def finish_saving() -> None:
    """One file at a time: a later one must not be overtaken by an earlier one of the same name."""
    thread = _saving
    if thread is not None:
        thread.join()
