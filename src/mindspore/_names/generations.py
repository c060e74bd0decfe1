"""What differs between generations under the same path: names that only earlier releases had."""

from __future__ import annotations

EARLIER: dict[str, list[str]] = {
    "mindspore": ["mindspore.compiler.jit:ms_function"],
    "mindspore.common": ["mindspore.compiler.jit:ms_function"],
    "mindspore.common.api": ["mindspore.compiler.jit:ms_function"],
    "mindspore.core.dtype": ["mindspore.core.dtype:tensor=tensor_type"],
    "mindspore.nn.loss.loss": ["mindspore.nn:_Loss=LossBase"],
}
