"""Calls whose results were observed in MindSpore 2.10 on a CPU: what they are given, and results in a few words.

A line of a table is a call and what came of it: `ops.softmin(x, 1) => f4[2,3,4] 0.81237 24`. The numbers are the sum
of the elements, each weighted by another number, and that of their absolute values; then follow those of the gradients
by the inputs of floating point. A call that failed has the word `error`. Both programs can import this module.
"""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
import mindspore.experimental.optim
import mindspore.numpy
import mindspore.scipy.linalg
from mindspore import Tensor, mint, nn, ops

_RNG = np.random.RandomState(11)


def _some(*shape: int) -> np.ndarray:
    return np.round(_RNG.standard_normal(shape), 3).astype(np.float32)


ARRAYS = {
    "x": _some(2, 3, 4), "y": _some(2, 3, 4), "m": _some(3, 4), "n": _some(4, 5), "v": _some(4), "w": _some(3),
    "image": _some(2, 4, 5, 6), "line": _some(2, 4, 7), "volume": _some(2, 2, 4, 5, 6), "batch": _some(2, 4, 5),
    "p": np.abs(_some(2, 3, 4)) + 0.2, "u": (_RNG.permutation(24).reshape(2, 3, 4) / 25 + 0.02).astype(np.float32),
    "i": _RNG.randint(-5, 6, (2, 3, 4)).astype(np.int32), "k": _RNG.randint(1, 6, (2, 3, 4)).astype(np.int32),
    "j": np.array([2, 0, 1], np.int32), "labels": np.array([1, 0, 3], np.int32),
    "b": _RNG.rand(2, 3, 4) > 0.5, "c": _RNG.rand(2, 3, 4) > 0.5, "row": _some(1, 5),
    "nans": np.array([[1.5, np.nan, -np.inf], [np.inf, -0.0, 2.0]], np.float32),
    "ties": np.array([[2.0, -1.0, 2.0, 0.5], [0.5, 0.5, -1.0, 3.0], [2.0, 2.0, 2.0, -3.0]], np.float32),
    "places": np.array([[1, 2], [0, 3], [1, 2]], np.int32), "signs": np.sign(_some(2, 3, 4)),
    "z": (_some(2, 3) + 1j * _some(2, 3)).astype(np.complex64), "t": _some(3, 4), "one": _some(2, 4),
    "other": _some(2, 4), "gray": np.abs(_some(1, 1, 13, 14)), "dark": np.abs(_some(1, 1, 13, 14)) * 0.5,
}
_SPD = _some(3, 3)
ARRAYS["spd"] = (_SPD @ _SPD.T + 2 * np.eye(3)).astype(np.float32)


def tensors() -> dict[str, Any]:
    """New tensors of the arrays."""
    return {name: Tensor(array) for name, array in ARRAYS.items()}


def _weights(count: int) -> np.ndarray:
    return np.cos(0.7 * np.arange(count) + 0.3) + 0.2


def leaves(value: Any) -> list[Any]:
    """The tensors and numbers of a result."""
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None else [value]


def told(value: Any) -> str:
    """A result in a few words."""
    if isinstance(value, (bool, int, float, str)):
        return repr(value)
    if not isinstance(value, Tensor):
        return type(value).__name__
    a = value.asnumpy() if value.dtype != ms.bfloat16 else value.astype(ms.float32).asnumpy()
    kind = str(a.dtype.kind) + str(a.dtype.itemsize)
    flat = a.reshape(-1)
    if flat.dtype.kind == "c":
        flat = np.concatenate([flat.real, flat.imag])
    flat = np.nan_to_num(flat.astype(np.float64), nan=17.0, posinf=19.0, neginf=-19.0)
    size = ",".join(map(str, a.shape))
    return f"{kind}[{size}] {(flat * _weights(flat.size)).sum():.7g} {np.abs(flat).sum():.5g}"


_filled: list[Any] = []


def fill(cell: Any) -> Any:
    """The cell with known numbers in its parameters."""
    _filled.append(cell)
    for number, p in enumerate(sorted(cell.get_parameters(), key=lambda p: p.name)):
        values = np.cos(np.arange(p.size) * 1.3 + number).reshape(p.shape) * 0.6
        if "variance" in p.name:
            values = np.abs(values) + 0.5
        p.set_data(Tensor(values.astype(np.float32)).astype(p.dtype))
    return cell


def stepped(kind: Any, groups: int = 0, **options: Any) -> list[Any]:
    """Parameters after three steps of an optimizer, of one group or of some with options of their own."""
    net = nn.SequentialCell(nn.Dense(4, 3), nn.Dense(3, 2, has_bias=False))
    parameters = fill(net).trainable_params()
    given: Any = parameters
    if groups:
        given = [{"params": parameters[:1], "lr": 0.3}, {"params": parameters[1:2], "weight_decay": 0.2},
                 {"params": parameters[2:]}][:3]
    if groups == 2:
        given.append({"order_params": parameters[::-1]})
    optimizer = kind(given, **options)
    for step in range(3):
        optimizer(tuple(Tensor((np.cos(np.arange(p.size) * 0.9 + step + i) * 0.4).reshape(p.shape).astype(np.float32))
                        for i, p in enumerate(optimizer.parameters)))
    return [p.value() for p in parameters]


def trained(kind: Any, groups: int = 0, schedule: Any = None, steps: int = 4, **options: Any) -> list[Any]:
    """Parameters and rates after steps of an optimizer of `experimental` or `mint`, of one group or of three.

    A schedule makes rates of the optimizer; it takes a step behind each of the optimizer's.
    """
    net = nn.SequentialCell(nn.Dense(4, 3), nn.Dense(3, 2, has_bias=False))
    parameters = fill(net).trainable_params()
    given: Any = [{"params": parameters[:1], "lr": 0.3}, {"params": parameters[1:2], "weight_decay": 0.2},
                  {"params": parameters[2:]}]
    optimizer = kind(given if groups else parameters, **options)
    following = schedule(optimizer) if schedule else None
    rates = []
    for step in range(steps):
        optimizer(tuple(Tensor((np.cos(np.arange(p.size) * 0.9 + step + i) * 0.4).reshape(p.shape).astype(np.float32))
                        for i, p in enumerate(parameters)))
        if following is not None:
            following.step(*([1.0, 0.9, 0.95, 0.96, 0.97, 0.9][step % 6] for _ in range("metrics" in following.step
                           .__code__.co_varnames)))
        rates += [float(group["lr"].asnumpy() if hasattr(group["lr"], "asnumpy") else group["lr"])
                  for group in optimizer.param_groups]
    return [*[p.value() for p in parameters], Tensor(np.array(rates, np.float32))]


def rated(schedule: Any, steps: int = 9) -> Any:
    """The rates of a list, or those that a schedule gives for the first steps."""
    if isinstance(schedule, list):
        return Tensor(np.array(schedule, np.float32))
    return Tensor(np.array([float(schedule(Tensor(step, ms.int32)).asnumpy()) for step in range(steps)], np.float32))


def measured(metric: Any, *updates: Any) -> list[Any]:
    """What a metric says after some updates, and after it was cleared after the last one again."""
    found = []
    for some in (updates, updates[-1:]):
        metric.clear()
        for given in some:
            metric.update(*given)
        found += [float(x) for x in np.asarray(metric.eval(), np.float64).reshape(-1)]
    return [round(x, 5) for x in found]


def _scalar(value: Any) -> Any:
    total = 0
    for leaf in leaves(value):
        if isinstance(leaf, Tensor) and leaf.dtype in (ms.float16, ms.float32, ms.float64):
            flat = leaf.reshape(-1).astype(ms.float32)
            total = total + (flat * Tensor(_weights(flat.shape[0]).astype(np.float32))).sum()
    return total


SPACE: dict[str, Any] = {
    "ms": ms, "ops": ops, "nn": nn, "mint": mint, "np": np, "Tensor": Tensor, "fill": fill, "stepped": stepped,
    "measured": measured, "trained": trained, "rated": rated, "optim": mindspore.experimental.optim,
    "schedules": mindspore.experimental.optim.lr_scheduler, "mnp": mindspore.numpy,
    "functional": mint.nn.functional, "linalg": mindspore.scipy.linalg,
}


def outcome(call: str) -> str:
    """What comes of a call, and of its gradients."""
    names, space = tensors(), SPACE
    _filled.clear()
    try:
        found = eval(call, {**space, **names})
        words = [told(leaf) for leaf in leaves(found)]
        if ".set_train(" in call:
            words += ["then", *[told(p.value()) for p in sorted(_filled[0].get_parameters(), key=lambda p: p.name)
                                if p.requires_grad is False]]
    except Exception as error:     # whatever it is: its class is compared
        return f"error {next(c.__name__ for c in type(error).__mro__ if c.__module__ == 'builtins')}"
    code = compile(call, "call", "eval")
    given = [n for n in names if n in code.co_names and names[n].dtype == ms.float32]
    if given and any(isinstance(leaf, Tensor) and leaf.dtype == ms.float32 for leaf in leaves(found)):
        def run(*values: Any) -> Any:
            return _scalar(eval(code, {**space, **names, **dict(zip(given, values, strict=True))}))
        try:
            slopes = ms.grad(run, tuple(range(len(given))))(*[names[n] for n in given])
            words += ["by", *[told(leaf) for leaf in leaves(slopes)]]
        except Exception:      # whatever it is: the original said the same, or the call is not in the table
            words += ["by error"]
    return " ".join(words)


def agree(one: str, other: str, tolerance: float = 1e-4) -> bool:
    """Whether the second outcome is the first but for rounding; `error` alone is one of any class."""
    if other == "error":
        return one.startswith("error")
    if one.startswith("error") or other.startswith("error"):
        return one == other
    mine, wanted = one.split(), other.split()
    if "by" not in wanted:         # of which the original has no gradients
        mine = mine[:mine.index("by")] if "by" in mine else mine
    if len(mine) != len(wanted):
        return False
    for at, (a, b) in enumerate(zip(mine, wanted, strict=True)):
        try:
            a, b = float(a), float(b)
        except ValueError:
            if a != b:
                return False
            continue
        before = wanted[at - 1]
        scale = abs(b) if at < 2 or "[" not in before else float(wanted[at + 1])
        half = 30 if before.startswith("f2") or (at > 1 and wanted[at - 2].startswith("f2")) else 1
        if abs(a - b) > half * tolerance * scale + 1e-6:
            return False
    return True


def by_name(file: str) -> dict[str, dict[str, str]]:
    """The calls of a table with what came of them, by the name of the function or cell."""
    found: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name(file).read_text().splitlines():
        call, _, wanted = line.partition(" => ")
        name = re.search(r"(?:ops|\bnn|optim)\.(\w+)", call) or re.search(r"\.(\w+)\(", call)
        assert name is not None
        found.setdefault(name[1], {})[call] = wanted
    return found


def differences(calls: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The calls of which something else comes."""
    found = {call: (outcome(call), wanted) for call, wanted in calls.items()}
    return {call: pair for call, pair in found.items() if not agree(*pair)}
