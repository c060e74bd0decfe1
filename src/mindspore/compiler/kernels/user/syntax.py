"""The tree of a user's function, by evaluating its syntax with values that stand for scalars, never with data.

Names are bound to Python's objects where these are known (numbers, shapes, types) and to values elsewhere.  A loop
carries the names that its body sets and that were bound before; a branch gives those that it sets on both sides.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from .errors import KernelLanguageError
from .expressions import Expressions, Number, Unset
from .sources import Source
from .tree import Block, Branch, Tensor, Value

LOOPS = ("range", "grid", "serial", "parallel", "vectorize", "reduce")


class Reader(Expressions):
    """Evaluates a function.

    Attributes:
        names: What is bound now.
        returned: The tensors that the function gives; None before it ends.
    """

    def __init__(self, source: Source, arguments: Sequence[Any]):
        super().__init__(source)
        self.types: dict[tuple[int, str, str], tuple[str, bool]] = {}
        self.returned: list[Tensor] | None = None
        for name, given in zip(source.parameters, arguments, strict=True):
            self.names[name] = (given if isinstance(given, Number)
                                else self.writer.program.input(name, given[0], given[1]))

    def read(self) -> Any:
        """The program of the function."""
        self.statements(self.source.body)
        if not self.returned:
            raise self.refused(self.source.tree, "A kernel must return the tensors that 'output_tensor' gave")
        self.writer.program.outputs = self.returned
        return self.writer.program

    # ------------------------------------------------------------------ statements

    def statements(self, body: Sequence[ast.stmt]) -> None:
        """Statements in order."""
        for node in body:
            if self.returned is not None:
                raise self.refused(node, "Nothing can follow 'return'")
            self.writer.line = self.source.line(node)
            handler = getattr(self, f"do_{type(node).__name__}", None)
            if handler is None:
                raise self.refused(node, f"'{type(node).__name__.lower()}' is not in the language of kernels")
            handler(node)

    def do_Expr(self, node: ast.Expr) -> None:
        """A text that stands alone."""
        if not isinstance(node.value, ast.Constant):
            raise self.refused(node, "An expression alone does nothing")

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_With(self, node: ast.With) -> None:
        """`with block_realize(c):`, a note for other devices."""
        call = node.items[0].context_expr
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "block_realize"):
            raise self.refused(node, "Only 'with block_realize(tensor)' is in the language of kernels")
        self.statements(node.body)

    def do_Assign(self, node: ast.Assign) -> None:
        """Names or elements get values; all values are computed first."""
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value, node)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The same; the annotation says nothing."""
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value), node)

    def assign(self, target: ast.expr, value: Any, node: ast.stmt) -> None:
        """One target."""
        if isinstance(target, ast.Name):
            if isinstance(value, Tensor) and value.role == "output" and value.name == "":
                value.name = target.id
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(value) == len(target.elts):
            for one, v in zip(target.elts, value, strict=True):
                self.assign(one, v, node)
        elif isinstance(target, ast.Subscript):
            tensor, indices = self.place(target, written=True)
            self.writer.store(tensor, indices, self.typed(value, tensor.dtype, node))
        else:
            raise self.refused(node, "Only names and elements of tensors can be set")

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        """`s += x`, `c[i] += x`."""
        if isinstance(node.target, ast.Name):
            before = self.evaluate(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            value, name = self.evaluate(node.value), type(node.op).__name__
            if name == "Sub" and isinstance(value, Value):         # a sum, too
                value, name = self.applied("neg", [value], node), "Add"
            self.names[node.target.id] = self.binary(name, before, value, node)
            return
        if not isinstance(node.target, ast.Subscript):
            raise self.refused(node, "Only names and elements of tensors can be set")
        value = self.evaluate(node.value)
        tensor, indices = self.place(node.target, written=True)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            value = self.typed(value, tensor.dtype, node)
            value = self.writer.op("neg", value) if isinstance(node.op, ast.Sub) else value
            self.writer.store(tensor, indices, value, add=True)
            return
        value = self.binary(type(node.op).__name__, self.writer.load(tensor, indices), value, node)
        self.writer.store(tensor, indices, self.typed(value, tensor.dtype, node))

    def do_Return(self, node: ast.Return) -> None:
        """The outputs."""
        if len(self.writer.blocks) > 1:
            raise self.refused(node, "A kernel returns at its end only")
        found = self.evaluate(node.value) if node.value else ()
        self.returned = list(found) if isinstance(found, tuple) else [found]
        for tensor in self.returned:
            if not isinstance(tensor, Tensor) or tensor.role != "output":
                raise self.refused(node, "A kernel must return the tensors that 'output_tensor' gave")
        if len(set(map(id, self.returned))) != len(self.returned) or len(self.returned) != self.outputs:
            raise self.refused(node, "A kernel must return each tensor that 'output_tensor' gave, once")

    # ------------------------------------------------------------------ loops

    def do_For(self, node: ast.For) -> None:
        """A loop over numbers, or over a tuple that is known, which is written out."""
        if node.orelse:
            raise self.refused(node, "'for ... else' is not in the language of kernels")
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in LOOPS:
            self.counted(node, call.func.id, [self.evaluate(a) for a in call.args])
            return
        items = self.evaluate(call)
        if not isinstance(items, tuple):
            raise self.refused(node, f"Loops are over {', '.join(LOOPS)} or a tuple")
        for item in items:
            self.assign(node.target, item, node)
            self.statements(node.body)

    def counted(self, node: ast.For, word: str, args: list[Any]) -> None:
        """The nest of loops of a call of one of `LOOPS`."""
        if word == "grid":
            extents = args[0] if len(args) == 1 and isinstance(args[0], tuple) else tuple(args)
            targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
            if len(targets) != len(extents) or not extents:
                raise self.refused(node, f"'grid' of {len(extents)} extents sets as many names, not {len(targets)}")
            self.nest(node, [(word, t, (0, e, 1)) for t, e in zip(targets, extents, strict=True)])
            return
        if not 1 <= len(args) <= 3:
            raise self.refused(node, f"'{word}' takes a stop, or a start, a stop and a step")
        start, stop, step = [0, args[0], 1] if len(args) == 1 else [*args, 1][:3]
        self.nest(node, [(word, node.target, (start, stop, step))])

    def nest(self, node: ast.For, loops: list[tuple[str, ast.expr, tuple[Any, Any, Any]]]) -> None:
        """Loops in one another around the body."""
        if not loops:
            self.statements(node.body)
            return
        (word, target, (start, stop, step)), *inner = loops
        if not isinstance(target, ast.Name):
            raise self.refused(node, "A loop sets one name")
        if not isinstance(step, int) or isinstance(step, bool) or step == 0:
            raise self.refused(node, "The step of a loop must be a known whole number that is not 0")
        start, stop = [self.whole(x, node) for x in (start, stop)]
        before = dict(self.names)
        carried = [n for n in assigned(node.body) if isinstance(before.get(n), (Value, int, float)) and n != target.id]
        while not self.iteration(node, word, target.id, (start, stop, step), inner, carried, before):
            pass                                  # a name turned out to need a wider type: once more

    def iteration(self, node: ast.For, word: str, target: str, extent: tuple[Any, Any, int], inner: list[Any],
                  carried: list[str], before: dict[str, Any]) -> bool:
        """Write a loop; False if a carried name needs another type first."""
        w = self.writer
        keys = [(id(node), target, name) for name in carried]
        inits = []
        for name, key in zip(carried, keys, strict=True):
            init = self.value(before[name], node)
            dtype, weak = self.types.setdefault(key, (init.dtype, init.weak))
            inits.append(self.typed(init, dtype, node, weak=weak))
        count, temporaries = len(w.blocks[-1].ops), len(w.program.temporaries)
        self.names, outputs = dict(before), self.outputs
        with w.loop(*extent, word=word, inits=inits) as loop:
            self.names.update(zip(carried, loop.params, strict=True))
            self.names[target] = loop.index
            self.nest(node, inner)
            ends = [self.value(self.names[n], node) for n in carried]
            wider = False
            for key, end in zip(keys, ends, strict=True):
                joined = self.joined(self.types[key], (end.dtype, end.weak), node)
                wider = wider or joined != self.types[key]
                self.types[key] = joined
            if not wider:
                loop.body.yields = [self.typed(e, *self.types[k][:1], node, weak=self.types[k][1])
                                    for k, e in zip(keys, ends, strict=True)]
        if wider:
            del w.blocks[-1].ops[count:], w.program.temporaries[temporaries:]
            self.outputs = outputs
            return False
        after = self.names
        self.names = dict(before)
        for name, old in {**dict.fromkeys(after), **before}.items():
            if name == target or name not in before or (isinstance(old, Unset) and after[name] is not old):
                self.names[name] = Unset("a loop, which may not run")
        for name in carried:
            self.names[name] = loop.results[carried.index(name)]
        changed = [n for n in before if n not in carried and n != target and after[n] is not before[n]
                   and not isinstance(before[n], Unset)]
        if changed:
            raise self.refused(node, f"A loop cannot bind '{changed[0]}' to something that is no number")
        return True

    # ------------------------------------------------------------------ branches

    def do_If(self, node: ast.If) -> None:
        """One side if the condition is known; else a branch."""
        test = self.evaluate(node.test)
        if not isinstance(test, Value):
            self.statements(node.body if test else node.orelse)
            return
        made = Branch(self.truth(test, node), self.writer.line)
        before = dict(self.names)
        sides = []
        for block, body in ((made.then, node.body), (made.orelse, node.orelse)):
            self.names = dict(before)
            with self.writer.inside(block):
                self.statements(body)
            sides.append(self.names)
        self.names = before
        self.merge(made, sides, node)

    def merge(self, made: Branch, sides: list[dict[str, Any]], node: ast.stmt) -> None:
        """Bind what either side set, and append the branch."""
        names = dict.fromkeys([*sides[0], *sides[1]])
        changed = [n for n in names if sides[0].get(n) is not sides[1].get(n)]
        both = [n for n in changed if all(isinstance(s.get(n), (Value, int, float)) for s in sides)]
        for name in both:
            values = [self.value(s[name], node) for s in sides]
            dtype, weak = self.joined(*[(v.dtype, v.weak) for v in values], node=node)
            made.give(dtype, weak)
            for block, value in zip((made.then, made.orelse), values, strict=True):
                with self.again(block):
                    block.yields.append(self.typed(value, dtype, node, weak=weak))
        self.writer.branch(made)
        for name in changed:
            self.names[name] = made.results[both.index(name)] if name in both else Unset("one side of an 'if'")

    def again(self, block: Block) -> Any:
        """Go on with a block."""
        return self.writer.inside(block)


def assigned(body: Sequence[ast.stmt]) -> list[str]:
    """The names that statements set."""
    found: dict[str, None] = {}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = None
    return list(found)


def read(source: Source, arguments: Sequence[Any]) -> Any:
    """The program of a function for arguments of some types: (dtype, rank) for a tensor, or a number."""
    try:
        return Reader(source, arguments).read()
    except RecursionError:
        raise KernelLanguageError(f"The kernel '{source.name}' is nested too deeply.") from None
