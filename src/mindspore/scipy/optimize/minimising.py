"""Minima of functions: quasi-Newton methods, and constraints by multipliers."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.ops.arguments import tensor

from .wolfe import Point, differentiated, searched


class OptimizeResults(NamedTuple):
    """What a minimisation found.

    `x`: the place of the minimum; `success`: whether the gradient there is small enough; `status`: 0 for success, 1 if
    `maxiter` steps were not enough, 3 for a direction in which the function does not fall, 5 if a line search failed;
    `fun`, `jac`, `hess_inv`: value, gradient and the estimate of the inverse of the Hessian; `nfev`, `njev`, `nit`:
    numbers of values, of gradients and of steps.

    Args:
        x: The place of the minimum.
        success: Whether the gradient there is small enough.
        status: 0 for success; see above.
        fun, jac, hess_inv: Value, gradient and the estimate of the inverse of the Hessian.
        nfev, njev, nit: Numbers of values, of gradients and of steps.

    Examples:
        >>> from mindspore.scipy.optimize import minimize
        >>> found = minimize(lambda x: ((x - 3.0) ** 2).sum(), Tensor([1.0]), method="BFGS")
        >>> round(found.x.item(), 3)
        3.0
    """

    x: Any
    success: bool
    status: int
    fun: float
    jac: Any
    hess_inv: Any
    nfev: int
    njev: int
    nit: int


def minimize(func: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), method: str | None = None,
             jac: Callable[..., Any] | None = None, hess: Any = None, hessp: Any = None, bounds: Any = None,
             constraints: Any = (), tol: float | None = None, callback: Callable[[Any], Any] | None = None,
             options: dict[str, Any] | None = None) -> OptimizeResults:
    """The place where a function is smallest.

    Args:
        func: The function of a vector and `args`, with one number as its value.
        x0: Where to begin (n,).
        args: More arguments of `func`.
        method: "BFGS" or "LBFGS" (Nocedal and Wright, Numerical Optimization, algorithms 6.1 and 7.5), or "LAGRANGE"
            (Hestenes' and Powell's multipliers around BFGS). Default: "BFGS".
        jac: The gradient of `func`. Default: the derivative.
        hess, hessp: None: no method takes second derivatives.
        bounds: For "LAGRANGE": (lowest, highest) values of x, tensors of the shape of x0.
        constraints: For "LAGRANGE": a function of x, or several, that must not be negative at the minimum.
        tol: Ends where the gradient is at most so large, as `gtol` does.
        callback: Called with x after every step.
        options: `gtol` (1e-5), `norm` (of the gradient: inf), `maxiter` (200 n), `line_search_maxiter` (10); for
            "LBFGS" also `maxcor` (10, how many steps are remembered); for "LAGRANGE" also `rounds` (20).

    Returns:
        An `OptimizeResults`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a method or an option does not exist, or x0 is no vector.

    Examples:
        >>> found = mindspore.scipy.optimize.minimize(lambda x: ((x - 3) ** 2).sum(), Tensor([0.0, 1.0]), method="BFGS")
        >>> np.round(found.x.asnumpy(), 4).tolist(), found.success
        ([3.0, 3.0], True)
    """
    owner = "minimize"
    x = tensor(owner, "x0", x0)
    if x.ndim != 1:
        raise ValueError(f"For 'minimize', the 'x0' must be a vector, but got {show(x)}.")
    x = x if x.dtype.is_floating else x.astype(float32)
    check.instance(owner, "args", args, tuple)
    for name, value in (("hess", hess), ("hessp", hessp)):
        if value is not None:
            raise ValueError(f"For 'minimize', the '{name}' must be None: no method takes second derivatives.")
    kind = (method or "BFGS").upper().replace("-", "") if isinstance(method, str | None) else method
    check.option(owner, "method", kind, ["BFGS", "LBFGS", "LAGRANGE"])
    chosen = _options(kind, options, tol, x.size)
    known = differentiated(func, jac, args)
    if kind == "LAGRANGE":
        if jac is not None:
            raise ValueError("For 'minimize', the 'jac' must be None with the method 'LAGRANGE'.")
        return _by_multipliers(lambda x: func(x, *args), x, bounds, constraints, chosen, callback)
    if bounds is not None or constraints != ():
        raise ValueError(f"For 'minimize', 'bounds' and 'constraints' need the method 'LAGRANGE', but got '{kind}'.")
    inverse = _Dense(x) if kind == "BFGS" else _Remembered(chosen["maxcor"])
    return _descended(known, x, inverse, chosen, callback)


def _options(kind: str, given: dict[str, Any] | None, tol: float | None, n: int) -> dict[str, Any]:
    found: dict[str, Any] = {"gtol": 1e-5, "norm": math.inf, "maxiter": 200 * n, "line_search_maxiter": 10}
    found |= {"LBFGS": {"maxcor": 10}, "LAGRANGE": {"rounds": 20}}.get(kind, {})
    given = {key: value for key, value in (check.instance("minimize", "options", given or {}, dict)).items()
             if value is not None}
    unknown = sorted(set(given) - set(found))
    if unknown:
        raise ValueError(f"For 'minimize', the options of '{kind}' are {sorted(found)}, but got {unknown}.")
    found |= given
    if tol is not None:
        found["gtol"] = check.number("minimize", "tol", tol, 0.0)
    return found


class _Dense:
    """The inverse of the Hessian as a matrix."""

    def __init__(self, x: Any):
        self.unit = self.matrix = ops.eye(x.size, x.size, x.dtype)

    def times(self, g: Any) -> Any:
        return self.matrix @ g

    def learn(self, s: Any, y: Any) -> None:
        rho = 1 / (s * y).sum()
        left = self.unit - rho * ops.outer(s, y)
        self.matrix = left @ self.matrix @ left.T + rho * ops.outer(s, s)

    def shown(self) -> Any:
        return self.matrix


class _Remembered:
    """The inverse of the Hessian as the last steps and the changes of the gradient in them."""

    def __init__(self, count: int):
        self.count = check.positive_int("minimize", "maxcor", count)
        self.pairs: list[tuple[Any, Any, Any]] = []

    def times(self, g: Any) -> Any:
        used = []
        for s, y, rho in reversed(self.pairs):
            alpha = rho * (s * g).sum()
            g = g - alpha * y
            used.append(alpha)
        if self.pairs:
            s, y, rho = self.pairs[-1]
            g = g / (rho * (y * y).sum())
        for (s, y, rho), alpha in zip(self.pairs, reversed(used), strict=True):
            g = g + s * (alpha - rho * (y * g).sum())
        return g

    def learn(self, s: Any, y: Any) -> None:
        self.pairs = [*self.pairs, (s, y, 1 / (s * y).sum())][-self.count:]

    def shown(self) -> Any:
        return None


def _descended(known: Any, x: Any, inverse: Any, options: dict[str, Any], callback: Any) -> OptimizeResults:
    """Steps along -inverse @ gradient until the gradient is small."""
    value, grad = known(x)
    evaluations, before, steps, status = 1, float(value) + float(ops.norm(grad)) / 2, 0, 1
    while True:
        if _length(grad, options["norm"]) <= options["gtol"]:
            status = 0
        if status != 1 or steps >= options["maxiter"]:
            break
        p = -inverse.times(grad)
        slope = float((grad * p).sum())
        if not slope < 0:
            status = 3
            break
        first = Point(0.0, float(value), slope, value, grad)
        found = searched(known, x, p, first, before, 1e-4, 0.9, options["line_search_maxiter"])
        evaluations += found.nfev
        if found.failed and not found.a_k:
            status = 5
            break
        s, y = found.a_k * p, found.g_k - grad
        before, x, value, grad, steps = float(value), x + s, found.f_k, found.g_k, steps + 1
        if float((s * y).sum()) > 0:
            inverse.learn(s, y)
        if callback is not None:
            callback(x)
    return OptimizeResults(x, not status, status, float(value), grad, inverse.shown(), evaluations, evaluations, steps)


def _length(x: Any, order: float) -> float:
    return float(ops.abs(x).max()) if order == math.inf else float(ops.norm(x, order))


def _by_multipliers(func: Any, x: Any, bounds: Any, constraints: Any, options: dict[str, Any],
                    callback: Any) -> OptimizeResults:
    """Minimise f + (weight / 2) (max(0, m / weight - c)**2), and correct the multipliers m of c >= 0 in between."""
    limits = list(constraints) if isinstance(constraints, (tuple, list)) else [constraints]
    if bounds is not None:
        low, high = bounds
        limits += [lambda x: x - low, lambda x: high - x]
    for limit in limits:
        check.callable_("minimize", "constraints", limit)
    multipliers, weight, evaluations, steps = [0.0] * len(limits), 10.0, 0, 0
    result, worst = None, math.inf
    for _ in range(options["rounds"]):
        def penalised(x: Any, multipliers: Any = tuple(multipliers), weight: float = weight) -> Any:
            total = func(x)
            for m, limit in zip(multipliers, limits, strict=True):
                short = ops.relu(m / weight - limit(x))
                total = total + 0.5 * weight * (short * short).sum()
            return total

        result = _descended(differentiated(penalised, None), x, _Dense(x), options, callback)
        x, evaluations, steps = result.x, evaluations + result.nfev, steps + result.nit
        left = [limit(x) for limit in limits]
        broken = max([float(ops.relu(-c).max()) for c in left], default=0.0)
        if broken <= 1e-4:
            break
        multipliers = [ops.relu(m - weight * c) for m, c in zip(multipliers, left, strict=True)]
        weight, worst = (weight if broken < 0.25 * worst else 4 * weight), broken
    assert result is not None
    status = result.status if broken <= 1e-4 else 1
    return result._replace(fun=float(func(x)), nfev=evaluations, njev=evaluations, nit=steps, status=status,
                           success=not status)
