"""The end of a training that does not improve."""
from __future__ import annotations

from typing import Any

from mindspore.core import check

from .monitoring import Monitoring


class EarlyStopping(Monitoring):
    """Ends the training when a value has not improved for `patience` epochs.

    Args:
        monitor: The value: "loss" of the training, "eval_loss" or a metric's name for `Model.fit`.
        min_delta: The least change that counts as an improvement; its sign does not matter.
        patience: Epochs without improvement.
        verbose: Whether messages are printed.
        mode: "min", "max", or "auto": "max" for names with "acc" in them.
        baseline: A value that has to be passed before waiting begins anew.
        restore_best_weights: Whether the network gets back the parameters of its best epoch.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `mode` is another, or `patience` negative.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))).batch(2)
        >>> stop = train.EarlyStopping(monitor="mae", patience=1, min_delta=100, mode="min")
        >>> count = train.History()
        >>> model.fit(5, rows, rows, callbacks=[stop, count])
        >>> count.epoch["epoch"]
        [1, 2]
    """

    def __init__(self, monitor: str = "eval_loss", min_delta: float = 0, patience: int = 0,
                 verbose: bool = False, mode: str = "auto", baseline: float | None = None,
                 restore_best_weights: bool = False):
        self.baseline = None if baseline is None else check.number(self, "baseline", baseline)
        self.restore_best_weights = check.boolean(self, "restore_best_weights", restore_best_weights)
        self._watch(monitor, min_delta, patience, verbose, mode)

    def _start(self) -> None:
        super()._start()
        self.stopped_epoch, self._best_weights = 0, None
        self._saved: dict[str, Any] = {}

    def _judge(self, run_context: Any, now: Any, value: float) -> None:
        network = now.train_network
        if self.restore_best_weights and self._best_weights is None:
            self._best_weights = [(p, self._saved.get(p.name, value)) for p, value in _copied(network)]
        self.wait += 1
        if self._improves(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self._best_weights = _copied(network)
            if self.baseline is None or self._improves(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = now.cur_epoch_num
            run_context.request_stop()
            self._restore()

    def kept(self) -> dict[str, Any]:
        """The best weights by the names of their parameters, if they are to be restored."""
        return {parameter.name: value for parameter, value in self._best_weights or ()}

    def take_up(self, found: dict[str, float], kept: dict[str, Any]) -> None:
        """Go on with what `standing` and `kept` gave; the parameters are found when the network is there."""
        super().take_up(found, kept)
        self._saved = kept

    def _restore(self) -> None:
        if self._best_weights is None:
            return
        if self.verbose:
            print("Restoring model weights from the end of the best epoch.", flush=True)
        for parameter, value in self._best_weights:
            parameter.set_data(value)

    def on_train_end(self, run_context: Any) -> None:
        """Say in which epoch the training ended."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)


def _copied(network: Any) -> list[tuple[Any, Any]]:
    return [(p, p.value()) for p in network.get_parameters()]
