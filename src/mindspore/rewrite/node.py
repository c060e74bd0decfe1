"""Node: one operation of a network."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mindspore.core import check
from mindspore.nn import Cell

from .values import ScopedValue, as_value, names_in


class NodeType(Enum):
    """What a node does."""

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12


CALLS = (NodeType.CallCell, NodeType.CallPrimitive, NodeType.CallFunction, NodeType.CallMethod, NodeType.Tree,
         NodeType.CellContainer)


@dataclass(eq=False)
class Record:
    """What is known of a node; its statement is made from it."""

    name: str
    kind: NodeType
    targets: list[ScopedValue] = field(default_factory=list)
    args: list[ScopedValue] = field(default_factory=list)
    kwargs: dict[str, ScopedValue] = field(default_factory=dict)
    func: str = ""                            # the text of what is called
    instance: Any = None                      # the cell, primitive or function that is called
    operator: Any = None                      # of MathOps: (class of the tree, operators)
    statement: Any = None                     # of Python and ControlFlow: the tree
    blocks: dict[str, list[Record]] = field(default_factory=dict)      # of ControlFlow: by the field of the tree
    fresh: Any = None                         # a cell or function that the network does not have before
    default: ScopedValue | None = None        # of Input
    tree: Any = None                          # the SymbolTree that the node belongs to
    sub_tree: Any = None
    attributes: dict[str, Any] = field(default_factory=dict)

    def reads(self) -> list[str]:
        """The local names that the node uses, in order."""
        found = [] if not self.func else [n.id for n in ast.walk(ast.parse(self.func, mode="eval"))
                                          if isinstance(n, ast.Name) and n.id != "self"]
        found += [name for value in (*self.args, *self.kwargs.values()) for name in names_in(value)]
        if self.statement is not None:
            found += [n.id for n in ast.walk(self.statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
                      and n.id != "self"]
        return found

    def writes(self) -> list[str]:
        """The local names that the node sets."""
        found = [name for value in self.targets for name in names_in(value)]
        if self.statement is not None:
            found += [n.id for n in ast.walk(self.statement)
                      if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        return found + [name for block in self.blocks.values() for r in block for name in r.writes()]


class Node:
    """One operation of a network.

    Args:
        node: What is known of it; nodes are made by `SymbolTree` and by the methods `create_...`.

    Examples:
        >>> from mindspore.rewrite import Node, ScopedValue
        >>> node = Node.create_call_cell(nn.ReLU(), ["x"], [ScopedValue.create_naming_value("x")], name="act")
        >>> node.get_name(), node.get_targets(), node.get_instance_type().__name__
        ('act', [x], 'ReLU')
    """

    def __init__(self, node: Record):
        self._node = check.instance(self, "node", node, Record)

    @staticmethod
    def create_call_cell(cell: Cell, targets: Sequence[Any], args: Sequence[ScopedValue] | None = None,
                         kwargs: dict[str, ScopedValue] | None = None, name: str = "",
                         is_sub_net: bool = False) -> Node:
        """A call of a cell that is to become part of a network.

        Args:
            cell: The cell.
            targets: Names of the results.
            args, kwargs: The arguments.
            name: Name of the node, and of the cell in the network. Default: the name of the class.
            is_sub_net: Whether the node is to be a tree, whose own nodes can be changed.

        Returns:
            The node, which belongs to no tree before it is inserted.

        Raises:
            TypeError: If an argument has another type.
        """
        check.instance("create_call_cell", "cell", cell, Cell)
        check.boolean("create_call_cell", "is_sub_net", is_sub_net)
        kind = NodeType.Tree if is_sub_net else NodeType.CallCell
        name = check.string("create_call_cell", "name", name) or type(cell).__name__.lower()
        return Node(_call("create_call_cell", Record(name, kind, instance=cell, fresh=cell), targets, args, kwargs))

    @staticmethod
    def create_call_function(function: Callable[..., Any], targets: Sequence[Any],
                             args: Sequence[ScopedValue] | None = None,
                             kwargs: dict[str, ScopedValue] | None = None) -> Node:
        """A call of a function.

        Args:
            function: The function.
            targets: Names of the results.
            args, kwargs: The arguments.

        Returns:
            The node, which belongs to no tree before it is inserted.

        Raises:
            TypeError: If an argument has another type.
        """
        check.callable_("create_call_function", "function", function)
        name = getattr(function, "__name__", type(function).__name__)
        record = Record(name, NodeType.CallFunction, instance=function, fresh=function)
        return Node(_call("create_call_function", record, targets, args, kwargs))

    @staticmethod
    def create_input(param_name: str, default: ScopedValue | None = None) -> Node:
        """An input that a network is to get.

        Args:
            param_name: Its name.
            default: Its default.

        Returns:
            The node, which belongs to no tree before it is inserted.

        Raises:
            TypeError: If an argument has another type.
        """
        check.string("create_input", "param_name", param_name)
        default = None if default is None else as_value("create_input", "default", default)
        return Node(Record(f"input_{param_name}", NodeType.Input, [ScopedValue.create_naming_value(param_name)],
                           default=default))

    # ------------------------------------------------------------------ what it is

    def get_handler(self) -> Record:
        """What is known of the node."""
        return self._node

    def get_name(self) -> str:
        """The name, which no other node of the tree has."""
        return self._node.name

    def get_node_type(self) -> NodeType:
        """What the node does."""
        return self._node.kind

    def get_instance(self) -> Any:
        """The cell, primitive or function that is called; None for others."""
        return self._node.instance

    def get_instance_type(self) -> Any:
        """The class of the cell or primitive, or the function; NoneType for others."""
        instance = self._node.instance
        return instance if self._node.kind is NodeType.CallFunction and instance is not None else type(instance)

    def get_targets(self) -> list[ScopedValue]:
        """What the node sets."""
        return self._node.targets

    def get_args(self) -> list[ScopedValue]:
        """What the node takes by position."""
        return self._node.args

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """What the node takes by name."""
        return self._node.kwargs

    def get_attributes(self) -> dict[str, Any]:
        """What `set_attribute` noted."""
        return self._node.attributes

    def get_attribute(self, key: str) -> Any:
        """What `set_attribute` noted under a key; None for nothing."""
        return self._node.attributes.get(check.string("get_attribute", "key", key))

    def set_attribute(self, key: str, value: Any) -> None:
        """Note something of the node.

        Args:
            key: The key.
            value: The value.
        """
        self._node.attributes[check.string("set_attribute", "key", key)] = value

    def get_symbol_tree(self) -> Any:
        """The tree that the node belongs to; None before it is inserted."""
        return self._node.tree

    def get_sub_tree(self) -> Any:
        """The tree of the cell that is called, for a node of the type `Tree`; None for others."""
        record = self._node
        if record.kind is NodeType.Tree and record.sub_tree is None:
            if record.tree is None:
                raise RuntimeError(f"Node '{record.name}' belongs to no SymbolTree: insert it before its own nodes are "
                                   "asked for.")
            record.sub_tree = type(record.tree).create(record.instance)
        return record.sub_tree

    # ------------------------------------------------------------------ what it hangs on

    def get_inputs(self) -> list[Node]:
        """The nodes whose results the node takes, one for each use."""
        return [] if self._node.tree is None else self._node.tree.providers(self._node)

    def get_users(self) -> list[Node]:
        """The nodes that take results of the node."""
        tree = self._node.tree
        return [] if tree is None else [n for n in tree.nodes() if self in tree.providers(n._node)]

    def get_arg_providers(self) -> dict[int, tuple[Node, int]]:
        """{index of an argument: (the node that gives it, index of its target)}."""
        tree, found = self._node.tree, {}
        for i, value in enumerate((*self._node.args, *self._node.kwargs.values())):
            for name in names_in(value)[:1]:
                giver = None if tree is None else tree.provider(self._node, name)
                if giver is not None:
                    at = [j for j, t in enumerate(giver._node.targets) if name in names_in(t)]
                    found[i] = (giver, at[0] if at else 0)
        return found

    def get_target_users(self, index: int = -1) -> Any:
        """The users of a target as [(node, index of its argument)]; of every one, by index, for -1."""
        check.integer("get_target_users", "index", index, -1, len(self._node.targets) - 1)
        found: dict[int, list[tuple[Node, int]]] = {i: [] for i in range(len(self._node.targets))}
        for user in self.get_users():
            for i, (giver, target) in user.get_arg_providers().items():
                if giver == self:
                    found[target].append((user, i))
        return found if index == -1 else found[index]

    def set_arg(self, index: int, arg: Any) -> None:
        """Change an argument.

        Args:
            index: Its index; those given by name follow those given by position.
            arg: A `ScopedValue` or a name.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If there is no such argument.
        """
        record, value = self._node, as_value("set_arg", "arg", arg)
        check.integer("set_arg", "index", index, 0, len(record.args) + len(record.kwargs) - 1)
        if index < len(record.args):
            record.args[index] = value
        else:
            record.kwargs[list(record.kwargs)[index - len(record.args)]] = value

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> None:
        """Let an argument be a result of another node.

        Args:
            arg_idx: Index of the argument.
            src_node: The node.
            out_idx: Index of its target. Default: the only one.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If there is no such argument or target, or `out_idx` is missing.
        """
        targets = check.instance("set_arg_by_node", "src_node", src_node, Node)._node.targets
        if out_idx is None and len(targets) != 1:
            raise ValueError(f"For 'set_arg_by_node', the 'out_idx' must be given: '{src_node.get_name()}' has "
                             f"{len(targets)} results.")
        at = check.integer("set_arg_by_node", "out_idx", 0 if out_idx is None else out_idx, 0, len(targets) - 1)
        self.set_arg(arg_idx, targets[at])

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Node) and other._node is self._node

    def __hash__(self) -> int:
        return id(self._node)

    def __repr__(self) -> str:
        return f"Node({self._node.name}, {self._node.kind.name})"


def _call(owner: str, record: Record, targets: Sequence[Any], args: Sequence[ScopedValue] | None,
          kwargs: dict[str, ScopedValue] | None) -> Record:
    check.instance(owner, "targets", targets, (list, tuple))
    record.targets = [as_value(owner, "targets", t) for t in targets]
    record.args = [check.instance(owner, "args", a, ScopedValue)
                   for a in check.instance(owner, "args", args or [], (list, tuple))]
    record.kwargs = {k: check.instance(owner, "kwargs", v, ScopedValue)
                     for k, v in check.instance(owner, "kwargs", kwargs or {}, dict).items()}
    return record
