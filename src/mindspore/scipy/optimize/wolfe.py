"""Line search for the strong conditions of Wolfe: Nocedal and Wright, Numerical Optimization, 3.5 and 3.6."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore import ops
from mindspore.core import check
from mindspore.ops.arguments import tensor


class LineSearchResults(NamedTuple):
    """What a line search found.

    `failed`: whether no step satisfies the conditions; `nit`, `nfev`, `ngev`: numbers of steps, of values and of
    gradients; `a_k`: the length of the step; `f_k`, `g_k`: value and gradient there; `status`: 0 for success, 1 if a
    bracket was not found, 3 if it was not narrowed enough, in `maxiter` steps.

    Args:
        failed: Whether no step satisfies the conditions.
        nit, nfev, ngev, k: Numbers of steps, of values, of gradients, and of steps again.
        a_k: The length of the step.
        f_k, g_k: Value and gradient there.
        status: 0 for success, 1 if a bracket was not found, 3 if it was not narrowed enough.

    Examples:
        >>> from mindspore.scipy.optimize import line_search
        >>> found = line_search(lambda x: (x * x).sum(), Tensor([1.0]), Tensor([-1.0]))
        >>> print(found.a_k)
        1.0
    """

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: Any
    g_k: Any
    status: int


class _Point(NamedTuple):
    a: float
    f: float
    slope: float
    value: Any
    grad: Any


def line_search(f: Callable[..., Any], xk: Any, pk: Any, jac: Callable[..., Any] | None = None, gfk: Any = None,
                old_fval: Any = None, old_old_fval: Any = None, c1: float = 0.0001, c2: float = 0.9,
                maxiter: int = 20) -> LineSearchResults:
    """A step a along pk with f(xk + a pk) <= f(xk) + c1 a s and |slope| <= c2 |s|, where s is the slope at xk.

    Args:
        f: The function of a vector, with one number as its value.
        xk: Where to begin (n,).
        pk: The direction (n,), in which f falls.
        jac: The gradient of f. Default: the derivative.
        gfk: The gradient at xk. Default: it is computed.
        old_fval: f(xk). Default: it is computed.
        old_old_fval: f at the point before xk, from which the first step is guessed. Default: the first step is 1.
        c1, c2: The factors, 0 < c1 < c2 < 1.
        maxiter: At most so many steps.

    Returns:
        A `LineSearchResults`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a factor or `maxiter` is out of range.

    Examples:
        >>> found = mindspore.scipy.optimize.line_search(lambda x: (x * x).sum(), Tensor([2.0]), Tensor([-4.0]))
        >>> found.failed, found.a_k
        (False, 0.5)
    """
    owner = "line_search"
    x, p = tensor(owner, "xk", xk), tensor(owner, "pk", pk)
    check.number(owner, "c1", c1, 0.0, 1.0, True, True)
    check.number(owner, "c2", c2, c1, 1.0, True, True)
    check.positive_int(owner, "maxiter", maxiter)
    known = differentiated(f, jac)
    value, grad = (old_fval, gfk) if old_fval is not None and gfk is not None else known(x)
    first = _Point(0.0, float(value), float((grad * p).sum()), value, grad)
    return searched(known, x, p, first, old_old_fval, c1, c2, maxiter)


def differentiated(f: Callable[..., Any], jac: Callable[..., Any] | None, args: tuple[Any, ...] = ()) -> Any:
    """x -> (value, gradient)."""
    check.callable_("optimize", "func", f)
    if jac is None:
        both = ops.value_and_grad(lambda x: f(x, *args))
        return lambda x: both(x)
    check.callable_("optimize", "jac", jac)
    return lambda x: (f(x, *args), jac(x, *args))


class _Line:
    """The function along the line, with its evaluations counted."""

    def __init__(self, known: Any, x: Any, p: Any):
        self.known, self.x, self.p, self.count = known, x, p, 0

    def at(self, a: float) -> _Point:
        self.count += 1
        value, grad = self.known(self.x + a * self.p)
        return _Point(a, float(value), float((grad * self.p).sum()), value, grad)


def searched(known: Any, x: Any, p: Any, first: _Point, before: Any, c1: float, c2: float,
             maxiter: int) -> LineSearchResults:
    """The search itself, from the values that are known at its beginning."""
    line = _Line(known, x, p)
    a = 1.0
    if before is not None and first.slope:
        guess = 1.01 * 2 * (first.f - float(before)) / first.slope
        a = min(1.0, guess) if guess > 0 else 1.0
    last = first
    for i in range(maxiter):
        now = line.at(a)
        if now.f > first.f + c1 * a * first.slope or (now.f >= last.f and i) or not math.isfinite(now.f):
            return _zoom(line, first, last, now, c1, c2, maxiter, i)
        if abs(now.slope) <= -c2 * first.slope:
            return _result(line, now, i, 0)
        if now.slope >= 0:
            return _zoom(line, first, now, last, c1, c2, maxiter, i)
        last, a = now, 2 * a
    return _result(line, last, maxiter, 1)


def _zoom(line: _Line, first: _Point, low: _Point, high: _Point, c1: float, c2: float, maxiter: int,
          done: int) -> LineSearchResults:
    """Narrow a bracket whose end `low` is the better one."""
    for i in range(maxiter):
        now = line.at(_between(low, high))
        if now.f > first.f + c1 * now.a * first.slope or now.f >= low.f or not math.isfinite(now.f):
            high = now
        else:
            if abs(now.slope) <= -c2 * first.slope:
                return _result(line, now, done + i + 1, 0)
            if now.slope * (high.a - low.a) >= 0:
                high = low
            low = now
    return _result(line, low, done + maxiter, 3)


def _between(low: _Point, high: _Point) -> float:
    """Where the cubic through both ends is smallest, or their middle if that is too close to one."""
    middle, width = 0.5 * (low.a + high.a), abs(high.a - low.a)
    if not (math.isfinite(high.f) and math.isfinite(high.slope)):
        return middle
    d = low.slope + high.slope - 3 * (low.f - high.f) / (low.a - high.a)
    square = d * d - low.slope * high.slope
    if square < 0:
        return middle
    root = math.copysign(math.sqrt(square), high.a - low.a)
    below = high.slope - low.slope + 2 * root
    if not below:
        return middle
    a = high.a - (high.a - low.a) * (high.slope + root - d) / below
    return a if min(abs(a - low.a), abs(a - high.a)) > 0.1 * width and abs(a - middle) < 0.5 * width else middle


def _result(line: _Line, at: _Point, steps: int, status: int) -> LineSearchResults:
    return LineSearchResults(bool(status), steps, line.count, line.count, steps, at.a, at.value, at.grad, status)


Point = _Point
