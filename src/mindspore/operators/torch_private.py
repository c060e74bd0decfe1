"""What torch keeps private, or states no types of, in one place; the tests of operators notice when one goes."""
# pyright: reportPrivateUsage=false, reportPrivateImportUsage=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch._C._functorch as slices
import torch._C._nn as nn

softmax_backward = torch._softmax_backward_data
log_softmax_backward = torch._log_softmax_backward_data
ctc_loss = torch._ctc_loss
recurrent = torch._VF
standard_gamma, standard_gamma_grad = torch._standard_gamma, torch._standard_gamma_grad

# On lists of tensors: one launch for all.
norms = torch._foreach_norm
added, multiplied = torch._foreach_add, torch._foreach_mul
add_to, multiply_by, subtract_from = torch._foreach_add_, torch._foreach_mul_, torch._foreach_sub_
fused_sgd, fused_adam, fused_adamw = torch._fused_sgd_, torch._fused_adam_, torch._fused_adamw_

alias: Callable[[torch.Tensor], torch.Tensor] = torch.ops.aten.alias.default
from_numpy: Callable[[np.ndarray], torch.Tensor] = torch.from_numpy
broadcast_tensors: Callable[..., tuple[torch.Tensor, ...]] = torch.broadcast_tensors
broadcast_shapes: Callable[..., torch.Size] = torch.broadcast_shapes
split: Callable[[torch.Tensor, int | list[int]], tuple[torch.Tensor, ...]] = torch.split
clamp: Callable[..., torch.Tensor] = torch.clamp
power: Callable[..., torch.Tensor] = torch.pow
maximum: Callable[..., torch.Tensor] = torch.maximum
minimum: Callable[..., torch.Tensor] = torch.minimum
tensordot: Callable[..., torch.Tensor] = torch.tensordot
sparse_coo_tensor: Callable[..., torch.Tensor] = torch.sparse_coo_tensor
unflatten: Callable[..., torch.Tensor] = torch.unflatten
unique: Callable[..., Any] = torch.unique
unique_consecutive: Callable[..., Any] = torch.unique_consecutive
linalg: Any = torch.linalg
special: Any = torch.special
fft: Any = torch.fft
as_list: Callable[[torch.Tensor], Any] = torch.Tensor.tolist
warn_of_slow_slices: Callable[[bool], None] = vars(slices)["_set_vmap_fallback_warning_enabled"]
count_changes = torch._C._increment_version


def batch_norm_backward(dout: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, *more: Any) -> Any:
    """The cotangents of input, scale and shift; zeros for no elements, by which torch would divide and end."""
    if not x.numel():
        return torch.zeros_like(x), torch.zeros_like(gamma), torch.zeros_like(gamma)
    return torch.ops.aten.native_batch_norm_backward.default(dout, x, gamma, *more)


def is_of_slices(data: torch.Tensor) -> bool:
    """Whether a tensor holds all slices of `torch.func.vmap`."""
    return slices.is_batchedtensor(data)


def has_no_storage(data: torch.Tensor) -> bool:
    """Whether a tensor wraps another one, as those of `torch.func` do."""
    return slices.is_functorch_wrapped_tensor(data)


def storage_of(data: torch.Tensor) -> int:
    """What tells the storage of a tensor from others."""
    return data.untyped_storage()._cdata


def memory_of(data: torch.Tensor) -> int:
    """What tells the memory of a tensor, or of the slices that it represents, from other memory."""
    while slices.is_functorch_wrapped_tensor(data):
        data = slices.get_unwrapped(data)
    return data.untyped_storage().data_ptr()


def uses_of(storage: torch.UntypedStorage) -> int:
    """How many references a storage has: those of its tensors, and the caller's."""
    return torch._C._storage_Use_Count(storage._cdata)


__all__ = [
    "add_to", "added", "alias", "as_list", "broadcast_shapes", "broadcast_tensors", "clamp", "count_changes",
    "ctc_loss", "fft", "from_numpy", "fused_adam", "fused_adamw", "fused_sgd", "has_no_storage", "is_of_slices",
    "linalg", "log_softmax_backward", "maximum", "memory_of", "minimum", "multiplied", "multiply_by", "nn", "norms",
    "power", "recurrent", "slices", "softmax_backward", "sparse_coo_tensor", "special", "split", "standard_gamma",
    "standard_gamma_grad", "storage_of", "subtract_from", "tensordot", "unflatten", "unique", "unique_consecutive",
    "uses_of", "warn_of_slow_slices",
]
