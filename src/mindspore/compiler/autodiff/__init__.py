"""Derivatives of graphs: reverse sweep of any order through operators, conditions, loops, recursion."""
from .copying import copied
from .reverse import pull, seed_like, vjp_graph

__all__ = ["copied", "pull", "seed_like", "vjp_graph"]
