"""A training or evaluation that ends, and leaves its state, when the user asks for it."""
from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from mindspore.core import check, json_text, log
from mindspore.distributed import get_rank
from mindspore.train.exporting.export import export
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

from . import standing
from .callback import Callback

_UNCATCHABLE = {getattr(signal, name) for name in ("SIGKILL", "SIGSTOP") if hasattr(signal, name)}


class OnRequestExit(Callback):
    """Ends a run after the current step when a signal comes or a file says so, and saves it.

    The files are `<directory>/rank_<rank>/<file_name>_train` or `..._eval` with the suffixes `.ckpt` and `.mindir`.
    A run begins with the parameters of such a checkpoint, if there is one, and a training with its random numbers and
    with what its callbacks had found that monitor a value; the checkpoint of a training also has the entries
    `epoch_num`, `step_num` and `batch_num`. A training continues at the same step if its data begins there
    (`set_init_step(step_num)`) and its `initial_epoch` is the number of the epochs that are complete. With sink, the
    current step is the current sink.

    Args:
        save_ckpt: Whether a checkpoint is saved, and loaded when a run begins.
        save_mindir: Whether the cell of the step is exported. One with an operator that has no form in MindIR, as
            the steps of most optimizers, is not: an error is logged, and the run ends all the same.
        file_name: Begin of the files' names.
        directory: The folder; None for the working directory.
        config_file: A JSON file that asks for the end as soon as it holds `{"GracefulExit": 1}`; it is read before
            every step.
        sig: The number of the signal. Its former handler is back when the run has ended.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If no program can handle the signal, or the run is not in the main thread, where alone Python
            handles signals.

    Examples:
        >>> import tempfile
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net = nn.Dense(3, 2)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.train(1, data.batch(4), callbacks=train.OnRequestExit(directory=folder))
    """

    def __init__(self, save_ckpt: bool = True, save_mindir: bool = True, file_name: str = "Net",
                 directory: str | os.PathLike[str] | None = "./",
                 config_file: str | os.PathLike[str] | None = None, sig: int = signal.SIGTERM):
        self.save_ckpt = check.boolean(self, "save_ckpt", save_ckpt)
        self.save_mindir = check.boolean(self, "save_mindir", save_mindir)
        check.instance(self, "file_name", file_name, str)
        if directory is not None:
            check.instance(self, "directory", directory, (str, os.PathLike))
        if config_file is not None:
            check.instance(self, "config_file", config_file, (str, os.PathLike))
        check.instance(self, "sig", sig, int)
        if sig in _UNCATCHABLE:
            raise ValueError(f"For 'OnRequestExit', the 'sig' must be a signal that a program can handle, but got "
                             f"{signal.Signals(sig).name}.")
        self.sig, self.config_file = sig, config_file
        self.exit = False
        folder = Path(directory or ".") / f"rank_{get_rank()}"
        self.train_name, self.eval_name = str(folder / f"{file_name}_train"), str(folder / f"{file_name}_eval")
        self._former: Any = None
        self._entries: dict[str, Any] = {}
        self._listening = self._training = False

    def on_train_begin(self, run_context: Any) -> None:
        """Listen for the signal; load what an earlier run has left."""
        self._listen()
        self._training = True
        saved = self._load(run_context.original_args().train_network, self.train_name)
        if standing.MONITORS in saved:
            standing.take_up_monitors(run_context, saved)

    def on_train_step_begin(self, run_context: Any) -> None:
        """Read the configuration file."""
        self.exit = self.exit or self._asked()

    def on_train_step_end(self, run_context: Any) -> None:
        """End the run if that was asked for."""
        if self.exit:
            now = run_context.original_args()
            self._entries = standing.kept_entries(now) if now.cur_step_num % now.batch_num else {}
            run_context.request_stop()

    def on_train_end(self, run_context: Any) -> None:
        """Save the training if its end was asked for."""
        self._training = False
        if self.exit:
            now = run_context.original_args()
            # the end of an epoch that is not complete is no reason to judge it: the next run comes to its end
            entries = self._entries or standing.entries(now)
            self._save(now.train_network, self.train_name, now.train_dataset_element, entries)

    def on_eval_begin(self, run_context: Any) -> None:
        """As `on_train_begin`; an evaluation within a training keeps the parameters that this has."""
        self._listen()
        if not self._training:
            found = self.eval_name if Path(f"{self.eval_name}.ckpt").is_file() else self.train_name
            self._load(run_context.original_args().eval_network, found)

    on_eval_step_begin = on_train_step_begin

    def on_eval_step_end(self, run_context: Any) -> None:
        """End the run if that was asked for."""
        if self.exit:
            run_context.request_stop()

    def on_eval_end(self, run_context: Any) -> None:
        """Save the evaluated cell if the end was asked for; within a training, that is saved."""
        if self.exit and not self._training:
            now = run_context.original_args()
            self._save(now.eval_network, self.eval_name, now.eval_dataset_element, {})

    def __exit__(self, *err: Any) -> None:
        """Give the signal back; the next run begins without a request."""
        if self._listening:
            signal.signal(self.sig, self._former)
        self._listening = self._training = self.exit = False
        self._entries = {}

    def _listen(self) -> None:
        if not self._listening:
            self._former = signal.signal(self.sig, self._handle)
            self._listening = True

    def _handle(self, number: int, frame: Any) -> None:
        self.exit = True

    def _asked(self) -> bool:
        if self.config_file is None:
            return False
        try:
            asked = json_text.read(self.config_file)
        except FileNotFoundError:
            return False
        except (ValueError, OSError) as error:
            log.warning("For 'OnRequestExit', the 'config_file' %s cannot be read, so the run continues: %s",
                        self.config_file, error)
            return False
        return isinstance(asked, dict) and asked.get("GracefulExit") == 1

    def _load(self, network: Any, name: str) -> dict[str, Any]:
        if not self.save_ckpt or not Path(f"{name}.ckpt").is_file():
            return {}
        saved = load_checkpoint(f"{name}.ckpt")
        load_param_into_net(network, saved)
        if self._training:
            standing.restore_random(saved)
        return saved

    def _save(self, network: Any, name: str, inputs: Any, more: dict[str, Any]) -> None:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        if self.save_ckpt:
            save_checkpoint(network, name, append_dict=more)
        if self.save_mindir:
            try:
                export(network, *inputs, file_name=name, file_format="MINDIR")
            except RuntimeError as error:   # the checkpoint is there, and the run ends as it was asked to
                log.error("For 'OnRequestExit', %s.mindir was not written: %s", name, error)


__all__ = ["OnRequestExit"]
