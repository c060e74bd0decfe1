"""A callback made of functions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .callback import Callback

_Hook = Callable[[Any], Any] | None


class LambdaCallback(Callback):
    """Calls the given functions; each takes the run context.

    Args:
        on_train_epoch_begin, on_train_epoch_end, on_train_step_begin, on_train_step_end: What is called at that
            moment of a training; None for nothing.
        on_train_begin, on_train_end: The same before and behind the whole of it.
        on_eval_epoch_begin, on_eval_epoch_end, on_eval_step_begin, on_eval_step_end: The same of an evaluation.
        on_eval_begin, on_eval_end: The same before and behind the whole of it.

    Raises:
        TypeError: If one cannot be called.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))).batch(2)
        >>> told = train.LambdaCallback(on_train_epoch_end=lambda run: print(run.original_args().cur_epoch_num))
        >>> model.train(2, rows, callbacks=[told])
        1
        2
    """

    def __init__(self, on_train_epoch_begin: _Hook = None, on_train_epoch_end: _Hook = None,
                 on_train_step_begin: _Hook = None, on_train_step_end: _Hook = None,
                 on_train_begin: _Hook = None, on_train_end: _Hook = None,
                 on_eval_epoch_begin: _Hook = None, on_eval_epoch_end: _Hook = None,
                 on_eval_step_begin: _Hook = None, on_eval_step_end: _Hook = None,
                 on_eval_begin: _Hook = None, on_eval_end: _Hook = None):
        given = {name: hook for name, hook in locals().items() if name.startswith("on_")}
        for name, hook in given.items():
            if hook is not None and not callable(hook):
                raise TypeError(f"For 'LambdaCallback', the '{name}' must be a function, but got "
                                f"{hook!r} with type '{type(hook).__name__}'.")
            if hook is not None:
                setattr(self, name, hook)
