"""Graph to graph: simplification by local rules, fusion.

`BEFORE_REVERSE` are the steps on the nodes of a function before its derivative is taken; the list in
`compiler.pipeline` has the steps on whole graphs.
"""
from collections.abc import Callable
from typing import Any

from . import algebra
from .attention import fuse_attention, fuse_attention_in
from .fusion import fuse_arithmetic, join_slices
from .layout import lay_out_state
from .pooling import pool_first, pool_first_in
from .simplify import RULES, rule, simplify

BEFORE_REVERSE: list[Callable[[list[Any]], None]] = [fuse_attention, pool_first]

__all__ = ["BEFORE_REVERSE", "RULES", "algebra", "fuse_arithmetic", "fuse_attention",
           "fuse_attention_in", "join_slices", "lay_out_state", "pool_first", "pool_first_in", "rule", "simplify"]
