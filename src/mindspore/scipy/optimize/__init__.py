"""Minima of functions, and assignments."""

from .assigning import linear_sum_assignment
from .minimising import OptimizeResults, minimize
from .wolfe import LineSearchResults, line_search

__all__ = ["LineSearchResults", "OptimizeResults", "line_search", "linear_sum_assignment", "minimize"]
