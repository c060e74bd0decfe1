"""Kinds of reductions, and collectives that are compositions of others."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.distributed import get_group_size, get_rank
from mindspore.operators import joining, messages, structure

from .primitive import composed

__all__ = ["ReduceOp"]

WORLD = "hccl_world_group"


class ReduceOp:
    """The kinds of reductions over processes, for the `op` of collectives.

    Attributes:
        SUM, MAX, MIN, PROD: The sum, the maximum, the minimum, the product.
        AVG: The mean, of floating-point tensors.

    Examples:
        >>> ops.ReduceOp.SUM
        'sum'
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    AVG = "avg"


def _counts(name: str, argument: str, counts: Any, block: int) -> tuple[int, ...]:
    counts = tuple(counts.tolist() if hasattr(counts, "tolist") else counts)
    for n in counts:
        check.integer(name, argument, n, 0)
    return tuple([n * block for n in counts])


@composed("AlltoAllV(group='hccl_world_group', block_size=1)(input_x, send_numel_list, recv_numel_list)")
def _all_to_all_v(input_x: Any, send_numel_list: Any, recv_numel_list: Any, *, group: str = WORLD,
                  block_size: int = 1) -> Any:
    """Parts of unequal lengths of a flat tensor for all processes, and what comes from them, joined.

    The lengths are in blocks of `block_size` elements.
    """
    check.positive_int("AlltoAllV", "block_size", block_size)
    give = _counts("AlltoAllV", "send_numel_list", send_numel_list, block_size)
    take = _counts("AlltoAllV", "recv_numel_list", recv_numel_list, block_size)
    return messages.swap_rows(structure.reshape(input_x, shape=(-1,)), give=give, take=take, name="AlltoAllV",
                              group=group)


@composed("AlltoAllVC(group='hccl_world_group', block_size=1, transpose=False)(input_x, send_count_matrix)")
def _all_to_all_v_c(input_x: Any, send_count_matrix: Any, *, group: str = WORLD, block_size: int = 1,
                    transpose: bool = False) -> Any:
    """The same with one table for all processes: row r holds how much process r sends to each (column, if
    `transpose`)."""
    name = "AlltoAllVC"
    check.positive_int(name, "block_size", block_size)
    size, own = get_group_size(group), get_rank(group)
    flat = _counts(name, "send_count_matrix", structure.reshape(send_count_matrix, shape=(-1,))
                   if hasattr(send_count_matrix, "dtype") else [n for row in send_count_matrix for n in _row(row)],
                   block_size)
    if len(flat) != size * size:
        raise ValueError(f"For '{name}', the 'send_count_matrix' must hold {size} x {size} numbers, but got "
                         f"{len(flat)}.")
    rows, columns = [flat[k * size:(k + 1) * size] for k in range(size)], [flat[k::size] for k in range(size)]
    give, take = (columns[own], rows[own]) if transpose else (rows[own], columns[own])
    return messages.swap_rows(structure.reshape(input_x, shape=(-1,)), give=give, take=take, name=name, group=group)


def _row(row: Any) -> Sequence[int]:
    return row if isinstance(row, (list, tuple)) else (row,)


# Directions clockwise from the top: at which sides the piece of the image lies that goes there.
_AROUND = (("top", None), ("top", "right"), (None, "right"), ("bottom", "right"), ("bottom", None), ("bottom", "left"),
           (None, "left"), ("top", "left"))
_SIDES: tuple[str, ...] = ("top", "bottom", "left", "right")


@composed("NeighborExchangeV2(send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, "
          "group='hccl_world_group')(input_x)")
def _neighbor_exchange_v2(input_x: Any, *, send_rank_ids: Any, send_lens: Any, recv_rank_ids: Any, recv_lens: Any,
                          data_format: str, group: str = WORLD) -> Any:
    """An image (n, c, h, w) with borders that come from up to eight neighbours, which get borders of it.

    The neighbours are listed clockwise from the top, -1 where there is none; the lengths of borders as top, bottom,
    left, right.
    """
    name = "NeighborExchangeV2"
    check.option(name, "data_format", data_format, ("NCHW",))
    give = _borders(name, "send", send_rank_ids, send_lens)
    take = _borders(name, "recv", recv_rank_ids, recv_lens)
    n, c, h, w = input_x.shape
    lens, came_lens = dict(zip(_SIDES, send_lens, strict=True)), dict(zip(_SIDES, recv_lens, strict=True))
    pieces = [input_x[:, :, _span(lens, v, "top", h), _span(lens, u, "left", w)] for v, u in [_AROUND[k] for k in give]]
    shapes = [(n, c, came_lens[v] if v else h, came_lens[u] if u else w) for v, u in [_AROUND[k] for k in take]]
    came = messages.neighbor_exchange(
        *pieces, send_rank_ids=tuple(give.values()), recv_rank_ids=tuple(take.values()),
        recv_shapes=tuple(shapes), send_shapes=tuple([tuple(p.shape) for p in pieces]), recv_type=input_x.dtype,
        group=group)
    around = dict(zip(take, came, strict=True))
    lines = []
    for v in ("top", None, "bottom"):
        height = came_lens[v] if v else h
        cells = []
        for u in ("left", None, "right"):
            width = came_lens[u] if u else w
            at = None if v is u is None else _AROUND.index((v, u))
            if height and width:
                cells.append(input_x if at is None else around[at] if at in around
                             else structure.full(shape=(n, c, height, width), value=0, dtype=input_x.dtype))
        if cells:
            lines.append(joining.concat(*cells, axis=3))
    return joining.concat(*lines, axis=2)


def _borders(name: str, verb: str, ranks: Any, lens: Any) -> dict[int, int]:
    """The neighbour in each direction that has one; ValueError for lists that are none of directions and sides."""
    check.ints(name, f"{verb}_rank_ids", ranks, 8, -1)
    check.ints(name, f"{verb}_lens", lens, 4, 0)
    return {k: rank for k, rank in enumerate(ranks) if rank >= 0}


def _span(lens: dict[str, int], side: str | None, first: str, extent: int) -> slice:
    """The rows (or columns) next to a side; all without one."""
    if side is None:
        return slice(None)
    return slice(0, lens[side]) if side == first else slice(extent - lens[side], extent)
