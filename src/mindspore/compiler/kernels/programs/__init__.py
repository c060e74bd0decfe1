"""Many operators as one native function."""
from .assembly import Unfit, description, operands
from .program import Program

__all__ = ["Program", "Unfit", "description", "operands"]
