"""Native kernels, generated in this process from the loop forms of operators."""
from .kernel import Kernel, generated
from .native import available
from .plan import planned

__all__ = ["Kernel", "available", "generated", "planned"]
