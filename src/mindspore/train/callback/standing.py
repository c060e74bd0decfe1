"""Where a training stands, as entries of a checkpoint beside its parameters."""
from __future__ import annotations

import json
from typing import Any

from mindspore.core import log
from mindspore.eager.generator import default_generator, set_rng_state

from .monitoring import Monitoring

RANDOM_STATE = "random_state"
MONITORS = "monitors"


def entries(now: Any) -> dict[str, Any]:
    """Epochs, steps, steps of an epoch, the state of the random numbers, and what callbacks that monitor have found."""
    monitors = _monitors(now)
    kept = {f"{MONITORS}.{k}.{name}": value for k, one in enumerate(monitors) for name, value in one.kept().items()}
    return {**({MONITORS: json.dumps([one.standing() for one in monitors])} if monitors else {}), **kept,
            "epoch_num": now.cur_epoch_num, "step_num": now.cur_step_num, "batch_num": now.batch_num,
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
    take_up_monitors(run_context, saved)


def _monitors(now: Any) -> list[Monitoring]:
    return [callback for callback in now.get("list_callback") or () if isinstance(callback, Monitoring)]


def take_up_monitors(run_context: Any, saved: dict[str, Any]) -> None:
    """Let the callbacks that monitor a value go on with what they had found at the checkpoint."""
    found = json.loads(str(saved.get(MONITORS, "[]")))
    monitors = _monitors(run_context.original_args())
    if [monitor.standing().keys() for monitor in monitors] != [values.keys() for values in found]:
        log.warning("The checkpoint holds what %d callbacks that monitor a value had found, but this training has %d, "
                    "or others: they begin anew.", len(found), len(monitors))
        return
    for k, (monitor, values) in enumerate(zip(monitors, found, strict=True)):
        prefix = f"{MONITORS}.{k}."
        monitor.take_up(values, {name.removeprefix(prefix): value for name, value in saved.items()
                                 if name.startswith(prefix)})
    run_context.taken_up = monitors
