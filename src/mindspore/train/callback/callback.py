"""The interface of callbacks, what they are told, and the list that `Model` calls."""
from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore.eager.tensor import Tensor
from mindspore.train import watching

MOMENTS = ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")


class _InternalCallbackParam(dict[str, Any]):
    """What `RunContext.original_args()` gives: a dictionary whose keys are attributes, too.

    Training sets `mode`, `network`, `train_network`, `optimizer`, `loss_fn`, `epoch_num`, `batch_num`,
    `cur_epoch_num`, `cur_step_num`, `train_dataset`, `train_dataset_element`, `net_outputs`,
    `list_callback`, `dataset_sink_mode`, `parallel_mode`, `device_number`; evaluation `eval_network`,
    `valid_dataset`, `eval_dataset_element`, `metrics`, `eval_results`.
    """

    def __init__(self, /, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """What a callback gets: the state of the run, and a method to end it.

    Args:
        original_args: The state, a dictionary.

    `first_epoch` is the number of the epochs that earlier runs have done; a callback may set it in `on_train_begin`.

    Raises:
        TypeError: If it is no dictionary.

    Examples:
        >>> context = train.RunContext({"cur_epoch_num": 3})
        >>> context.original_args()["cur_epoch_num"], context.get_stop_requested()
        (3, False)
        >>> context.request_stop()
        >>> context.get_stop_requested()
        True
    """

    def __init__(self, original_args: dict[str, Any]):
        if not isinstance(original_args, dict):
            raise TypeError("The argument 'original_args' of RunContext should be dict type, but got "
                            f"{type(original_args)}.")
        self._original_args = original_args
        self._stop_requested = False
        self.first_epoch = 0

    def original_args(self) -> Any:
        """The state of the run."""
        return self._original_args

    def request_stop(self) -> None:
        """Let the run end after this step."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether the run was asked to end."""
        return self._stop_requested


class Callback:
    """Functions that `Model` calls at the beginning and end of a run, of its epochs and its steps.

    A subclass overrides `on_train_begin`, `on_train_epoch_begin`, `on_train_step_begin`, their
    `..._end` and the same with `eval`; or, as before 2.0, `begin`, `epoch_begin`, `step_begin`,
    `step_end`, `epoch_end`, `end`, which then serve training and evaluation.  An evaluation inside
    `Model.fit` does not call these older ones.

    Examples:
        >>> class Steps(train.Callback):
        ...     count = 0
        ...     def on_train_step_end(self, run_context):
        ...         self.count += 1
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
        >>> net, steps = nn.Dense(3, 2), Steps()
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
        >>> model.train(1, data.batch(2), callbacks=steps)
        >>> steps.count
        2
    """

    def __enter__(self) -> Callback:
        return self

    def __exit__(self, *err: Any) -> None:
        """What follows the run, also one that failed: then `err` holds the exception."""

    def begin(self, run_context: RunContext) -> None:
        """Called once before the run."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Called before each epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """Called after each epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Called before each step."""

    def step_end(self, run_context: RunContext) -> None:
        """Called after each step."""

    def end(self, run_context: RunContext) -> None:
        """Called once after the run."""


def _train_hook(moment: str) -> Any:
    def hook(self: Callback, run_context: RunContext) -> None:
        getattr(self, moment)(run_context)
    hook.__doc__ = f"In training: `{moment}`, unless overridden."
    return hook


def _eval_hook(moment: str) -> Any:
    def hook(self: Callback, run_context: RunContext) -> None:
        if "train_network" not in run_context.original_args():
            getattr(self, moment)(run_context)
    hook.__doc__ = f"In an evaluation of its own: `{moment}`, unless overridden."
    return hook


for _moment in MOMENTS:
    for _phase, _make in (("train", _train_hook), ("eval", _eval_hook)):
        _hook = _make(_moment)
        _hook.__name__ = f"on_{_phase}_{_moment}"
        _hook.__qualname__ = f"Callback.{_hook.__name__}"
        setattr(Callback, _hook.__name__, _hook)


class _CallbackManager(Callback):
    """A list of callbacks as one: every moment is handed to each in order.

    Args:
        callbacks: A callback, a list of them, or None.

    Raises:
        TypeError: If something else is given.
    """

    def __init__(self, callbacks: Any):
        self._callbacks: list[Callback] = []
        if isinstance(callbacks, Callback):
            self._callbacks = [callbacks]
        elif callbacks is not None:
            if not isinstance(callbacks, (list, tuple)):
                raise TypeError("The 'callbacks' is not a Callback or a list of Callback.")
            for each in callbacks:
                if not isinstance(each, Callback):
                    raise TypeError("When the 'callbacks' is a list, the elements in 'callbacks' must be "
                                    f"Callback functions, but got {type(each).__name__}.")
                self._callbacks.append(each)

    @property
    def callbacks(self) -> list[Callback]:
        """The callbacks."""
        return self._callbacks

    def __enter__(self) -> _CallbackManager:
        self._stack = ExitStack()
        for each in self._callbacks:
            self._stack.enter_context(each)
        return self

    if TYPE_CHECKING:  # the moments, added below
        def __getattr__(self, name: str) -> Any: ...

    def __exit__(self, *err: Any) -> bool | None:
        return self._stack.__exit__(*err)


def _forward(name: str) -> Any:
    def hook(self: _CallbackManager, run_context: RunContext) -> None:
        for each in self._callbacks:
            if watching.observers:
                watching.told(watching.CALLBACK, type(each).__name__, getattr(each, name), run_context)
            else:
                getattr(each, name)(run_context)
    hook.__doc__ = f"`{name}` of every callback."
    return hook


for _name in (*MOMENTS, *[f"on_{p}_{m}" for m in MOMENTS for p in ("train", "eval")]):
    setattr(_CallbackManager, _name, _forward(_name))


def loss_of(outputs: Any) -> float | None:
    """The mean of a step's loss: of its output, or of the first of several; None if there is none."""
    if isinstance(outputs, (tuple, list)) and outputs:
        outputs = outputs[0]
    if isinstance(outputs, Tensor) and outputs.shape == ():
        return float(outputs.asnumpy())
    if isinstance(outputs, (int, float)) and not isinstance(outputs, bool):
        return float(outputs)
    if isinstance(outputs, Tensor):
        return float(np.mean(outputs.asnumpy()))
    return None


def _handle_loss(loss: Any) -> Any:
    """The loss as a number: the mean of a tensor, or of the first of several."""
    found = loss_of(loss)
    if found is None:
        raise TypeError(f"The loss must be a Tensor, or a tuple or list that begins with one, but got "
                        f"{type(loss).__name__}.")
    return found


def step_in_epoch(now: Any) -> int:
    """The number of the current step within its epoch, from 1."""
    return (now.cur_step_num - 1) % now.batch_num + 1


def set_learning_rate(parameter: Any, value: float) -> None:
    """Write a learning rate into the parameter that holds it."""
    parameter.set_data(Tensor(np.full(parameter.shape, value), parameter.dtype))
