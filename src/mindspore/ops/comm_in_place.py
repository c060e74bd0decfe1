"""Collectives that write into tensors of the caller: `mindspore.mint.distributed` and `mindspore.ops.communication`.

Numbers of processes are those in the world, and None for a group is the world.  A function returns the handle of what
it does if `async_op` is True, else None.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import distributed
from mindspore.operators import messages

from . import comm_func, comm_parts
from ._holding import become
from .array import reshape
from .comm_func import CommHandle, group_name, handle, tensor_in
from .joining import concat


def all_reduce(tensor: Any, op: str = "sum", group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Let a tensor hold the sum, maximum, minimum, product or mean of those of all processes.

    Args:
        tensor: Of the same shape and dtype in all processes.
        op: One of `ops.ReduceOp`.
        group: Name of the group. Default: the world.
        async_op: Whether a handle is returned.

    Returns:
        The handle, or None without `async_op`.

    Raises:
        TypeError: An argument has the wrong type.
        RuntimeError: The process has joined no others, or they do not answer.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = Tensor([1.0, 2.0])
        >>> mindspore.ops.communication.all_reduce(x)
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    found, done = comm_func.all_reduce(tensor, op, group_name("all_reduce", group), async_op)
    become(tensor, found)
    return done


def reduce(tensor: Any, dst: int, op: str = "sum", group: str | None = None,
           async_op: bool = False) -> CommHandle | None:
    """The same in process `dst` only; arguments and results as `all_reduce`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.reduce(Tensor([1.0]), 0)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    found = comm_func.reduce(tensor, dst, op, group_name("reduce", group))
    if distributed.get_rank() == dst:
        become(tensor, found)
    return handle("reduce", async_op)


def broadcast(tensor: Any, src: int, group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Let a tensor hold that of process `src`; arguments and results as `all_reduce`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.broadcast(Tensor([1.0]), 0)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    become(tensor, comm_func.broadcast(tensor, src, group_name("broadcast", group)))
    return handle("broadcast", async_op)


def all_gather_into_tensor(output_tensor: Any, input_tensor: Any, group: str | None = None,
                           async_op: bool = False) -> CommHandle | None:
    """Let `output_tensor` hold the tensors of all processes, one after the other; otherwise as `all_reduce`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.all_gather_into_tensor(x, Tensor([1.0, 2.0]))
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    found, done = comm_func.all_gather_into_tensor(input_tensor, group_name("all_gather_into_tensor", group), async_op)
    become(tensor_in("all_gather_into_tensor", "output_tensor", output_tensor), found)
    return done


def all_gather_into_tensor_uneven(output: Any, input: Any, output_split_sizes: Any = None,
                                  group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Let `output` hold the tensors of all processes, whose first dimensions may differ, one after the other.

    Args:
        output: The tensor that is written; its first dimension has the sum of the lengths.
        input: The tensor of this process.
        output_split_sizes: The lengths of the first dimensions, process by process; None: all are equal.
        group: The group of processes. Default: all of them.
        async_op: Whether to return a handle to wait for.

    Returns:
        None, or a CommHandle with `async_op`.

    Raises:
        TypeError: If `output` or `input` is no tensor.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.all_gather_into_tensor_uneven(x, Tensor([1.0, 2.0]), [2])
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "all_gather_into_tensor_uneven"
    if output_split_sizes is None:
        return all_gather_into_tensor(output, input, group, async_op)
    found = messages.all_gather_v(tensor_in(name, "input", input), group=group_name(name, group),
                                            output_split_sizes=tuple(output_split_sizes))
    become(tensor_in(name, "output", output), found)
    return handle(name, async_op)


def all_gather(tensor_list: list[Any], tensor: Any, group: str | None = None,
               async_op: bool = False) -> CommHandle | None:
    """Let the tensors of a list hold those of all processes, which may be of different shapes.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [ops.zeros(2)]
        >>> mindspore.ops.communication.all_gather(found, Tensor([1.0, 2.0]))
        >>> found[0].tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "all_gather"
    group, sizes = group_name(name, group), [tensor_in(name, "tensor_list", x).size for x in tensor_list]
    one_each(name, "tensor_list", tensor_list, group)
    found = messages.all_gather_v(reshape(tensor_in(name, "tensor", tensor), (-1,)), group=group,
                                            output_split_sizes=tuple(sizes))
    _dealt(tensor_list, found, sizes)
    return handle(name, async_op)


def one_each(name: str, argument: str, line: Sequence[Any], group: str) -> None:
    """ValueError unless there is one tensor for each process."""
    n = distributed.get_group_size(group)
    if len(line) != n:
        raise ValueError(f"For '{name}', the '{argument}' must hold a tensor for each of the {n} processes, but got "
                         f"{len(line)}.")


def _dealt(line: Sequence[Any], flat: Any, sizes: Sequence[int]) -> None:
    """Let tensors hold the parts of a flat one."""
    start = 0
    for x, n in zip(line, sizes, strict=True):
        become(x, reshape(flat[start:start + n], tuple(x.shape)))
        start += n


def gather_into_tensor(output_tensor: Any, input_tensor: Any, dst: int = 0, group: str | None = None,
                       async_op: bool = False) -> CommHandle | None:
    """Let `output_tensor` of process `dst` hold the tensors of all processes, one after the other.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.gather_into_tensor(x, Tensor([1.0, 2.0]))
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    found = comm_func.gather_into_tensor(input_tensor, dst, group_name("gather_into_tensor", group))
    if distributed.get_rank() == dst:
        become(tensor_in("gather_into_tensor", "output_tensor", output_tensor), found)
    return handle("gather_into_tensor", async_op)


def gather(tensor: Any, gather_list: list[Any] | None, dst: int = 0, group: str | None = None,
           async_op: bool = False) -> CommHandle | None:
    """Let the tensors of a list of process `dst` hold those of all processes, of one shape.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [ops.zeros(2)]
        >>> mindspore.ops.communication.gather(Tensor([1.0, 2.0]), found)
        >>> found[0].tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "gather"
    found = comm_func.gather_into_tensor(reshape(tensor_in(name, "tensor", tensor), (-1,)), dst,
                                         group_name(name, group))
    if distributed.get_rank() == dst:
        one_each(name, "gather_list", gather_list or [], group_name(name, group))
        _dealt(gather_list or [], found, [tensor.size] * len(gather_list or []))
    return handle(name, async_op)


def scatter_tensor(output_tensor: Any, input_tensor: Any, src: int = 0, group: str | None = None,
                   async_op: bool = False) -> CommHandle | None:
    """Let `output_tensor` hold the part of this process of `input_tensor` of process `src`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.scatter_tensor(x, Tensor([1.0, 2.0]))
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    found = comm_func.scatter_tensor(input_tensor, src, group_name("scatter_tensor", group))
    become(tensor_in("scatter_tensor", "output_tensor", output_tensor), found)
    return handle("scatter_tensor", async_op)


def scatter(tensor: Any, scatter_list: list[Any] | None, src: int = 0, group: str | None = None,
            async_op: bool = False) -> CommHandle | None:
    """Let a tensor hold the one of this process in the list of process `src`, all of one shape.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.scatter(x, [Tensor([1.0, 2.0])])
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "scatter"
    group, n = group_name(name, group), distributed.get_group_size(group_name(name, group))
    flat = reshape(tensor_in(name, "tensor", tensor), (-1,))
    if distributed.get_rank() == src:
        one_each(name, "scatter_list", scatter_list or [], group)
        every = concat([reshape(x, (-1,)) for x in scatter_list or []], 0)
    else:
        every = concat([flat] * n, 0)
    become(tensor, reshape(comm_func.scatter_tensor(every, src, group), tuple(tensor.shape)))
    return handle(name, async_op)


def reduce_scatter_tensor(output: Any, input: Any, op: str = "sum", group: str | None = None,
                          async_op: bool = False) -> CommHandle | None:
    """Let `output` hold the part of this process of the sum of tensors.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.reduce_scatter_tensor(x, Tensor([1.0, 2.0]))
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "reduce_scatter_tensor"
    found, done = comm_func.reduce_scatter_tensor(input, op, group_name(name, group), async_op)
    become(tensor_in(name, "output", output), found)
    return done


def reduce_scatter_tensor_uneven(output: Any, input: Any, input_split_sizes: Any = None, op: str = "sum",
                                 group: str | None = None, async_op: bool = False) -> CommHandle | None:
    """Let `output` hold the part of this process of the sum of tensors, which is cut into parts that may differ.

    Args:
        output: The tensor that is written.
        input: The tensor of this process; its first dimension has the sum of the lengths.
        input_split_sizes: The lengths of the parts along the first dimension, process by process; None: all are equal.
        op: "sum", "prod", "min" or "max".
        group: The group of processes. Default: all of them.
        async_op: Whether to return a handle to wait for.

    Returns:
        None, or a CommHandle with `async_op`.

    Raises:
        TypeError: If `output` or `input` is no tensor.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.reduce_scatter_tensor_uneven(x, Tensor([1.0, 2.0]), [2])
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "reduce_scatter_tensor_uneven"
    if input_split_sizes is None:
        return reduce_scatter_tensor(output, input, op, group, async_op)
    found = messages.reduce_scatter_v(tensor_in(name, "input", input), op=op, group=group_name(name, group),
                                                input_split_sizes=tuple(input_split_sizes))
    become(tensor_in(name, "output", output), found)
    return handle(name, async_op)


def reduce_scatter(output: Any, input_list: Sequence[Any], op: str = "sum", group: str | None = None,
                   async_op: bool = False) -> CommHandle | None:
    """Let `output` hold the sum of what the lists of all processes hold for this one.

    Args:
        output: The tensor that is written.
        input_list: A tensor for each process; their shapes may differ.
        op: "sum", "prod", "min" or "max".
        group: The group of processes. Default: all of them.
        async_op: Whether to return a handle to wait for.

    Returns:
        None, or a CommHandle with `async_op`.

    Raises:
        TypeError: If `output`, or an element of `input_list`, is no tensor.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.reduce_scatter(x, [Tensor([1.0, 2.0])])
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "reduce_scatter"
    group = group_name(name, group)
    one_each(name, "input_list", input_list, group)
    flat = concat([reshape(tensor_in(name, "input_list", x), (-1,)) for x in input_list], 0)
    found = messages.reduce_scatter_v(flat, input_split_sizes=tuple([x.size for x in input_list]), op=op,
                                                group=group)
    become(tensor_in(name, "output", output), reshape(found, tuple(output.shape)))
    return handle(name, async_op)


def all_to_all(output_tensor_list: Sequence[Any], input_tensor_list: Sequence[Any], group: str | None = None,
               async_op: bool = False) -> CommHandle | None:
    """A tensor for every process; the tensors of `output_tensor_list` hold what comes from each.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [ops.zeros(2)]
        >>> mindspore.ops.communication.all_to_all(found, [Tensor([1.0, 2.0])])
        >>> found[0].tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    for x in output_tensor_list:
        tensor_in("all_to_all", "output_tensor_list", x)
    came, done = comm_parts.all_to_all_with_output_shape(output_tensor_list, input_tensor_list, group, async_op)
    for x, value in zip(output_tensor_list, came, strict=True):
        become(x, value)
    return done


def all_to_all_single(output: Any, input: Any, output_split_sizes: Any = None,
                      input_split_sizes: Any = None, group: str | None = None,
                      async_op: bool = False) -> CommHandle | None:
    """Rows of a tensor for every process; `output` holds the rows that come, joined.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> mindspore.ops.communication.all_to_all_single(x, Tensor([1.0, 2.0]))
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    came, done = comm_parts.all_to_all_single_with_output_shape(
        tensor_in("all_to_all_single", "output", output), input, output_split_sizes, input_split_sizes, group, async_op)
    become(output, came)
    return done


def barrier(group: str | None = None, async_op: bool = False, device_ids: Any = None) -> CommHandle | None:
    """Return when all processes of the group have come here; `device_ids` must be None.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.barrier()
        >>> mindspore.ops.communication.destroy_process_group()
    """
    if device_ids is not None:
        raise ValueError(f"For 'barrier', the 'device_ids' must be None, but got {device_ids!r}.")
    comm_func.barrier(group_name("barrier", group))
    return handle("barrier", async_op)
