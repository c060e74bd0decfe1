"""Networks and models for the optimizer `nn.thor`."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindspore import nn
from mindspore.core import check
from mindspore.nn.optimizers.natural import Thor
from mindspore.nn.second_order import observe

from .dataset_helper import DatasetHelper
from .model import Model


class ConvertNetUtils:
    """Changes networks for the optimizer `nn.thor`, which calls this itself.

    Examples:
        >>> net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.ReLU())
        >>> train.ConvertNetUtils().convert_to_thor_net(net)
        >>> [type(cell).__name__ for cell in net]
        ['Conv2dThor', 'ReLU']
    """

    def convert_to_thor_net(self, net: nn.Cell) -> None:
        """Turn the layers Dense, Conv2d, Embedding and EmbeddingLookup of a network into those that keep their factors.

        The layers stay the same objects, with their parameters. Layers of classes that derive from these are left
        alone, as are convolutions of groups and tables whose rows have a largest norm.

        Args:
            net: The network, which is changed in place.

        Raises:
            TypeError: If `net` is no Cell.
        """
        check.instance("convert_to_thor_net", "net", net, nn.Cell)
        observe(net)


class ConvertModelUtils:
    """Makes models that train with the optimizer `nn.thor`.

    Examples:
        >>> net, loss = nn.Dense(3, 1), nn.MSELoss()
        >>> optimizer = nn.thor(net, Tensor(0.1), Tensor(0.01), 0.9)
        >>> model = train.Model(net, loss, optimizer)
        >>> model = train.ConvertModelUtils.convert_to_thor_model(model, net, loss, optimizer)
        >>> type(model).__name__
        'ModelThor'
    """

    @staticmethod
    def convert_to_thor_model(model: Model, network: nn.Cell, loss_fn: Any = None, optimizer: Any = None,
                              metrics: Any = None, amp_level: str = "O0", loss_scale_manager: Any = None,
                              keep_batchnorm_fp32: bool = False) -> Model:
        """A model that looks at the second moments of the layers only in the steps that need them.

        The parameters get the same values as with `model`, which looks at them in every step.

        Args:
            model: The model, returned unchanged if the optimizer is another one.
            network: The network.
            loss_fn: The loss, of the network's output and the label.
            optimizer: The optimizer.
            metrics: What an evaluation computes.
            amp_level: "O0", "O1", "O2", "O3" or "auto".
            loss_scale_manager: None, or a FixedLossScaleManager with `drop_overflow_update=False` whose scale the
                optimizer was told.
            keep_batchnorm_fp32: Whether norms stay in float32.

        Returns:
            The model.

        Raises:
            TypeError: If `model` is no Model.
            ValueError: If the scale of the loss is one that the optimizer does not know.
        """
        check.instance("convert_to_thor_model", "model", model, Model)
        if not isinstance(optimizer, Thor):
            return model
        _check_scale(loss_scale_manager, optimizer)
        return ModelThor(network, loss_fn, optimizer, metrics, amp_level=amp_level,
                         loss_scale_manager=loss_scale_manager, keep_batchnorm_fp32=keep_batchnorm_fp32)


def _check_scale(manager: Any, optimizer: Thor) -> None:
    """ValueError unless the optimizer divides by the scale: the second moments have its square."""
    if manager is None:
        return
    if manager.get_update_cell() is not None:
        raise ValueError("For 'convert_to_thor_model', the 'loss_scale_manager' must be a FixedLossScaleManager with "
                         f"drop_overflow_update=False, but got a {type(manager).__name__} that drops steps: the "
                         "second moments of gradients need a scale that stays.")
    if manager.get_loss_scale() != optimizer.loss_scale:
        raise ValueError("For 'convert_to_thor_model', the 'loss_scale' of the optimizer must be that of the "
                         f"'loss_scale_manager', {manager.get_loss_scale()}, but got {optimizer.loss_scale}.")


class ModelThor(Model):
    """A `Model` that looks at second moments only in the steps that renew the inverses; the arguments are `Model`'s."""

    def _stepping(self, network: nn.Cell) -> Any:
        return _Renewing(network, self._optimizer) if isinstance(self._optimizer, Thor) else network


class _Renewing:
    """The cell of a step, which tells the optimizer's layers before each step whether they are looked at."""

    def __init__(self, network: nn.Cell, optimizer: Thor):
        self.network, self.optimizer = network, optimizer

    def __call__(self, *inputs: Any) -> Any:
        self.optimizer.renewing()
        return self.network(*inputs)

    def set_train(self, mode: bool) -> None:
        self.network.set_train(mode)


class ThorDatasetHelper(DatasetHelper):
    """A `DatasetHelper` whose sinks are in turn one step with second moments and `iter_first_order` steps without.

    Args:
        dataset: The dataset.
        dataset_sink_mode: Whether a pass is several steps.
        sink_size: Steps of one epoch; -1 for one pass over the dataset.
        epoch_num: Passes over the dataset.
        iter_first_order: Steps between two with second moments; a pass of the loop with sink is one such turn.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sink_size` is neither -1 nor positive, or `iter_first_order` is not positive.

    Examples:
        >>> data = dataset.NumpySlicesDataset(np.ones((6, 2), np.float32), ["x"]).batch(1)
        >>> helper = mindspore.train.train_thor.dataset_helper.DatasetHelper(data, True, 6, iter_first_order=2)
        >>> [helper.sink_size() for _ in helper]
        [1, 2, 1, 2]
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1,
                 iter_first_order: int = 1):
        super().__init__(dataset, dataset_sink_mode, sink_size, epoch_num)
        self._first_order = check.positive_int(self, "iter_first_order", iter_first_order)
        self._steps = 0

    def __iter__(self) -> Iterator[Any]:
        if not self._sinks:
            yield from super().__iter__()
            return
        self._held()
        left, alone = super().sink_size(), True
        while left > 0:
            self._steps = min(1 if alone else self._first_order, left)
            yield ()
            left, alone = left - self._steps, not alone

    def sink_size(self) -> int:
        """Steps of the sink that the loop is at; before the loop, of an epoch."""
        return self._steps or super().sink_size()


__all__ = ["ConvertModelUtils", "ConvertNetUtils", "ModelThor", "ThorDatasetHelper"]
