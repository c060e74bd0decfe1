"""Where the parameters of a model lie: the part of `Model` that compiles to know it."""
from __future__ import annotations

from typing import Any

from mindspore.core import check, context
from mindspore.parallel import running

from .dataset_helper import check_sink_size, checked_dataset


class Layouts:
    """The methods of `Model` that tell how parameters lie over processes."""

    _train_network: Any
    predict_network: Any

    def infer_train_layout(self, train_dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1) -> Any:
        """Compile the training step, and lay its parameters over the processes, without a step.

        Args:
            train_dataset: A pipeline; its first batch tells the shapes.
            dataset_sink_mode, sink_size: Checked; batches are not sunk here.

        Returns:
            What `parameter_layout_dict` says of the training step.

        Raises:
            RuntimeError: The parallel mode does not split programs, or the mode is PyNative.
        """
        check.boolean("Model.infer_train_layout", "dataset_sink_mode", dataset_sink_mode)
        check_sink_size("Model.infer_train_layout", sink_size)
        checked_dataset("Model.infer_train_layout", "train_dataset", train_dataset)
        self._train_network.set_train(True)
        batch = next(iter(train_dataset.create_tuple_iterator(num_epochs=1)))
        return _laid("infer_train_layout", self._train_network, batch)

    def infer_predict_layout(self, *predict_data: Any, skip_backend_compile: bool = False) -> Any:
        """Compile the network for a prediction, without one; parameters lie as a training has laid them.

        Args:
            predict_data: The inputs.
            skip_backend_compile: Checked; how parameters lie is known only when everything is compiled.

        Returns:
            What `parameter_layout_dict` says of the network.

        Raises:
            RuntimeError: The parallel mode does not split programs, or the mode is PyNative.
        """
        check.boolean("Model.infer_predict_layout", "skip_backend_compile", skip_backend_compile)
        self.predict_network.set_train(False)
        return _laid("infer_predict_layout", self.predict_network, predict_data)


def _laid(method: str, cell: Any, inputs: Any) -> dict[str, Any]:
    if not running.active() or context.get_context("mode") != context.GRAPH_MODE:
        raise RuntimeError(f"For 'Model.{method}', programs must be split over several processes: call 'init', "
                           "set_context(mode=GRAPH_MODE) and set_auto_parallel_context(parallel_mode="
                           "'semi_auto_parallel') or 'auto_parallel'.")
    cell.compile(*inputs)
    return cell.parameter_layout_dict
