"""Products of matrices, norms, distances, convolutions."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.operators.linear_algebra import matrix_triangular_solve
from mindspore.operators.rules import broadcast
from mindspore.ops.arguments import only, tensor
from mindspore.ops.weighted_products import addr

_DISTANCES = tuple([f"{use}use_mm_for_euclid_dist{when}"
                    for use, when in (("", "_if_necessary"), ("", ""), ("donot_", ""))])


def bmm(input: Any, mat2: Any) -> Any:
    """The products of the matrices of two batches.

    Args:
        input: A batch of matrices (B, m, k).
        mat2: A batch of matrices (B, k, n).

    Returns:
        The products (B, m, n).

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.bmm(mint.ones((2, 1, 3)), mint.ones((2, 3, 1))).tolist()
        [[[3.0]], [[3.0]]]
    """
    return ops.bmm(input, mat2)


def mv(input: Any, vec: Any) -> Any:
    """The product of a matrix and a vector.

    Args:
        input: The matrix (m, n).
        vec: The vector (n,).

    Returns:
        The product (m,).

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.mv(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])).tolist()
        [21.0, 43.0]
    """
    return ops.mv(input, vec)


def dot(input: Any, other: Any) -> Any:
    """The sum of the products of the elements of two vectors.

    Args:
        input: A vector (n,).
        other: A vector (n,).

    Returns:
        A number, a tensor without dimensions.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If they are no vectors of one length.

    Examples:
        >>> mint.dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).item()
        11.0
    """
    return _of_vectors("dot", input, other)


def vdot(input: Any, other: Any) -> Any:
    """The sum of the products of the elements of two vectors; of complex ones, with the conjugate of the first.

    Args:
        input: A vector (n,).
        other: A vector (n,).

    Returns:
        A number, a tensor without dimensions.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If they are no vectors of one length.

    Examples:
        >>> mint.vdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).item()
        11.0
    """
    return _of_vectors("vdot", ops.conj(input) if tensor("vdot", "input", input).dtype.is_complex else input, other)


def _of_vectors(owner: str, input: Any, other: Any) -> Any:
    for name, x in (("input", input), ("other", other)):
        if tensor(owner, name, x).ndim != 1 or x.shape != input.shape:
            raise ValueError(f"For '{owner}', the operands must be vectors of one length, but got {show(input)} and "
                             f"{show(other)}.")
    return ops.inner(input, other)


def trace(input: Any) -> Any:
    """The sum of the main diagonal of a matrix.

    Args:
        input: The matrix (m, n).

    Returns:
        A number, a tensor without dimensions; int64 for integers and bools.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it is no matrix.

    Examples:
        >>> mint.trace(Tensor([[1, 2], [3, 4]])).item()
        5
    """
    x = only("trace", input)
    return ops.trace(x if x.dtype.is_differentiable else x.astype(int64))


def addr_(input: Any, vec1: Any, vec2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """Let a matrix be beta * input + alpha * vec1 vec2^T, in its own memory.

    Args:
        input: The matrix (m, n), which changes.
        vec1: A vector (m,).
        vec2: A vector (n,).
        beta: What the matrix is multiplied by; with 0 its elements do not count.
        alpha: What the product is multiplied by.

    Returns:
        `input`.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> x = mint.zeros((2, 2))
        >>> mint.addr_(x, Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist(), x.tolist()
        ([[3.0, 4.0], [6.0, 8.0]], [[3.0, 4.0], [6.0, 8.0]])
    """
    return only("addr_", input).copy_(addr(input, vec1, vec2, beta=beta, alpha=alpha))


def cdist(x1: Any, x2: Any, p: float = 2.0,
          compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    """The norms of the differences of all pairs of rows.

    Args:
        x1: Rows (*, m, k).
        x2: Rows (*, n, k).
        p: The order of the norm, not negative.
        compute_mode: One of "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist" and
            "donot_use_mm_for_euclid_dist"; distances are always computed from the differences, the most exact way.

    Returns:
        The distances (*, m, n).

    Raises:
        TypeError: If an argument is no tensor, or `p` no number.
        ValueError: If `p` is negative, the mode has another name, or the shapes do not fit.

    Examples:
        >>> mint.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [0.0, 1.0]])).tolist()
        [[5.0, 1.0]]
    """
    if compute_mode not in _DISTANCES:
        raise ValueError(f"For 'cdist', the 'compute_mode' must be one of {_DISTANCES}, but got {compute_mode!r}.")
    return ops.cdist(x1, x2, float(p) if isinstance(p, int) and not isinstance(p, bool) else p)


def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """A norm of vectors, or of matrices for "fro" and "nuc".

    Args:
        input: A floating-point tensor.
        p: "fro" for the root of the sum of squares, "nuc" for the sum of the singular values of matrices, or the
            order of the norm of vectors, inf and -inf included.
        dim: The dimension or dimensions; None for all.
        keepdim: Whether they stay, with extent 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The dtype of the input, or `dtype`.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension does not exist, or `p` is none of these.

    Examples:
        >>> x = Tensor([[3.0, 4.0], [6.0, 8.0]])
        >>> mint.norm(x, dim=1).tolist(), mint.norm(x, 1).item()
        ([5.0, 10.0], 21.0)
    """
    if p == "nuc":
        return ops.matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    if isinstance(p, str) and p != "fro":
        raise ValueError(f"For 'norm', the 'p' must be a number, 'fro' or 'nuc', but got {p!r}.")
    return ops.vector_norm(only("norm", input), 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def triangular_solve(b: Any, A: Any, upper: bool = True, transpose: bool = False,
                     unitriangular: bool = False) -> tuple[Any, Any]:
    """The x with A x = b, for a triangular matrix.

    Args:
        b: The right sides (*, n, k).
        A: The matrix (*, n, n); of the other triangle nothing counts.
        upper: Whether it is the upper triangle that counts.
        transpose: Whether the transpose of A is used in its place.
        unitriangular: Whether the diagonal counts as ones.

    Returns:
        x (*, n, k), and A as a copy.

    Raises:
        TypeError: If an argument is no tensor, or an option no bool.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.triangular_solve(Tensor([[4.0], [2.0]]), Tensor([[2.0, 1.0], [0.0, 2.0]]))[0].tolist()
        [[1.5], [1.0]]
    """
    for name, option in (("upper", upper), ("transpose", transpose), ("unitriangular", unitriangular)):
        check.boolean("triangular_solve", name, option)
    for name, x in (("b", b), ("A", A)):
        if tensor("triangular_solve", name, x).ndim < 2:
            raise ValueError(f"For 'triangular_solve', the '{name}' must have at least 2 dimensions, but got "
                             f"{show(x)}.")
    if A.shape[-1] != A.shape[-2] or A.shape[-1] != b.shape[-2]:
        raise ValueError(f"For 'triangular_solve', the 'A' must be square, with as many rows as 'b', but got {show(A)} "
                         f"and {show(b)}.")
    part = ops.triu(A, 1 if unitriangular else 0) if upper else ops.tril(A, -1 if unitriangular else 0)
    if unitriangular:
        part = part + ops.eye(A.shape[-1], A.shape[-1], A.dtype)
    lead = broadcast(tuple(A.shape[:-2]), tuple(b.shape[:-2]), name="triangular_solve")
    part, b = [ops.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (part, b)]
    part = ops.swapaxes(part, -1, -2) if transpose else part
    return matrix_triangular_solve(part, b, lower=upper is transpose), A.copy()


def conv2d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
           groups: int = 1) -> Any:
    """The cross-correlation of images with windows.

    Args:
        input: Images (N, C, H, W) or one (C, H, W).
        weight: The windows (O, C / groups, H', W').
        bias: What is added to each channel (O,), or None.
        stride: The steps of the window: an int, or one per axis.
        padding: Zeros on both sides of each axis: an int, one per axis, "valid" (none) or "same" (as many as keep the
            size, for steps of 1).
        dilation: The distance of the elements of a window.
        groups: Into how many groups the channels are divided.

    Returns:
        Images with O channels.

    Raises:
        TypeError: If the input or the weight is no tensor.
        ValueError: If the shapes do not fit, or "same" stands with steps.

    Examples:
        >>> mint.conv2d(mint.ones((1, 1, 3, 3)), mint.ones((1, 1, 2, 2)), padding="same").tolist()
        [[[[4.0, 4.0, 2.0], [4.0, 4.0, 2.0], [2.0, 2.0, 1.0]]]]
    """
    return convolved(ops.conv2d, 2, input, weight, bias, stride, padding, dilation, groups)


def convolved(function: Any, n: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
              groups: Any) -> Any:
    """A convolution of the functions, over n axes, with zeros as torch counts them, of batches or single inputs."""
    owner = f"conv{n}d"
    alone = tensor(owner, "input", input).ndim == n + 1
    x = ops.expand_dims(input, 0) if alone else input
    mode = padding if isinstance(padding, str) else "pad"
    if mode not in ("pad", "valid", "same"):
        raise ValueError(f"For '{owner}', the 'padding' must be ints, 'same' or 'valid', but got {padding!r}.")
    if mode == "same":
        steps = stride if isinstance(stride, (tuple, list)) else (stride,)
        if any(s != 1 for s in steps):
            raise ValueError(f"For '{owner}', the 'padding' 'same' needs steps of 1, but the 'stride' is {stride!r}.")
    ends = padding if mode == "pad" else 0
    if n > 1 and isinstance(ends, (tuple, list)) and len(ends) == 1:
        ends = ends[0]
    if isinstance(ends, (tuple, list)) and n == 1:
        ends = ends[0]
    out = function(x, weight, bias, stride, mode, ends, dilation, groups)
    return ops.squeeze(out, 0) if alone else out


def conv_tbc(input: Any, weight: Any, bias: Any, pad: int = 0) -> Any:
    """The cross-correlation of sequences whose first axis is time.

    Args:
        input: Sequences (T, N, C).
        weight: The windows (T', C, O).
        bias: What is added to each channel (O,).
        pad: Zeros at both ends of the time.

    Returns:
        Sequences (T + 2 pad - T' + 1, N, O).

    Raises:
        TypeError: If an argument is no tensor, or `pad` no int.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.conv_tbc(mint.ones((3, 1, 2)), mint.ones((2, 2, 1)), mint.zeros(1)).tolist()
        [[[4.0]], [[4.0]]]
    """
    for name, x, rank in (("input", input, 3), ("weight", weight, 3), ("bias", bias, 1)):
        if tensor("conv_tbc", name, x).ndim != rank:
            raise ValueError(f"For 'conv_tbc', the '{name}' must have {rank} dimensions, but got {show(x)}.")
    check.non_negative_int("conv_tbc", "pad", pad)
    out = ops.conv1d(ops.permute(input, (1, 2, 0)), ops.permute(weight, (2, 1, 0)), bias, 1, "pad", pad)
    return ops.permute(out, (2, 0, 1))


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (the sum of the products of the matrices), in their common type.

    Args:
        input: A tensor that broadcasts to (m, n).
        batch1: A tensor (b, m, k).
        batch2: A tensor (b, k, n).
        beta, alpha: Numbers.

    Returns:
        A tensor (m, n).

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> mint.addbmm(Tensor([[1]]), Tensor([[[1, 2]]]), Tensor([[[3], [4]]])).tolist()
        [[12]]
    """
    out = ops.addbmm(input, batch1, batch2, beta=beta, alpha=alpha)
    kinds = {x.dtype for x in (input, batch1, batch2)}
    return out.astype(input.dtype) if len(kinds) == 1 and input.dtype.kind in "iu" and out.dtype is int64 else out


__all__ = ["addbmm", "addr_", "bmm", "cdist", "conv2d", "conv_tbc", "dot", "mv", "norm", "trace",
           "triangular_solve", "vdot"]
