"""What a training printed, kept."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.eager.tensor import Tensor
from mindspore.ir import tree

from .callback import Callback


class History(Callback):
    """Keeps the network's output and the evaluations after every epoch.

    `epoch["epoch"]` lists the numbers of the epochs, `history` has a list per name: "net_output" and
    the names of the metrics.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))).batch(2)
        >>> kept = train.History()
        >>> model.train(2, rows, callbacks=[kept])
        >>> kept.epoch["epoch"], len(kept.history["net_output"])
        ([1, 2], 2)
    """

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}

    def begin(self, run_context: Any) -> None:
        """Begin to count the epochs."""
        self.epoch: dict[str, list[int]] = {"epoch": []}

    def epoch_end(self, run_context: Any) -> None:
        """Keep the results of the epoch."""
        now = run_context.original_args()
        self.epoch["epoch"].append(now.get("cur_epoch_num", 1))
        self.history.setdefault("net_output", []).append(_kept(now.get("net_outputs")))
        for name, value in (now.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)


def _kept(value: Any) -> Any:
    """The value with arrays in place of its tensors, which the next step may change."""
    return tree.mapped(value, lambda v: isinstance(v, Tensor), lambda v: np.array(v.asnumpy())[()])
