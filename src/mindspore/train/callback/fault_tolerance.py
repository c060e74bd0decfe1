"""A training that leaves its state when it fails."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mindspore.core import check, log
from mindspore.distributed import get_rank
from mindspore.train.serialization import save_checkpoint

from . import standing
from .callback import Callback


class TrainFaultTolerance(Callback):
    """Saves a training that an error ends, after its last complete step.

    The file is `<ckpt_save_path>/ttp_saved_checkpoints-step_<step>/rank_<rank>.ckpt`, with parameters, optimizer, loss
    scale, and as entries `epoch_num`, `step_num`, `batch_num` and the state of the random numbers after that step. A
    step that fails in a compiled function has changed nothing; one that fails in PyNative mode may have changed
    parameters in part. The error then reaches the program.

    Services of Ascend's machines, which MS_ENABLE_TFT chooses for the original (UCE, ARF, TSP, HCCE repair a process
    or start it again), have nothing to do on others.

    Args:
        ckpt_save_path: The folder; None if `ckpt_save_fn` is given.
        kwargs: `ckpt_save_fn`, a function of the state of the run (`run_context.original_args()`) and the further
            entries, that saves instead.

    Raises:
        TypeError: If `ckpt_save_path` or `ckpt_save_fn` has another type, or another argument is given.
        ValueError: If neither is given.

    Examples:
        >>> import os, tempfile
        >>> def broken(run_context):
        ...     assert run_context.original_args().cur_step_num < 3
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net = nn.Dense(3, 2)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     callbacks = [train.TrainFaultTolerance(folder), train.LambdaCallback(on_train_step_begin=broken)]
        ...     try:
        ...         model.train(1, data.batch(1), callbacks)
        ...     except AssertionError:
        ...         os.listdir(folder)
        ['ttp_saved_checkpoints-step_2']
    """

    def __init__(self, ckpt_save_path: str | os.PathLike[str] | None = None, **kwargs: Any):
        save: Callable[[Any, dict[str, Any]], Any] | None = kwargs.pop("ckpt_save_fn", None)
        if kwargs:
            raise TypeError(f"For 'TrainFaultTolerance', there is no argument '{next(iter(kwargs))}'.")
        if save is not None and not callable(save):
            raise check.fail(TypeError, self, "ckpt_save_fn", "a function", save)
        if ckpt_save_path is not None:
            check.instance(self, "ckpt_save_path", ckpt_save_path, (str, os.PathLike))
        elif save is None:
            raise ValueError("For 'TrainFaultTolerance', one of 'ckpt_save_path' and 'ckpt_save_fn' must be given.")
        self._folder, self._save = ckpt_save_path, save or self._save_file
        self._now: Any = None
        self._entries: dict[str, Any] = {}

    @classmethod
    def get_optimizer_wrapper(cls, origin_opt_cls: type) -> type:
        """The class of optimizers to use with this callback: the given one, which has nothing to wait for here."""
        return check.instance(cls, "origin_opt_cls", origin_opt_cls, type)

    def on_train_begin(self, run_context: Any) -> None:
        """Nothing is done yet."""
        self._now, self._entries = run_context.original_args(), {}

    def on_train_step_end(self, run_context: Any) -> None:
        """Note that the step is complete."""
        self._entries = standing.kept_entries(run_context.original_args())

    def on_train_end(self, run_context: Any) -> None:
        """The training came to its end."""
        self._entries = {}

    def __exit__(self, *err: Any) -> None:
        """Save after an error, if a step is complete."""
        now, entries, self._now, self._entries = self._now, self._entries, None, {}
        if not err or err[0] is None or not entries:
            return
        try:
            self._save(now, entries)
        except Exception as error:      # the error of the training is the one that the program has to see
            log.error("For 'TrainFaultTolerance', the training was not saved: %s: %s", type(error).__name__, error)

    def _save_file(self, now: Any, entries: dict[str, Any]) -> None:
        assert self._folder is not None
        folder = Path(self._folder) / f"ttp_saved_checkpoints-step_{entries['step_num']}"
        folder.mkdir(parents=True, exist_ok=True)
        save_checkpoint(now.train_network, str(folder / f"rank_{get_rank()}.ckpt"), append_dict=entries)


__all__ = ["TrainFaultTolerance"]
