"""A compiled program as text, and back: the graph in its text form, the rest as JSON.

Objects that exist outside of the program (cells, parameters, lists) are written as the numbers that a
`Walk` gave them; the same walk in another process gives the same numbers to the objects there.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import base64
import builtins
import json
import sys
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
import torch

from mindspore.compiler.cell_states import states
from mindspore.compiler.frontend import Trace
from mindspore.compiler.frontend.objects.places import Attribute, Contents
from mindspore.compiler.frontend.objects.source import Cells
from mindspore.compiler.frontend.objects.watch import MISSING, Outside, Watch, now, standing
from mindspore.compiler.validity import marks_of
from mindspore.core.dtype import DTYPES, DType
from mindspore.core.kinds import is_dict, is_sequence, type_of
from mindspore.eager.parameter import Parameter, Version
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import Graph, Node, graphs_in, parse, text, tree, verify
from mindspore.ir.runtime import runtime
from mindspore.operators.registry import REGISTRY
from mindspore.operators.torch_private import from_numpy

from .fingerprint import Unstorable, Walk, digest_of
from .places import packed_places, restore_places

_STATIC = (int, float, bool, str, type(None))
_CONSTANTS = 4 << 20          # bytes of tensors made while compiling that a file may hold
_PURE = {"math", "functools", "itertools", "operator", "collections", "typing", "dataclasses", "enum",
         "abc", "copy", "numbers", "types", "__future__", "builtins", "string", "re", "fractions", "decimal",
         "statistics", "cmath", "bisect", "heapq", "contextlib"}
_CHANGING = {"open", "input", "eval", "exec", "__import__", "hash", "id"}
_DTYPES = {d.short: d for d in DTYPES.values()}


# ---------------------------------------------------------------------- to text

def packed(program: Any, trace: Trace, walked: Walk, hole: Any) -> str:
    """The text of a program; `walked` visited the function and the arguments.

    Raises:
        Unstorable: If a part of the program has no such form.
    """
    if program.constants is not None:
        raise Unstorable("it holds values of its arguments")
    if program.has_dynamic_results or program.sizes.inputs:
        raise Unstorable("it holds for many sizes")
    if program.outside.readings:
        raise Unstorable("it holds elements of tensors from outside")
    if program.chosen:
        raise Unstorable("its result is chosen at run time")
    reads = [_packed_read(walked, scope, name, value) for scope, name, value in (trace.noted or {}).values()]
    for file in trace.files:
        walked.file(file)
    for module in trace.modules:
        _check_pure(module.__name__)
    graph = _packed_graph(program.prepared)
    encode = _Encoder(walked, hole).encode
    body = {
        "arguments": program.record.arguments, "files": walked.files,
        "reads": [r for r in reads if r], "names": program.names,
        "places": _packed_owners(walked, program.outside.places),
        "held": [_number(walked, owner) for owner, _ in program.outside.held],
        "named_parts": [_number(walked, owner) for owner, _ in program.outside.named_parts],
        "arrays": [_number(walked, array) for array, _ in program.outside.arrays],
        "captured": [_packed_tensor(walked, t) for t in program.captured],
        "sources": [[k, _number(walked, owner), _key(name), i] for k, owner, name, i, _ in program.sources],
        "cells": [_number(walked, state.ref()) for state in program.cells], "cast": program.cast and program.cast[1],
        "primitives": [n for p, _ in program.primitives if (n := walked.number(p)) is not None],   # others it made
        "assigned": [_number(walked, p) for p in program.assigned],
        "contents": [_packed_place(walked, place) for place, _ in program.contents],
        "writes": [[_packed_place(walked, p), encode(v), n] for p, v, n in program.writes],
        "numbers": program.numbers, "changed": list(program.changed),
        "asked": program.asked, "own": program.own, "result": encode(program.result),
        "count": program.count, "lines": packed_places(program.prepared)}
    return json.dumps(body) + "\n" + graph


def _packed_graph(graph: Graph) -> str:
    """The text of a graph, if that is all there is to it."""
    found = text(graph, False)
    try:
        again = parse(found, REGISTRY)
    except (ValueError, SyntaxError, KeyError):
        again = None
    if again is None or text(again, False) != found or not _same_attributes(graph, again):
        raise Unstorable("its graph has no text form")
    return found


def _same_attributes(a: Graph, b: Graph) -> bool:
    """Whether attributes and constants have the same types, which the text alone does not tell."""
    return all(_types(x) == _types(y) for x, y in zip(_nodes(a), _nodes(b), strict=True))


def _nodes(graph: Graph) -> list[Node]:
    """The nodes of a graph and of all graphs below it."""
    return [node for one in graphs_in(graph) for node in one.nodes]


def _types(node: Node) -> Any:
    def kinds(v: Any) -> Any:
        return (type_of(v), [kinds(x) for x in v]) if is_sequence(v) else type_of(v)
    return [kinds(x) for x in node.inputs], [kinds(v) for v in node.attrs.values()]


def _number(walked: Walk, value: Any) -> int:
    found = walked.number(value)
    if found is None:
        raise Unstorable(f"an object of the class {type(value).__name__} that is not reachable")
    return found


def _packed_read(walked: Walk, scope: Any, name: str, value: Any) -> Any:
    """A name that was read: where, and the digest after its value was visited."""
    if scope is builtins.__dict__:
        if name in _CHANGING:
            raise Unstorable(f"it calls '{name}'")
        return None
    _check_pure(value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None))
    walked.visit(value)
    if type_of(scope) is dict:
        module = scope.get("__name__")
        if module not in sys.modules or vars(sys.modules[module]) is not scope:
            raise Unstorable(f"the name '{name}' of a namespace that is no module")
        return ["module", module, name, walked.digest()]
    return ["closure", _owner_of(walked, scope), name, walked.digest()]


def _check_pure(module: Any) -> None:
    """Refuse modules whose functions may answer differently in another process."""
    root = module.partition(".")[0] if isinstance(module, str) else ""
    if root in sys.stdlib_module_names and root not in _PURE:
        raise Unstorable(f"it uses the module '{root}', whose answers may change")


def _owner_of(walked: Walk, scope: Any) -> int:
    """The number of the function to which the cells of a closure belong."""
    wanted = [id(c) for c in scope.cells.values()] if type(scope) is Cells else None
    for number, value in enumerate(walked.objects):
        if type(value) is FunctionType and wanted == [id(c) for c in value.__closure__ or ()]:
            return number
    raise Unstorable("a name of a function that is not reachable")


def _packed_tensor(walked: Walk, tensor: Tensor) -> Any:
    """A captured tensor: its number, or its content if it was made while compiling."""
    found = walked.number(tensor)
    if found is not None:
        return found
    if isinstance(tensor, Parameter):
        raise Unstorable(f"the parameter '{tensor.name}' that is not reachable")
    data = tensor._data.detach().cpu().contiguous()
    if data.nbytes > _CONSTANTS:
        raise Unstorable(f"a constant of {data.nbytes} bytes")
    raw = data.reshape(-1).view(torch.uint8).numpy().tobytes() if data.numel() else b""
    return [tensor.dtype.short, list(data.shape), base64.b64encode(raw).decode()]


def _packed_place(walked: Walk, place: Any) -> Any:
    if type(place) is Attribute:
        return [_number(walked, place.owner), place.name]
    if type(place) is Contents:
        return [_number(walked, place.owner)]
    raise Unstorable(f"a change of {place}")


class _Encoder:
    """Structures of results and of new contents as JSON."""

    def __init__(self, walked: Walk, hole: Any):
        self.walked, self.hole = walked, hole

    def encode(self, value: Any) -> Any:
        if value is self.hole:
            return {"hole": 0}
        kind = type_of(value)
        if kind in _STATIC:
            return value
        if kind in (tuple, list):
            return {kind.__name__: [self.encode(v) for v in value]}
        if kind is dict and all(type(k) in _STATIC for k in value):
            return {"dict": [[k, self.encode(v)] for k, v in value.items()]}
        if kind is DType:
            return {"dtype": value.short}
        return {"object": _number(self.walked, value)}


# ---------------------------------------------------------------------- from text

class Stale(Exception):
    """What changed since the file was written."""


def restored(kind: type[Any], content: str, walked: Walk, hole: Any, leaf: Any) -> Any:
    """The program in a text, bound to the objects that `walked` visited here.

    Raises:
        Stale: If a source file or a name changed.
        ValueError: If the text is none of a program.
    """
    head, _, graph_text = content.partition("\n")
    body = json.loads(head)
    for file, digest in body["files"].items():
        if digest_of(file) != digest:
            raise Stale(f"{file} changed")
    reads = [r for r in [_restored_read(walked, *entry) for entry in body["reads"]] if r]
    at = walked.objects
    program: Any = object.__new__(kind)
    program.graph = graph = parse(graph_text, REGISTRY)
    verify(graph)
    restore_places(graph, *body["lines"])
    program.constants, program.chosen, program.names = None, False, body["names"]
    program.captured = [at[t] if isinstance(t, int) else _restored_tensor(*t) for t in body["captured"]]
    program.sources = [(k, at[o], name, i, program.captured[k].aval) for k, o, name, i in body["sources"]]
    program.outside = _restored_outside(body, reads, at, walked, program.sources)
    program.watched = [p for p in program.captured if isinstance(p, Parameter)]
    program.marks = marks_of(program.watched)
    program.primitives = [(at[p], at[p].changes()) for p in body["primitives"]]
    program.version = Version.value
    program.assigned = [at[p] for p in body["assigned"]]
    places = [_restored_place(at, *p) for p in body["contents"]]
    program.contents = [(p, tree.signature(p.get(), leaf)) for p in places]
    program.cells = states([at[c] for c in body["cells"]], program.contents)
    program.cast = body["cast"] and (runtime.casting.dtype, tuple(body["cast"]))
    decode = _Decoder(at, hole).decode
    program.writes = [(_restored_place(at, *p), decode(v), n) for p, v, n in body["writes"]]
    program.numbers, program.changed = body["numbers"], dict.fromkeys(body["changed"])
    program.asked, program.own = body["asked"], body["own"]
    program.result, program.count = decode(body["result"]), body["count"]
    _check_counts(program, body["result"])
    program.single = program.result is hole
    program._executable = program._derivative = None
    program.calls_back, program.hooks = False, [()] * len(program.captured)
    return program


def _check_counts(program: Any, result: Any) -> None:
    """ValueError unless the numbers of results and inputs are those of the graph."""
    outs, params = len(program.graph.outs), len(program.graph.params)
    written = sum([len(numbers) for _, _, numbers in program.writes])
    if not (type(program.count) is int and program.count == _holes(result)
            and program.count + len(program.assigned) + written + len(program.changed) == outs
            and all([type(k) is int and 0 <= k < params for k in program.changed])
            and all([type(k) is int and 0 <= k < program.count for k in program.numbers])
            and len(program.captured) <= params):
        raise ValueError("its counts are not those of its graph")


def _holes(encoded: Any) -> int:
    """How many tensors stand in the encoded structure of a result."""
    if is_dict(encoded):
        return 1 if "hole" in encoded else sum(map(_holes, encoded.values()))
    return sum(map(_holes, encoded)) if is_sequence(encoded) else 0


def _restored_read(walked: Walk, where: str, owner: Any, name: str, digest: str) -> Any:
    if where == "module":
        module = sys.modules.get(owner)
        if module is None or name not in vars(module):
            raise Stale(f"the name '{name}' of the module '{owner}' is gone")
        scope: Any = vars(module)
    else:
        scope = Cells(walked.objects[owner])
    value = scope[name]
    walked.visit(value)
    if walked.digest() != digest:
        raise Stale(f"the name '{name}' has another value")
    return scope.cells[name] if type(scope) is Cells else scope, name, value


def _key(name: Any) -> Any:
    """A name or the key of an element, if it has a form in JSON."""
    if type(name) not in _STATIC:
        raise Unstorable(f"an element under a key of the class {type(name).__name__}")
    return name


def _packed_owners(walked: Walk, places: list[tuple[Any, Any, Any]]) -> list[Any]:
    """The attributes and elements that were read, as the numbers of their owners; names go with `reads`."""
    found: list[Any] = []
    for owner, name, value in places:
        names = owner if is_dict(owner) and "__builtins__" in owner else None
        if type(owner) is CellType or (names and value is not MISSING):
            continue
        if names:
            where: Any = names["__name__"]
        elif isinstance(owner, ModuleType):
            where = owner.__name__
        elif isinstance(owner, type):
            where = [owner.__module__, owner.__qualname__]
        elif isinstance(owner, FunctionType) and walked.number(owner) is None:
            where = _function_place(walked, owner)
        else:
            where = _number(walked, owner)
        found.append([where, _key(name), _code_digest(value)])
    return found


def _function_place(walked: Walk, fn: FunctionType) -> list[Any]:
    """The class, by module and name, and the name of a method; of another function the module, "" and the name."""
    for base in {base: None for kind in walked.kinds for base in kind.__mro__}:
        if base.__dict__.get(fn.__name__) is fn:
            return [base.__module__, base.__qualname__, fn.__name__]
    if getattr(sys.modules.get(fn.__module__), fn.__name__, None) is not fn:
        raise Unstorable(f"the function '{fn.__qualname__}' that is not reachable")
    return [fn.__module__, "", fn.__name__]


def _code_digest(value: Any) -> str | None:
    """The digest of what a function, property or code object does; None for other values, "" for none."""
    if value is MISSING:
        return ""
    value = getattr(value, "fget", getattr(value, "__func__", value))
    code = getattr(value, "__code__", value)
    if not isinstance(code, CodeType):
        return None
    walk = Walk()
    walk.code(code)
    return walk.digest()


def _restored_outside(body: Any, reads: list[Any], at: list[Any], walked: Walk, sources: list[Any]) -> Outside:
    """What the program read, in its present state: the digest says that it is unchanged."""
    watch = Watch()
    for owner, name, value in reads:
        watch.place(owner, name, value)
    classes: dict[Any, Any] = {(c.__module__, c.__qualname__): c for kind in walked.kinds for c in kind.__mro__}
    for where, name, digest in body["places"]:
        if isinstance(where, str):
            owner: Any = sys.modules.get(where)
        elif isinstance(where, int):
            owner = at[where]
        else:
            module, kind, *name_of_function = where
            owner = _member(classes.get((module, kind)) if kind else sys.modules.get(module), name_of_function)
        value = now(owner, name)
        if owner is None or _code_digest(value) != digest:
            raise Stale(f"'{name}' of {where} is not what it was")
        watch.place(owner, name, value)
    for number in body["held"]:
        watch.content(at[number])
    for number in body["named_parts"]:
        watch.whole(at[number])
    for number in body["arrays"]:
        watch.array(at[number])
    replaced = [id(leaf) for _, owner, name, _, _ in sources
                for leaf in tree.leaves(standing(owner, name), lambda v: type(v) is Tensor)]
    return watch.frozen(set(), replaced)


def _member(owner: Any, name: list[str]) -> Any:
    """A function of a class or module, or that itself where no name is given."""
    if not owner or not name:
        return owner
    members: dict[str, Any] = owner.__dict__
    return members.get(name[0])


def _restored_tensor(dtype: str, shape: list[int], content: str) -> Tensor:
    raw = from_numpy(np.frombuffer(base64.b64decode(content), np.uint8).copy())
    return wrap(raw.view(_DTYPES[dtype].torch).reshape(shape))


def _restored_place(at: list[Any], owner: int, name: str | None = None) -> Any:
    return Contents(at[owner]) if name is None else Attribute(at[owner], name)


class _Decoder:
    """The inverse of `_Encoder`."""

    def __init__(self, at: list[Any], hole: Any):
        self.at, self.hole = at, hole

    def decode(self, value: Any) -> Any:
        if not is_dict(value):
            return value
        ((kind, inner),) = value.items()
        if kind == "hole":
            return self.hole
        if kind in ("tuple", "list"):
            parts = [self.decode(v) for v in inner]
            return tuple(parts) if kind == "tuple" else parts
        if kind == "dict":
            return {k: self.decode(v) for k, v in inner}
        return _DTYPES[inner] if kind == "dtype" else self.at[inner]
