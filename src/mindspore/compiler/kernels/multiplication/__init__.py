"""Products of matrices, and attention, by generated code."""
from . import heads
from .attention import Attention, AttentionReverse
from .product import MatrixProduct
from .writing import expect

__all__ = ["Attention", "AttentionReverse", "MatrixProduct", "expect", "heads"]
