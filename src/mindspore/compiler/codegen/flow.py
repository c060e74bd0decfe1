"""The statements of control flow in generated source, and what packs and unpacks residuals."""
from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import torch

from mindspore.core.kinds import is_sequence, type_of
from mindspore.ir import CALL, COND, CUSTOM, LOOP, OPAQUE, PACK, TREE_ADD, UNPACK, ZERO, Node


def put_pack(src: Any, depth: int, node: Node) -> None:
    """A tuple of values, and of the sizes that a reverse needs of the forward computation."""
    symbols: Any = node.attrs.get("sizes", ()) if src.sizes else ()
    sizes: list[str] = [src.sizes.name(s) for s in symbols]
    parts = [src.ref(x) for x in node.inputs] + sizes
    src.put(depth, f"{src.names.fresh(node)} = ({''.join([p + ', ' for p in parts])})", node.loc)


def put_unpack(src: Any, depth: int, node: Node) -> None:
    """The members of a tuple; a cotangent that nothing contributed to is None."""
    sizes: list[str] = src.sizes.restored(node) if src.sizes else []
    if not node.items and not sizes:
        return
    source = src.ref(node.inputs[0])
    if node.attrs.get("zeros"):
        source += f" or zeros_for({src.literal(tuple(node.aval))})"
    names = [src.names.fresh(m) for m in node.items] + sizes
    src.put(depth, f"({''.join([n + ', ' for n in names])}) = {source}", node.loc)


def put_zero(src: Any, depth: int, node: Node) -> None:
    """The cotangent of an opaque value that nothing contributed to."""
    src.put(depth, f"{src.names.fresh(node)} = None")


def put_tree_add(src: Any, depth: int, node: Node) -> None:
    """The sum of two cotangents of an opaque value."""
    a, b = map(src.ref, node.inputs)
    src.put(depth, f"{src.names.fresh(node)} = tree_add({a}, {b})")


def put_call(src: Any, depth: int, node: Node) -> None:
    """The call of a recursive function."""
    name = src.function_name(node.attrs["graph"])
    targets = "".join([src.names.fresh(m) + ", " for m in node.items])
    args = [*map(src.ref, node.inputs), *(src.sizes.inputs if src.sizes else ())]
    src.put(depth, f"{targets}= {name}({', '.join(args)})", node.loc)


def put_cond(src: Any, depth: int, node: Node) -> None:
    """`if` and `else`; both branches bind the results."""
    outs = [src.names.fresh(m) for m in node.items]
    branches = (f"if {src.ref(node.inputs[0])}", node.attrs["then"]), ("else", node.attrs["orelse"])
    for word, graph in branches:
        src.put(depth, word + ":", node.loc)
        src.name |= {id(p): src.ref(x) for p, x in zip(graph.params, node.inputs[1:], strict=True)}
        with apart(src):
            src.body(depth + 1, graph.nodes, graph.outs)
            if outs:
                src.put(depth + 1, f"{', '.join(outs)} = {', '.join(map(src.ref, graph.outs))}")
            elif not graph.nodes:
                src.put(depth + 1, "pass")


def put_custom(src: Any, depth: int, node: Node) -> None:
    """A function with a derivative of its own: its statements."""
    graph = node.attrs["graph"]
    src.name |= {id(p): src.ref(x) for p, x in zip(graph.params, node.inputs, strict=True)}
    src.body(depth, graph.nodes, graph.outs)
    for m, o in zip(node.items, graph.outs, strict=True):
        src.put(depth, f"{src.names.fresh(m)} = {src.ref(o)}")


def put_loop(src: Any, depth: int, node: Node) -> None:
    """A loop; its results hold what is carried, and the stacks that it pushes to."""
    body, pops, pushes = node.attrs["body"], node.attrs.get("pops", 0), node.attrs.get("pushes", 0)
    carry = len(body.params) - pops
    outs = [src.names.fresh(m) for m in node.items]
    start = [src.ref(x) for x in node.inputs[:carry]] + ["[]"] * pushes
    src.put(depth, f"{', '.join(outs)} = {', '.join(start)}", node.loc)
    src.name |= dict(zip(map(id, body.params[:carry]), outs, strict=False))
    popped = [src.names.fresh(p) for p in body.params[carry:]]
    with apart(src):
        passes(src, depth, node, outs, popped)


def passes(src: Any, depth: int, node: Node, outs: list[str], popped: list[str]) -> None:
    """The passes of a loop."""
    body, test = node.attrs["body"], node.attrs["test"]
    carry = len(body.params) - len(popped)
    if popped:
        last = src.ref(node.inputs[-1])
        stacks = [f"reversed({src.ref(x)} or [None] * len({last}))" for x in node.inputs[carry:]]
        src.put(depth, f"for {', '.join(popped)}, in zip({', '.join(stacks)}):", node.loc)
    else:
        src.put(depth, "while True:", node.loc)
        src.name |= {id(p): o for p, o in zip(test.params, outs, strict=False)}
        src.body(depth + 1, test.nodes, test.outs)
        src.put(depth + 1, f"if not {src.ref(test.outs[0])}: break", node.loc)
    src.body(depth + 1, body.nodes, body.outs)
    for o, x in zip(outs[carry:], body.outs[carry:], strict=True):
        src.put(depth + 1, f"{o}.append({src.ref(x)})")
    if carry:
        values = ", ".join(map(src.ref, body.outs[:carry]))
        src.put(depth + 1, f"{', '.join(outs[:carry])} = {values}")


@contextmanager
def apart(src: Any) -> Generator[None]:
    """A part of the function that may not run: sizes found and names freed in it are not known after it."""
    with src.names.apart():
        if src.sizes is None:
            yield
        else:
            with src.sizes.scope():
                yield


def tree_add(a: Any, b: Any) -> Any:
    """The sum of two cotangents of packed values; None is zero."""
    if a is None or b is None:
        return b if a is None else a
    return type_of(a)(map(tree_add, a, b)) if is_sequence(a) else a + b


def zeros_for(avals: Any) -> list[Any]:
    """Zero cotangents for the members of a packed value."""
    from mindspore.core.context import torch_device  # asked at run time

    return [None if a in OPAQUE else torch.zeros(a.shape, dtype=a.dtype.torch, device=torch_device())
            for a in avals]


WRITERS: dict[Any, Callable[[Any, int, Node], None]] = {
    PACK: put_pack, UNPACK: put_unpack, ZERO: put_zero, TREE_ADD: put_tree_add, CALL: put_call,
    COND: put_cond, CUSTOM: put_custom, LOOP: put_loop}
