"""Products of matrices, and what consists of them, by generated code."""
from . import heads, recurrence, winograd
from .attention import Attention, AttentionReverse
from .convolution import WindowConvolution
from .lstm import LstmLayer, LstmLayerReverse
from .product import MatrixProduct
from .writing import expect

__all__ = ["Attention", "AttentionReverse", "LstmLayer", "LstmLayerReverse", "MatrixProduct", "WindowConvolution",
           "expect", "heads", "recurrence", "winograd"]
