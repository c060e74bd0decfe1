"""Python source of a graph: one statement per node, a table from its lines to user lines.

A value is released at its last use: the next result gets its name, or `del` does it.  Buffers are
reused: where the operand of an element-wise operator is a temporary (or the old value of a parameter
that the graph replaces) that is not used afterwards, the operator works in place.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from mindspore.compiler.targets import Target, here
from mindspore.core.kinds import is_tuple, type_of
from mindspore.ir import ITEM, Aval, Dim, Graph, Loc, Node, Real, symbolic
from mindspore.ir.origin import Origin
from mindspore.operators.fused import generated
from mindspore.operators.registry import Operator

from .flow import WRITERS, tree_add, zeros_for
from .liveness import Lives
from .naming import Names
from .sizing import Sizing

_LITERALS: set[type[Any]] = {int, float, bool, str, type(None)}
_COMMUTATIVE = {"add_", "mul_"}
_SIGNS = {"add_": "+=", "sub_": "-=", "mul_": "*=", "div_": "/="}


class Statement(NamedTuple):
    """What is known of the statement of an operator: that, avals and constants that go in, the user's line."""

    op: Operator
    inputs: tuple[Any, ...]
    attrs: dict[str, Any]
    aval: Any
    loc: Loc | None
    origin: Origin


class Source:
    """The source of a graph and of the graphs that it calls.

    Args:
        owned: The nodes that replace parameters, by the ids of both: parameters that may be overwritten.
        hints: What the first parameters of the first graph are called.
        sizes: Sizes that only a run tells, if there are any.
        reuse: Whether results may take the memory of dead values.
        target: What the source is for.
    """

    def __init__(self, owned: dict[int, int], hints: Sequence[str] = (), sizes: Sizing | None = None,
                 reuse: bool = True, target: Target | None = None):
        self.owned, self.sizes, self.reuse = owned, sizes, reuse
        self.target = target or here()
        self.lines: list[str] = []
        self.locs: list[Loc | None] = []
        self.statements: dict[int, Statement] = {}      # by the number of the line, from 0
        self.names = Names(hints)
        self.name = self.names.of
        self.space: dict[str, Any] = {"torch": torch, "tree_add": tree_add, "zeros_for": zeros_for}
        self.todo: list[Graph] = []
        self.kernels: dict[Any, str] = {}
        self.templates: dict[str, str] = {}
        self.constants: dict[int, str] = {}
        self.schedule: Any = None       # of the function that is being written

    def put(self, depth: int, text: str, loc: Loc | None = None) -> None:
        """Append a line."""
        self.lines.append("    " * depth + text)
        self.locs.append(loc)

    def put_operator(self, depth: int, text: str, node: Node) -> None:
        """Append the statement of an operator."""
        avals = tuple([x.aval if type(x) is Node else x for x in node.inputs])
        self.statements[len(self.lines)] = Statement(node.op, avals, node.attrs, node.aval, node.loc, node.origin)
        self.put(depth, text, node.loc)

    # ------------------------------------------------------------------ operands

    def ref(self, x: Any) -> str:
        """An operand in the source."""
        return self.name[id(x)] if type(x) is Node else self.literal(x)

    def literal(self, x: Any) -> str:
        """A constant in the source: written out, or by a name in the function's globals."""
        if type(x) is float and x - x != 0:               # inf and nan have no literal
            return f'float("{x}")'
        if self.sizes and symbolic(x):
            return self.symbolic(x)
        kind, several = type_of(x), x if is_tuple(x) else ()
        if kind in _LITERALS or (kind is tuple and _LITERALS.issuperset(map(type_of, several))):
            return repr(x)
        name = self.constants.get(id(x))
        if name is None:
            stem = kind.__name__.lower()
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
            return f"Aval({self.literal(x.shape)}, {self.literal(x.dtype)})"
        inner = "".join([self.literal(v) + ", " for v in x])
        return f"[{inner}]" if type(x) is list else f"({inner})"

    # ------------------------------------------------------------------ functions and blocks

    def function_name(self, graph: Graph) -> str:
        """The name of the function of a graph, which will be written."""
        if id(graph) not in self.names.graphs:
            self.todo.append(graph)
        return self.names.function(graph)

    def function(self, graph: Graph) -> None:
        """The function of a graph."""
        params = self.names.parameters(graph.params)
        if self.sizes and graph is not self.todo[0]:
            params += self.sizes.inputs
        self.put(0, f"def {self.function_name(graph)}({', '.join(params)}):")
        self.schedule = self.target.schedule(graph)
        if self.sizes:
            self.sizes.start(self, params, graph is self.todo[0])
        self.body(1, graph.nodes, graph.outs, self.owned)
        self.put(1, f"return ({''.join([self.ref(o) + ', ' for o in graph.outs])})")
        if self.schedule:
            self.space |= self.schedule.space

    def body(self, depth: int, nodes: list[Node], keep: list[Any],
             owned: dict[int, int] | None = None) -> None:
        """The statements of a block; parameters in `owned` may be overwritten."""
        lives = Lives(nodes, keep, owned or {})
        name, names = self.name, self.names
        for i, node in enumerate(nodes):
            if node.op is ITEM:
                continue
            write = WRITERS.get(node.op)
            if write:
                self.scheduled(depth, None)
                write(self, depth, node)
                dead = [name[x] for x in lives.ends(i) if x in name]
            else:
                self.scheduled(depth, node)
                dead = self.kernel(depth, node, lives, i)
            if self.sizes:
                self.sizes.after(self, depth, node)
            if dead:
                self.put(depth, f"del {', '.join(dead)}")
                names.free += dead
        self.scheduled(depth, None)

    def scheduled(self, depth: int, node: Node | None) -> None:
        """What the target wants before a statement."""
        if self.schedule and (text := self.schedule.before(node)):
            self.put(depth, text)

    # ------------------------------------------------------------------ operators

    def kernel(self, depth: int, node: Node, lives: Lives, at: int) -> list[str]:
        """Write the statement of an operator; the names whose values are to be released after it."""
        name, op = self.name, node.op
        dead = [name[x] for x in lives.ends(at) if x in name]
        if op.inplace and self.reuse:
            text = self.in_place(node, lives, at, dead)
            if text:
                self.put_operator(depth, text, node)
                return dead
        over = self.overwriting(node, lives, at) if self.reuse else None
        text = self.generated(node, lives, at) if op is generated else over or self.expression(node)
        if node.items:
            targets = "".join([self.names.fresh(m, dead) + ", " for m in node.items])
            self.put_operator(depth, f"{targets}= {text}", node)
            return dead + [name[id(m)] for m in node.items if lives.last[id(m)] == at]
        if node.aval == ():
            if self.sizes and op.effect == "io":
                text = self.sizes.once(self, node, text)
            self.put_operator(depth, text, node)
        else:
            self.put_operator(depth, f"{self.names.fresh(node, dead)} = {text}", node)
        return dead

    def expression(self, node: Node) -> str:
        """The call of an operator's kernel, or its code."""
        op, name = node.op, self.name
        args = [name[id(x)] if type(x) is Node else self.literal(x) for x in node.inputs]
        if op.code and not node.attrs and len(args) == len(op.inputs):
            return self.bound(op.code).format(*args)
        kernel = self.kernel_name(op)
        args += [f"{k}={self.literal(v)}" for k, v in node.attrs.items()]
        return f"{kernel}({', '.join(args)})"

    def kernel_name(self, op: Operator) -> str:
        """The name of an operator's kernel in the function's globals."""
        known = self.kernels.get(op)
        if known is None:
            stem = self.names.kernel(op.name)
            held = self.space.setdefault(stem, op.kernel)
            known = self.kernels[op] = stem if held is op.kernel else self.literal(op.kernel)
        return known

    def overwriting(self, node: Node, lives: Lives, at: int) -> str | None:
        """The call of the kernel that puts every result into the place of an input, if all are free."""
        if node.op.overwriter is None:
            return None
        kernel, places = node.op.overwriter
        users = Counter(lives.roots(node))       # inputs per buffer
        for item, k in zip(node.items or (node,), places(len(node.inputs)), strict=True):
            x = node.inputs[k]
            if type(x) is not Node or users[id(x)] > 1 or not lives.is_free(x, item, at):
                return None
        args = [self.ref(x) for x in node.inputs]
        args += [f"{k}={self.literal(v)}" for k, v in node.attrs.items()]
        stem = f"k_{node.op.name}_in_place"
        self.space[stem] = kernel
        return f"{stem}({', '.join(args)})"

    def generated(self, node: Node, lives: Lives, at: int) -> str:
        """The call of a generated kernel; results take the memory of inputs that are free."""
        kernel, users = node.attrs["kernel"], Counter(lives.roots(node))
        into: list[int | None] = []
        for out, places in zip(node.items or (node,), kernel.overwritable, strict=True):
            into.append(next((k for k in places if self.reuse and k not in into and users[id(node.inputs[k])] == 1
                              and lives.is_free(node.inputs[k], out, at)), None))
        args = [self.ref(x) for x in node.inputs]
        if any(k is not None for k in into):
            args.append(f"into={tuple(into)!r}")
        return f"{self.literal(kernel)}({', '.join(args)}){'' if node.items else '[0]'}"

    def in_place(self, node: Node, lives: Lives, at: int, dead: list[str]) -> str | None:
        """The statement that overwrites a dead operand, if there is one that can be.

        The result has the operand's name, which is taken out of `dead`.
        """
        how = node.op.inplace
        template = "(" in how                # then the result may go to any operand's place
        if node.attrs and not template:
            return None
        for k, x in enumerate(node.inputs):
            if type(x) is not Node or not lives.overwritable(x, node, at) or x.aval.strong != node.aval.strong:
                continue
            if k and not template and (how not in _COMMUTATIVE or k > 1):
                continue
            target = self.name[id(node)] = self.ref(x)
            if target in dead:
                dead.remove(target)
            if template:
                args = [self.ref(y) for y in node.inputs]
                attrs = {k: self.literal(v) for k, v in (node.op.attrs | node.attrs).items()}
                return self.bound(how).format(*args, out=target, **attrs)
            rest = [self.ref(y) for j, y in enumerate(node.inputs) if j != k]
            return f"{target} {_SIGNS[how]} {rest[0]}" if how in _SIGNS else (
                f"{target}.{how}({', '.join(rest)})")
        return None

    def bound(self, template: str) -> str:
        """A template with the function that it calls looked up now instead of at every run."""
        known = self.templates.get(template)
        if known is None:
            known = self.templates[template] = self._bound(template)
        return known

    def _bound(self, template: str) -> str:
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
