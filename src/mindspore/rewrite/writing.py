"""From records of nodes to code, and from code to a running network."""
from __future__ import annotations

import ast
import copy
import linecache
import sys
from itertools import count
from types import FunctionType, ModuleType
from typing import Any

from mindspore.nn import Cell

from .node import CALLS, NodeType, Record
from .values import ScopedValue

_NUMBERS = count(1)


def statement(record: Record) -> ast.stmt | None:
    """The statement of a node; None for an input."""
    if record.kind is NodeType.Input:
        return None
    if record.kind is NodeType.Output:
        given = [_tree(a) for a in record.args]
        whole = ast.Tuple(given, ast.Load()) if record.operator or len(given) > 1 else given[0] if given else None
        return ast.Return(whole)
    if record.kind is NodeType.MathOps:
        return _assignment(record, _maths(record))
    if record.kind in CALLS:
        words = [ast.keyword(None if k.startswith("**") else k, _tree(v)) for k, v in record.kwargs.items()]
        return _assignment(record, ast.Call(_parsed(record.func), [_tree(a) for a in record.args], words))
    if record.blocks:
        for name, block in record.blocks.items():
            setattr(record.statement, name, body(block) or [ast.Pass()])
    return record.statement


def body(records: list[Record]) -> list[ast.stmt]:
    """The statements of nodes."""
    return [s for r in records if (s := statement(r)) is not None]


def _assignment(record: Record, value: ast.expr) -> ast.stmt:
    if not record.targets:
        return ast.Expr(value)
    targets = [_stored(_tree(t)) for t in record.targets]
    return ast.Assign([targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())], value)


def _stored(expr: Any) -> Any:
    expr.ctx = ast.Store()
    for part in getattr(expr, "elts", ()):
        _stored(part)
    return expr


def _maths(record: Record) -> ast.expr:
    kind, how = record.operator
    parts = [_tree(a) for a in record.args]
    if kind is ast.BinOp:
        return ast.BinOp(parts[0], how, parts[1])
    return ast.UnaryOp(how, parts[0]) if kind is ast.UnaryOp else ast.Compare(parts[0], how, parts[1:])


def _tree(value: ScopedValue) -> Any:
    text = repr(value)
    if text.startswith("*"):
        return _parsed(f"f({text})").args[0]
    return _parsed(text)


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body


# ---------------------------------------------------------------------- classes and modules

def class_text(tree: Any, name: str, children: dict[str, str]) -> str:
    """The class of a changed network; `children` are the classes of its changed parts, by their attributes."""
    function: Any = copy.copy(tree.parsed.function)
    function.args = _arguments(tree)
    function.body = body(tree.records) or [ast.Pass()]
    function.decorator_list = [d for d in function.decorator_list if not tree.parsed.compiles(d)]
    method = ast.unparse(ast.fix_missing_locations(function)).replace("\n", "\n    ")
    lines = [f"class {name}({type(tree.network).__name__}, nn.Cell):", "", "    def __init__(self, obj):",
             "        nn.Cell.__init__(self)", "        take_over(self, obj)"]
    lines += [f"        self.{key} = obj.{key}" for key in tree.fresh]
    lines += [f"        self.{key} = {kind}(self.{key})" for key, kind in children.items()]
    return "\n".join([*lines, "", f"    {method}"])


def _arguments(tree: Any) -> ast.arguments:
    """The parameters of `construct`, with inputs that were added or erased."""
    a: Any = copy.copy(tree.parsed.function.args)
    kept = [r.targets[0].value for r in tree.records if r.kind is NodeType.Input]
    pairs = list(zip(a.args, [None] * (len(a.args) - len(a.defaults)) + list(a.defaults), strict=True))
    pairs = pairs[:1] + [(p, d) for p, d in pairs[1:] if p.arg in kept]
    known = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x))}
    pairs += [(ast.arg(r.targets[0].value), None if r.default is None else _tree(r.default))
              for r in tree.records if r.kind is NodeType.Input and r.targets[0].value not in known]
    a.args = [p for p, _ in pairs]
    a.defaults = [d for _, d in pairs if d is not None]
    return a


def take_over(network: Cell, origin: Any) -> None:
    """Let a cell have what another one has: parameters, cells and attributes."""
    for key, value in origin.__dict__.items():
        network.__dict__[key] = copy.copy(value) if type(value) in (dict, list, set) else value


class Origin:
    """A network together with the cells that it is to get."""

    def __init__(self, network: Cell, fresh: dict[str, Any]):
        self.__dict__.update(network.__dict__)
        self.__dict__["_fresh"] = fresh

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["_fresh"][name]


def module_text(tree: Any) -> str:
    """A module with the classes of a tree and of its changed parts, and imports of what they use."""
    lines, classes = ["import sys", "import mindspore", "from mindspore import nn",
                      "from mindspore.rewrite.writing import take_over"], []
    for part, name, children in parts(tree):
        scope = {**part.parsed.globals, **part.parsed.cells, **part.added,
                 type(part.network).__name__: type(part.network)}
        code = class_text(part, name, children)
        used = {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)}
        lines += [_import(key, scope[key]) for key in sorted(used - part.parsed.own)
                  if key in scope and key not in ("nn", "mindspore")]
        classes.append(code)
    return "\n".join(dict.fromkeys(lines)) + "\n\n\n" + "\n\n\n".join(classes) + "\n"


def _import(name: str, value: Any) -> str:
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}"
    module, own = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if isinstance(value, (type, FunctionType)) and module and own.isidentifier():
        if module == "__main__":
            return f"{name} = sys.modules['__main__'].{own}"
        return f"from {module} import {own}" + ("" if own == name else f" as {name}")
    return f"{name} = {value!r}" if isinstance(value, (int, float, str, bool, tuple, type(None))) else (
        f"# {name}: {type(value).__name__}, of the module that made the network")


def parts(tree: Any, taken: set[str] | None = None) -> list[tuple[Any, str, dict[str, str]]]:
    """(tree, name of its class, classes of its changed parts), the parts before what they are part of."""
    taken = set() if taken is None else taken
    found, children = [], {}
    for record in tree.every():
        if record.sub_tree is not None and record.func.startswith("self.") and record.func.count(".") == 1:
            inner = parts(record.sub_tree, taken)
            found += inner
            children[record.func.removeprefix("self.")] = inner[-1][1]
    name, i = f"{type(tree.network).__name__}Opt", 0
    while name in taken:
        i += 1
        name = f"{type(tree.network).__name__}Opt_{i}"
    taken.add(name)
    return [*found, (tree, name, children)]


def network_of(tree: Any) -> Cell:
    """The running network of a tree."""
    from mindspore import nn

    made: dict[str, Any] = {}
    kind: Any = None
    for part, name, children in parts(tree):
        code = class_text(part, name, children)
        file = f"<rewritten {name} {next(_NUMBERS)}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        scope = {**part.parsed.globals, **part.parsed.cells, **part.added, **made, "nn": nn, "take_over": take_over,
                 type(part.network).__name__: type(part.network), "__name__": type(part.network).__module__,
                 "__builtins__": __builtins__, "sys": sys}
        exec(compile(code, file, "exec"), scope)
        kind = scope[name]
        fresh = part.fresh

        def build(obj: Any, kind: Any = kind, fresh: Any = fresh) -> Cell:
            return kind(obj if isinstance(obj, Origin) else Origin(obj, fresh))

        made[name] = build
    return made[parts(tree)[-1][1]](tree.network)
