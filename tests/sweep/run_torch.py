"""Makes the calls of `mint.py` with torch, whose signatures are the same, and writes down what comes of each.

    python tests/sweep/run_torch.py CALLS.jsonl OUT.jsonl

Calls whose name or arguments torch does not know are left out; so are those it refuses, as its errors have classes of
their own.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent))

import derived
import torch_values as values

FLOATS = torch.float16, torch.float32, torch.float64, torch.bfloat16


def weighted(found):
    """The sum of the elements of all tensors of floats, each with a factor of its own (see `derived.py`)."""
    total = 0
    for x in values.flat(found):
        if isinstance(x, torch.Tensor) and x.dtype in FLOATS and x.requires_grad:
            factors = 1 + 0.5 * np.cos(1.3 * np.arange(x.numel()))
            total = total + (x * torch.tensor(factors.reshape(tuple(x.shape)).astype(np.float32)).to(x.dtype)).sum()
    return total


def fill(module, which):
    """Known numbers in the parameters of a module (see `derived.py`)."""
    known = [(name, p) for name, p in module.named_buffers() if name.startswith("running")]
    for name, p in [*module.named_parameters(), *known]:
        if p.dtype in FLOATS and (which == "all" or len(p.unique()) > 1):
            with torch.no_grad():
                p.copy_(torch.tensor(derived.weights(name, tuple(p.shape))))


def outcome(call):
    """What comes of a call, as JSON."""
    function = values.found(call["api"])
    module = None
    if call["how"] == "cell":
        init = call["init"]
        function = module = function(*values.decoded(init[0]), **{k: values.decoded(v) for k, v in init[1].items()})
        fill(module, call["fill"])
        module.train(call.get("train", False))
    args = values.decoded(call["args"])
    kwargs = {k: values.decoded(v) for k, v in call["kwargs"].items()}
    watched = [x.requires_grad_() for x in args if isinstance(x, torch.Tensor) and x.dtype in FLOATS]
    out = function(*args, **kwargs)
    told = {"out": values.described(out)}
    weights = list(module.parameters()) if module is not None else []
    total = weighted(out)
    if isinstance(total, torch.Tensor) and (watched or weights):
        found = torch.autograd.grad(total, [*watched, *weights], allow_unused=True)
        found = [torch.zeros_like(x) if g is None else g for g, x in zip(found, [*watched, *weights], strict=True)]
        told["grads"] = {"flat": [values.described(g) for g in found]}
    return told


def main(calls, path):
    with open(path, "w") as file:
        for call in calls:
            try:
                told = outcome(call)
            except Exception as error:  # torch refuses what it knows no meaning for
                told = {"error": "Exception", "classes": ["Exception"], "says": str(error)[:120]}
            file.write(json.dumps({"id": call["id"], **told}) + "\n")


if __name__ == "__main__":
    torch.manual_seed(3)
    main(map(json.loads, Path(sys.argv[1]).read_text().splitlines()), sys.argv[2])
