"""Networks as trees of nodes: `construct` is read, changed, and made a running network again."""

from .node import Node, NodeType
from .patterns import PatternEngine, PatternNode, Replacement, VarNode
from .symbol_tree import SymbolTree, TreeNodeHelper
from .values import ScopedValue, ValueType

__all__ = ["Node", "NodeType", "PatternEngine", "PatternNode", "Replacement", "ScopedValue", "SymbolTree",
           "TreeNodeHelper", "ValueType", "VarNode"]
