"""A training that resumes where an earlier run of the program was cut off."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mindspore.core import check
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

from .callback import Callback


class BackupAndRestore(Callback):
    """Saves parameters and optimizer to a file as the training goes, and begins a run with them.

    The number of epochs is that of the run: what was done before the cut is not subtracted.

    Args:
        backup_dir: The folder of the file `backup.ckpt`, which is made if it is missing.
        save_freq: "epoch", or the number of epochs between two backups.
        delete_checkpoint: Whether the file is deleted when the training has reached its end.

    Raises:
        TypeError: If `save_freq` is neither "epoch" nor an int.
        ValueError: If it is not positive.
    """

    def __init__(self, backup_dir: str, save_freq: str | int = "epoch",
                 delete_checkpoint: bool = True):
        check.instance(self, "backup_dir", backup_dir, (str, os.PathLike))
        self.every = 1 if save_freq == "epoch" else check.positive_int(self, "save_freq", save_freq)
        self.delete_checkpoint = check.boolean(self, "delete_checkpoint", delete_checkpoint)
        self.backup_file = Path(backup_dir) / "backup.ckpt"

    def on_train_begin(self, run_context: Any) -> None:
        """Load the parameters of an earlier run, if there was one."""
        if self.backup_file.is_file():
            network = run_context.original_args().train_network
            load_param_into_net(network, load_checkpoint(str(self.backup_file)))

    def on_train_epoch_end(self, run_context: Any) -> None:
        """Save the parameters, if it is time."""
        now = run_context.original_args()
        if now.cur_epoch_num % self.every == 0:
            self.backup_file.parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(now.train_network, str(self.backup_file))

    def on_train_end(self, run_context: Any) -> None:
        """Delete the file: there is nothing to take up."""
        if self.delete_checkpoint:
            self.backup_file.unlink(missing_ok=True)
