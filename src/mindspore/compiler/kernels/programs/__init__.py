"""Many operators as one native function."""
from .described import Unfit, description, operands
from .program import NativeProgram
from .repeated import Repeats, can_be_tested
from .stages import INNERMOST

__all__ = ["INNERMOST", "NativeProgram", "Repeats", "Unfit", "can_be_tested", "description", "operands"]
