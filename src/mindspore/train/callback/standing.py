"""Where a training stands, as entries of a checkpoint beside its parameters."""
from __future__ import annotations

from typing import Any

from mindspore.core import log
from mindspore.eager.generator import default_generator, set_rng_state

RANDOM_STATE = "random_state"


def entries(now: Any) -> dict[str, Any]:
    """Epochs, steps, steps of an epoch, and the state of the random numbers, by name."""
    return {"epoch_num": now.cur_epoch_num, "step_num": now.cur_step_num, "batch_num": now.batch_num,
            RANDOM_STATE: default_generator}


def kept_entries(now: Any) -> dict[str, Any]:
    """The same as values that later steps do not change."""
    return {**entries(now), RANDOM_STATE: default_generator.get_state()}


def restore_random(saved: dict[str, Any]) -> None:
    """Let random numbers go on as they would have after the checkpoint; one without their state changes nothing."""
    if RANDOM_STATE in saved:
        set_rng_state(saved[RANDOM_STATE])


def take_up(run_context: Any, saved: dict[str, Any]) -> None:
    """Let the run that begins go on after the last step of the checkpoint.

    Not if the program has said itself where the run begins, or has batches of another number in an epoch.
    """
    now = run_context.original_args()
    if "step_num" not in saved or getattr(run_context, "first_epoch", 0) or now.cur_step_num:
        return
    steps, size = int(saved["step_num"]), int(saved["batch_num"])
    if size != now.batch_num:
        log.warning("The checkpoint was saved in a training of %d steps in an epoch, but this one has %d: it begins "
                    "with the parameters of the checkpoint at the first step.", size, now.batch_num)
        return
    now.cur_step_num = steps
    run_context.first_epoch = int(saved["epoch_num"]) - bool(steps % size)
    now.initial_step = steps
