"""A training that resumes where an earlier run of the program was cut off."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mindspore.core import check
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

from . import standing
from .callback import Callback


class BackupAndRestore(Callback):
    """Saves the training to a file as it proceeds; a run that finds the file continues after the epoch that was saved.

    The file holds parameters, optimizer, loss scale, the state of random numbers, the numbers of epochs and steps, and
    what `EarlyStopping` (with its best weights, if it restores them) and `ReduceLROnPlateau` have found.
    A run continues as if it had not been cut off: with the rows of the data that follow, if the seeds are the same, up
    to the last epoch that the program names. A run of `Model.train` with an `initial_epoch`, or with data that
    begins elsewhere by `set_init_step`, takes the parameters only. Callbacks that change parameters or watch a value
    at the end of an epoch have to stand before this one.

    Args:
        backup_dir: The folder of the file `backup.ckpt`, which is made if it is missing.
        save_freq: "epoch", or the number of epochs between two backups.
        delete_checkpoint: Whether the file is deleted when the training has reached its end.

    Raises:
        TypeError: If `save_freq` is neither "epoch" nor an int.
        ValueError: If it is not positive, or `backup_dir` is blank.

    Examples:
        >>> import tempfile
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net = nn.Dense(3, 2)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.train(1, data.batch(4), callbacks=train.BackupAndRestore(folder))
    """

    def __init__(self, backup_dir: str, save_freq: str | int = "epoch",
                 delete_checkpoint: bool = True):
        check.instance(self, "backup_dir", backup_dir, (str, os.PathLike))
        if not os.fspath(backup_dir).strip():
            raise ValueError("For 'BackupAndRestore', the 'backup_dir' must name a folder, but it is blank. "
                             "Give '.' for the folder in which the program runs.")
        self.every = 1 if save_freq == "epoch" else check.positive_int(self, "save_freq", save_freq)
        self.delete_checkpoint = check.boolean(self, "delete_checkpoint", delete_checkpoint)
        self.backup_file = Path(backup_dir) / "backup.ckpt"

    def on_train_begin(self, run_context: Any) -> None:
        """Take up an earlier run, if there was one."""
        if self.backup_file.is_file():
            now, saved = run_context.original_args(), load_checkpoint(str(self.backup_file))
            load_param_into_net(now.train_network, saved)
            standing.restore_random(saved)
            standing.take_up(run_context, saved)

    def on_train_epoch_end(self, run_context: Any) -> None:
        """Save the training, if it is time."""
        now = run_context.original_args()
        if now.cur_epoch_num % self.every == 0:
            self.backup_file.parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(now.train_network, str(self.backup_file), append_dict=standing.entries(now))

    def on_train_end(self, run_context: Any) -> None:
        """Delete the file: there is nothing to take up."""
        if self.delete_checkpoint:
            self.backup_file.unlink(missing_ok=True)
