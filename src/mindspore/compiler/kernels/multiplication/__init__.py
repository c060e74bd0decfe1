"""Products of matrices, and what consists of them, by generated code."""
from . import heads, product, recurrence, split, split_product, window_weight, winograd
from .attention import Attention, AttentionReverse
from .convolution import WindowConvolution, WindowWeight
from .lstm import LstmLayer, LstmLayerReverse
from .product import MatrixProduct

__all__ = ["Attention", "AttentionReverse", "LstmLayer", "LstmLayerReverse", "MatrixProduct", "WindowConvolution",
           "WindowWeight", "heads", "product", "recurrence", "split", "split_product", "window_weight", "winograd"]
