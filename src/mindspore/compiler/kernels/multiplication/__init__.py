"""Products of matrices by generated code."""
from .product import MatrixProduct
from .writing import expect

__all__ = ["MatrixProduct", "expect"]
