"""From the source of `construct` to records of nodes. Calls and operators within calls become own statements."""
from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from mindspore.nn import Cell, CellDict, CellList, SequentialCell
from mindspore.ops import Primitive

from .node import NodeType, Record
from .values import ScopedValue, from_tree

_CONTAINERS = (SequentialCell, CellList, CellDict)
_MATHS = (ast.BinOp, ast.Compare, ast.UnaryOp)
_FLOWS = (ast.If, ast.For, ast.While, ast.With)
_UNKNOWN = object()


class _Parents(ast.NodeTransformer):
    """Names the class whose parent `super()` means: the code will stand in another class."""

    def __init__(self, owner: str):
        self.owner = owner

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.Name(self.owner, ast.Load()), ast.Name("self", ast.Load())]
        return node


class Parsed:
    """The records of a network, and the function that they come from."""

    def __init__(self, network: Cell):
        self.network = network
        construct: Any = inspect.unwrap(type(network).construct)    # below decorators
        try:
            text = textwrap.dedent(inspect.getsource(construct))
        except (OSError, TypeError) as error:
            raise ValueError(f"For 'SymbolTree', the source of '{type(network).__name__}.construct' cannot be "
                             "found.") from error
        self.function: Any = ast.parse(text).body[0]
        self.globals: dict[str, Any] = construct.__globals__
        self.cells = dict(zip(construct.__code__.co_freevars, (c.cell_contents for c in construct.__closure__ or ()),
                              strict=True))
        owner = next(c for c in type(network).__mro__ if "construct" in c.__dict__)
        self.cells[owner.__name__] = owner
        self.function = _Parents(owner.__name__).visit(self.function)
        self.names: set[str] = set()
        self.variables = {n.id for n in ast.walk(self.function) if isinstance(n, ast.Name)}
        self.own = {n.id for n in ast.walk(self.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.own |= {n.arg for n in ast.walk(self.function) if isinstance(n, ast.arg)}
        self.records = [*self._inputs(), *self.block(self.function.body)]

    def unique(self, name: str, taken: set[str]) -> str:
        """A name that is not taken yet."""
        found, i = name, 0
        while found in taken:
            i += 1
            found = f"{name}_{i}"
        taken.add(found)
        return found

    def compiles(self, decorator: ast.expr) -> bool:
        """Whether a decorator is one of this package, such as `jit`, which the code of a tree does without."""
        value = self._known(decorator.func if isinstance(decorator, ast.Call) else decorator)
        return str(getattr(value, "__module__", "")).partition(".")[0] == "mindspore"

    def _inputs(self) -> list[Record]:
        a = self.function.args
        listed = [*a.posonlyargs, *a.args][1:]
        defaults = [None] * (len(listed) - len(a.defaults)) + list(a.defaults)
        pairs = [*zip(listed, defaults, strict=True), *zip(a.kwonlyargs, a.kw_defaults, strict=True)]
        pairs += [(extra, None) for extra in (a.vararg, a.kwarg) if extra is not None]
        return [Record(self.unique(f"input_{p.arg}", self.names), NodeType.Input,
                       [ScopedValue.create_naming_value(p.arg)], default=None if d is None else from_tree(d))
                for p, d in pairs]

    # ------------------------------------------------------------------ statements

    def block(self, statements: list[ast.stmt]) -> list[Record]:
        """The records of statements."""
        found: list[Record] = []
        for statement in statements:
            self._statement(statement, found)
        return found

    def _statement(self, s: ast.stmt, out: list[Record]) -> None:
        if isinstance(s, ast.Assign) and len(s.targets) == 1:
            self._assigned(s, s.value, _targets(s.targets[0]), out)
        elif isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
            left = ast.Name(s.target.id, ast.Load())
            self._assigned(s, ast.BinOp(left, s.op, s.value), _targets(s.target), out)
        elif isinstance(s, ast.Return):
            record = Record(self.unique("return", self.names), NodeType.Output)
            value = s.value
            given = value.elts if isinstance(value, ast.Tuple) else [] if value is None else [value]
            record.args = [from_tree(self._operand(v, out)) for v in given]
            record.operator = isinstance(value, ast.Tuple)
            out.append(record)
        elif isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
            self._assigned(s, s.value, [], out)
        elif isinstance(s, _FLOWS):
            self._flow(s, out)
        else:
            out.append(self._raw(s))

    def _raw(self, s: ast.stmt) -> Record:
        return Record(self.unique(type(s).__name__.lower(), self.names), NodeType.Python, statement=s)

    def _flow(self, s: Any, out: list[Record]) -> None:
        if isinstance(s, ast.If):
            s.test = self._operand(s.test, out)
        elif isinstance(s, ast.For):
            s.iter = self._operand(s.iter, out)
        word = type(s).__name__.lower()
        record = Record(self.unique(f"{word}_node", self.names), NodeType.ControlFlow, statement=s)
        record.blocks = {f: self.block(getattr(s, f)) for f in ("body", "orelse") if getattr(s, f, None)}
        out.append(record)

    def _assigned(self, s: ast.stmt, value: ast.expr, targets: list[ScopedValue], out: list[Record]) -> None:
        record = self._operation(value, out)
        if record is None:
            out.append(self._raw(s))
            return
        record.targets = targets
        out.append(record)

    # ------------------------------------------------------------------ expressions

    def _operand(self, expr: ast.expr, out: list[Record]) -> ast.expr:
        """An expression without calls: they become statements before it, where that does not change their order."""
        if isinstance(expr, (ast.Tuple, ast.List)) and isinstance(expr.ctx, ast.Load):
            expr.elts = [self._operand(e, out) for e in expr.elts]
            return expr
        record = self._operation(expr, out)
        if record is None:
            return expr
        name = self.unique(f"{record.name.removeprefix('binop_').rstrip('_0123456789') or record.name}_var",
                           self.variables)
        record.targets = [ScopedValue.create_naming_value(name)]
        out.append(record)
        return ast.Name(name, ast.Load())

    def _operation(self, expr: ast.expr, out: list[Record]) -> Record | None:
        if isinstance(expr, ast.Call) and not _lazy(expr):
            return self._call(expr, out)
        if isinstance(expr, _MATHS) and not _lazy(expr):
            return self._maths(expr, out)
        return None

    def _call(self, expr: ast.Call, out: list[Record]) -> Record:
        kind, instance = self._called(expr.func)
        if kind is NodeType.CallMethod and isinstance(expr.func, ast.Attribute):
            expr.func.value = self._operand(expr.func.value, out)
        record = Record("", kind, func=ast.unparse(expr.func), instance=instance)
        record.args = [from_tree(a if isinstance(a, ast.Starred) else self._operand(a, out)) for a in expr.args]
        record.kwargs = {k.arg or f"**{i}": from_tree(self._operand(k.value, out)) for i, k in enumerate(expr.keywords)}
        record.name = self.unique(record.func.rpartition(".")[2].strip("()") or "call", self.names)
        return record

    def _maths(self, expr: Any, out: list[Record]) -> Record:
        if isinstance(expr, ast.BinOp):
            parts, word = [expr.left, expr.right], f"binop_{type(expr.op).__name__.lower()}"
            how: Any = expr.op
        elif isinstance(expr, ast.UnaryOp):
            parts, word, how = [expr.operand], f"unary_{type(expr.op).__name__.lower()}", expr.op
        else:
            parts, word, how = [expr.left, *expr.comparators], f"compare_{type(expr.ops[0]).__name__.lower()}", expr.ops
        record = Record("", NodeType.MathOps, operator=(type(expr), how))
        record.args = [from_tree(self._operand(p, out)) for p in parts]
        record.name = self.unique(word, self.names)
        return record

    def _called(self, func: ast.expr) -> tuple[NodeType, Any]:
        """What is called, and its kind."""
        value = self._known(func)
        if isinstance(value, _CONTAINERS):
            return NodeType.CellContainer, value
        if isinstance(value, Cell):
            own = type(value).__module__.partition(".")[0] != "mindspore"
            return (NodeType.Tree if own else NodeType.CallCell), value
        if isinstance(value, Primitive):
            return NodeType.CallPrimitive, value
        if value is _UNKNOWN or (isinstance(func, ast.Attribute) and inspect.ismethod(value)):
            return NodeType.CallMethod, None
        return NodeType.CallFunction, value

    def _known(self, expr: ast.expr) -> Any:
        """The object that an expression of names and attributes is before the network runs."""
        if isinstance(expr, ast.Name):
            if expr.id == "self":
                return self.network
            if expr.id in self.cells:
                return self.cells[expr.id]
            builtins = self.globals.get("__builtins__", {})
            found = self.globals.get(expr.id, _UNKNOWN)
            return getattr(builtins, expr.id, _UNKNOWN) if found is _UNKNOWN and not isinstance(builtins, dict) else (
                builtins.get(expr.id, _UNKNOWN) if found is _UNKNOWN else found)
        if isinstance(expr, ast.Attribute):
            inner = self._known(expr.value)
            return _UNKNOWN if inner is _UNKNOWN else getattr(inner, expr.attr, _UNKNOWN)
        if isinstance(expr, ast.Subscript) and isinstance(expr.slice, ast.Constant):
            inner = self._known(expr.value)
            return inner[expr.slice.value] if isinstance(inner, _CONTAINERS) else _UNKNOWN
        return _UNKNOWN


def _targets(target: ast.expr) -> list[ScopedValue]:
    return [from_tree(t) for t in target.elts] if isinstance(target, ast.Tuple) else [from_tree(target)]


def _lazy(expr: ast.expr) -> bool:
    """Whether parts of an expression may not be computed at all, or more than once: nothing can be taken out."""
    kinds = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
             ast.NamedExpr)
    return any(isinstance(n, kinds) for n in ast.walk(expr))
