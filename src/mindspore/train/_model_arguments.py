"""What `Model` asks of the arguments of its runs."""
from __future__ import annotations

from typing import Any

from mindspore.core import check

from .dataset_helper import check_sink_size, checked_dataset


def check_without_optimizer(amp_level: Any, loss_scale_manager: Any) -> None:
    """Raise if there is an option of a step's precision, but no optimizer, without which there is no step."""
    check.option("Model", "amp_level", amp_level, ("O0", "O1", "O2", "O3", "auto"))
    for name, value in (("amp_level", amp_level), ("loss_scale_manager", loss_scale_manager)):
        if value not in (None, "O0"):
            raise ValueError(f"For 'Model', the argument 'optimizer' can not be None when '{name}' is set, but got "
                             f"{value!r}: it is an option of a training step. Call 'amp.auto_mixed_precision' for a "
                             "network alone.")


def check_run(owner: str, epoch: Any, dataset: Any, sink: Any, sink_size: Any, initial_epoch: Any) -> None:
    """Raise unless a training can have these arguments."""
    check.positive_int(owner, "epoch", epoch)
    check.boolean(owner, "dataset_sink_mode", sink)
    check_sink_size(owner, sink_size)
    check.non_negative_int(owner, "initial_epoch", initial_epoch)
    if initial_epoch >= epoch:
        raise ValueError(f"For '{owner}', the parameter 'epoch' must bigger than parameter "
                         f"'initial_epoch', but got the parameter 'epoch' is {epoch}, 'initial_epoch' "
                         f"is {initial_epoch}.")
    checked_dataset(owner, "train_dataset", dataset)


def check_validation(dataset: Any, frequency: Any, metrics: Any) -> None:
    """Raise unless the epochs of `fit` can end with evaluations on the dataset."""
    checked_dataset("Model.fit", "valid_dataset", dataset)
    for epoch in frequency if isinstance(frequency, list) else [frequency]:
        check.positive_int("Model.fit", "valid_frequency", epoch)
    if not metrics:
        raise ValueError("For 'Model.fit', a 'valid_dataset' needs metrics: give the model the argument 'metrics'.")


def batches_of_an_epoch(dataset: Any, sink: bool, sink_size: int) -> int:
    """How many steps an epoch has.  ValueError: the dataset has no batch."""
    size = dataset.get_dataset_size()
    if size == 0:
        raise ValueError("For 'Model', the dataset has no batch. A 'batch_size' above the number of rows leaves none "
                         "with drop_remainder=True.")
    return sink_size if sink and sink_size != -1 else size
