"""The graph IR: typed nodes in program order, control flow as nodes that own closed sub-graphs."""
from .build import (
    Building,
    apart,
    emit,
    emit_items,
    loc_frame,
    noted,
    param,
    recording,
)
from .dims import INTS, SYMBOLIC, Dim, Real
from .flow import (
    CALL,
    COND,
    CUSTOM,
    LOOP,
    PACK,
    TREE_ADD,
    UNPACK,
    ZERO,
    close,
    graphs_in,
    substitute,
    thread_captures,
)
from .graph import ITEM, OPAQUE, RESIDUAL, STACK, Aval, Flow, Graph, Loc, Node, avals_of, strong_of
from .parse import parse
from .sizes import Resized, Sizes, Specialised, Undecided, symbolic, symbols_of, valued
from .text import text
from .user_tensor import held
from .verify import verify

__all__ = [
    "CALL", "COND", "CUSTOM", "INTS", "ITEM", "LOOP", "OPAQUE", "PACK", "RESIDUAL", "STACK", "SYMBOLIC",
    "TREE_ADD", "UNPACK", "ZERO", "Aval", "Building", "Dim", "Flow", "Graph", "Loc", "Node", "Real",
    "Resized", "Sizes", "Specialised", "Undecided", "apart", "avals_of", "close", "emit",
    "emit_items", "graphs_in", "held", "loc_frame", "noted", "param", "parse",
    "recording", "strong_of", "substitute", "symbolic", "symbols_of", "text", "thread_captures", "valued", "verify",
]
