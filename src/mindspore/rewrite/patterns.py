"""Patterns of nodes, and what is put in their place."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from types import NoneType
from typing import Any

from mindspore.core import check

from .node import Node
from .symbol_tree import SymbolTree


class PatternNode:
    """A node of a pattern: the class of what is called, and the patterns of its inputs.

    Args:
        pattern_node_name: Its name in the pattern.
        match_type: The class of the cell or primitive, or the function.
        inputs: The patterns of the inputs. Default: any inputs.

    Examples:
        >>> from mindspore.rewrite import PatternNode
        >>> chain = PatternNode.create_pattern_from_list([nn.Conv2d, nn.ReLU])
        >>> chain.type().__name__, [p.type().__name__ for p in chain.get_inputs()]
        ('ReLU', ['Conv2d'])
    """

    def __init__(self, pattern_node_name: str, match_type: Any = NoneType,
                 inputs: Sequence[PatternNode] | None = None):
        self._name = check.string(self, "pattern_node_name", pattern_node_name)
        self._type = match_type
        self._inputs: list[PatternNode] = []
        self.set_inputs(inputs or [])

    @staticmethod
    def from_node(node: Node) -> PatternNode:
        """The pattern of one node, with any inputs."""
        check.instance("from_node", "node", node, Node)
        return PatternNode(node.get_name(), node.get_instance_type())

    @staticmethod
    def create_pattern_from_node(node: Node) -> PatternNode:
        """The pattern of a node and of all the nodes that it hangs on."""
        found = PatternNode.from_node(node)
        found.set_inputs([PatternNode.create_pattern_from_node(n) for n in node.get_inputs()])
        return found

    @staticmethod
    def create_pattern_from_list(type_list: Sequence[Any]) -> PatternNode:
        """The pattern of a chain: each class takes what the one before gives.

        Args:
            type_list: The classes, in order.

        Returns:
            The pattern of the last one.

        Raises:
            ValueError: If there is none.
        """
        if not check.instance("create_pattern_from_list", "type_list", type_list, (list, tuple)):
            raise ValueError("For 'create_pattern_from_list', the 'type_list' must not be empty.")
        found: PatternNode | None = None
        for i, kind in enumerate(type_list):
            found = PatternNode(f"{getattr(kind, '__name__', 'node')}_{i}", kind, None if found is None else [found])
        assert found is not None
        return found

    def name(self) -> str:
        """The name in the pattern."""
        return self._name

    def type(self) -> Any:
        """The class that is looked for."""
        return self._type

    def add_input(self, node: PatternNode) -> None:
        """Add the pattern of one more input."""
        self._inputs.append(check.instance(self, "node", node, PatternNode))

    def set_inputs(self, inputs: Sequence[PatternNode]) -> None:
        """Set the patterns of the inputs."""
        self._inputs = []
        for node in check.instance(self, "inputs", inputs, (list, tuple)):
            self.add_input(node)

    def get_inputs(self) -> list[PatternNode]:
        """The patterns of the inputs."""
        return self._inputs

    def match(self, node: Node) -> bool:
        """Whether a node is of the class."""
        return node.get_instance_type() is self._type


class VarNode(PatternNode):
    """Any node, which stays where it is.

    Examples:
        >>> from mindspore.rewrite import PatternNode, VarNode
        >>> PatternNode("sum", ops.add, [VarNode(), VarNode()]).get_inputs()[0].name()
        'placeholder'
    """

    def __init__(self):
        super().__init__("placeholder")

    def match(self, node: Node) -> bool:
        """True."""
        return True


class Replacement:
    """What is put in the place of a pattern; a subclass defines `build`.

    Examples:
        >>> from mindspore.rewrite import Node, Replacement
        >>> class Smooth(Replacement):
        ...     '''GELU for ReLU.'''
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         relu = matched[pattern.name()]
        ...         return [Node.create_call_cell(nn.GELU(), relu.get_targets(), relu.get_args(), name="gelu")]
    """

    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]) -> list[Node]:
        """The new nodes.

        Args:
            pattern: The pattern of the last node.
            is_chain_pattern: Whether the pattern was given as a list.
            matched: {name in the pattern: node}.

        Returns:
            The nodes in the order of the program; the last gives what the last matched one gave. An empty list changes
            nothing.
        """
        raise NotImplementedError(f"For '{type(self).__name__}', define 'build'.")


class PatternEngine:
    """Finds a pattern in a tree and replaces it.

    Nodes within a match may be used nowhere else.

    Args:
        pattern: A `PatternNode`, or a list of classes for a chain.
        replacement: What to put in its place. Default: nothing is changed.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> from mindspore.rewrite import PatternEngine, PatternNode
        >>> PatternEngine([nn.Conv2d, nn.ReLU]).pattern().type().__name__
        'ReLU'
    """

    def __init__(self, pattern: PatternNode | Sequence[Any], replacement: Replacement | None = None):
        check.instance(self, "pattern", pattern, (PatternNode, list, tuple))
        self._is_chain = not isinstance(pattern, PatternNode)
        self._pattern = pattern if isinstance(pattern, PatternNode) else PatternNode.create_pattern_from_list(pattern)
        self._replacement = check.optional(check.instance, self, "replacement", replacement, Replacement)

    def pattern(self) -> PatternNode:
        """The pattern of the last node."""
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace all matches.

        Args:
            stree: The tree, which is changed, with its sub-trees.

        Returns:
            Whether something was replaced.

        Raises:
            TypeError: If `stree` is no SymbolTree.
        """
        check.instance("apply", "stree", stree, SymbolTree)
        changed = False
        for node in list(stree.nodes()):
            if node.get_symbol_tree() is not stree:           # replaced with an earlier match
                continue
            sub = node.get_sub_tree()
            changed |= sub is not None and self.apply(sub)
            matched: OrderedDict[str, Node] = OrderedDict()
            if self._replacement is not None and self._found(self._pattern, node, matched):
                changed |= self._replace(stree, node, matched)
        return changed

    def _found(self, pattern: PatternNode, node: Node, matched: OrderedDict[str, Node]) -> bool:
        if isinstance(pattern, VarNode):
            return True
        if not pattern.match(node):
            return False
        inner, inputs = pattern.get_inputs(), node.get_inputs()
        if inner and len(inner) != len(inputs):
            return False
        matched[pattern.name()] = node
        for part, giver in zip(inner, inputs, strict=False):
            if not isinstance(part, VarNode) and giver.get_users() != [node]:
                return False
            if not self._found(part, giver, matched):
                return False
        return True

    def _replace(self, stree: SymbolTree, last: Node, matched: OrderedDict[str, Node]) -> bool:
        new = self._replacement.build(self._pattern, self._is_chain, matched)
        if not new:
            return False
        stree.replace(last, new)
        for node in matched.values():
            if node != last:
                stree.erase(node)
        return True
