"""Looking inside the compiler: what was compiled and why, dumps of graphs and sources."""
from .explain import Explanation, explain
from .record import Record

__all__ = ["Explanation", "Record", "explain"]
