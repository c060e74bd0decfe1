"""Where the temporary tensors of a native program lie in one block of memory."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from .stages import Stage

_ALIGNED = 64


def groups(stages: Sequence[Stage]) -> list[list[int]]:
    """The stages between which threads need not meet: they use nothing of each other's."""
    found: list[list[int]] = []
    read, changed = set[int](), set[int]()
    for k, stage in enumerate(stages):
        own = stage.touches()
        if stage.with_threads or not found or own & (read | changed) or changed & set(stage.reads):
            found.append([])
            read, changed = set(), set()
        found[-1].append(k)
        read |= set(stage.reads)
        changed |= own
    return found


def offsets(stages: Sequence[Stage], parts: Sequence[Sequence[int]],
            sizes: Mapping[int, int]) -> tuple[dict[int, int], int]:
    """The place of every slot in the block, and its extent; slots that live at other times share memory."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for step, part in enumerate(parts):
        for k in part:
            stage = stages[k]
            for slot in (*stage.reads, *stage.writes, *([stage.partial[0]] if stage.partial else [])):
                first.setdefault(slot, step)
                last[slot] = step
    places: dict[int, int] = {}
    used: list[tuple[int, int, int]] = []            # begin, end and last step of what lies in the block
    extent = 0
    for slot in sorted((s for s in first if s in sizes), key=lambda s: first[s]):
        size = -(-sizes[slot] // _ALIGNED) * _ALIGNED
        used = [u for u in used if u[2] >= first[slot]]
        at = 0
        for begin, end, _ in sorted(used):
            if begin - at >= size:
                break
            at = max(at, end)
        places[slot] = at
        used.append((at, at + size, last[slot]))
        extent = max(extent, at + size)
    return places, extent
