"""Collectives as operators: every process of a group applies them, in the same order.

They stay in a program in their order, once each, whether their result is used or not: another process may wait for it.
Their gradients are collectives, too, so that all processes of the group have to differentiate what one differentiates.
The numbers of processes are those in the group.
"""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from mindspore.core import check
from mindspore.distributed import collectives, together
from mindspore.distributed.collectives import AVG, PROD, REDUCTIONS, SUM
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.distributed.groups import get_group_size, get_rank
from mindspore.ir import Aval
from mindspore.ir.runtime import runtime

from .comparison import equal
from .joining import tensors_of
from .labels import whole
from .registry import operator
from .rules import saying
from .structure import cast, full
from .values import Ints, Value

TOGETHER = whole("all processes apply it together")
EFFECT = "communication"


def once_a_run(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that a second attempt of a run does not repeat: the other processes are past it."""
    @functools.wraps(kernel)
    def called(*inputs: Any, **attrs: Any) -> Any:
        run = runtime.journal
        return kernel(*inputs, **attrs) if run is None else run.answer(lambda: kernel(*inputs, **attrs))
    return called


def root_of(name: str, argument: str, rank: Any, group: str) -> int:
    """The number of a process in a group; TypeError or ValueError for anything else."""
    size = get_group_size(group)
    check.integer(name, argument, rank, 0)
    if rank >= size:
        raise ValueError(f"For '{name}', the '{argument}' must be below the size of the group '{group}', {size}, "
                         f"but got {rank}.")
    return rank


def reduction(name: str, op: Any) -> None:
    """Check the kind of a reduction."""
    check.string(name, "op", op)
    check.option(name, "op", op, REDUCTIONS)


def rows(name: str, x: Any) -> Aval:
    """A tensor that can be cut along its first axis."""
    (x,) = tensors_of((x,), name)
    if not x.shape:
        raise ValueError(f"For '{name}', the input must have at least one dimension, but got a tensor of shape ().")
    return x


def part(name: str, x: Any, group: str) -> Aval:
    """The part of one process of a tensor that is cut along its first axis."""
    x, size = rows(name, x), get_group_size(group)
    if x.shape[0] % size:
        raise ValueError(f"For '{name}', the first dimension of the input must be a multiple of the number of "
                         f"processes, {size}, but got the shape {tuple(x.shape)}.")
    return Aval((x.shape[0] // size, *x.shape[1:]), x.dtype)


def joined(name: str, x: Any, group: str) -> Aval:
    """The tensors of all processes, one after the other."""
    x = rows(name, x)
    return Aval((x.shape[0] * get_group_size(group), *x.shape[1:]), x.dtype)


def several(douts: Any) -> tuple[Any, ...]:
    """The cotangents of a tuple of results; of one result it comes alone."""
    return douts if type(douts) is tuple else (douts,)   # pyright: ignore[reportUnknownVariableType]  # of any length


# ---------------------------------------------------------------------- every process gets the result

@operator(primitive="AllReduce(op='sum', group='hccl_world_group')(input_x)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def all_reduce(x: Tensor, *, op: str = SUM, group: str = WORLD):
    """The sum, maximum, minimum, product or mean of the tensors of all processes of a group.

    Input: the same shape and dtype in all processes; `op` is a constant of `ops.ReduceOp`. Output: as the input.

    The gradient of a sum is the sum of the cotangents; of a maximum it goes to the processes that have it.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.AllReduce()(Tensor([1.0, 2.0])).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.reduced_over(x, op, group)


@all_reduce.shape
@saying("Raises TypeError for an `op` that is no str, ValueError for an unknown one, RuntimeError before `init`.")
def _(x: Aval, *, op: str = SUM, group: str = WORLD) -> Aval:
    reduction("AllReduce", op)
    return tensors_of((x,), "AllReduce")[0].strong


@all_reduce.grad(needs="x out")
def _(x: Value, out: Value, dout: Value, *, op: str = SUM, group: str = WORLD):
    if op in (SUM, AVG):
        return lambda: all_reduce(dout, op=op, group=group),
    if op == PROD:
        return lambda: all_reduce(dout, op=SUM, group=group) * _product_of_others(x, group),
    return lambda: all_reduce(dout, op=SUM, group=group) * cast(equal(x, out), dtype=dout.dtype),


def _product_of_others(x: Any, group: str) -> Any:
    """The product of the tensors of the other processes; not a quotient, as there may be zeros."""
    own, size = get_rank(group), get_group_size(group)
    every = all_gather(x.reshape((1, *x.shape)), group=group)
    found = None
    for k in [k for k in range(size) if k != own]:
        found = every[k] if found is None else found * every[k]
    return x * 0 + 1 if found is None else found


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def all_reduce_together(*xs: Tensor, op: str = SUM, group: str = WORLD, most: int = 1 << 25):
    """`AllReduce` of each of the inputs, in few messages of at most `most` bytes."""
    return tuple(together.reduced_together(xs, op, group, most))


@all_reduce_together.shape
def _(*xs: Aval, op: str = SUM, group: str = WORLD, most: int = 1 << 25) -> tuple[Aval, ...]:
    reduction("AllReduce", op)
    return tuple([x.strong for x in tensors_of(xs, "AllReduce")])


@all_reduce_together.grad(needs="")
def _(douts: Any, *, op: str = SUM, group: str = WORLD, most: int = 1 << 25):
    if op not in (SUM, AVG):
        raise RuntimeError(f"Only 'sum' and 'avg' of several tensors have a gradient, but the 'op' is '{op}'.")
    return all_reduce_together(*several(douts), op=op, group=group, most=most)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def begin_sum(*xs: Tensor, op: str = SUM, group: str = WORLD):
    """A message of tensors of one type that `AllReduce` adds up while other things are computed, for `end_sum`."""
    return together.begun(xs, op, group)


@begin_sum.shape
def _(*xs: Aval, op: str = SUM, group: str = WORLD) -> Aval:
    return Aval((sum([math.prod(x.shape) for x in xs]),), xs[0].dtype)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def end_sum(message: Tensor, *, shapes: Sequence[Ints], op: str = SUM, group: str = WORLD):
    """The sums of the tensors of these shapes that `begin_sum` sent in a message."""
    return tuple(together.ended(message, shapes, op, group))


@end_sum.shape
def _(message: Aval, *, shapes: Sequence[Ints], op: str = SUM, group: str = WORLD) -> tuple[Aval, ...]:
    return tuple([Aval(tuple(shape), message.dtype) for shape in shapes])


@operator(primitive="AllGather(group='hccl_world_group')(input_x)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def all_gather(x: Tensor, *, group: str = WORLD):
    """The tensors of all processes of a group, one after the other along the first axis.

    Input: (n, ...), the same in all processes. Output: (n * processes, ...).

    Examples:
        >>> mindspore.communication.init()
        >>> ops.AllGather()(Tensor([1.0, 2.0])).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.gathered(x, group)


@all_gather.shape
@saying("Raises ValueError for a tensor without dimensions, RuntimeError before `init`.")
def _(x: Aval, *, group: str = WORLD) -> Aval:
    return joined("AllGather", x, group)


@all_gather.grad(needs="")
def _(dout: Value, *, group: str = WORLD):
    return lambda: reduce_scatter(dout, op=SUM, group=group),


@operator(primitive="ReduceScatter(op='sum', group='hccl_world_group')(input_x)", effect=EFFECT, samples=[],
          dims=TOGETHER)
@once_a_run
def reduce_scatter(x: Tensor, *, op: str = SUM, group: str = WORLD):
    """The part that belongs to this process of what `AllReduce` gives, cut along the first axis.

    Input: (n * processes, ...). Output: (n, ...). Only sums and means have a gradient.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.ReduceScatter()(Tensor([1.0, 2.0])).tolist()   # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.reduced_in_parts(x, op, group)


@reduce_scatter.shape
@saying("Raises ValueError if n is no multiple of the processes or `op` is unknown, RuntimeError before `init`.")
def _(x: Aval, *, op: str = SUM, group: str = WORLD) -> Aval:
    reduction("ReduceScatter", op)
    return part("ReduceScatter", x, group)


@reduce_scatter.grad(needs="")
def _(dout: Value, *, op: str = SUM, group: str = WORLD):
    if op not in (SUM, AVG):
        raise RuntimeError(f"For 'ReduceScatter', only 'sum' and 'avg' have a gradient, but the 'op' is '{op}'. "
                           "Use AllReduce, and take the part of this process.")
    size = get_group_size(group) if op == AVG else 1
    return lambda: all_gather(dout, group=group) / size if size > 1 else all_gather(dout, group=group),


@operator(primitive="Broadcast(root_rank, group='hccl_world_group')(input_x)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def broadcast(*xs: Tensor, root_rank: int, group: str = WORLD):
    """The tensors of the process `root_rank`.

    Inputs: a tuple of tensors, of the same shapes and dtypes in all processes. Output: a tuple like it.

    The cotangents of all processes add up in the process `root_rank`; the others get zeros.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.Broadcast(0)((Tensor([1.0, 2.0]),))[0].tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return tuple([collectives.sent_to_all(x, root_rank, group) for x in xs])


@broadcast.shape
@saying("Raises TypeError or ValueError for a `root_rank` that the group does not have, RuntimeError before `init`.")
def _(*xs: Aval, root_rank: int, group: str = WORLD) -> tuple[Aval, ...]:
    root_of("Broadcast", "root_rank", root_rank, group)
    return tuple([x.strong for x in tensors_of(xs, "Broadcast")])


@broadcast.grad(needs="")
def _(douts: Any, *, root_rank: int, group: str = WORLD):
    keeps = get_rank(group) == root_rank
    summed = [all_reduce(d, op=SUM, group=group) for d in several(douts)]
    return tuple([d if keeps else d * 0 for d in summed])


# ---------------------------------------------------------------------- one process gets the result, or gives it

@operator(primitive="Reduce(dest_rank, op='sum', group='hccl_world_group')(x)", effect=EFFECT, samples=[],
          dims=TOGETHER)
@once_a_run
def reduce(x: Tensor, *, dest_rank: int, op: str = SUM, group: str = WORLD):
    """What `AllReduce` gives, for the process `dest_rank`; the others get one zero, of shape (1,), without a meaning.

    Only sums have a gradient: every process gets the cotangent of `dest_rank`.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.Reduce(0)(Tensor([1.0, 2.0])).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.reduced_at(x, op, dest_rank, group)


@reduce.shape
@saying("Raises TypeError or ValueError for a `dest_rank` that the group does not have, RuntimeError before `init`.")
def _(x: Aval, *, dest_rank: int, op: str = SUM, group: str = WORLD) -> Aval:
    reduction("Reduce", op)
    root_of("Reduce", "dest_rank", dest_rank, group)
    (x,) = tensors_of((x,), "Reduce")
    return x.strong if get_rank(group) == dest_rank else Aval((1,), x.dtype)


@reduce.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, dest_rank: int, op: str = SUM, group: str = WORLD):
    if op != SUM:
        raise RuntimeError(f"For 'Reduce', only 'sum' has a gradient, but the 'op' is '{op}'. Use AllReduce.")
    return lambda: broadcast(_of_shape(dout, x), root_rank=dest_rank, group=group)[0],


def _of_shape(dout: Any, x: Aval) -> Any:
    """A cotangent with the shape of the input: where the result had no meaning, zeros."""
    if tuple(dout.shape) == tuple(x.shape):
        return dout
    return full(shape=tuple(x.shape), value=0, dtype=x.dtype)


@operator(primitive="CollectiveGather(dest_rank, group='hccl_world_group')(input_x)", effect=EFFECT, samples=[],
          dims=TOGETHER)
@once_a_run
def collective_gather(x: Tensor, *, dest_rank: int, group: str = WORLD):
    """What `AllGather` gives, for the process `dest_rank`; the others get one zero, of shape (1,), without a meaning.

    Input: (n, ...), the same in all processes. Output: (n * processes, ...) or (1,).

    Examples:
        >>> mindspore.communication.init()
        >>> ops.CollectiveGather(0)(Tensor([1.0, 2.0])).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.gathered_at(x, dest_rank, group)


@collective_gather.shape
@saying("Raises TypeError or ValueError for a `dest_rank` that the group does not have, RuntimeError before `init`.")
def _(x: Aval, *, dest_rank: int, group: str = WORLD) -> Aval:
    root_of("CollectiveGather", "dest_rank", dest_rank, group)
    found = joined("CollectiveGather", x, group)
    return found if get_rank(group) == dest_rank else Aval((1,), x.dtype)


@collective_gather.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, dest_rank: int, group: str = WORLD):
    full = joined("CollectiveGather", x, group)
    return lambda: collective_scatter(_of_shape(dout, full), src_rank=dest_rank, group=group),


@operator(primitive="CollectiveScatter(src_rank=0, group='hccl_world_group')(input_x)", effect=EFFECT, samples=[],
          dims=TOGETHER)
@once_a_run
def collective_scatter(x: Tensor, *, src_rank: int = 0, group: str = WORLD):
    """The part that belongs to this process of the tensor of the process `src_rank`, cut along the first axis.

    Input: (n * processes, ...), of the same shape in all processes. Output: (n, ...).

    Examples:
        >>> mindspore.communication.init()
        >>> ops.CollectiveScatter()(Tensor([1.0, 2.0])).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.scattered(x, src_rank, group)


@collective_scatter.shape
@saying("Raises ValueError if n is no multiple of the processes, RuntimeError before `init`.")
def _(x: Aval, *, src_rank: int = 0, group: str = WORLD) -> Aval:
    root_of("CollectiveScatter", "src_rank", src_rank, group)
    return part("CollectiveScatter", x, group)


@collective_scatter.grad(needs="")
def _(dout: Value, *, src_rank: int = 0, group: str = WORLD):
    keeps = get_rank(group) == src_rank

    def value() -> Any:
        every = all_gather(dout, group=group)
        return every if keeps else every * 0
    return value,


@operator(primitive="Barrier(group='hccl_world_group')()", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def barrier(*, group: str = WORLD):
    """Nothing, when all processes of the group have come here.

    Examples:
        >>> mindspore.communication.init()
        >>> _ = ops.Barrier()()
        >>> mindspore.communication.release()
    """
    collectives.wait_for_all(group)
    return ()


@barrier.shape
def _(*, group: str = WORLD) -> tuple[()]:
    return ()
