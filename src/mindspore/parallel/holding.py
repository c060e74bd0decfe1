"""How much memory the graph of a device takes at most: what it holds at once, node by node."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mindspore.ir import ITEM, OPAQUE, Aval, Graph, Node, avals_of
from mindspore.operators import pieces as moves
from mindspore.operators.traits import Trait

from .choices import is_tensor
from .search import Found
from .splitting import Plan, Splitter
from .storing import Storing

TRIES = 8


def within(graph: Graph, most: float | None,
           planned: Callable[[float | None], tuple[Found, Storing]]) -> tuple[Found, Storing]:
    """A plan for a graph of which a device holds at most so many bytes at once, messages included.

    The search counts what lies between steps and phases, which is less; so it is given less room until the plan fits.

    Args:
        most: The bytes; None for any number.
        planned: The best plan, and what lies in pieces, for a bound of the bytes that the search counts.

    Raises:
        ValueError: No such plan is found.
    """
    room, bound, least = most, 0.0, math.inf
    for _ in range(TRIES):
        try:
            found, storing = planned(room)
        except ValueError:
            if room == most:
                raise
            break
        bound = bound or found.bound
        counted, found.bound = found.held, bound
        found.held = most_held(graph, found.plan, storing.results)
        if most is None or found.held <= most:
            return found, storing
        room, least = counted - (found.held - most), min(least, found.held)
    raise ValueError(f"No plan is found of which each device holds at most {most:.4g} bytes at once, with messages; "
                     f"one that was tried holds {least:.4g}. Take more processes, smaller batches or recomputation.")


def most_held(graph: Graph, plan: Plan, replaced: Mapping[int, int]) -> int:
    """The most bytes that the first device holds at once while it computes its part of a graph.

    Args:
        graph: The whole graph.
        plan: How it is cut.
        replaced: By number of a result, what it replaces: it is written there.
    """
    own = Splitter(plan, 0, lambda line: "").split(graph)
    return most_live(own, [own.outs[k] for k in replaced])


def most_live(graph: Graph, written: Iterable[Any]) -> int:
    """The most bytes of a graph's inputs, results and the values between them at one time.

    Args:
        written: Results that are written over inputs, where their operators can do that.
    """
    roots: dict[int, int] = {}                 # by id of a value, that of the one whose memory it has
    last: dict[int, int] = {}                  # by root, the number of the node that uses it last
    for k, node in enumerate(graph.nodes):
        if node.op is ITEM:
            continue
        for x in node.inputs:
            if type(x) is Node:
                last[roots.get(id(x), id(x))] = k
        if _is_view(node) and type(node.inputs[0]) is Node:
            for x in _results(node):
                roots[id(x)] = roots.get(id(node.inputs[0]), id(node.inputs[0]))
    for x in graph.outs:
        if type(x) is Node:
            last[roots.get(id(x), id(x))] = len(graph.nodes)
    over = {id(x) for x in written if type(x) is Node and getattr(_node_of(x).op, "overwriter", None)}
    live = {id(x): _bytes(x.aval) for x in graph.params if is_tensor(x)}
    kept = set(live)                           # by the caller
    now = most = sum(live.values())
    for k, node in enumerate(graph.nodes):
        if node.op is ITEM:
            continue
        made = {id(x): _bytes(x.aval) for x in _results(node) if id(x) not in roots and id(x) not in over}
        ends = {root for x in node.inputs if type(x) is Node and last.get(root := roots.get(id(x), id(x))) == k
                and root in live and root not in kept}
        before = now + sum(made.values()) + _meanwhile(node)
        if len(made) == 1 and (getattr(node.op, "overwriter", None) or getattr(node.op, "inplace", "")):
            size = next(iter(made.values()))
            before -= size if any([live[root] == size for root in ends]) else 0
        most = max(most, before)
        live |= made
        now += sum(made.values()) - sum([live.pop(root) for root in ends])
        now -= sum([live.pop(x) for x in made if x not in last])
    return most


def _is_view(node: Node) -> bool:
    return bool(node.inputs) and Trait.VIEW in getattr(node.op, "traits", ())


def _results(node: Node) -> list[Node]:
    return [node] if type(node.aval) is Aval else list(node.items)


def _node_of(x: Node) -> Node:
    return x.inputs[0] if x.op is ITEM else x


def _meanwhile(node: Node) -> int:
    """The bytes of messages that are put together before they are sent, or arrive before they are put together."""
    came = sum([_bytes(aval) for aval in avals_of(node)])
    sent = sum([_bytes(x.aval) for x in node.inputs if is_tensor(x)])
    attrs = node.attrs
    if node.op is moves.gather_pieces:
        return 0 if moves.side_by_side(attrs["dim"], attrs["counts"]) else came
    if node.op is moves.scatter_parts:
        return sent
    return sent + came if node.op is moves.swap_pieces else 0


def _bytes(aval: Any) -> int:
    return math.prod(aval.shape) * aval.dtype.itemsize if type(aval) is Aval and aval not in OPAQUE else 0
