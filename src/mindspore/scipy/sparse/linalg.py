"""Iterative solvers, with the arguments of `scipy.sparse.linalg`.

Where A and M are tensors, a solver is one operator: it runs in both modes, and its derivative is the solution of the
transposed system. Where one is a function or a CSRTensor, the iteration runs in Python, and a derivative follows its
steps.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float64, int32
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.solvers import METHODS, iterative_solve
from mindspore.ops.arguments import tensor
from mindspore.ops.sparse_layouts import CSRTensor


def cg(A: Any, b: Any, x0: Any = None, *, tol: float = 1e-05, atol: float = 0.0, maxiter: int | None = None,
       M: Any = None, callback: Callable[[Any], Any] | None = None) -> tuple[Any, Any]:
    """The x with A x = b for a symmetric positive definite A, by conjugate gradients (Hestenes and Stiefel 1952).

    Args:
        A: The matrix (n, n): a tensor, a CSRTensor, or a function of vectors.
        b: The right side (n,) or (n, 1).
        x0: Where to begin. Default: zeros.
        tol: Ends where |A x - b| <= max(tol |b|, atol).
        atol: See `tol`.
        maxiter: At most so many steps. Default: 10 n.
        M: An approximate inverse of A, given like A.
        callback: Called with x after every step.

    Returns:
        x, and 0 if the tolerance was reached, else the number of steps.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the shapes do not fit, or a number is negative.

    Examples:
        >>> x, info = mindspore.scipy.sparse.linalg.cg(Tensor([[2.0, 1.0], [1.0, 2.0]]), Tensor([3.0, 3.0]))
        >>> np.round(x.asnumpy(), 4).tolist(), int(info)
        ([1.0, 1.0], 0)
    """
    return _solved("cg", A, b, x0, tol, atol, maxiter, M, callback)


def bicgstab(A: Any, b: Any, x0: Any = None, *, tol: float = 1e-05, atol: float = 0.0, maxiter: int | None = None,
             M: Any = None) -> tuple[Any, Any]:
    """The x with A x = b, by stabilised biconjugate gradients (van der Vorst 1992).

    Args:
        A, b, x0, tol, atol, maxiter, M: As in `cg`; A need not be symmetric.

    Returns:
        x, and 0 if the tolerance was reached, else the number of steps.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the shapes do not fit, or a number is negative.

    Examples:
        >>> x, info = mindspore.scipy.sparse.linalg.bicgstab(Tensor([[2.0, 1.0], [0.0, 2.0]]), Tensor([3.0, 2.0]))
        >>> np.round(x.asnumpy(), 4).tolist(), int(info)
        ([1.0, 1.0], 0)
    """
    return _solved("bicgstab", A, b, x0, tol, atol, maxiter, M, None)


def gmres(A: Any, b: Any, x0: Any = None, *, tol: float = 1e-05, restart: int = 20, maxiter: int | None = None,
          M: Any = None, callback: Callable[[Any], Any] | None = None, restrt: int | None = None, atol: float = 0.0,
          callback_type: str | None = None, solve_method: str = "batched") -> tuple[Any, Any]:
    """The x with A x = b, by generalised minimal residuals (Saad and Schultz 1986).

    Args:
        A, b, x0, tol, atol, M: As in `cg`; A need not be symmetric. The tolerance is that of M (A x - b).
        restart: After so many steps the next round begins.
        maxiter: At most so many rounds. Default: 10 n.
        callback: Called after every round.
        restrt: An earlier name of `restart`.
        callback_type: "x": the callback takes x; "pr_norm" or "legacy" (the default): |M (A x - b)| / |M b|.
        solve_method: "batched" looks at the residual after every round, "incremental" after every step.

    Returns:
        x, and 0 if the tolerance was reached, else the number of rounds.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the shapes do not fit, a number is negative, or a word is none of these.

    Examples:
        >>> x, info = mindspore.scipy.sparse.linalg.gmres(Tensor([[2.0, 1.0], [0.0, 2.0]]), Tensor([3.0, 2.0]))
        >>> np.round(x.asnumpy(), 4).tolist(), int(info)
        ([1.0, 1.0], 0)
    """
    check.option("gmres", "solve_method", solve_method, ["batched", "incremental"])
    check.option("gmres", "callback_type", callback_type, [None, "x", "pr_norm", "legacy"])
    if restrt is not None:
        restart = restrt
    rows = check.positive_int("gmres", "restart", restart)
    see = callback
    if callback is not None and callback_type != "x":
        see = _of_residuals(callback, _product("gmres", "A", A), b, _product("gmres", "M", M))
    return _solved("gmres", A, b, x0, tol, atol, maxiter, M, see, restart=min(rows, tensor("gmres", "b", b).size),
                   early=solve_method == "incremental")


def _solved(method: str, A: Any, b: Any, x0: Any, tol: float, atol: float, maxiter: int | None, M: Any,
            see: Callable[[Any], Any] | None, **options: Any) -> tuple[Any, Any]:
    b = _vector(method, "b", b)
    x0 = b * 0.0 if x0 is None else _vector(method, "x0", x0).astype(b.dtype)
    check.number(method, "tol", tol, 0.0)
    check.number(method, "atol", atol, 0.0)
    steps = 10 * b.size if maxiter is None else check.positive_int(method, "maxiter", maxiter)
    if see is not None:
        check.callable_(method, "callback", see)
    if is_tensor(A) and (M is None or is_tensor(M)) and see is None:
        a = A.astype(b.dtype)
        m = ops.eye(b.shape[0], b.shape[0], b.dtype) if M is None else M.astype(b.dtype)
        return iterative_solve(a, b, x0, m, method=method, tol=float(tol), atol=float(atol), maxiter=steps, **options)
    apply, condition = _product(method, "A", A), _product(method, "M", M)
    found = METHODS[method](apply, b, x0, tol, atol, steps, condition, see=see, **options)
    return found.x, Tensor(found.info, int32)


def _of_residuals(callback: Callable[[Any], Any], apply: Any, b: Any, condition: Any) -> Callable[[Any], Any]:
    """A callback of x that tells another one |M (A x - b)| / |M b|."""
    return lambda x: callback(float(ops.norm(condition(b - apply(x))) / ops.norm(condition(b))))


def _vector(owner: str, name: str, value: Any) -> Any:
    x = tensor(owner, name, value)
    if x.ndim not in (1, 2) or (x.ndim == 2 and x.shape[1] != 1):
        raise ValueError(f"For '{owner}', the '{name}' must be a vector (n,) or (n, 1), but got {show(x)}.")
    if x.dtype.is_complex:
        raise TypeError(f"For '{owner}', the '{name}' must be of real numbers, but got {show(x)}.")
    return x if x.dtype.is_floating else x.astype(float64)


def _product(owner: str, name: str, value: Any) -> Callable[[Any], Any]:
    """Multiplication by a matrix that is given in any way."""
    if value is None:
        return lambda v: v
    if is_tensor(value):
        return lambda v: value.astype(v.dtype) @ v
    if isinstance(value, CSRTensor):
        return lambda v: value.mv(v.reshape((-1, 1))).reshape(v.shape)
    if not callable(value):
        raise check.fail(TypeError, owner, name, "a Tensor, a CSRTensor or a function", value)
    return value


__all__ = ["bicgstab", "cg", "gmres"]
