"""What the rows of generated primitives are written in."""
from __future__ import annotations

from importlib import import_module
from typing import Any

from mindspore import numpy, ops, scipy
from mindspore.core.dtype import int64
from mindspore.eager.generator import Generator
from mindspore.ops._gradient_primitives import pull_back as back
from mindspore.ops.methods import Tensor

# Rows are written in public names, whose code lives in several modules.
M, F, L = [import_module(f"mindspore.mint{path}") for path in ("", ".nn.functional", ".linalg")]


def unique_of(input: Any, sorted: bool, return_inverse: bool, return_counts: bool = False) -> tuple[Any, ...]:
    """The distinct elements, where each element went, and how often each is there."""
    found = M.unique(input, sorted, True, True)
    return found if return_counts else found[:2]


def drawn(seed: Any, offset: Any) -> Generator:
    """A generator of random numbers for a seed and how many draws of it came before."""
    at = [int(v.item() if ops.is_tensor(v) else v) for v in (seed, offset)]
    return Generator().manual_seed((at[0] * 0x9E3779B97F4A7C15 + at[1]) % 2**63)


def convolved(input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: bool,
              output_padding: Any, groups: int) -> Any:
    """A convolution of one to three axes, or the transposed one of two."""
    if transposed:
        return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    run = (F.conv1d, F.conv2d, F.conv3d)[weight.ndim - 3]
    return run(input, weight, bias, stride, padding, dilation, groups)




def layer_normalised(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> tuple[Any, ...]:
    """`layer_norm`, and the mean and one over the deviation of each row."""
    axes = tuple(range(-len(normalized_shape), 0))
    mean, variance = M.mean(input, axes, True), M.var(input, axes, correction=0, keepdim=True)
    return F.layer_norm(input, normalized_shape, weight, bias, eps), mean, M.rsqrt(variance + eps)


def group_normalised(input: Any, num_groups: int, weight: Any, bias: Any, eps: float) -> tuple[Any, ...]:
    """`group_norm`, and the mean and one over the deviation of each group."""
    rows = input.reshape(input.shape[0], num_groups, -1)
    variance = M.var(rows, -1, correction=0)
    return F.group_norm(input, num_groups, weight, bias, eps), M.mean(rows, -1), M.rsqrt(variance + eps)


def scattered(input: Any, dim: int, index: Any, src: Any, reduce: Any) -> Any:
    """`scatter`, where 1 or "add" adds and 2 or "multiply" multiplies."""
    if reduce in ("none", None, 0):
        return M.scatter(input, dim, index, src)
    return input.scatter(dim, index, src, reduce={1: "add", 2: "multiply"}.get(reduce, reduce))


SCOPE = {"F": F, "L": L, "M": M, "Tensor": Tensor, "back": back,
         "convolved": convolved, "drawn": drawn, "group_normalised": group_normalised, "int64": int64,
         "layer_normalised": layer_normalised, "numpy": numpy, "ops": ops, "scattered": scattered, "scipy": scipy,
         "unique_of": unique_of}
