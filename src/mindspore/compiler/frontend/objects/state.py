"""The state of one compilation: what it captured, what parameters hold now, what it read."""
from __future__ import annotations

import builtins
import operator
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any

from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Dim, Node, Real, held, param
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import Aside, known
from mindspore.operators.python_numbers import converted, is_number, number_kind, number_node
from mindspore.operators.traced import integer, unknown

from .followed import is_standard
from .heap import Heap
from .places import Value
from .reach import is_plain
from .source import Cells, Closure, closure_of

_BUILTINS = vars(builtins)
_UNCHANGING = frozenset([bool, int, float, str, type(None), FunctionType, ModuleType, type, Tensor, Parameter])


class Trace:
    """One compilation.

    Attributes:
        inputs: The ids of the nodes that represent tensors among the arguments.
        captured: Tensors that the program met, by id, with the graph parameter of each.
        represented: Those tensors, by the id of that parameter.
        heap: Changes of Python objects.
        cells: Cells whose attributes were read: the graph holds for their present state.
        primitives: Primitives that were called, by id: the graph holds for their present attributes.
        state: What parameters hold that the program assigned.
        known: Tests on tensors whose outcome is known at this place of the program, by id.
        noted: All names from outside that were read, if that is to be recorded.
        recomputing: Whether a call is walked that the reverse pass computes again.
        files: The source files of the functions that were walked; None for one without a source.
        modules: The modules that functions imported themselves.
        failures: What is known of exceptions, by id.
        active: The calls that run: (signature, version of the heap, frame).
        by_value: Whether tensors from outside are constants where the program asks for their elements.
        asked_for: Those tensors.
    """

    def __init__(self, by_value: bool = False, asked_for: list[Any] | None = None) -> None:
        self.by_value, self.asked_for = by_value, [] if asked_for is None else asked_for
        self.captured: dict[int, tuple[Tensor, Node]] = {}
        self.represented: dict[int, Tensor] = {}
        self.inputs: set[int] = set()
        self.state: dict[Parameter, Node] = {}
        self.heap = Heap()
        self.noted: dict[Any, tuple[Any, str, Any]] | None = None
        self.files: set[str | None] = set()
        self.modules: set[Any] = set()
        self.known: dict[int, bool] = {}
        self.chosen = False                    # whether there ever was a conditional
        self.alive: list[Any] = []             # what must live as long as the compilation
        self.cells: dict[int, Any] = {}
        self.made_cells: dict[int, Any] = {}   # those that the program itself makes
        self.primitives: dict[int, Any] = {}
        self.active: list[Any] = []
        self.failures: dict[int, Any] = {}
        self.recomputing = False
        self.graphs: dict[Any, Any] = {}       # signature -> (graph, result) of recursive functions
        self.tensors: list[Node] = []          # nodes of which more is known as of the user's tensors
        self.aside: list[Aside] = []  # what tensors hold, while derivatives compute with nodes alone
        self.made: dict[int, tuple[Any, int]] = {}      # tensors and classes that it made itself, with their block
        self.seeded: dict[int, Any] = {}       # generators of random numbers that it made, with their block
        self.held: list[Any] = []              # values of expressions that are being computed
        self.asked = 0                         # how often it mattered which tensors are one, or share memory
        self.scopes: dict[int, tuple[str, ...]] = {}        # where cells stand in the program: their paths
        self.closures: dict[int, tuple[FunctionType, Closure | None]] = {}     # of the functions met
        self.inherited: dict[tuple[type, str], Any] = {}    # methods and the like that classes have, or None

    def hold(self, parameter: Parameter, node: Node) -> None:
        """Let a parameter hold a node; the one that represents what it has from outside ends that."""
        captured = self.captured.get(id(parameter))
        if captured is not None and captured[1] is node:
            self.state.pop(parameter, None)
        else:
            self.state[parameter] = node

    def bind(self, parameter: Parameter, node: Node) -> None:
        """Give a parameter another value."""
        self.heap.put(Value(parameter), node)

    def capture(self, tensor: Tensor) -> Node:
        """The node that represents a tensor now."""
        if isinstance(tensor, Parameter):
            now = self.state.get(tensor)
            if now is not None:
                return now
        found = self.captured.get(id(tensor))
        if found is None:
            found = self.captured[id(tensor)] = tensor, param(tensor.aval)
            self.represented[id(found[1])] = tensor
            if isinstance(tensor, Parameter) and tensor.comm_fusion != 1:
                found[1].note(comm_fusion=tensor.comm_fusion)
            if id(tensor) in self.made:
                found[1].block = self.made[id(tensor)][1]
        return found[1]

    def closure(self, fn: FunctionType) -> Closure | None:
        """The closure of a function; None if its source cannot be found."""
        known = self.closures.get(id(fn))
        if known is None:
            known = self.closures[id(fn)] = fn, closure_of(fn)
            if not is_standard(fn.__module__):
                self.heap.watch.function(fn)
        return known[1]

    def read(self, scope: Any, name: str, value: Any) -> None:
        """Note a name from outside: the graph holds for its present value."""
        if self.noted is not None:
            self.noted[id(scope), name] = scope, name, value
        if scope is _BUILTINS:
            self.heap.watch.place(builtins, name, value)
            return
        owner = scope.cells[name] if type(scope) is Cells else scope
        made = (id(owner), name, "global") in self.heap.watch.changed
        if not made:
            self.heap.watch.place(owner, name, value)
        if type(value) is Tensor:
            self.heap.watch.named.add(id(value))
        if type(value) not in _UNCHANGING:
            self.heap.note(value, made)

    def imported(self, module: Any, names: dict[str, Any] | None = None) -> None:
        """Note a module that a function imported, and what it took from it."""
        if isinstance(module, ModuleType):
            self.modules.add(module)
        else:                                  # put into the place of one
            self.heap.note(module)
        for name, value in (names or {}).items():
            if name in vars(module):
                self.read(vars(module), name, value)

    def assign(self, parameter: Parameter, value: Any) -> Node:
        """Bind a parameter to a value of its shape and dtype."""
        from mindspore.operators import structure  # only while compiling

        node = lift(value)
        if type(node) is not Node:
            node = structure.full(shape=parameter.shape, value=value, dtype=parameter.dtype)
        if node.dtype is not parameter.dtype:
            node = structure.cast(node, dtype=parameter.dtype)
        if node.shape != parameter.shape:
            node = structure.broadcast_to(node, shape=parameter.shape)
        node = structure.assigned(node, self.capture(parameter))
        self.bind(parameter, node)
        return node


def apart(node: Node) -> Node:
    """The elements that a node has now: itself, or a copy if it may be another tensor, which may change later."""
    from mindspore.operators import structure  # only while compiling

    return structure.identity(node) if node.op is None or node.op.view else node


def lift(value: Any) -> Any:
    """The node for a tensor; anything else unchanged."""
    if isinstance(value, Tensor):
        if runtime.trace is None:
            return value
        value = runtime.trace.capture(value)
    return held(value) if runtime.changing and type(value) is Node else value


def as_key(holder: Any, key: Any, new: bool = False) -> Any:
    """A key of a dict or set: an integer that the program computes has its value in the current run.

    That it has this value becomes a condition of the program.  With `new` the key may be a tensor, which is
    found by identity: then it is a number only if it represents a Python number.
    """
    if type(key) is tuple:
        return tuple([as_key(holder, k, new) for k in key])
    if type(key) is Dim:
        return operator.index(key)
    if type(key) is Real:
        return float(key)
    if type(key) is Node and key.aval.shape == () and key.aval.dtype.kind in "iu" and (
            is_number(key) or not (new or any([k is key for k in holder]))):
        return integer(key)
    if not isinstance(key, Node) and getattr(type(key), "shows_tensors", False):
        key.refuse()
    if number_kind(key) is bool:
        return bool(operator.index(converted(key, int)))
    if is_number(key):
        raise unknown(key, "value as a key of a dict or set")
    if isinstance(key, (Node, Tensor)):
        _note_identity(key)
    if type(key).__eq__ is not object.__eq__ and is_plain(key):        # its own methods say what it is equal to
        runtime.trace.heap.note_whole([key, *holder], ("__hash__", "__eq__"))
    return key


def _note_identity(tensor: Any) -> None:
    """Note that it matters which tensor this is: it is a key."""
    from mindspore.core.errors import GraphTypeError  # only to raise
    runtime.trace.asked += 1
    if type(tensor) is Node and known(tensor).origins:
        raise GraphTypeError("A tensor that an 'if' or a loop on a tensor chose is a key of a dict or set, which finds "
                             "it by identity. Use the choice itself, or do it in the branches.")


def as_keys(values: Iterable[Any]) -> list[Any]:
    """The new members of a set."""
    return [as_key((), value, True) for value in values]


def as_node(value: Any) -> Node:
    """A value that leaves a branch or a loop, as a node; that of a Python number represents one.

    Raises:
        GraphTypeError: If the value is no number and no tensor.
    """
    value = lift(value)
    if type(value) is Node:
        return value
    if number_kind(value):
        return number_node(value)
    from mindspore.core.errors import GraphTypeError  # only to raise
    raise GraphTypeError(f"A value of type '{type(value).__name__}' cannot depend on the content of "
                         "a tensor: only tensors and numbers can differ between the branches of an 'if', and "
                         "between the passes of a loop, on a tensor.")


def tensor_of(value: Any) -> Node:
    """A tensor as a node, or what `Tensor` makes of a number."""
    node = as_node(value)
    if number_kind(node) is None:
        return node
    from mindspore.core.dtype import float32  # only where a program makes tensors of numbers
    from mindspore.operators.structure import cast, identity
    return cast(node, dtype=float32) if number_kind(node) is float else identity(node)
