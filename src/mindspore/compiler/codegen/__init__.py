"""From a graph to an executable: generated Python source over torch."""
from .executable import Executable, compile_graph

__all__ = ["Executable", "compile_graph"]
