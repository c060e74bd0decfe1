"""SymbolTree: the nodes of a network."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from mindspore.core import check
from mindspore.formats.files import atomic
from mindspore.nn import Cell

from . import writing
from .node import Node, NodeType, Record
from .parsing import Parsed
from .values import ScopedValue, ValueType, as_value


class SymbolTree:
    """The nodes of a network's `construct`, to be looked at and changed.

    Args:
        handler: The network; `SymbolTree.create` is the usual way.

    Raises:
        TypeError: If `handler` is no cell.
        ValueError: If the source of its `construct` cannot be found.

    Examples:
        >>> from mindspore.rewrite import Node, ScopedValue, SymbolTree
        >>> tree = SymbolTree.create(nn.Identity())
        >>> [(node.get_name(), node.get_node_type().name) for node in tree.nodes()]
        [('input_input', 'Input'), ('return', 'Output')]
        >>> given = ScopedValue.create_naming_value("input")
        >>> relu = Node.create_call_cell(nn.ReLU(), [given], [given], name="relu")
        >>> tree.insert(tree.before("return"), relu).get_name()
        'relu'
        >>> tree.get_network()(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def __init__(self, handler: Cell):
        self.network = check.instance("SymbolTree", "network", handler, Cell)
        self.parsed = Parsed(handler)
        self.records = self.parsed.records
        self.fresh: dict[str, Any] = {}           # cells and objects that the network gets
        self.added: dict[str, Any] = {}           # functions that its code gets
        self._file = "./network_define.py"
        for record in self.every():
            record.tree = self

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """The tree of a network.

        Args:
            network: The network.

        Returns:
            The tree.

        Raises:
            TypeError: If `network` is no cell.
            ValueError: If the source of its `construct` cannot be found.
        """
        return cls(network)

    # ------------------------------------------------------------------ looking

    def every(self, block: list[Record] | None = None) -> Iterator[Record]:
        """The records of the tree, with those in branches and loops."""
        for record in self.records if block is None else block:
            yield record
            for inner in record.blocks.values():
                yield from self.every(inner)

    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """The nodes in the order of the program.

        Args:
            all_nodes: Whether nodes in branches and loops and those of sub-trees come, too.

        Returns:
            An iterator.
        """
        check.boolean("nodes", "all_nodes", all_nodes)
        for record in list(self.every()) if all_nodes else list(self.records):
            yield Node(record)
            if all_nodes and record.kind is NodeType.Tree:
                yield from Node(record).get_sub_tree().nodes(True)

    def get_node(self, node_name: str) -> Node | None:
        """The node of a name; None if there is none."""
        check.string("get_node", "node_name", node_name)
        return next((Node(r) for r in self.every() if r.name == node_name), None)

    def get_inputs(self) -> list[Node]:
        """The nodes of the network's inputs."""
        return [Node(r) for r in self.records if r.kind is NodeType.Input]

    def get_handler(self) -> Parsed:
        """What the tree was read from."""
        return self.parsed

    def get_origin_network(self) -> Cell:
        """The network that the tree was made of."""
        return self.network

    def provider(self, record: Record, name: str) -> Node | None:
        """The last node before another one that sets a name."""
        found = None
        for r in self.records:
            if r is record:
                break
            if name in r.writes():
                found = r
        return None if found is None else Node(found)

    def providers(self, record: Record) -> list[Node]:
        """The nodes that give what another one reads, one for each use."""
        found = [self.provider(record, name) for name in record.reads()]
        return [node for node in found if node is not None]

    def unique_name(self, name: str = "output") -> str:
        """A name of a variable that the network does not use."""
        return self.parsed.unique(check.string("unique_name", "name", name), self.parsed.variables)

    # ------------------------------------------------------------------ changing

    def before(self, node: Any) -> tuple[list[Record], Record, int]:
        """The place before a node, given itself or by its name."""
        record = self._own(node)
        return self._block(record), record, 0

    def after(self, node: Any) -> tuple[list[Record], Record, int]:
        """The place behind a node, given itself or by its name."""
        record = self._own(node)
        return self._block(record), record, 1

    def insert(self, position: Any, node: Node) -> Node:
        """Insert a node.

        Args:
            position: What `before` or `after` gave.
            node: The node.

        Returns:
            The node, whose name may have got a number.

        Raises:
            TypeError: If `node` is no Node, or `position` no place.
            RuntimeError: If the node belongs to a tree already.
        """
        record = check.instance("insert", "node", node, Node).get_handler()
        block, beside, behind = check.instance("insert", "position", position, tuple)
        if record.tree is not None:
            raise RuntimeError(f"Node '{record.name}' belongs to a SymbolTree already.")
        self._adopt(record)
        block.insert(block.index(beside) + behind, record)
        return node

    def erase(self, node: Any) -> Node | None:
        """Erase a node, given itself or by its name.

        Returns:
            The node.

        Raises:
            RuntimeError: If it does not belong to the tree.
        """
        record = self._own(node)
        self._block(record).remove(record)
        record.tree = None
        return Node(record)

    def replace(self, old_node: Node, new_nodes: Sequence[Node]) -> Node:
        """Put nodes in the place of one; the last of them sets what the old one did.

        Args:
            old_node: The node.
            new_nodes: The nodes in the order of the program.

        Returns:
            The last of them.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If there are no new nodes.
            RuntimeError: If the old node does not belong to the tree.
        """
        record = self._own(check.instance("replace", "old_node", old_node, Node))
        if not check.instance("replace", "new_nodes", new_nodes, (list, tuple)):
            raise ValueError("For 'replace', the 'new_nodes' must not be empty.")
        for node in new_nodes:
            self.insert(self.before(record.name), node)
        last = new_nodes[-1].get_handler()
        if record.kind is not NodeType.Output:
            last.targets = list(record.targets)
        self.erase(old_node)
        return new_nodes[-1]

    def set_output(self, index: int, return_value: str) -> Node:
        """Change what the network returns.

        Args:
            index: Which of the returned values.
            return_value: The name to return in its place.

        Returns:
            The node of the output.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If there is no such value.
        """
        record = next((r for r in reversed(self.records) if r.kind is NodeType.Output), None)
        if record is None:
            raise ValueError("For 'set_output', the network must end with a return.")
        at = check.integer("set_output", "index", index, 0, len(record.args) - 1)
        record.args[at] = as_value("set_output", "return_value", return_value)
        return Node(record)

    def _own(self, node: Any) -> Record:
        check.instance("SymbolTree", "node", node, (Node, str))
        name = node if isinstance(node, str) else node.get_name()
        found = next((r for r in self.every() if (r.name == name if isinstance(node, str)
                                                  else r is node.get_handler())), None)
        if found is None:
            raise RuntimeError(f"Node '{name}' does not belong to this SymbolTree.")
        return found

    def _block(self, record: Record, block: list[Record] | None = None) -> list[Record]:
        block = self.records if block is None else block
        if any(r is record for r in block):
            return block
        inner = [b for r in block for b in r.blocks.values()]
        return next(found for b in inner if (found := self._block(record, b))) if inner else []

    def _adopt(self, record: Record) -> None:
        """Let a new node belong to the tree: its name, and its cell or function."""
        record.name, record.tree = self.parsed.unique(record.name, self.parsed.names), self
        if record.kind in (NodeType.CallCell, NodeType.Tree) and record.fresh is not None:
            taken = {*self.network.__dict__, *self.fresh}
            key = self.parsed.unique(record.name, taken)
            self.fresh[key], record.func = record.fresh, f"self.{key}"
        elif record.kind is NodeType.CallFunction and record.fresh is not None:
            scope, key = self.parsed.globals, record.fresh.__name__ if hasattr(record.fresh, "__name__") else "function"
            if scope.get(key) is not record.fresh:
                key = self.parsed.unique(key, {*scope, *self.added, *self.parsed.variables})
                self.added[key] = record.fresh
            record.func = key
        record.args = [self._held(a) for a in record.args]
        record.kwargs = {k: self._held(v) for k, v in record.kwargs.items()}

    def _held(self, value: ScopedValue) -> ScopedValue:
        """A value whose objects the network holds under names."""
        if value.type is not ValueType.CustomObjValue:
            return value
        key = self.parsed.unique("value", {*self.network.__dict__, *self.fresh})
        self.fresh[key] = value.value
        return ScopedValue.create_naming_value(key, "self")

    # ------------------------------------------------------------------ code

    def get_code(self) -> str:
        """The code of the network and of its changed parts."""
        return writing.module_text(self)

    def get_network(self) -> Cell:
        """The running network. Its parameters are those of the network that the tree was made of."""
        return writing.network_of(self)

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print a table of the nodes.

        Args:
            all_nodes: As in `nodes`.
        """
        rows = [("node type", "name", "code", "arguments from", "used by")]
        for node in self.nodes(all_nodes):
            tree = writing.statement(node.get_handler())
            text = "" if tree is None else writing.ast.unparse(writing.ast.fix_missing_locations(tree))
            rows.append((node.get_node_type().name, node.get_name(), text.partition("\n")[0],
                         ", ".join(n.get_name() for n in node.get_inputs()),
                         ", ".join(n.get_name() for n in node.get_users())))
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    def dump(self) -> None:
        """Print the table of all nodes."""
        self.print_node_tabulate(True)

    def set_saved_file_name(self, file_name: str) -> None:
        """Say where `save_network_to_file` writes; ".py" is added if it is missing."""
        check.string("set_saved_file_name", "file_name", file_name)
        self._file = file_name if file_name.endswith(".py") else f"{file_name}.py"

    def get_saved_file_name(self) -> str:
        """Where `save_network_to_file` writes."""
        return self._file

    def save_network_to_file(self) -> None:
        """Write the code to a file."""
        with atomic(os.fspath(self._file)) as file:
            file.write(self.get_code().encode())


class TreeNodeHelper:
    """The trees within trees."""

    @staticmethod
    def get_sub_tree(node: Node) -> SymbolTree | None:
        """The tree of the cell that a node calls; None for other nodes.

        Args:
            node: The node.

        Returns:
            The tree.
        """
        return check.instance("get_sub_tree", "node", node, Node).get_sub_tree()
