"""`SummaryLandscape`: the loss around the path of a training."""
from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import nn
from mindspore.core import check
from mindspore.core.seed import get_seed
from mindspore.eager.tensor import Tensor
from mindspore.train.serialization import load_checkpoint, load_param_into_net
from mindspore.train.summary.landscape import Parameters, message, path_landscape, result_landscape
from mindspore.train.summary.options import landscape_options
from mindspore.train.summary.positions import FOLDER, Kept, kept
from mindspore.train.summary.summary_record import SummaryRecord


class SummaryLandscape:
    """Computes the loss around the parameters that a training had, from what `SummaryCollector` kept.

    For each interval of the training there is a landscape over the plane that comes nearest to its path (principal
    components), and for its result one in two random directions (Li et al. 2018). They are written to an event
    file, which MindInsight shows.

    Args:
        summary_dir: The folder that the `SummaryCollector` was given.

    Raises:
        TypeError: If it is no path.

    Examples:
        >>> import contextlib, io, os, tempfile
        >>> def prepared():
        ...     x, y = np.ones((8, 3), np.float32), np.ones((8, 2), np.float32)
        ...     net, metrics = nn.Dense(3, 2), {"Loss": train.Loss()}
        ...     model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics)
        ...     return model, net, dataset.NumpySlicesDataset({"x": x, "y": y}).batch(2), metrics
        >>> options = {"landscape_size": 3, "intervals": [[1, 2, 3]]}
        >>> with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        ...     model, _, data, _ = prepared()
        ...     collector = train.SummaryCollector(folder, collect_specified_data={"collect_landscape": options})
        ...     model.train(1, data, callbacks=collector)
        ...     landscape = train.SummaryLandscape(folder)
        ...     landscape.gen_landscapes_with_multi_process(prepared, device_ids=[0])
        ...     landscape.clean_ckpt()
        ...     found = {name.split(".")[0] for name in os.listdir(folder)}
        >>> found
        {'events'}
    """

    def __init__(self, summary_dir: str):
        self._folder = os.path.realpath(summary_dir)

    def gen_landscapes_with_multi_process(self, callback_fn: Callable[[], Any],
                                          collect_landscape: dict[str, Any] | None = None,
                                          device_ids: list[int] | None = None, output: str | None = None) -> None:
        """Compute the landscapes and write them.

        The loss is the mean over the first `num_samples` rows of the dataset.

        Args:
            callback_fn: Takes nothing; returns the model, whose metrics have a `Loss`; its network; the batches; and
                the metrics.
            collect_landscape: Options in place of those that the `SummaryCollector` was given, by the same names.
            device_ids: The devices that the original starts a process for each of. Here this process computes, on
                its own device, which has to be among them; None for that one.
            output: The folder of the event file. Default: that of the summary.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If an option is wrong, the training kept no parameters at a point of an interval, or the model
                has no `Loss`.
            FileNotFoundError: If the training kept nothing.
        """
        owner = "SummaryLandscape"
        check.callable_(owner, "callback_fn", callback_fn)
        _check_devices(owner, device_ids)
        output = self._folder if output is None else check.string(owner, "output", output)
        found = kept(self._folder)
        if collect_landscape is not None:
            options = landscape_options(owner, collect_landscape, found.options)
            if options.unit != found.options.unit:
                raise check.fail(ValueError, owner, "unit", f"'{found.options.unit}', as in the training", options.unit)
            found = found._replace(options=options)
        _check_points(owner, found)
        model, network, dataset, metrics = callback_fn()
        _draw(found, _Loss(model, network, dataset, metrics, found.options.num_samples), output)

    def clean_ckpt(self) -> None:
        """Remove the parameters that the training kept, the folder `ckpt_dir`."""
        shutil.rmtree(os.path.join(self._folder, FOLDER), ignore_errors=True)


def _check_devices(owner: str, given: Any) -> None:
    if given is None:
        return
    if not check.instance(owner, "device_ids", given, list):
        raise check.fail(ValueError, owner, "device_ids", "a list of numbers, not empty", given)
    for number in given:
        check.non_negative_int(owner, "device_ids", number)


def _check_points(owner: str, found: Kept) -> None:
    if not found.files:
        raise ValueError(f"For '{owner}', the training kept no parameters: it reached none of the intervals.")
    if not found.options.create_landscape["train"]:
        return
    for interval in found.options.intervals:
        missing = [number for number in interval if number not in found.files]
        if missing:
            raise ValueError(f"For '{owner}', the training kept no parameters after {found.options.unit} "
                             f"{', '.join(map(str, missing))} of the interval {list(interval)}: give 'intervals' of "
                             f"{sorted(found.files)}.")


def _draw(found: Kept, loss: _Loss, output: str) -> None:
    options, network = found.options, loss.network
    wanted = {parameter.name for parameter in network.trainable_params()}

    def say(line: str) -> None:
        print(line, flush=True)

    with SummaryRecord(output) as record:
        for interval in options.intervals if options.create_landscape["train"] else ():
            points = [_point(found.files[number], wanted) for number in interval]
            load_param_into_net(network, load_checkpoint(found.files[interval[-1]]))       # what is not trained, too
            drawn = path_landscape(points, options.landscape_size, loss, say)
            record.add_value("landscape", f"landscape_{[interval[0], interval[-1]]}",
                             message(drawn, options.unit, found.step_per_epoch, interval))
        if options.create_landscape["result"]:
            last = max(found.files)
            load_param_into_net(network, load_checkpoint(found.files[last]))
            drawn = result_landscape(_point(found.files[last], wanted), options.landscape_size, loss, say,
                                     np.random.default_rng(get_seed()))
            record.add_value("landscape", f"landscape_{[last]}", message(drawn, options.unit, found.step_per_epoch))
        record.record(0)


def _point(path: str, wanted: set[str]) -> Parameters:
    """The trained parameters in a checkpoint, of floating point."""
    stored = load_checkpoint(path)
    return {name: value.asnumpy() for name, value in stored.items()
            if name in wanted and value.is_floating_point()}


class _Loss:
    """The loss of a model over some rows, for parameters that are put into its network."""

    def __init__(self, model: Any, network: Any, dataset: Any, metrics: Any, samples: int):
        names = [name for name, metric in metrics.items() if isinstance(metric, nn.Loss)]
        if not names:
            raise ValueError("For 'SummaryLandscape', the metrics that 'callback_fn' returns must have a Loss, but got "
                             f"{list(metrics)}.")
        self.model, self.network, self.name = model, network, names[0]
        batch = max(dataset.get_batch_size(), 1)     # a function may say how many
        self.dataset = dataset.take(max(1, -(-samples // batch)))

    def __call__(self, parameters: Parameters) -> float:
        own = self.network.parameters_dict()
        for name, array in parameters.items():
            own[name].set_data(Tensor(array, own[name].dtype))
        return float(self.model.eval(self.dataset, dataset_sink_mode=False)[self.name])


__all__ = ["SummaryLandscape"]
