"""Derivatives of graphs: reverse sweep of any order through operators, conditions, loops, recursion."""
from .reverse import pull, seed_like, vjp_graph

__all__ = ["pull", "seed_like", "vjp_graph"]
