"""Many operators as one native function."""
from .described import Unfit, description, operands
from .program import NativeProgram
from .repeated import Repeats, can_be_tested

__all__ = ["NativeProgram", "Repeats", "Unfit", "can_be_tested", "description", "operands"]
