"""Products of matrices, and what consists of them, by generated code."""
from . import heads, product, recurrence, split, split_product, winograd
from .attention import Attention, AttentionReverse
from .convolution import WindowConvolution
from .lstm import LstmLayer, LstmLayerReverse
from .product import MatrixProduct

__all__ = ["Attention", "AttentionReverse", "LstmLayer", "LstmLayerReverse", "MatrixProduct", "WindowConvolution",
           "heads", "product", "recurrence", "split", "split_product", "winograd"]
