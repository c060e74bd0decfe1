"""Python source of a graph: one statement per node, `del` at the last use, a table to user lines.

Buffers are reused: where the operand of an element-wise operator is a temporary (or the old value of
a parameter that the graph replaces) that nobody needs afterwards, torch's in-place method is called.
"""
from __future__ import annotations

import builtins
import itertools
import re
from collections.abc import Sequence
from contextlib import nullcontext
from keyword import iskeyword
from typing import Any

import torch

from mindspore.compiler.ir import (
    CALL,
    COND,
    CUSTOM,
    ITEM,
    LOOP,
    OPAQUE,
    PACK,
    TREE_ADD,
    UNPACK,
    ZERO,
    Aval,
    Dim,
    Graph,
    Loc,
    Node,
    Real,
    symbolic,
)
from mindspore.operators.registry import Operator

from .liveness import Lives
from .sizing import Sizing

# Names that the source gives itself: values, sizes, kernels, further functions.
_RESERVED = re.compile(r"[vsu]\d+|k_.*|c_\d+|.*_\d+|tree_add|zeros_for|step|Resized|Aval")
_LITERALS = (int, float, bool, str, type(None))


class Source:
    """The source of a graph and of the graphs that it calls."""

    def __init__(self, owned: dict[int, int], names: Sequence[str] = (),
                 sizes: Sizing | None = None):
        self.hints = names              # what the first parameters of the first graph are called
        self.given: set[str] = set()
        self.lines: list[str] = []
        self.locs: list[Loc | None] = []
        self.space: dict[str, Any] = {"torch": torch, "tree_add": tree_add, "zeros_for": zeros_for}
        self.name: dict[int, str] = {}
        self.graphs: dict[int, str] = {}
        self.todo: list[Graph] = []
        self.kernels: dict[Any, str] = {}
        self.count = itertools.count()
        self.constants: dict[int, str] = {}
        self.owned = owned              # parameter -> the node that replaces it, by id
        self.sizes = sizes              # sizes that only a run tells, if there are any

    def put(self, depth: int, text: str, loc: Loc | None = None) -> None:
        self.lines.append("    " * depth + text)
        self.locs.append(loc)

    def ref(self, x: Any) -> str:
        """An operand in the source."""
        if type(x) is Node:
            return self.name[id(x)]
        return self.literal(x)

    def literal(self, x: Any) -> str:
        """A constant in the source: written out, or by a name in the function's globals."""
        if type(x) is float and x - x != 0:               # inf and nan have no literal
            return f'float("{x}")'
        if self.sizes and symbolic(x):
            return self.symbolic(x)
        if type(x) in _LITERALS or (type(x) is tuple and all(type(i) in _LITERALS for i in x)):
            return repr(x)
        name = self.constants.get(id(x))
        if name is None:
            stem = type(x).__name__.lower()
            name = self.constants[id(x)] = f"{stem if stem.isidentifier() else 'c'}_{len(self.constants)}"
            self.space[name] = x
        return name

    def symbolic(self, x: Any) -> str:
        """A value with sizes in it: they are written out."""
        if type(x) in (Dim, Real) and self.sizes:
            return self.sizes.text(x)
        if type(x) is slice:
            return f"slice({', '.join(map(self.literal, (x.start, x.stop, x.step)))})"
        if type(x) is Aval:
            self.space["Aval"] = Aval
            return f"Aval({', '.join(map(self.literal, x))})"
        inner = "".join([self.literal(v) + ", " for v in x])
        return f"[{inner}]" if type(x) is list else f"({inner})"

    def fresh(self, x: Node) -> str:
        self.name[id(x)] = f"v{next(self.count)}"
        return self.name[id(x)]

    def parameter(self, x: Node, at: int) -> str:
        """The name of a parameter: what the program calls it, if that is known."""
        if at >= len(self.hints):
            return self.fresh(x)
        stem = "".join(c if c.isalnum() else "_" for c in self.hints[at])
        if (stem in self.given or not stem.isidentifier() or _RESERVED.fullmatch(stem)
                or hasattr(torch, stem) or hasattr(builtins, stem) or iskeyword(stem)):
            stem = f"in_{next(self.count)}"
        self.given.add(stem)
        self.name[id(x)] = stem
        return self.name[id(x)]

    def function_name(self, graph: Graph) -> str:
        known = self.graphs.get(id(graph))
        if known is None:
            stem = "".join(c if c.isalnum() else "_" for c in graph.name)
            known = self.graphs[id(graph)] = f"{stem or 'graph'}_{len(self.graphs)}"
            self.todo.append(graph)
        return known

    def function(self, graph: Graph) -> None:
        names = [self.parameter(p, i) for i, p in enumerate(graph.params)]
        self.hints = ()
        if self.sizes and graph is not self.todo[0]:
            names += self.sizes.inputs
        self.put(0, f"def {self.function_name(graph)}({', '.join(names)}):")
        if self.sizes:
            self.sizes.start(self, names, graph is self.todo[0])
        self.body(1, graph.nodes, graph.outs, self.owned)
        self.put(1, f"return ({''.join([self.ref(o) + ', ' for o in graph.outs])})")

    def body(self, depth: int, nodes: list[Node], keep: list[Any],
             owned: dict[int, int] | None = None) -> None:
        """The statements of a block; parameters in `owned` may be overwritten."""
        lives = Lives(nodes, keep, owned or {})
        for i, node in enumerate(nodes):
            if node.op is ITEM:
                continue
            writer = _FLOW.get(node.op)
            if writer:
                writer(self, depth, node)
            else:
                self.kernel(depth, node, lives, i)
            if self.sizes:
                self.sizes.after(self, depth, node)
            dead = [self.name[x] for x in lives.ends(i) if x in self.name]
            if dead:
                self.put(depth, f"del {', '.join(dead)}")

    # ------------------------------------------------------------------ operators

    def kernel(self, depth: int, node: Node, lives: Lives, at: int) -> None:
        text = (self.in_place(node, lives, at) or self.overwriting(node, lives, at)
                or self.expression(node))
        if not node.items:
            if node.aval == ():
                if self.sizes and node.op.effect == "io":
                    text = self.sizes.once(self, text)
                self.put(depth, text, node.loc)
                return
            self.put(depth, f"{self.fresh(node)} = {text}", node.loc)
            return
        targets = "".join([self.fresh(m) + ", " for m in node.items])
        self.put(depth, f"{targets}= {text}", node.loc)

    def expression(self, node: Node) -> str:
        op = node.op
        args = [self.ref(x) for x in node.inputs]
        if op.code and not node.attrs and len(args) == len(op.inputs):
            return self.bound(op.code).format(*args)
        name = self.kernel_name(op)
        args += [f"{k}={self.literal(v)}" for k, v in node.attrs.items()]
        return f"{name}({', '.join(args)})"

    def kernel_name(self, op: Operator) -> str:
        known = self.kernels.get(op)
        if known is None:
            stem = f"k_{''.join(c if c.isalnum() else '_' for c in op.name)}"
            held = self.space.setdefault(stem, op.kernel)
            known = self.kernels[op] = stem if held is op.kernel else self.literal(op.kernel)
        return known

    def overwriting(self, node: Node, lives: Lives, at: int) -> str | None:
        """The call of the kernel that puts every result into the place of an input, if all are free."""
        if not node.items or node.op.overwriting is None:
            return None
        kernel, places = node.op.overwriting
        for item, k in zip(node.items, places(len(node.inputs)), strict=True):
            x = node.inputs[k]
            shares = [y for j, y in enumerate(node.inputs) if j != k and type(y) is Node
                      and (y is x or lives.root.get(id(y)) == id(x))]
            if type(x) is not Node or shares or not lives.overwritable(x, item, at):
                return None
        args = [self.ref(x) for x in node.inputs]
        args += [f"{k}={self.literal(v)}" for k, v in node.attrs.items()]
        stem = f"k_{node.op.name}_in_place"
        self.space[stem] = kernel
        return f"{stem}({', '.join(args)})"

    def in_place(self, node: Node, lives: Lives, at: int) -> str | None:
        """The statement that overwrites a dead operand, if there is one that can be."""
        how = node.op.inplace
        if not how or (node.attrs and "(" not in how):
            return None
        for k, x in enumerate(node.inputs):
            if type(x) is not Node or x.aval != node.aval or not lives.overwritable(x, node, at):
                continue
            if "(" in how:                   # a template: the result may go to any operand's place
                args = [self.ref(y) for y in node.inputs]
                attrs = {k: self.literal(v) for k, v in (node.op.attrs | node.attrs).items()}
                return self.bound(how).format(*args, out=self.ref(x), **attrs)
            if k and (how not in _COMMUTATIVE or k > 1):
                continue
            rest = [self.ref(y) for j, y in enumerate(node.inputs) if j != k]
            return f"{self.ref(x)}.{how}({', '.join(rest)})"
        return None

    def bound(self, template: str) -> str:
        """A template with the function that it calls looked up now instead of at every run."""
        path, bracket, rest = template.partition("(")
        if not path.startswith("torch.") or not bracket:
            return template
        stem = path.removeprefix("torch.").removeprefix("ops.").replace(".", "_")
        if stem not in self.space:
            found: Any = torch
            for part in path.split(".")[1:]:
                found = getattr(found, part)
            self.space[stem] = found
        return f"{stem}({rest}"

    # ------------------------------------------------------------------ control flow

    def put_pack(self, depth: int, node: Node) -> None:
        parts = [self.ref(x) for x in node.inputs] + self.held_sizes(node)
        self.put(depth, f"{self.fresh(node)} = ({''.join([p + ', ' for p in parts])})", node.loc)

    def held_sizes(self, node: Node) -> list[str]:
        """The sizes that a reverse needs of the forward computation."""
        return [self.sizes.name(s) for s in node.attrs.get("sizes", ())] if self.sizes else []

    def put_unpack(self, depth: int, node: Node) -> None:
        sizes = self.sizes.restored(node) if self.sizes else []
        if not node.items and not sizes:
            return
        source = self.ref(node.inputs[0])
        if node.attrs.get("zeros"):          # a cotangent that nothing contributed to is None
            source += f" or zeros_for({self.literal(tuple(node.aval))})"
        names = [self.fresh(m) for m in node.items] + sizes
        self.put(depth, f"({''.join([n + ', ' for n in names])}) = {source}", node.loc)

    def put_zero(self, depth: int, node: Node) -> None:
        self.put(depth, f"{self.fresh(node)} = None")

    def put_tree_add(self, depth: int, node: Node) -> None:
        a, b = map(self.ref, node.inputs)
        self.put(depth, f"{self.fresh(node)} = tree_add({a}, {b})")

    def put_call(self, depth: int, node: Node) -> None:
        name = self.function_name(node.attrs["graph"])
        targets = "".join([self.fresh(m) + ", " for m in node.items])
        args = [*map(self.ref, node.inputs), *(self.sizes.inputs if self.sizes else ())]
        self.put(depth, f"{targets}= {name}({', '.join(args)})", node.loc)

    def put_cond(self, depth: int, node: Node) -> None:
        outs = [self.fresh(m) for m in node.items]
        arms = (f"if {self.ref(node.inputs[0])}", node.attrs["then"]), ("else", node.attrs["orelse"])
        for word, graph in arms:
            self.put(depth, word + ":", node.loc)
            self.name |= {id(p): self.ref(x)
                          for p, x in zip(graph.params, node.inputs[1:], strict=True)}
            with self.scope():
                self.body(depth + 1, graph.nodes, graph.outs)
                if outs:
                    self.put(depth + 1,
                             f"{', '.join(outs)} = {', '.join(map(self.ref, graph.outs))}")
                elif not graph.nodes:
                    self.put(depth + 1, "pass")

    def put_custom(self, depth: int, node: Node) -> None:
        graph = node.attrs["graph"]
        self.name |= {id(p): self.ref(x) for p, x in zip(graph.params, node.inputs, strict=True)}
        self.body(depth, graph.nodes, graph.outs)
        for m, o in zip(node.items, graph.outs, strict=True):
            self.put(depth, f"{self.fresh(m)} = {self.ref(o)}")

    def put_loop(self, depth: int, node: Node) -> None:
        a = node.attrs
        body = a["body"]
        carry = len(body.params) - a.get("pops", 0)
        outs = [self.fresh(m) for m in node.items]
        start = [self.ref(x) for x in node.inputs[:carry]] + ["[]"] * a.get("pushes", 0)
        self.put(depth, f"{', '.join(outs)} = {', '.join(start)}", node.loc)
        self.name |= dict(zip(map(id, body.params[:carry]), outs, strict=False))
        popped = [self.fresh(p) for p in body.params[carry:]]
        with self.scope():
            self.loop(depth, node, outs, popped)

    def loop(self, depth: int, node: Node, outs: list[str], popped: list[str]) -> None:
        """The passes of a loop."""
        a = node.attrs
        body, test = a["body"], a["test"]
        carry = len(body.params) - a.get("pops", 0)
        if popped:
            last = self.ref(node.inputs[-1])
            stacks = [f"reversed({self.ref(x)} or [None] * len({last}))" for x in node.inputs[carry:]]
            self.put(depth, f"for {', '.join(popped)}, in zip({', '.join(stacks)}):", node.loc)
        else:
            self.put(depth, "while True:", node.loc)
            self.name |= {id(p): o for p, o in zip(test.params, outs, strict=False)}
            self.body(depth + 1, test.nodes, test.outs)
            self.put(depth + 1, f"if not {self.ref(test.outs[0])}: break", node.loc)
        self.body(depth + 1, body.nodes, body.outs)
        for o, x in zip(outs[carry:], body.outs[carry:], strict=True):
            self.put(depth + 1, f"{o}.append({self.ref(x)})")
        if carry:
            values = ", ".join(map(self.ref, body.outs[:carry]))
            self.put(depth + 1, f"{', '.join(outs[:carry])} = {values}")


    def scope(self) -> Any:
        """A part of the function that may not run: sizes found in it are not known after it."""
        return self.sizes.scope() if self.sizes else nullcontext()


_COMMUTATIVE = {"add_", "mul_"}
_FLOW = {PACK: Source.put_pack, UNPACK: Source.put_unpack, ZERO: Source.put_zero,
         TREE_ADD: Source.put_tree_add, CALL: Source.put_call, COND: Source.put_cond,
         CUSTOM: Source.put_custom, LOOP: Source.put_loop}


def tree_add(a: Any, b: Any) -> Any:
    """The sum of two cotangents of packed values; None is zero."""
    if a is None or b is None:
        return b if a is None else a
    return type(a)(map(tree_add, a, b)) if isinstance(a, (tuple, list)) else a + b


def zeros_for(avals: Any) -> list[Any]:
    """Zero cotangents for the members of a packed value."""
    from mindspore.core.context import torch_device  # asked at run time

    return [None if a in OPAQUE else torch.zeros(a.shape, dtype=a.dtype.torch, device=torch_device())
            for a in avals]
