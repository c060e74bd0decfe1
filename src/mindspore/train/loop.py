"""The loops of training and evaluation: epochs, steps, sinks, and when callbacks are called."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from . import watching
from .callback import RunContext
from .dataset_helper import Batches, sunk

RESULTS = ("metrics", "eval_results")  # of the evaluation at the end of an epoch: gone when the next one begins


def train(network: Any, context: RunContext, callbacks: Any, epochs: int, sink: bool,
          validate: Callable[[Any], None] | None = None, check: Callable[[Any], None] | None = None) -> None:
    """Run the epochs of a training.

    Args:
        network: The cell of a step.
        context: The state of the run, which this keeps up to date. Its `first_epoch` and `cur_step_num` are what
            earlier runs have done; a callback that takes one up sets them at the beginning.
        callbacks: What is called.
        epochs: The number of the last epoch.
        sink: Whether an epoch is one sink: callbacks see it as one step.
        validate: Called at the end of an epoch, before the callbacks are told that it ends.
        check: Called with the inputs of the first step.
    """
    now = context.original_args()
    run = _sink if sink else _steps
    callbacks.on_train_begin(context)
    first = context.first_epoch
    if first >= epochs:  # an earlier run has done them all
        now.cur_epoch_num = first
    with _begun(now.train_dataset, now.cur_step_num):
        batches = Batches(now.train_dataset, -1 if sink else max(1, epochs - first), sink)
        try:
            for epoch in range(first, epochs):
                now.cur_epoch_num = epoch + 1
                callbacks.on_train_epoch_begin(context)
                run(network, context, callbacks, batches, check)
                check = None
                if validate is not None and now.get("net_outputs") is not None:
                    network.set_train(False)
                    validate(context)
                    network.set_train(True)
                callbacks.on_train_epoch_end(context)
                for name in RESULTS:
                    now.pop(name, None)
                if context.get_stop_requested():
                    break
            callbacks.on_train_end(context)
        finally:
            batches.stop()


@contextlib.contextmanager
def _begun(dataset: Any, step: int) -> Iterator[None]:
    """Let iterators of the dataset begin after that many steps."""
    before = initial_step(dataset)
    if before == step:
        yield
        return
    if not hasattr(dataset, "set_init_step"):
        raise ValueError(f"For 'Model.train', a training that is taken up at step {step} needs a dataset that can "
                         f"begin there by 'set_init_step', but got {type(dataset).__name__}.")
    dataset.set_init_step(step)
    try:
        yield
    finally:
        dataset.set_init_step(before)


def initial_step(dataset: Any) -> int:
    """Steps that an iterator of the dataset leaves out, because an earlier run did them."""
    return dataset.get_init_step() if hasattr(dataset, "get_init_step") else 0


def _steps(network: Any, context: RunContext, callbacks: Any, batches: Batches,
           check: Callable[[Any], None] | None) -> None:
    now = context.original_args()
    for batch in watching.rows(batches.one_pass()):
        if check is not None:
            check(batch)
            check = None
        now.cur_step_num += 1
        now.train_dataset_element = batch
        callbacks.on_train_step_begin(context)
        now.net_outputs = network(*batch)
        callbacks.on_train_step_end(context)
        if context.get_stop_requested():
            break


def _sink(network: Any, context: RunContext, callbacks: Any, batches: Batches,
          check: Callable[[Any], None] | None) -> None:
    now = context.original_args()
    callbacks.on_train_step_begin(context)
    now.net_outputs, now.train_dataset_element = sunk(network, batches, now.batch_num, check)
    now.cur_step_num += now.batch_num
    callbacks.on_train_step_end(context)


def evaluate(network: Any, context: RunContext, callbacks: Any, sink: bool,
             update: Callable[[Any], None]) -> None:
    """Run one pass of an evaluation; `update` is called with the outputs of every step."""
    now = context.original_args()
    batches = Batches(now.valid_dataset, 1, sink)
    try:
        callbacks.on_eval_begin(context)
        callbacks.on_eval_epoch_begin(context)
        if sink:
            callbacks.on_eval_step_begin(context)
        for batch in watching.rows(batches.one_pass()):
            now.cur_step_num += 1
            now.eval_dataset_element = batch
            if not sink:
                callbacks.on_eval_step_begin(context)
            now.net_outputs = network(*batch)
            update(now.net_outputs)
            if not sink:
                callbacks.on_eval_step_end(context)
            if context.get_stop_requested():
                break
        if sink:
            callbacks.on_eval_step_end(context)
        callbacks.on_eval_epoch_end(context)
    finally:
        batches.stop()
