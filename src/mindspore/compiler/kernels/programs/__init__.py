"""Many operators as one native function."""
from .described import Unfit, description, operands
from .program import NativeProgram

__all__ = ["NativeProgram", "Unfit", "description", "operands"]
