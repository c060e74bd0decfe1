"""A learning rate that falls when the training stands still."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check

from .callback import set_learning_rate
from .lr_scheduler import single_rate
from .monitoring import Monitoring


class ReduceLROnPlateau(Monitoring):
    """Multiplies the learning rate by `factor` when a value has not improved for `patience` epochs.

    Args:
        monitor: The value: "loss" of the training, "eval_loss" or a metric's name for `Model.fit`.
        factor: The factor, between 0 and 1.
        patience: Epochs without improvement.
        verbose: Whether a line is printed for every change.
        mode: "min", "max", or "auto": "max" for names with "acc" in them.
        min_delta: The least change that counts as an improvement; its sign does not matter.
        cooldown: Epochs after a change that are not counted.
        min_lr: The least rate.

    Raises:
        TypeError: If an argument has another type, or the optimizer has no single constant rate.
        ValueError: If an argument is out of range.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> optimizer = nn.SGD(net.trainable_params(), 0.1)
        >>> model = train.Model(net, nn.MSELoss(), optimizer)
        >>> rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))).batch(2)
        >>> slower = train.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=1, min_delta=100, mode="min")
        >>> model.train(2, rows, callbacks=[slower])
        >>> round(float(optimizer.learning_rate.asnumpy()), 3)
        0.05
    """

    _state = (*Monitoring._state, "cooldown_counter")

    def __init__(self, monitor: str = "eval_loss", factor: float = 0.1, patience: int = 10,
                 verbose: bool = False, mode: str = "auto", min_delta: float = 1e-4,
                 cooldown: int = 0, min_lr: float = 0):
        self.factor = check.floating(self, "factor", factor, 0.0, 1.0, open_low=True, open_high=True)
        self.cooldown = check.non_negative_int(self, "cooldown", cooldown)
        self.min_lr = check.number(self, "min_lr", min_lr)
        self._watch(monitor, min_delta, patience, verbose, mode)

    def _start(self) -> None:
        super()._start()
        self.cooldown_counter = 0

    def _judge(self, run_context: Any, now: Any, value: float) -> None:
        if self.cooldown_counter:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._improves(value, self.best):
            self.best, self.wait = value, 0
        elif not self.cooldown_counter:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(now)

    def _reduce(self, now: Any) -> None:
        rate = single_rate(self, now.get("optimizer") or now.train_network.optimizer)
        old = np.float32(rate.asnumpy())
        if old <= np.float32(self.min_lr):
            return
        new = max(old * np.float32(self.factor), np.float32(self.min_lr))
        set_learning_rate(rate, float(new))
        self.cooldown_counter, self.wait = self.cooldown, 0
        if self.verbose:
            print(f"Epoch {now.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {new!s}.",
                  flush=True)
