"""What is wrong with a kernel, or with a call of one."""
from __future__ import annotations


class KernelLanguageError(TypeError):
    """A kernel says something that the language of kernels does not have."""


class KernelCallError(ValueError):
    """A kernel was called with tensors that do not fit it, or looked outside of one."""
