"""Between a dataset and a training step: batches, pass after pass, and sinks of several steps."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore.core import check
from mindspore.nn import Cell

from . import watching


def checked_dataset(owner: Any, name: str, dataset: Any) -> Any:
    """A dataset, or what reads like one.  TypeError for anything else."""
    for method in ("get_dataset_size", "create_tuple_iterator"):
        if not callable(getattr(dataset, method, None)):
            raise check.fail(TypeError, owner, name, "a dataset of 'mindspore.dataset'", dataset)
    return dataset


class Batches:
    """The batches of a dataset as tuples, pass after pass.

    Args:
        dataset: The dataset.
        passes: The number of passes; -1 for no end.
        queued: Take them from a queue that is filled from now on (`device_que`), if the dataset has one.
    """

    def __init__(self, dataset: Any, passes: int = -1, queued: bool = False):
        self._pass: Iterator[Any] | None = None
        self._ahead: deque[list[Any]] = deque()         # taken, and given back
        self.queue = _queue_of(dataset, queued)
        if self.queue is None:
            self._iterator = dataset.create_tuple_iterator(num_epochs=passes)
        else:
            self.queue.release()
            self.queue.send(passes)

    def one_pass(self) -> Iterator[list[Any]]:
        """The batches of the next pass."""
        return iter(self._iterator) if self.queue is None else self.queue.rows()

    def next(self) -> list[Any]:
        """The next batch; a new pass begins where one ends."""
        if self._ahead:
            return self._ahead.popleft()
        if self._pass is None:
            self._pass = self.one_pass()
        batch = next(self._pass, None)
        if batch is None:
            self._pass = self.one_pass()
            batch = next(self._pass, None)
        if batch is None:
            raise ValueError("The dataset gives no batch: a training needs one at least.")
        return batch

    def several(self, most: int) -> list[list[Any]]:
        """The next batch, and those behind it that are ready."""
        found = [self.next()]
        while len(found) < most and (self._ahead or (self.queue is not None and self.queue.get_mbuf_queue_size())):
            found.append(self.next())
        return found

    def give_back(self, batches: Sequence[list[Any]]) -> None:
        """Let batches that were taken last be the next ones again."""
        self._ahead.extendleft(reversed(batches))

    def stop(self) -> None:
        """End the threads of the pipeline."""
        if self.queue is not None:
            self.queue.stop_send()
        elif hasattr(self._iterator, "stop"):
            self._iterator.stop()

    def go_on(self) -> None:
        """Begin the threads again after `stop`, where the batches ended."""
        if self.queue is not None:
            self.queue.continue_send()
            self._pass = None


def _queue_of(dataset: Any, queued: bool) -> Any:
    """The queue to take batches from; None for what only reads like a dataset, or has iterators of its own."""
    from mindspore.dataset import (  # loaded already by who has one, else not needed
        Dataset,
        TransferDataset,
    )

    if isinstance(dataset, TransferDataset):
        return dataset
    own = getattr(type(dataset), "create_tuple_iterator", None) is not Dataset.create_tuple_iterator
    return None if own or not queued else dataset.device_que()


class DatasetHelper:
    """Loops over the batches of a dataset for programs that write their own training.

    With sink, a pass of the loop is `sink_size` steps: it yields no inputs, and the network
    of `connect_network_with_dataset` takes them from here.

    Args:
        dataset: The dataset.
        dataset_sink_mode: Whether a pass is several steps.
        sink_size: Steps of a sink; -1 for one pass over the dataset.
        epoch_num: Passes over the dataset.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `sink_size` is neither -1 nor positive.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 2), np.float32)}).batch(2)
        >>> [x.shape for (x,) in train.DatasetHelper(data, dataset_sink_mode=False)]
        [(2, 2), (2, 2)]
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1,
                 epoch_num: int = 1):
        self.dataset = checked_dataset(self, "dataset", dataset)
        self._sinks = check.boolean(self, "dataset_sink_mode", dataset_sink_mode)
        check_sink_size(self, sink_size)
        self._size = sink_size
        self._epochs = check.positive_int(self, "epoch_num", epoch_num)
        self._batches: Batches | None = None

    def __iter__(self) -> Iterator[Any]:
        if not self._sinks:
            return self._held().one_pass()
        self._held()
        return iter([()])

    def _held(self) -> Batches:
        if self._batches is None:
            passes = -1 if self._sinks else self._epochs
            self._batches = Batches(self.dataset, passes, self._sinks)
        return self._batches

    def next_batch(self) -> list[Any]:
        """The next batch of a sink."""
        return self._held().next()

    def sink(self, step: Callable[..., Any]) -> Any:
        """What a step gives for the last batch of a sink."""
        return sunk(step, self._held(), self.sink_size())[0]

    def sink_size(self) -> int:
        """Steps of one pass of the loop."""
        if not self._sinks:
            return 1
        return self.dataset.get_dataset_size() if self._size == -1 else self._size

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """Types and shapes of the columns of a batch."""
        return self.dataset.output_types(), self.dataset.output_shapes()

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """Types and shapes of the columns of a batch."""
        return self.types_shapes()

    def stop_send(self) -> None:
        """End the threads of the pipeline."""
        if self._batches is not None:
            self._batches.stop()

    def release(self) -> None:
        """End the threads of the pipeline; the next loop begins anew."""
        self.stop_send()
        self._batches = None

    def continue_send(self) -> None:
        """Begin the threads again after `stop_send`: the next sink continues where the last one ended."""
        if self._batches is not None:
            self._batches.go_on()

    def get_mbuf_queue_size(self) -> int:
        """Number of batches that are ready for the next sink."""
        queue = None if self._batches is None else self._batches.queue
        return 0 if queue is None else queue.get_mbuf_queue_size()

    def get_send_info(self, run_context: Any = None) -> tuple[int, float, float]:
        """Batches of the sinks so far, seconds that workers spent on them, seconds that the sinks waited for them.

        The queue itself keeps count, so that the `run_context` is not looked at.
        """
        queue = None if self._batches is None else self._batches.queue
        return (0, 0.0, 0.0) if queue is None else queue.get_send_info()


def sunk(step: Callable[..., Any], batches: Batches, count: int,
         check: Callable[[Any], None] | None = None) -> tuple[Any, Any]:
    """Run a step on the next batches: in native code those that can be, as far as they are ready.

    Args:
        step: What is called with each.
        batches: Where they come from.
        count: How many steps.
        check: Called with the inputs of the first step.

    Returns:
        What the step gave for the last batch, and that batch.
    """
    from mindspore.compiler.sinking import Steps  # the compiler is loaded when it is needed

    steps = Steps(step)
    out = batch = None
    while count:
        ahead = watching.told(watching.ROWS, "next", batches.several, min(count, steps.most))
        try:
            if check is not None:
                check(ahead[0])
                check = None
            out = steps.run(ahead)
        finally:
            batches.give_back(ahead[steps.done:])
        count -= steps.done
        batch = ahead[steps.done - 1]
    return out, batch


def check_sink_size(owner: Any, sink_size: Any) -> None:
    """Raise unless the size of a sink is -1 or positive."""
    check.integer(owner, "sink_size", sink_size)
    if sink_size != -1 and sink_size < 1:
        raise ValueError(f"For '{check.name_of(owner)}', the 'sink_size' must be -1 or positive, but got "
                         f"{sink_size}.")


class _Connected(Cell):
    """A network that takes its inputs from a helper, for as many steps as a sink has."""

    def __init__(self, network: Cell, helper: DatasetHelper):
        super().__init__(auto_prefix=False)
        self.network = network
        self.__dict__["helper"] = helper

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.helper.sink(self.network)


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> Cell:
    """The network; for a helper with sink, one that takes its inputs from the helper.

    Args:
        network: The network.
        dataset_helper: The helper.

    Raises:
        TypeError: If `dataset_helper` is no DatasetHelper.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 2), np.float32)}).batch(2)
        >>> helper = train.DatasetHelper(data, dataset_sink_mode=True)
        >>> network = train.connect_network_with_dataset(nn.ReLU(), helper)
        >>> [network().shape for _ in helper]
        [(2, 2)]
    """
    check.instance("connect_network_with_dataset", "network", network, Cell)
    check.instance("connect_network_with_dataset", "dataset_helper", dataset_helper, DatasetHelper)
    return _Connected(network, dataset_helper) if dataset_helper._sinks else network


def data_sink(fn: Callable[..., Any], dataset: Any, sink_size: int = 1, jit_config: Any = None,
              input_signature: Any = None) -> Callable[[], Any]:
    """A function that calls `fn` on the next `sink_size` batches and returns its last result.

    Args:
        fn: The function of a step.
        dataset: Where its inputs come from, pass after pass.
        sink_size: Steps of one call.
        jit_config: Options for compiling `fn`; with them `fn` is compiled.
        input_signature: Tensors in place of the inputs when `fn` is compiled.

    Raises:
        TypeError: If `fn` cannot be called, `dataset` is no dataset or `sink_size` no int.
        ValueError: If `sink_size` is not positive.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False).batch(1)
        >>> step = train.data_sink(lambda x: x * 10, data)
        >>> print(step(), step())
        [10.] [20.]
    """
    if not callable(fn):
        raise check.fail(TypeError, "data_sink", "fn", "a function", fn)
    checked_dataset("data_sink", "dataset", dataset)
    check.positive_int("data_sink", "sink_size", sink_size)
    step = fn
    if jit_config is not None or input_signature is not None:
        from mindspore.compiler.jit import jit  # the compiler is loaded when it is needed

        step = jit(fn, input_signature=input_signature, jit_config=jit_config)
    batches = Batches(dataset, queued=True)

    def sink() -> Any:
        return sunk(step, batches, sink_size)[0]
    return sink
