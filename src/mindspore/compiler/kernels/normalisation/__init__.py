"""Normalisation over the batch by generated code, with the limits (ReLU, ReLU6) that follow it.

* `writing`: the code, one for all sizes.
* `batch_norm`: kernels that are called with torch tensors.
"""
from . import writing
from .batch_norm import BatchNorm, BatchNormReverse, worth

__all__ = ["BatchNorm", "BatchNormReverse", "worth", "writing"]
