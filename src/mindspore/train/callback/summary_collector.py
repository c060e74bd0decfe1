"""`SummaryCollector`: what a training leaves in a summary without being told."""
from __future__ import annotations

import os
from typing import Any

from mindspore.core import check, context, log
from mindspore.eager.tensor import Tensor
from mindspore.formats.event_values import is_image
from mindspore.train.summary.dataset_graph import dataset_graph
from mindspore.train.summary.lineage import (
    custom_lineage,
    eval_lineage,
    optimizer_of,
    train_lineage,
)
from mindspore.train.summary.options import collected
from mindspore.train.summary.positions import Positions
from mindspore.train.summary.summary_record import SummaryRecord

from .callback import Callback, loss_of

_MOST_HISTOGRAMS = 5         # parameters whose histograms are taken by default
_TENSOR_STEPS = 20           # steps of a training whose tensors are taken by default
_PRIVATE = 0o700


class SummaryCollector(Callback):
    """Writes what a training or evaluation does to event files, which MindInsight shows.

    In the first step and every `collect_freq` steps: the loss as `loss/auto`, the images that the network gets as
    `input_data/auto`, histograms of parameters as `NAME/auto`, and what summary operators are given; once: the compiled
    graph, the pipeline of the data, and the lineage, which tells what the run was made of. Parameters after the first
    steps are kept for `SummaryLandscape`. A thread writes; of a disk that is full or stands still the log tells, and
    the training continues.

    Args:
        summary_dir: The folder of the files, which is made if it is missing.
        collect_freq: Steps between two collections; epochs where an epoch is one step for callbacks (sink).
        num_process: How many processes write in the original; here a thread does.
        collect_specified_data: What is collected, by name: `collect_metric`, `collect_graph`,
            `collect_train_lineage`, `collect_eval_lineage`, `collect_input_data` and `collect_dataset_graph` are
            bools. `histogram_regular` is a regular expression for the beginnings of the names of the parameters whose
            histograms are taken; None for the first five. `collect_landscape` is None, or a dictionary of
            `landscape_size` (3 to 256), `unit` ("step" or "epoch"), `num_samples`, `create_landscape` (such as
            `{"train": True, "result": False}`) and `intervals`: lists of three or more steps or epochs after which
            the parameters are kept in `ckpt_dir`.
        keep_default_action: Whether what is not named there is collected as by default; else it is not collected.
        custom_lineage_data: What is added to the lineage, by names: an int, a float or a str.
        collect_tensor_freq: Steps between two collections of what `TensorSummary` was given. Default: 20 collections
            in a training, and not more than of other values.
        max_file_size: The most bytes that a file may have; what follows is not written.
        export_options: As in `SummaryRecord`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument has a wrong value.

    Examples:
        >>> import os, tempfile
        >>> x, y = np.ones((8, 3), np.float32), np.ones((8, 2), np.float32)
        >>> data = dataset.NumpySlicesDataset({"x": x, "y": y}).batch(4)
        >>> net = nn.Dense(3, 2)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     collector = train.SummaryCollector(folder, collect_specified_data={"collect_landscape": None})
        ...     model.train(1, data, callbacks=collector)
        ...     sorted(name.rsplit("_", 1)[1] for name in os.listdir(folder))
        ['MS', 'lineage']
    """

    def __init__(self, summary_dir: str, collect_freq: int = 10, num_process: Any = 32,
                 collect_specified_data: Any = None, keep_default_action: bool = True,
                 custom_lineage_data: dict[str, int | float | str] | None = None,
                 collect_tensor_freq: int | None = None, max_file_size: int | None = None,
                 export_options: dict[str, str | None] | None = None):
        if num_process is None or isinstance(num_process, dict):    # the order of arguments before 2.2
            keep_default_action = keep_default_action if collect_specified_data is None else collect_specified_data
            num_process, collect_specified_data = 32, num_process
        self._freq = check.positive_int(self, "collect_freq", collect_freq)
        check.positive_int(self, "num_process", num_process)
        check.boolean(self, "keep_default_action", keep_default_action)
        self._parts = collected("SummaryCollector", collect_specified_data, keep_default_action)
        self._custom = self._checked_lineage(custom_lineage_data)
        self._tensor_freq = check.optional(check.positive_int, self, "collect_tensor_freq", collect_tensor_freq)
        check.optional(check.positive_int, self, "max_file_size", max_file_size)
        self._files = {"max_file_size": max_file_size, "export_options": _options(export_options)}
        self._folder = self._made(summary_dir)
        self._positions = None if self._parts.landscape is None else Positions(self._folder, self._parts.landscape)
        self._record: SummaryRecord | None = None
        self._told, self._images = False, True        # of what is written once; whether inputs are images
        self._wakes = 0                               # the step before which there is nothing to do
        self._chosen: list[Any] | None = None         # the parameters whose histograms are taken in this run

    def _checked_lineage(self, given: Any) -> dict[str, int | float | str]:
        given = {} if given is None else check.instance(self, "custom_lineage_data", given, dict)
        for name, value in given.items():
            check.string(self, "custom_lineage_data", name)
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                raise check.fail(TypeError, self, f"custom_lineage_data[{name!r}]", "an int, a float or a str", value)
            if isinstance(value, int):
                check.integer(self, f"custom_lineage_data[{name!r}]", value, -2**31, 2**31 - 1)
        return dict(given)

    def _made(self, folder: Any) -> str:
        if not check.string(self, "summary_dir", folder).strip():
            raise check.fail(ValueError, self, "summary_dir", "the name of a folder, not blank", folder)
        os.makedirs(folder, _PRIVATE, exist_ok=True)
        return os.path.realpath(folder)

    def __exit__(self, *err: Any) -> None:
        if self._record is not None:
            self._record.close()
            self._record = None

    def begin(self, run_context: Any) -> None:
        """Open the files."""
        now = run_context.original_args()
        self._record = SummaryRecord(self._folder, **self._files)
        self._record.set_mode(now.mode)
        self._begun, self._wakes, self._chosen = False, 0, None
        if now.mode == "train" and not self._told:
            if "collect_dataset_graph" in self._parts.switches:
                self._lineage("dataset_graph", dataset_graph(now.train_dataset))
            if self._custom:
                self._lineage("custom_lineage_data", custom_lineage(self._custom))

    def step_end(self, run_context: Any) -> None:
        """Collect, if it is the turn of this step."""
        now = run_context.original_args()
        if now["cur_step_num"] >= self._wakes and now.mode == "train":
            self._step(now, self._recording())
            self._keep(now, "step", now.cur_step_num)
            self._wakes = self._next(now)

    def epoch_end(self, run_context: Any) -> None:
        """Collect the state after an epoch, if it is the turn of its last step."""
        now = run_context.original_args()
        if now.mode == "train":
            if _turn(now) % self._freq == 0:
                self._collect(now, self._recording())
                self._recording().record(now.cur_step_num)
            self._keep(now, "epoch", now.cur_epoch_num)

    def end(self, run_context: Any) -> None:
        """Write the lineage of the run."""
        now = run_context.original_args()
        if now.mode == "eval":
            if "collect_eval_lineage" in self._parts.switches:
                self._lineage("eval_lineage", eval_lineage(now))
                self._recording().record(now.cur_step_num)
            return
        if "collect_train_lineage" in self._parts.switches and not self._told:
            self._lineage("train_lineage", train_lineage(now, loss_of(now.get("net_outputs"))))
            self._recording().record(now.cur_step_num, plugin_filter=lambda plugin: plugin == "train_lineage")
        if self._positions is not None:
            self._positions.finish(now.batch_num)
        self._told = True

    # ------------------------------------------------------------------ one step

    def _step(self, now: Any, record: SummaryRecord) -> None:
        turn, first = _turn(now), not self._begun
        if first:
            self._begin_steps(now, record)
        others = first or turn % self._freq == 0
        tensors = first or (turn % self._tensors_each == 0 and self._tensors_left > 0)
        self._tensors_left -= tensors
        if others:
            self._collect(now, record)
        if others or tensors:
            record.record(now.cur_step_num, plugin_filter=lambda plugin: tensors if plugin == "tensor" else others)

    def _next(self, now: Any) -> int:
        """The first step after this one in which there is anything to do; 0 where an epoch is one step."""
        if now.dataset_sink_mode:
            return 0
        number, intervals = now.cur_step_num, [self._freq]
        if self._tensors_left > 0:
            intervals.append(self._tensors_each)
        turns = [number - number % interval + interval for interval in intervals]
        return min([*turns, *(self._positions.after("step", number) if self._positions is not None else [])])

    def _begin_steps(self, now: Any, record: SummaryRecord) -> None:
        """Before the first collection: what there is once, and what summary operators were given in this step."""
        self._begun = True
        steps = now.epoch_num if now.dataset_sink_mode else now.epoch_num * now.batch_num
        self._tensors_each = self._tensor_freq or max(self._freq, steps // _TENSOR_STEPS)
        self._tensors_left = steps if self._tensor_freq else _TENSOR_STEPS
        graph = "collect_graph" in self._parts.switches and not self._told
        if graph and context.get_context("mode") != context.GRAPH_MODE:
            log.warn_once("For 'SummaryCollector', there is no graph to collect, as the mode is not GRAPH_MODE.")
        record.record(now.cur_step_num, now.train_network if graph else None)

    def _collect(self, now: Any, record: SummaryRecord) -> None:
        if "collect_input_data" in self._parts.switches and self._images:
            self._take_input(now.get("train_dataset_element"), record)
        if "collect_metric" in self._parts.switches:
            loss = loss_of(now.get("net_outputs"))
            if loss is None:
                log.warn_once("For 'SummaryCollector', no loss is recorded: the outputs of a step do not begin with a "
                              "tensor or a number.")
            else:
                record.add_value("scalar", "loss/auto", loss if isinstance(loss, Tensor) else Tensor(loss))
        if self._chosen is None:
            self._chosen = self._parameters(now)
        for parameter in self._chosen:
            record.add_value("histogram", f"{parameter.name}/auto", parameter)

    def _take_input(self, batch: Any, record: SummaryRecord) -> None:
        first = next(iter(batch.values() if isinstance(batch, dict) else batch), None) if batch else None
        if isinstance(first, Tensor) and is_image(first):
            record.add_value("image", "input_data/auto", first)
        else:
            self._images = False
            log.warning("For 'SummaryCollector', the inputs of the network are not recorded: the first is no batch of "
                        "images of the shape (N, 1 or 3, H, W).")

    def _parameters(self, now: Any) -> list[Any]:
        """The parameters of the optimizer whose histograms are taken."""
        pattern, optimizer = self._parts.histogram, optimizer_of(now)
        if "histogram" not in self._parts.switches or optimizer is None:
            return []
        listed = [p for p in getattr(optimizer, "opt", optimizer).parameters if p.ndim]
        if pattern is None:
            return listed[:_MOST_HISTOGRAMS]
        return [parameter for parameter in listed if pattern.match(parameter.name)]

    # ------------------------------------------------------------------ what is written

    def _recording(self) -> SummaryRecord:
        assert self._record is not None, "a run begins before its steps"
        return self._record

    def _lineage(self, plugin: str, message: Any) -> None:
        self._recording().add_value(plugin, "", message)

    def _keep(self, now: Any, unit: str, number: int) -> None:
        if self._positions is not None and self._positions.due(unit, number):
            self._recording().beside(*self._positions.keep(number, now.network))


def _turn(now: Any) -> int:
    """What the frequencies count: steps, or epochs where an epoch is one step for callbacks."""
    return now.cur_step_num // now.batch_num if now.dataset_sink_mode else now.cur_step_num


def _options(given: Any) -> Any:
    return SummaryRecord.checked_options("SummaryCollector", given)


__all__ = ["SummaryCollector"]
