"""Values of calls for torch: the language of `values.py`."""
from __future__ import annotations

import torch
from values import array, numbers, short

HOMES = {"mint.nn.functional": "nn.functional", "mint.nn": "nn", "mint.linalg": "linalg", "mint.special": "special",
         "mint": ""}


def found(path):
    """The object of torch that a public path of `mint` means."""
    folder, name = path.removeprefix("mindspore.").rsplit(".", 1)
    at = torch
    for part in filter(None, [*HOMES[folder].split("."), name]):
        at = getattr(at, part)
    return at


def decoded(value):
    """The value that a description means."""
    if isinstance(value, list):
        return [decoded(x) for x in value]
    if not isinstance(value, dict):
        return value
    if "t" in value:
        return torch.tensor(array(value)).to(getattr(torch, value["t"]))
    (kind, content), = value.items()
    return {"tuple": lambda: tuple(decoded(content)), "dtype": lambda: getattr(torch, content.rstrip("_")),
            "f": lambda: float(content), "c": lambda: complex(*content)}[kind]()


def flat(value):
    """The tensors of a result in one list."""
    return [x for item in value for x in flat(item)] if isinstance(value, (tuple, list)) else [value]


def described(out):
    """What a result is, as JSON."""
    if isinstance(out, torch.Tensor):
        name = str(out.dtype).removeprefix("torch.")
        content = out.detach().resolve_conj().resolve_neg()
        content = content.float() if name == "bfloat16" else content
        return {"t": name, "s": list(out.shape), "v": numbers(content.numpy())}
    if isinstance(out, (tuple, list)):
        return {"tuple": [described(x) for x in out]}
    return {"float": short(out)} if isinstance(out, float) else out
