"""Operators of a training step."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, int64
from mindspore.ir import Aval

from . import loops, torch_private
from .cpu_threads.number import lower, restore
from .exported import Exported
from .indexing import gather_grad
from .labels import whole
from .loops import Element
from .registry import REGISTRY, operator
from .rounding import maximum, minimum
from .samples import Values
from .structure import reshape, zeros_like
from .traits import STREAMING
from .values import Value

_INFINITY = float("inf")


def _line(k: int, x: Any) -> str:
    return " ".join([f"p{k}_{i}" for i in range(len(x.shape))])


def _every(*xs: Any) -> str:
    """Labels of a test of all elements."""
    lines = [_line(k, x) for k, x in enumerate(xs)]
    return f"{', '.join(lines)} -> {' '.join([f'all:{n}' for line in lines for n in line.split()])}"


def _updated(numbers: Sequence[Any], tensors: Sequence[Any], count: int) -> str:
    """Labels of a step: every parameter is cut with its gradient and its moments."""
    ones = [" ".join(["1"] * len(getattr(x, "shape", ()))) for x in numbers]
    lines = [_line(k, x) for k, x in enumerate(tensors[:len(tensors) // count])]
    return f"{', '.join([*ones, *lines * count])} -> {', '.join([f'{n} same:*' for n in lines * (count - 1)])}"


@operator(hidden=True, samples=[], dims=_every, traits={STREAMING})
def all_finite(*xs: Tensor):
    """Whether no element of any tensor is infinite or no number: a bool without dimensions.

    The greatest magnitudes tell, since a maximum hands infinities and not-a-numbers on.
    """
    found = [x for x in xs if x.is_floating_point() and x.numel()]
    if not found:
        return torch.ones((), dtype=torch.bool, device=xs[0].device if xs else None)
    if found[0].device.type == "cpu":
        extremes = [e.float() for x in found for e in torch.aminmax(x)]
    else:
        extremes = [n.float() for n in torch_private.norms(found, _INFINITY)]   # one launch for all
    return torch.stack(extremes).isfinite().all()


@all_finite.shape
def _(*xs: Aval) -> Aval:
    return Aval((), bool_)


# ---------------------------------------------------------------------- numbers of every step

@operator(hidden=True, samples=[((4,), Values((1,), 0, 9, "int32")), ((1,), Values((), 0, 3, "int64")),
                                ((5,), Values((1,), -3, -1, "int32"))],
          dims=whole("each process has the number of the step"))
def of_step(table: Tensor, step: Tensor):
    """The number that a table has for a step: (n), integers of any shape -> their shape; the last one stays."""
    return table.take(step.clamp(0, table.shape[0] - 1).long())


@of_step.shape
def _(table: Aval, step: Aval) -> Aval:
    return Aval(step.shape, table.dtype)


@of_step.loop
def _(table: Element, step: Element):
    if prod(step.shape) != 1:
        return None
    if table.shape == (1,):
        return loops.shaped(table, step.shape)
    k, at, last = loops.index(table.shape), loops.cast(loops.shaped(step, (1,)), int64), table.shape[0] - 1
    first = loops.both(loops.compare("eq", k, 0), loops.compare("lt", at, 0))
    final = loops.both(loops.compare("eq", k, last), loops.compare("gt", at, last))
    here = loops.either(loops.compare("eq", k, at), loops.either(first, final))
    chosen = loops.where(here, table, 0.0)
    return loops.shaped(loops.total(chosen, (0,)), step.shape)


@of_step.grad(needs="table.aval step")
def _(table: Aval, step: Value, dout: Value):
    def of_table() -> Value:
        place = minimum(maximum(step, 0), table.shape[0] - 1)
        return gather_grad(dout, place, shape=tuple(table.shape), axis=0, batch_dims=0)
    return of_table, None


@of_step.mindir
def _(g: Exported, table: str, step: str):
    dtype, last = g.avals[step].dtype, g.avals[table].shape[0] - 1
    place = g.add("Minimum", g.add("Maximum", step, g.constant(0, dtype)), g.constant(last, dtype))
    return g.add("Gather", table, place, axis=0, batch_dims=0)


# ---------------------------------------------------------------------- updates of many parameters
#
# torch's fused kernels walk the tensors of one parameter by address, so all of them must have one layout.

def _columns(tensors: Sequence[torch.Tensor], count: int) -> list[list[torch.Tensor]]:
    """n parameters, n gradients, ... as one list each."""
    n = len(tensors) // count
    return [list(tensors[k * n:(k + 1) * n]) for k in range(count)]


def _alike(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether elements of the same place stand in the same order in the memory of all."""
    return all([t.is_contiguous() for t in tensors]) or all(
        [t.dim() == 4 and t.is_contiguous(memory_format=torch.channels_last) for t in tensors])


def _over(columns: list[list[torch.Tensor]], step: Callable[..., None]) -> tuple[torch.Tensor, ...]:
    """Run a kernel that overwrites all columns but the second, the gradients; the columns without it.

    Where the tensors of one parameter lie differently in memory, the kernel gets copies.
    """
    places: list[tuple[list[Tensor], int, Tensor]] = []
    for i, of_one in enumerate(zip(*columns, strict=True)):
        if _alike(of_one):
            continue
        for k, there in enumerate(of_one):
            columns[k][i] = there.contiguous()
            if k != 1 and columns[k][i] is not there:
                places.append((columns[k], i, there))
    if columns[0][0].is_cpu:
        _by_size(columns, step)
    else:
        step(*columns)
    for k, column in enumerate(columns):
        if k != 1:
            torch_private.count_changes(column)      # torch's fused kernels do not
    for column, i, there in places:
        column[i] = there.copy_(column[i])
    return tuple([t for k, column in enumerate(columns) if k != 1 for t in column])


_GRAIN = 1 << 15           # elements from which torch's simple kernels use several threads


def _by_size(columns: list[list[torch.Tensor]], step: Callable[..., None]) -> None:
    """Run a fused kernel, which would wake all threads for each of many small tensors, on one for those."""
    small = [p.numel() < _GRAIN for p in columns[0]]
    for alone in (True, False):
        part = [[t for t, is_small in zip(column, small, strict=True) if is_small is alone]
                for column in columns]
        if not part[0]:
            continue
        before = lower() if alone else 1
        try:
            step(*part)
        finally:
            restore(before)


def _cloned(tensors: Sequence[torch.Tensor], count: int) -> list[torch.Tensor]:
    """The tensors, those that a step overwrites as copies."""
    n = len(tensors) // count
    return [t if n <= i < 2 * n else t.clone() for i, t in enumerate(tensors)]


def _places(scalars: int, columns: int) -> Callable[[int], list[int]]:
    """For so many inputs over which of them the results are written."""
    def places(count: int) -> list[int]:
        n = (count - scalars) // columns
        return [*range(scalars, scalars + n), *range(scalars + 2 * n, scalars + columns * n)]
    return places


@operator(hidden=True, samples=[], traits={STREAMING})
def momentum_step(lr: Tensor, momentum: Tensor, *tensors: Tensor, nesterov: bool = False):
    """One step of gradient descent with momentum for many parameters at once.

    Args:
        lr: The learning rate, a tensor with one element.
        momentum: What of the last direction is kept, a tensor with one element.
        tensors: n parameters, n gradients, n directions.

    Returns:
        n parameters, n directions.
    """
    return _momentum_in_place(lr, momentum, *_cloned(tensors, 3), nesterov=nesterov)


@momentum_step.loop
def _(lr: Element, momentum: Element, *tensors: Element, nesterov: bool):
    lr, momentum = loops.shaped(lr, ()), loops.shaped(momentum, ())
    n = len(tensors) // 3
    new = [d * momentum + g for g, d in zip(tensors[n:2 * n], tensors[2 * n:], strict=True)]
    steps = [g + d * momentum if nesterov else d for g, d in zip(tensors[n:2 * n], new, strict=True)]
    return (*[p - s * lr for p, s in zip(tensors[:n], steps, strict=True)], *new)


@momentum_step.layout
def _(lr: Aval, momentum: Aval, *tensors: Aval, **_: Any) -> str:
    return _updated([lr, momentum], tensors, 3)


@momentum_step.shape
def _(lr: Aval, momentum: Aval, *tensors: Aval, **_: Any) -> tuple[Aval, ...]:
    n = len(tensors) // 3
    return tensors[:n] + tensors[2 * n:]


@momentum_step.mindir
def _(g: Exported, lr: str, momentum: str, *tensors: str, nesterov: bool = False):
    n = len(tensors) // 3
    params, grads, directions = tensors[:n], tensors[n:2 * n], tensors[2 * n:]
    new = [g.add("Add", g.add("Mul", d, momentum), grad) for d, grad in zip(directions, grads, strict=True)]
    steps = [g.add("Add", grad, g.add("Mul", d, momentum)) if nesterov else d
             for d, grad in zip(new, grads, strict=True)]
    return (*[g.add("Sub", p, g.add("Mul", s, lr)) for p, s in zip(params, steps, strict=True)], *new)


def _momentum_in_place(lr: Tensor, momentum: Tensor, *tensors: Tensor, nesterov: bool = False):
    """The same, written over parameters and directions."""
    def fused(params: list[Tensor], grads: list[Tensor], directions: list[Tensor]):
        torch_private.fused_sgd(params, grads, directions, weight_decay=0.0, momentum=momentum.item(),
                                lr=lr.item(), dampening=0.0, nesterov=nesterov, maximize=False, is_first_step=False)

    def apart(params: Any, grads: Any, directions: Any):
        torch_private.multiply_by(directions, momentum)
        torch_private.add_to(directions, grads)
        steps = torch_private.added(grads, torch_private.multiplied(directions, momentum)) if nesterov else directions
        torch_private.subtract_from(params, torch_private.multiplied(steps, lr))
    # one sweep instead of two (400,000 parameters: 0.14 ms in place of 0.26), but torch's kernel does not
    # take a momentum of 0, and to ask for numbers would make another device wait
    return _over(_columns(tensors, 3), fused if tensors[0].is_cpu and momentum.item() else apart)


momentum_step.overwriting(_places(2, 3))(_momentum_in_place)


@momentum_step.grad(needs="lr momentum tensors")
def _(lr: Value, momentum: Value, tensors: tuple[Value, ...], dout: tuple[Value | None, ...], *,
      nesterov: bool = False):
    of_lr: list[Callable[[], Any]] = []
    of_momentum: list[Callable[[], Any]] = []
    found: list[tuple[Value, ...]] = []
    for _, grad, old, d, of_direction in _rows(tensors, dout, 3):
        direction, of_step = momentum * old + grad, -lr * d
        if nesterov:
            of_lr.append(lambda d=d, step=grad + momentum * direction: -d * step)
            of_momentum.append(lambda d=of_step, direction=direction: d * direction)
            of_direction = of_direction + momentum * of_step
        else:
            of_lr.append(lambda d=d, direction=direction: -d * direction)
            of_direction = of_direction + of_step
        of_momentum.append(lambda d=of_direction, old=old: d * old)
        found.append((d, of_direction + of_step if nesterov else of_direction, momentum * of_direction))
    return _total(of_lr, lr), _total(of_momentum, momentum), *[d for column in zip(*found, strict=True) for d in column]


def _total(terms: Sequence[Callable[[], Any]], number: Value) -> Callable[[], Any]:
    """The cotangent of a number that all parameters share, computed if it is asked for."""
    return lambda: reshape(sum([REGISTRY["ReduceSum"](term(), axis=()) for term in terms]),
                           shape=tuple(number.shape))


def _rows(tensors: Sequence[Any], dout: Sequence[Any], columns: int) -> list[tuple[Any, ...]]:
    """For every parameter what a step gets of it, then the cotangents of what it gives."""
    n = len(tensors) // columns
    of_results = [zeros_like(tensors[k % n]) if d is None else d for k, d in enumerate(dout)]
    every = (*tensors, *of_results)
    return [every[k::n] for k in range(n)]


@operator(hidden=True, samples=[], traits={STREAMING})
def adam_step(lr: Tensor, *tensors: Tensor, beta1: float, beta2: float, eps: float, decay: float = 0.0):
    """One step of Adam without bias correction for many parameters at once.

    Args:
        lr: The learning rate, a tensor without dimensions.
        tensors: n parameters, n gradients, n averages, n averages of squares.
        decay: What each parameter is shrunk by, relative to `lr`, before its step.

    Returns:
        n parameters, n averages, n averages of squares.
    """
    return _adam_in_place(lr, *_cloned(tensors, 4), beta1=beta1, beta2=beta2, eps=eps, decay=decay)


@adam_step.loop
def _(lr: Element, *tensors: Element, beta1: float, beta2: float, eps: float, decay: float):
    lr, n = loops.shaped(lr, ()), len(tensors) // 4
    params, grads = tensors[:n], tensors[n:2 * n]
    first = [m * beta1 + g * (1.0 - beta1) for m, g in zip(tensors[2 * n:3 * n], grads, strict=True)]
    second = [v * beta2 + g * g * (1.0 - beta2) for v, g in zip(tensors[3 * n:], grads, strict=True)]
    kept = [p - p * (lr * decay) if decay else p for p in params]
    return (*[p - lr * m / (loops.sqrt(v) + eps) for p, m, v in zip(kept, first, second, strict=True)], *first, *second)


@adam_step.layout
def _(lr: Aval, *tensors: Aval, **_: Any) -> str:
    return _updated([lr], tensors, 4)


@adam_step.shape
def _(lr: Aval, *tensors: Aval, **_: Any) -> tuple[Aval, ...]:
    n = len(tensors) // 4
    return tensors[:n] + tensors[2 * n:]


@adam_step.grad(needs="lr tensors")
def _(lr: Value, tensors: tuple[Value, ...], dout: tuple[Value | None, ...], *, beta1: float, beta2: float, eps: float,
      decay: float = 0.0):
    of_lr: list[Callable[[], Any]] = []
    found: list[tuple[Value, ...]] = []
    for param, grad, first, second, d, of_first, of_second in _rows(tensors, dout, 4):
        first = beta1 * first + (1.0 - beta1) * grad
        root = REGISTRY["Sqrt"](beta2 * second + (1.0 - beta2) * grad * grad)
        divisor, of_step = root + eps, -lr * d
        of_lr.append(lambda d=d, step=first / divisor, param=param: -d * (step + decay * param))
        of_first = of_first + of_step / divisor
        slope = REGISTRY["DivNoNan"](-of_step * first, 2.0 * root * divisor * divisor)
        of_second = of_second + slope
        found.append((d * (1.0 - lr * decay), (1.0 - beta1) * of_first + 2.0 * (1.0 - beta2) * grad * of_second,
                      beta1 * of_first, beta2 * of_second))
    return _total(of_lr, lr), *[d for column in zip(*found, strict=True) for d in column]


@adam_step.overwriting(_places(1, 4))
def _adam_in_place(lr: Tensor, *tensors: Tensor, beta1: float, beta2: float, eps: float, decay: float = 0.0):
    """The same, written over parameters and averages."""
    def fused(params: list[Tensor], grads: list[Tensor], first: list[Tensor], second: list[Tensor]):
        # after so many steps the corrections of the fused kernel, which are not wanted here, are 1
        steps = [torch.full((), 1e18, device=params[0].device)] * len(params)
        step = torch_private.fused_adamw if decay else torch_private.fused_adam
        step(params, grads, first, second, [], steps, lr=lr, beta1=beta1, beta2=beta2, weight_decay=decay,
             eps=eps, amsgrad=False, maximize=False)
    return _over(_columns(tensors, 4), fused)

