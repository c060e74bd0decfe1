"""Exchanges between single processes as operators; what is said in `communication` holds for them, too."""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from torch import Tensor

from mindspore.core import check
from mindspore.core.dtype import DType
from mindspore.distributed import collectives, exchange
from mindspore.distributed.collectives import AVG, SUM
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.distributed.groups import get_group_size, get_rank
from mindspore.ir import Aval

from .communication import EFFECT, TOGETHER, once_a_run, reduction, root_of, rows, several
from .joining import tensors_of
from .registry import operator
from .rules import saying
from .structure import device_in_use
from .values import Ints, Value

# ---------------------------------------------------------------------- a part for every process


@operator(primitive="AlltoAll(split_count, split_dim, concat_dim, group='hccl_world_group')(input_x)", effect=EFFECT,
          samples=[], dims=TOGETHER)
@once_a_run
def all_to_all(x: Tensor, *, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD):
    """Swap blocks: the input is cut along `split_dim` into one for each process, what comes is joined along
    `concat_dim`.

    `split_count` is the number of processes. The gradient swaps the other way.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.AlltoAll(1, 0, 1)(Tensor([[1.0, 2.0]])).tolist()       # a process alone
        [[1.0, 2.0]]
        >>> mindspore.communication.release()
    """
    return exchange.swapped_blocks(x, split_dim, concat_dim, group)


@all_to_all.shape
@saying("Raises ValueError if the blocks would be unequal or a dimension does not exist, RuntimeError before `init`.")
def _(x: Aval, *, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD) -> Aval:
    (x,) = tensors_of((x,), "AlltoAll")
    size, rank, shape = get_group_size(group), len(x.shape), list(x.shape)
    check.integer("AlltoAll", "split_count", split_count, 1)
    if split_count != size:
        raise ValueError(f"For 'AlltoAll', the 'split_count' must be the number of processes, {size}, but got "
                         f"{split_count}.")
    for name, axis in (("split_dim", split_dim), ("concat_dim", concat_dim)):
        check.integer("AlltoAll", name, axis, 0)
        if axis >= rank:
            raise ValueError(f"For 'AlltoAll', the '{name}' must be below {rank}, the number of dimensions, but got "
                             f"{axis}.")
    if shape[split_dim] % size:
        raise ValueError(f"For 'AlltoAll', the dimension {split_dim} of the input must be a multiple of the number of "
                         f"processes, {size}, but got the shape {tuple(shape)}.")
    shape[split_dim] //= size
    shape[concat_dim] *= size
    return Aval(tuple(shape), x.dtype)


@all_to_all.grad(needs="")
def _(dout: Value, *, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD):
    return lambda: all_to_all(dout, split_count=split_count, split_dim=concat_dim, concat_dim=split_dim, group=group),


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def swap_rows(x: Tensor, *, give: Ints, take: Ints, name: str, group: str = WORLD):
    """`give[r]` rows of the input for process r, one after the other; the `take[r]` rows that come from it."""
    return exchange.swapped(x, give, take, group, name)


@swap_rows.shape
def _(x: Aval, *, give: Ints, take: Ints, name: str, group: str = WORLD) -> Aval:
    x, size = rows(name, x), get_group_size(group)
    if len(give) != size or len(take) != size or sum(give) != x.shape[0]:
        raise ValueError(
            f"For '{name}', the lengths must be {size} numbers for the parts that are sent, which add up to "
            f"{x.shape[0]}, and as many for those that come, but got {list(give)} and {list(take)}.")
    return Aval((sum(take), *x.shape[1:]), x.dtype)


@swap_rows.grad(needs="")
def _(dout: Value, *, give: Ints, take: Ints, name: str, group: str = WORLD):
    return lambda: swap_rows(dout, give=take, take=give, name=name, group=group),


@operator(primitive="AllGatherV(group='hccl_world_group')(input_x, output_split_sizes)", effect=EFFECT, samples=[],
          dims=TOGETHER)
@once_a_run
def all_gather_v(x: Tensor, *, output_split_sizes: Ints, group: str = WORLD):
    """The tensors of all processes one after the other; their first axes have the lengths `output_split_sizes`.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.AllGatherV()(Tensor([1.0, 2.0]), [2]).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.gathered_unequal(x, output_split_sizes, group)


@all_gather_v.shape
@saying("Raises ValueError if the lengths do not fit the input and the processes, RuntimeError before `init`.")
def _(x: Aval, *, output_split_sizes: Ints, group: str = WORLD) -> Aval:
    x = rows("AllGatherV", x)
    counts = _lengths("AllGatherV", "output_split_sizes", output_split_sizes, group)
    if counts[get_rank(group)] != x.shape[0]:
        raise ValueError(f"For 'AllGatherV', process {get_rank(group)} must give {counts[get_rank(group)]} rows "
                         f"('output_split_sizes'), but got the shape {tuple(x.shape)}.")
    return Aval((sum(counts), *x.shape[1:]), x.dtype)


@all_gather_v.grad(needs="")
def _(dout: Value, *, output_split_sizes: Ints, group: str = WORLD):
    return lambda: reduce_scatter_v(dout, input_split_sizes=output_split_sizes, op=SUM, group=group),


@operator(primitive="ReduceScatterV(op='sum', group='hccl_world_group')(input_x, input_split_sizes)", effect=EFFECT,
          samples=[], dims=TOGETHER)
@once_a_run
def reduce_scatter_v(x: Tensor, *, input_split_sizes: Ints, op: str = SUM, group: str = WORLD):
    """The part that belongs to this process of what `AllReduce` gives; the parts have `input_split_sizes` rows.

    Examples:
        >>> mindspore.communication.init()
        >>> ops.ReduceScatterV()(Tensor([1.0, 2.0]), [2]).tolist()       # a process alone
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    return collectives.reduced_in_unequal_parts(x, input_split_sizes, op, group)


@reduce_scatter_v.shape
@saying("Raises ValueError if the lengths do not fit the input and the processes, RuntimeError before `init`.")
def _(x: Aval, *, input_split_sizes: Ints, op: str = SUM, group: str = WORLD) -> Aval:
    reduction("ReduceScatterV", op)
    x = rows("ReduceScatterV", x)
    counts = _lengths("ReduceScatterV", "input_split_sizes", input_split_sizes, group)
    if sum(counts) != x.shape[0]:
        raise ValueError(f"For 'ReduceScatterV', the 'input_split_sizes' must add up to {x.shape[0]}, the rows of the "
                         f"input, but got {list(counts)}.")
    return Aval((counts[get_rank(group)], *x.shape[1:]), x.dtype)


@reduce_scatter_v.grad(needs="")
def _(dout: Value, *, input_split_sizes: Ints, op: str = SUM, group: str = WORLD):
    if op not in (SUM, AVG):
        raise RuntimeError(f"For 'ReduceScatterV', only 'sum' and 'avg' have a gradient, but the 'op' is '{op}'.")
    size = get_group_size(group) if op == AVG else 1

    def value() -> Any:
        every = all_gather_v(dout, output_split_sizes=input_split_sizes, group=group)
        return every / size if size > 1 else every
    return value,


def _lengths(name: str, argument: str, counts: Any, group: str) -> Sequence[int]:
    size = get_group_size(group)
    for n in counts:
        check.integer(name, argument, n, 0)
    if len(counts) != size:
        raise ValueError(f"For '{name}', the '{argument}' must have a length for each of the {size} processes, "
                         f"but got {list(counts)}.")
    return counts


# ---------------------------------------------------------------------- messages


@operator(primitive="Send(sr_tag, dest_rank, group='hccl_world_group', group_back='hccl_world_group')(x)",
          effect=EFFECT,
          samples=[], dims=TOGETHER)
@once_a_run
def send(x: Tensor, *, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD):
    """The input, after it was sent to the process `dest_rank`, which receives it with the same `sr_tag`.

    The gradient receives the cotangent that `dest_rank` has for it, in the group `group_back`.
    """
    exchange.passed([exchange.Message(dest_rank, x, tag=sr_tag)], group, "Send")
    return x.clone()


@send.shape
@saying("Raises TypeError or ValueError for a `dest_rank` that the group does not have, RuntimeError before `init`.")
def _(x: Aval, *, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD) -> Aval:
    check.integer("Send", "sr_tag", sr_tag, 0)
    root_of("Send", "dest_rank", dest_rank, group)
    return tensors_of((x,), "Send")[0].strong


@send.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD):
    return lambda: dout + receive(dout, sr_tag=sr_tag, src_rank=dest_rank, shape=tuple(x.shape), dtype=x.dtype,
                                  group=group_back, group_back=group),


@operator(primitive="Receive(sr_tag, src_rank, shape, dtype, group='hccl_world_group', "
                    "group_back='hccl_world_group')(x=None)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def receive(x: Tensor | None = None, *, sr_tag: int, src_rank: int, shape: Ints, dtype: DType, group: str = WORLD,
            group_back: str = WORLD):
    """What the process `src_rank` sends with the same `sr_tag`, of the given shape and dtype.

    The input is not looked at; where a gradient with respect to it is taken, it is zeros, and the cotangent of the
    result is sent back to `src_rank`, in the group `group_back`.
    """
    message = exchange.Message(src_rank, None, shape, dtype.torch, device_in_use(), sr_tag)
    return exchange.passed([message], group, "Receive")[0]


@receive.shape
@saying("Raises TypeError or ValueError for a `src_rank` that the group does not have, RuntimeError before `init`.")
def _(x: Aval | None = None, *, sr_tag: int, src_rank: int, shape: Ints, dtype: DType, group: str = WORLD,
      group_back: str = WORLD) -> Aval:
    check.integer("Receive", "sr_tag", sr_tag, 0)
    root_of("Receive", "src_rank", src_rank, group)
    check.instance("Receive", "dtype", dtype, DType)
    for n in shape:
        check.integer("Receive", "shape", n, 0)
    return Aval(tuple(shape), dtype)


@receive.grad(needs="")
def _(dout: Value, *, sr_tag: int, src_rank: int, shape: Ints, dtype: DType, group: str = WORLD,
      group_back: str = WORLD):
    send(dout, sr_tag=sr_tag, dest_rank=src_rank, group=group_back, group_back=group)
    return None,


@operator(primitive="NeighborExchange(send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, "
                    "group='hccl_world_group')(input_x)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def neighbor_exchange(*xs: Tensor, send_rank_ids: Ints, recv_rank_ids: Ints, recv_shapes: Sequence[Ints],
                      send_shapes: Sequence[Ints], recv_type: DType, group: str = WORLD):
    """A tensor to each of some processes, and a tensor from each of some.

    Inputs: a tuple of tensors of the `send_shapes`. Output: a tuple of tensors of the `recv_shapes` and `recv_type`.
    """
    messages = [exchange.Message(r, x) for r, x in zip(send_rank_ids, xs, strict=True)]
    messages += [exchange.Message(r, None, shape, recv_type.torch, device_in_use())
                 for r, shape in zip(recv_rank_ids, recv_shapes, strict=True)]
    return tuple(exchange.passed(messages, group, "NeighborExchange"))


@neighbor_exchange.shape
@saying("Raises ValueError if numbers, shapes and inputs do not fit each other, RuntimeError before `init`.")
def _(*xs: Aval, send_rank_ids: Ints, recv_rank_ids: Ints, recv_shapes: Sequence[Ints], send_shapes: Sequence[Ints],
      recv_type: DType, group: str = WORLD) -> tuple[Aval, ...]:
    for name, ranks in (("send_rank_ids", send_rank_ids), ("recv_rank_ids", recv_rank_ids)):
        for rank in ranks:
            root_of("NeighborExchange", name, rank, group)
    found = [tuple(x.shape) for x in tensors_of(xs, "NeighborExchange")]
    if found != [tuple(s)
                 for s in send_shapes] or len(found) != len(send_rank_ids) or len(recv_rank_ids) != len(recv_shapes):
        raise ValueError(f"For 'NeighborExchange', there must be a tensor of 'send_shapes' {list(send_shapes)} for "
                         f"each of the 'send_rank_ids' {list(send_rank_ids)}, and one of 'recv_shapes' "
                         f"{list(recv_shapes)} for each of the 'recv_rank_ids' {list(recv_rank_ids)}, but got tensors "
                         f"of the shapes {found}.")
    return tuple([Aval(tuple(s), recv_type) for s in recv_shapes])


@neighbor_exchange.grad(needs="")
def _(douts: Any, *, send_rank_ids: Ints, recv_rank_ids: Ints, recv_shapes: Sequence[Ints], send_shapes: Sequence[Ints],
      recv_type: DType, group: str = WORLD):
    return neighbor_exchange(*several(douts), send_rank_ids=recv_rank_ids, recv_rank_ids=send_rank_ids,
                             recv_shapes=send_shapes,
                             send_shapes=recv_shapes, recv_type=recv_type, group=group)


@operator(primitive="BatchISendIRecv(op_types, remote_ranks, receive_shapes=None, receive_dtypes=None, "
                    "group='hccl_world_group')(input_x)", effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def batch_isend_irecv(*xs: Tensor, op_types: Sequence[str], remote_ranks: Ints,
                      receive_shapes: Sequence[Ints] | None = None,
                      receive_dtypes: Sequence[DType] | None = None, group: str = WORLD):
    """Several messages at once: "isend" takes the next input, "irecv" gives the next result of a shape and dtype.

    Inputs: a tuple with a tensor for each "isend". Output: a tuple with a tensor for each "irecv", and the inputs that
    were sent, in the order of `op_types`.
    """
    given = iter(xs)
    comes = iter(zip(receive_shapes or (), receive_dtypes or (), strict=True))
    messages: list[exchange.Message] = []
    for kind, rank in zip(op_types, remote_ranks, strict=True):
        if kind == "isend":
            messages.append(exchange.Message(rank, next(given)))
        else:
            shape, dtype = next(comes)
            messages.append(exchange.Message(rank, None, shape, dtype.torch, device_in_use()))
    came, sent = iter(exchange.passed(messages, group, "BatchISendIRecv")), iter(xs)
    return tuple([next(came) if kind == "irecv" else next(sent).clone() for kind in op_types])


@batch_isend_irecv.shape
@saying("Raises ValueError if kinds, shapes, dtypes and inputs do not fit each other, RuntimeError before `init`.")
def _(*xs: Aval, op_types: Sequence[str], remote_ranks: Ints, receive_shapes: Sequence[Ints] | None = None,
      receive_dtypes: Sequence[DType] | None = None, group: str = WORLD) -> tuple[Aval, ...]:
    for kind in op_types:
        check.option("BatchISendIRecv", "op_types", kind, ("isend", "irecv"))
    for rank in remote_ranks:
        root_of("BatchISendIRecv", "remote_ranks", rank, group)
    shapes, dtypes = list(receive_shapes or ()), list(receive_dtypes or ())
    comes = list(op_types).count("irecv")
    fits = len(shapes) == len(dtypes) == comes and len(op_types) == len(remote_ranks) == comes + len(xs)
    if not fits:
        raise ValueError(f"For 'BatchISendIRecv', the 'op_types' {list(op_types)} need as many 'remote_ranks', "
                         f"{len(op_types) - comes} inputs, and {comes} 'receive_shapes' and 'receive_dtypes', but got "
                         f"{len(remote_ranks)}, {len(xs)}, {len(shapes)} and {len(dtypes)}.")
    given, came = iter(tensors_of(xs, "BatchISendIRecv") if xs else ()), itertools.count()
    return tuple([next(given).strong if kind == "isend" else Aval(tuple(shapes[k := next(came)]), dtypes[k])
                  for kind in op_types])


@batch_isend_irecv.grad(needs="")
def _(douts: Any, **_: Any):
    raise RuntimeError("For 'BatchISendIRecv', there is no gradient. Use NeighborExchange, Send and Receive, or "
                       "AlltoAll.")
