"""Products of matrices, attention and recurrent layers by generated code."""
from . import heads, recurrence
from .attention import Attention, AttentionReverse
from .lstm import LstmLayer, LstmLayerReverse
from .product import MatrixProduct
from .writing import expect

__all__ = ["Attention", "AttentionReverse", "LstmLayer", "LstmLayerReverse", "MatrixProduct", "expect", "heads",
           "recurrence"]
