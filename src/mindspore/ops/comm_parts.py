"""A part for every process, as functions; the part of `mindspore.communication.comm_func` beside collectives."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.distributed import get_group_size, get_rank
from mindspore.operators import messages

from ._holding import become
from .array import reshape
from .comm_func import group_name, handle, tensor_in
from .joining import concat


def all_to_all_with_output_shape(output_shape_list: Sequence[Any], input_tensor_list: Sequence[Any],
                                 group: str | None = None, async_op: bool = False) -> Any:
    """A tensor for every process, and what comes from each.

    Args:
        output_shape_list: For each process the shape of what comes, or a tensor of that shape.
        input_tensor_list: For each process what it gets, all of one dtype.
        group: Name of the group. Default: the world.
        async_op: Whether a handle is returned.

    Returns:
        The tensors that came, a tuple, and a handle, or None without `async_op`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: There are not as many tensors as processes.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.all_to_all_with_output_shape([(2,)], [Tensor([1.0, 2.0])])[0][0].tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "all_to_all_with_output_shape"
    group = group_name(name, group)
    shapes = [tuple(getattr(s, "shape", s)) for s in output_shape_list]
    parts = [tensor_in(name, "input_tensor_list", x) for x in input_tensor_list]
    if len(shapes) != get_group_size(group) or len(parts) != len(shapes):
        raise ValueError(f"For '{name}', there must be a tensor and a shape for each of the {get_group_size(group)} "
                         f"processes, but got {len(parts)} and {len(shapes)}.")
    sizes = [_size(s) for s in shapes]
    came = messages.swap_rows(concat([reshape(x, (-1,)) for x in parts], 0), give=tuple([x.size for x in parts]),
                              take=tuple(sizes), name=name, group=group)
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return tuple([reshape(came[a:a + n], s) for a, n, s in zip(starts, sizes, shapes, strict=True)]), handle(
        name, async_op)


def _size(shape: Sequence[int]) -> int:
    found = 1
    for n in shape:
        found *= n
    return found


def all_to_all_single_with_output_shape(output_shape: Any, tensor: Any, output_split_sizes: Any = None,
                                        input_split_sizes: Any = None, group: str | None = None,
                                        async_op: bool = False) -> Any:
    """Rows of a tensor for every process, and the rows that come from each, joined.

    Args:
        output_shape: The shape of the result, or a tensor of that shape.
        tensor: The rows, for process 0 first.
        output_split_sizes: How many rows come from each process. Default: equally many.
        input_split_sizes: How many rows each process gets. Default: equally many.
        group: Name of the group. Default: the world.
        async_op: Whether a handle is returned.

    Returns:
        The rows that came, and a handle, or None without `async_op`.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The numbers of rows do not fit.

    Examples:
        >>> mindspore.communication.init()
        >>> x = Tensor([[1.0], [2.0]])
        >>> mindspore.communication.comm_func.all_to_all_single_with_output_shape((2, 1), x)[0].tolist()
        [[1.0], [2.0]]
        >>> mindspore.communication.release()
    """
    name = "all_to_all_single_with_output_shape"
    group = group_name(name, group)
    shape = tuple(getattr(output_shape, "shape", output_shape))
    give = _split(name, "input_split_sizes", input_split_sizes, tensor_in(name, "tensor", tensor).shape, group)
    take = _split(name, "output_split_sizes", output_split_sizes, shape, group)
    return messages.swap_rows(tensor, give=give, take=take, name=name, group=group), handle(name, async_op)


def _split(name: str, argument: str, sizes: Any, shape: Sequence[int], group: str) -> tuple[int, ...]:
    processes = get_group_size(group)
    if sizes is None:
        if not shape or shape[0] % processes:
            raise ValueError(f"For '{name}', the first dimension must be a multiple of the number of processes, "
                             f"{processes}, or '{argument}' must be given, but got the shape {tuple(shape)}.")
        return (shape[0] // processes,) * processes
    if len(sizes) != processes or sum(sizes) != shape[0]:
        raise ValueError(f"For '{name}', the '{argument}' must be {processes} numbers that add up to {shape[0]}, but "
                         f"got {list(sizes)}.")
    return tuple(sizes)


def all_to_all_v_c(output: Any, input: Any, send_count_matrix: Sequence[int], group: str | None = None,
                   async_op: bool = False) -> Any:
    """Elements of a flat tensor for every process by one table, which holds how much each sends to each.

    Args:
        output: A tensor of the shape and dtype of what comes.
        input: The elements, for process 0 first.
        send_count_matrix: For each process how many elements each gets, row by row.
        group: Name of the group. Default: the world.
        async_op: Whether a handle is returned.

    Returns:
        The handle, or None without `async_op`; `output` holds what came.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The table does not fit.

    Examples:
        >>> mindspore.communication.init()
        >>> x = ops.zeros(2)
        >>> mindspore.communication.comm_func.all_to_all_v_c(x, Tensor([1.0, 2.0]), [2])
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "all_to_all_v_c"
    group = group_name(name, group)
    n, own = get_group_size(group), get_rank(group)
    if len(send_count_matrix) != n * n:
        raise ValueError(f"For '{name}', the 'send_count_matrix' must hold {n} x {n} numbers, but got "
                         f"{len(send_count_matrix)}.")
    came = messages.swap_rows(reshape(tensor_in(name, "input", input), (-1,)),
                              give=tuple(send_count_matrix[own * n:(own + 1) * n]),
                              take=tuple(send_count_matrix[own::n]), name=name, group=group)
    become(tensor_in(name, "output", output), reshape(came, tuple(output.shape)))
    return handle(name, async_op)
