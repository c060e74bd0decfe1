"""A cell as an AIR file, by the specification of GraphEngine; no engine has tried what is written."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore.compiler.autodiff import copied
from mindspore.compiler.cells import walked_cell
from mindspore.compiler.passes.leaves import drop_leaves
from mindspore.compiler.passes.simplify import simplify
from mindspore.core.dtype import DType, bool_, int64
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import wrap
from mindspore.formats.air import BOOLS, FLOATS, INTEGERS, MESSAGES, NUMBERS, STRINGS, TYPES
from mindspore.formats.files import atomic
from mindspore.ir import ITEM, Aval, Dim, Flow, Graph, Node, Undecided, avals_of
from mindspore.nn.cell import Cell

from .air_forms import FORMS, Spec
from .decomposed import decomposed
from .mindir_message import stored_array
from .onnx_export import evaluating
from .onnx_graph import at
from .paths import prepared_path
from .summaries import without_summaries

# what an engine adds up while it compiles a model; a file begins with none of it
_COUNTERS = ("memory_size", "p2p_memory_size", "stream_num", "event_num", "label_num", "weight_size")


def write_air(net: Any, inputs: Sequence[Any], path: str, *, enc_key: bytes | None = None,
              enc_mode: Callable[[bytes, bytes], bytes] | None = None) -> None:
    """Write a network in evaluation mode, for `mindspore.export`, which checked the path.

    Args:
        enc_key, enc_mode: A function of the content and the key that gives the bytes to write.

    Raises:
        ValueError: An option does not suit, or the network is no cell.
        RuntimeError: The network has an operator that has no form; the message names it and its line.
    """
    if not isinstance(net, Cell):
        raise ValueError(f"For 'export', the 'net' must be a Cell, but got {show(net)}.")
    if enc_key is not None and not callable(enc_mode):
        raise ValueError("For 'export', the 'enc_mode' must be a function of content and key for files of the format "
                         f"'AIR', but got {show(enc_mode)}.")
    with evaluating(net):
        content: Any = _model(net, inputs).SerializeToString()
    if enc_key is not None and enc_mode is not None:
        content = enc_mode(content, enc_key)
    with atomic(prepared_path(path, ".air"), 0o400) as file:
        file.write(content)


def _model(net: Cell, inputs: Sequence[Any]) -> Any:
    """The message of a model."""
    program = walked_cell(net, tuple(inputs), [])
    name = type(net).__name__
    with program.sizes.compiling(quiet=True):
        graph = drop_leaves(simplify(without_summaries(copied(program.graph))))
        if program.writes or program.changed or program.assigned:
            raise RuntimeError(f"For 'export', '{name}' changes an attribute, a parameter or a tensor, and AIR files "
                               "hold graphs for inference only.")
        count = len(graph.params) - len(program.captured)
        writing = Writing(name)
        names = [writing.data(p.aval, program.names[k].removeprefix("in_"))
                 for k, p in enumerate(graph.params[:count])]
        names += [writing.weight(tensor) for tensor in program.captured]
        outs = writing.graph(graph, names)
    message = MESSAGES.Model(custom_version="")
    for key in _COUNTERS:
        message.attr[key].i = 0
    message.attr["target_type"].s = b"MINI"
    writing.message.input.extend([n for n in names[:count]])
    writing.message.output.extend(outs)
    message.graph.append(writing.message)
    return message


class Writing:
    """A graph being written. A value is called "operator:result"."""

    def __init__(self, name: str):
        self.message = MESSAGES.Graph(name=name)
        self.avals: dict[str, Aval] = {}
        self.known: dict[int, Any] = {}
        self.results: tuple[Aval, ...] = ()
        self.taken: set[str] = set()
        self.within: tuple[str, ...] = ()

    # ------------------------------------------------------------------ nodes

    def graph(self, graph: Graph, given: Sequence[str]) -> list[Any]:
        """Write the nodes of a graph for inputs of these names; the names of its results."""
        for param, name in zip(graph.params, given, strict=True):
            self.known[id(param)] = name
        for node in graph.nodes:
            self.node(node)
        return [None if x is None and self.within else self.given(x, x.aval if type(x) is Node else Aval((), int64))
                for x in graph.outs]

    def node(self, node: Node) -> None:
        """Write one node."""
        try:
            found = self.flow(node) if type(node.op) is Flow else self.operator(node)
        except (NotImplementedError, Undecided) as error:
            if self.within:
                raise
            raise RuntimeError(f"For 'export', the operator '{node.op.name}'{at(node)} cannot be written as AIR: "
                               f"{str(error).removesuffix('.')}.") from None
        for name, aval in zip(found if isinstance(found, tuple) else (found,), avals_of(node), strict=False):
            if name is not None:
                self.avals[name] = aval
        self.known[id(node)] = found

    def flow(self, node: Node) -> Any:
        if node.op is ITEM:
            whole = self.known[id(node.inputs[0])]
            return whole[node.attrs["i"]] if isinstance(whole, tuple) else whole
        raise NotImplementedError("branches and loops on tensors have no form in AIR here")

    def operator(self, node: Node) -> Any:
        """Write an operator; what depends on nothing is computed here."""
        op: Any = node.op
        results = avals_of(node)
        if op.effect or "stream" in node.attrs or "stream" in op.attrs:
            raise NotImplementedError("it has an effect, or draws random numbers")
        if not any([type(x) in (Node, Dim) for x in node.inputs]) and len(results) == 1 and not any(
                [type(n) is Dim for n in results[0].shape]):
            return self.constant(wrap(op.kernel(*node.inputs, **node.attrs)).asnumpy(), results[0].dtype)
        kinds = [x.aval for x in node.inputs if type(x) is Node and type(x.aval) is Aval and x.aval.dtype is not bool_]
        inputs = [self.given(x, kinds[0] if kinds else results[0]) for x in node.inputs]
        before, self.results = len(self.message.op), results
        why = NotImplementedError(f"the operator '{op.name}' has no form in AIR")
        if op.name in FORMS:
            try:
                return FORMS[op.name](self, *inputs, **{**op.attrs, **node.attrs})
            except NotImplementedError as error:
                del self.message.op[before:]
                why = error
        if op.name in self.within:
            raise why
        tensors = [name for name, x in zip(inputs, node.inputs, strict=True) if type(x) is Node]
        outer, self.within = self.within, (*self.within, op.name)
        try:
            found = self.graph(decomposed(node, why), tensors)
        finally:
            self.within = outer
        return found[0] if len(found) == 1 else tuple(found)

    def given(self, x: Any, like: Aval) -> Any:
        """The name of an input; numbers are tensors of the type beside them."""
        if x is None:
            return None
        if type(x) is Node:
            found = self.known[id(x)]
            found = found[0] if isinstance(found, tuple) else found
            if found is None:
                raise NotImplementedError("this result of the operator has no form in AIR")
            return found
        if type(x) in (bool, int, float) and not (isinstance(x, float) and not like.dtype.is_floating):
            return self.constant(x, like.dtype)
        raise NotImplementedError(f"the input {show(x)} has no form here")

    # ------------------------------------------------------------------ operators

    def op(self, spec: Spec, inputs: Sequence[str | None], attributes: dict[str, Any],
           avals: Sequence[Aval] | None = None) -> Any:
        """Append an operator; the name of its result, or a tuple of names. Default of `avals`: those of the node."""
        avals = self.results if avals is None else avals
        made: Any = self.message.op.add(name=self.fresh(spec.kind), type=spec.kind, has_out_attr=True)
        made.id = len(self.message.op) - 1
        for name, x in zip(spec.inputs, inputs, strict=True):
            made.input.append(x or "")
            if x is not None:
                made.input_name.append(name)
                made.input_desc.append(descriptor(self.avals[x], name))
        _index(made, "_input_name", spec.inputs)
        _index(made, "_output_name", spec.outputs)
        _put(made.attr["_ir_attr_names"], sorted(attributes))
        for key, value in attributes.items():
            _put(made.attr[key], value)
        names: tuple[str, ...] = tuple([f"{made.name}:{k}" for k in range(len(spec.outputs))])
        for k, name in enumerate(names):
            self.avals[name] = avals[k]
            made.output_desc.append(descriptor(avals[k], spec.outputs[k]))
        return names[0] if len(names) == 1 else names

    def fresh(self, kind: str) -> str:
        """A name that no other operator has."""
        name, k = kind, 0
        while name in self.taken:
            k += 1
            name = f"{kind}_{k}"
        self.taken.add(name)
        return name

    def data(self, aval: Aval, name: str) -> str:
        """An input of the model."""
        before = sum([op.type == "Data" for op in self.message.op])
        found = self.op(Spec("Data", ()), (), {"index": before}, [aval])
        return self.renamed(found, name)

    def weight(self, tensor: Any) -> str:
        """A parameter, or another tensor that the network holds."""
        stored = stored_array(tensor)
        found = self.stored(bytes(stored.data), Aval(tuple(tensor.shape), tensor.dtype))
        return self.renamed(found, tensor.name) if isinstance(tensor, Parameter) else found

    def renamed(self, value: str, name: str) -> str:
        """Call the last operator otherwise."""
        last: Any = self.message.op[-1]
        self.taken.discard(last.name)
        last.name = name = self.fresh(name)
        self.avals[f"{name}:0"] = self.avals.pop(value)
        return f"{name}:0"

    def stored(self, content: bytes, aval: Aval) -> str:
        """A constant of these bytes."""
        found = self.op(Spec("Const", ()), (), {}, [aval])
        held = self.message.op[-1].attr["value"].t
        held.desc.CopyFrom(descriptor(aval, "y"))
        held.desc.weight_size = len(content)
        held.data = content
        return found

    def constant(self, value: Any, dtype: DType, shape: tuple[int, ...] | None = None) -> str:
        """The name of a constant."""
        if dtype.name == "bfloat16":
            raise NotImplementedError("a number of the type bfloat16 has no form here")
        array = np.ascontiguousarray(np.asarray(value, dtype.numpy))
        array = array if shape is None else array.reshape(shape)
        shape = tuple(np.shape(value)) if shape is None else shape
        return self.stored(array.tobytes(), Aval(shape, dtype))

    def integers(self, values: Sequence[int]) -> str:
        """The name of a vector of integers."""
        return self.constant(list(values), int64, (len(values),))

    def cast(self, x: str, dtype: DType) -> str:
        """The name of a value in a dtype."""
        if self.avals[x].dtype is dtype:
            return x
        return self.op(Spec("Cast", ("x",)), (x,), {"dst_type": NUMBERS[dtype.name]},
                       [Aval(self.avals[x].shape, dtype)])

    def common(self, xs: Sequence[str]) -> DType:
        """The dtype in which values are compared."""
        import torch
        dtypes = [self.avals[x].dtype for x in xs]
        wanted = dtypes[0].torch
        for dtype in dtypes[1:]:
            wanted = torch.promote_types(wanted, dtype.torch)
        return next((d for d in dtypes if d.torch is wanted), dtypes[0])


def descriptor(aval: Aval, name: str) -> Any:
    """The message for the type of a value; extents that only a run tells are -1."""
    dims = [-1 if type(n) is Dim else n for n in aval.shape]
    known = math.prod(dims) * aval.dtype.itemsize if -1 not in dims else 0
    made = MESSAGES.Descriptor(name=name, dtype=TYPES[aval.dtype.name], layout="NCHW" if len(dims) == 4 else "ND",
                               size=known, real_dim_cnt=len(dims))
    made.shape.dim.extend(dims)
    return made


def _index(made: Any, key: str, names: Sequence[str]) -> None:
    """The names of inputs or results, and their places."""
    _put(made.attr[f"{key}_key"], list(names))
    made.attr[f"{key}_value"].list.i.extend(range(len(names)))
    made.attr[f"{key}_value"].list.val_type = INTEGERS


def _put(attribute: Any, value: Any) -> None:
    """Set an attribute to a plain value."""
    if isinstance(value, (list, tuple)):
        first = value[0] if value else ""
        field, kind = next((f, k) for t, f, k in ((bool, "b", BOOLS), (int, "i", INTEGERS), (float, "f", FLOATS),
                                                  (str, "s", STRINGS)) if isinstance(first, t))
        getattr(attribute.list, field).extend([v.encode() if isinstance(v, str) else v for v in value])
        attribute.list.val_type = kind
    elif isinstance(value, bool):
        attribute.b = value
    elif isinstance(value, int):
        attribute.i = value
    elif isinstance(value, float):
        attribute.f = value
    else:
        attribute.s = value.encode()
