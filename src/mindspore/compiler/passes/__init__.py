"""Graph to graph: simplification by local rules, fusion, clean-up of what autodiff left."""
from . import algebra
from .simplify import RULES, rule, simplify

__all__ = ["RULES", "algebra", "rule", "simplify"]
