"""The loss, printed."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.eager.tensor import Tensor

from .callback import Callback, loss_of, step_in_epoch


class LossMonitor(Callback):
    """Print the loss every `per_print_times` steps; stop the training when it is not finite.

    After an epoch of `Model.fit`, also what the evaluation found.

    Args:
        per_print_times: Steps between two lines; 0 prints no loss.

    Raises:
        TypeError: If `per_print_times` is no int.
        ValueError: If it is negative; in a training, if the loss is not finite.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net = nn.Dense(3, 2, "zeros", "zeros")
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> model.train(1, data.batch(4), callbacks=train.LossMonitor())
        epoch: 1 step: 1, loss is 1.0
    """

    def __init__(self, per_print_times: int = 1):
        self.per_print_times = check.non_negative_int(self, "per_print_times", per_print_times)
        self._last = 0

    def step_end(self, run_context: Any) -> None:
        """Print the loss of the step."""
        now = run_context.original_args()
        loss = loss_of(now.net_outputs)
        epoch, step = now.cur_epoch_num, step_in_epoch(now)
        if loss is not None and not np.isfinite(loss):
            raise ValueError(f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process "
                             "cannot continue, terminating training.")
        if now.cur_step_num <= self._last:          # another run has begun
            self._last = 0
        if self.per_print_times and now.cur_step_num - self._last >= self.per_print_times:
            self._last = now.cur_step_num
            print(f"epoch: {epoch} step: {step}, loss is {_shown(now.net_outputs)}", flush=True)

    def on_eval_step_end(self, run_context: Any) -> None:
        """Print nothing: evaluations have no loss of their own."""

    def on_train_epoch_end(self, run_context: Any) -> None:
        """Print what the evaluation after this epoch found, if there was one."""
        now = run_context.original_args()
        metrics = now.get("metrics")
        if metrics:
            metrics = {name: v.item() if isinstance(v, np.generic) else v for name, v in metrics.items()}
            print(f"Eval result: epoch {now.cur_epoch_num}, metrics: {metrics}", flush=True)


def _shown(outputs: Any) -> Any:
    """The loss as the line shows it: in double precision, or in its own as the first of several."""
    several = isinstance(outputs, (tuple, list)) and outputs and isinstance(outputs[0], Tensor)
    if several:
        return str(np.mean(outputs[0].asnumpy()))
    loss = loss_of(outputs)
    return outputs if loss is None else loss
