"""What comes of an optimizer's steps and of a metric's updates."""
from __future__ import annotations

import numpy as np
import values

import mindspore as ms

SHAPES = {"w": (2, 3), "b": (3,), "c": (2, 2)}
STEPS = 3


def numbers(name, step):
    """The elements of a parameter (step 0) or of its gradient, which follow from the name and the step."""
    size = int(np.prod(SHAPES[name]))
    return np.cos(1.7 * np.arange(size) + len(SHAPES[name]) + 0.9 * step + ord(name)).reshape(SHAPES[name])


def optimizer(call, compiled):
    """The parameters after each step, and what the optimizer holds in the end."""
    dtype = getattr(ms, call.get("dtype", "float32"))
    held = {name: ms.Parameter(ms.Tensor(numbers(name, 0).astype(np.float32)).astype(dtype), name=name)
            for name in SHAPES}
    params = list(held.values())
    if call["groups"] is not None:
        params = [{key: [held[n] for n in value] if "params" in key else values.decoded(value)
                   for key, value in group.items()} for group in call["groups"]]
    args, kwargs = values.decoded(call["init"][0]), {k: values.decoded(v) for k, v in call["init"][1].items()}
    made = values.found(call["api"])(params, *args, **kwargs)
    order = [p.name for p in made.parameters]
    step = ms.jit(lambda *gradients: made(gradients)) if compiled else lambda *gradients: made(gradients)
    told = []
    for k in range(1, STEPS + 1):
        step(*[ms.Tensor(numbers(name, k).astype(np.float32)).astype(dtype) for name in order])
        told.append([values.described(held[name]) for name in SHAPES])
    state = {p.name: values.described(p) for p in made.get_parameters() if p.name not in SHAPES}
    return {"list": [{"list": step} for step in told] + [{"dict": dict(sorted(state.items()))}, {"list": order}]}


def metric(call):
    """What a metric says after one update and after another."""
    init = call["init"]
    made = values.found(call["api"])(*values.decoded(init[0]), **{k: values.decoded(v) for k, v in init[1].items()})
    made.clear()
    told = []
    for _ in range(2):
        made.update(*values.decoded(call["args"]), **{k: values.decoded(v) for k, v in call["kwargs"].items()})
        found = made.eval()
        told.append(values.described(float(found) if isinstance(found, float) else found))      # one of NumPy is one
    return {"list": told}
