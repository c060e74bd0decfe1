"""Random numbers, and memory whose elements are not set."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import as_dtype, int64
from mindspore.core.errors import kind
from mindspore.eager.generator import draws
from mindspore.ops.arguments import only, spread, tensor

_PLACES = (None, "cpu", "CPU")


def _here(owner: str, device: Any) -> None:
    if device not in _PLACES:
        raise ValueError(f"For '{owner}', the 'device' must be None or 'CPU', where tensors lie, but got {device!r}.")


@draws
def rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """Numbers uniform in [0, 1).

    Args:
        size: The extents, as a tuple or one by one.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.
        dtype: A floating-point type; None: float32.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If an extent is no int.
        ValueError: If an extent is negative, the dtype does not float, or another device is given.

    Examples:
        >>> mint.rand(2, 3).shape
        (2, 3)
    """
    _here("rand", device)
    return ops.rand(spread(size), dtype=dtype)


def rand_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Numbers uniform in [0, 1), in the shape of a tensor.

    Args:
        input: The tensor.
        dtype: A floating-point type; None: that of the tensor.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dtype does not float, or another device is given.

    Examples:
        >>> mint.rand_like(mint.zeros((2, 3))).shape
        (2, 3)
    """
    _here("rand_like", device)
    return ops.rand_like(input, dtype=dtype)


@draws
def randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1.

    Args:
        size: The extents, as a tuple or one by one.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.
        dtype: A floating-point type; None: float32.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If an extent is no int.
        ValueError: If an extent is negative, the dtype does not float, or another device is given.

    Examples:
        >>> mint.randn((2, 3)).shape
        (2, 3)
    """
    _here("randn", device)
    return ops.randn(spread(size), dtype=dtype)


def randn_like(input: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Numbers of the standard normal distribution, in the shape of a tensor.

    Args:
        input: The tensor.
        dtype: A floating-point type; None: that of the tensor.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dtype does not float, or another device is given.

    Examples:
        >>> mint.randn_like(mint.zeros((2, 3))).shape
        (2, 3)
    """
    _here("randn_like", device)
    return ops.randn_like(input, dtype=dtype)


def _range(owner: str, args: Any, low: Any, high: Any, *more: Any) -> tuple[Any, ...]:
    """The bounds (and what comes behind them) of `(high, ...)` or `(low, high, ...)`, by place or by name."""
    left = list(args)
    names = {"low": low, "high": high}
    bounds = [n for n in ("low", "high") if names[n] is None]
    short = len(left) < len(bounds) + len([m for m in more if m is None])
    if "low" in bounds and short:
        names["low"] = 0
        bounds.remove("low")
    found = []
    for n in bounds:
        if not left:
            raise TypeError(f"For '{owner}', the '{n}' is missing.")
        names[n] = left.pop(0)
    for value in more:
        if value is None and not left:
            raise TypeError(f"For '{owner}', the 'size' is missing.")
        found.append(left.pop(0) if value is None else value)
    if left:
        raise TypeError(f"For '{owner}', there are {len(left)} arguments too many: {left!r}.")
    return (names["low"], names["high"], *found)


@draws
def randint(*args: Any, low: Any = None, high: Any = None, size: Any = None, generator: Any = None,
            dtype: Any = None, device: Any = None) -> Any:
    """Integers uniform in [low, high), as `randint(high, size)` or `randint(low, high, size)`.

    Args:
        args: `high` and `size`, or `low`, `high` and `size`, where they have no names.
        low: The smallest; 0 if it is not given.
        high: The first that is not drawn.
        size: The extents, a tuple.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.
        dtype: The element type; None: int64.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If an argument is missing, or a bound or an extent is no int.
        ValueError: If no number lies between the bounds, or another device is given.

    Examples:
        >>> mint.randint(0, 1, (2, 3)).tolist()
        [[0, 0, 0], [0, 0, 0]]
    """
    _here("randint", device)
    low, high, size = _range("randint", args, low, high, size)
    return _integers("randint", low, high, size, int64 if dtype is None else dtype)


def randint_like(*args: Any, input: Any = None, low: Any = None, high: Any = None, dtype: Any = None,
                 device: Any = None) -> Any:
    """Integers uniform in [low, high), in the shape of a tensor: `(input, high)` or `(input, low, high)`.

    Args:
        args: `input` and `high`, or `input`, `low` and `high`, where they have no names.
        input: The tensor.
        low: The smallest; 0 if it is not given.
        high: The first that is not drawn.
        dtype: The element type; None: that of the tensor.
        device: None or "CPU".

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If a bound is missing or no int.
        ValueError: If no number lies between the bounds, or another device is given.

    Examples:
        >>> mint.randint_like(mint.zeros((2, 3)), 1, 2).tolist()
        [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    _here("randint_like", device)
    first, bounds = (args[0], args[1:]) if input is None and args else (input, args)
    x = only("randint_like", first)
    low, high = _range("randint_like", bounds, low, high)
    return _integers("randint_like", low, high, tuple(x.shape), x.dtype if dtype is None else dtype)


def _integers(owner: str, low: Any, high: Any, size: Any, dtype: Any) -> Any:
    if check.integer(owner, "low", low) >= check.integer(owner, "high", high):
        raise ValueError(f"For '{owner}', the 'low' must be below the 'high', but got {low} and {high}.")
    return ops.randint(low, high, size, dtype=int64).astype(as_dtype(dtype))


@draws
def randperm(n: int, *, generator: Any = None, dtype: Any = int64) -> Any:
    """The numbers from 0 to before `n`, in random order.

    Args:
        n: How many.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.
        dtype: The element type.

    Returns:
        A vector (n,).

    Raises:
        TypeError: If `n` is no int.
        ValueError: If `n` is not positive.

    Examples:
        >>> sorted(mint.randperm(4).tolist())
        [0, 1, 2, 3]
    """
    return ops.randperm(n, dtype=dtype)


@draws
def bernoulli(input: Any, *, generator: Any = None) -> Any:
    """Ones with the probabilities that a tensor holds, else zeros.

    Args:
        input: The probabilities, in [0, 1].
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        TypeError: If `generator` is none.

    Examples:
        >>> mint.bernoulli(Tensor([0.0, 1.0])).tolist()
        [0.0, 1.0]
    """
    return only("bernoulli", input).bernoulli()


@draws
def multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Any:
    """Places, drawn with the probabilities that the elements of each row are proportional to.

    Args:
        input: The weights (n,) or (m, n), not negative.
        num_samples: How many places per row.
        replacement: Whether a place may be drawn several times.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        int64, (num_samples,) or (m, num_samples).

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If there are fewer places than are drawn once each.

    Examples:
        >>> mint.multinomial(Tensor([0.0, 1.0, 0.0]), 1).tolist()
        [1]
    """
    return ops.multinomial(input, num_samples, replacement).astype(int64)


@draws
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Any:
    """Numbers of normal distributions.

    Args:
        mean: The mean, a number or a tensor.
        std: The standard deviation, a number or a tensor.
        size: The shape, if both are numbers; otherwise it is that of the tensors.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        float32, or the dtype of the tensors.

    Raises:
        TypeError: If `mean` or `std` is neither, or the size is missing.
        ValueError: If a size next to tensors is given.

    Examples:
        >>> mint.normal(mint.zeros(3), 0.0).tolist(), mint.normal(1.0, 2.0, (2, 3)).shape
        ([0.0, 0.0, 0.0], (2, 3))
    """
    given = [v for v in (mean, std) if ops.is_tensor(v)]
    for name, value in (("mean", mean), ("std", std)):
        if not ops.is_tensor(value) and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise TypeError(f"For 'normal', the '{name}' must be a number or a Tensor, but got {kind(value)}.")
    if not given:
        if size is None:
            raise TypeError("For 'normal', the 'size' is missing: 'mean' and 'std' are numbers.")
        return ops.normal(size, mean, std)
    if size is not None:
        raise ValueError(f"For 'normal', the shape is that of 'mean' and 'std', but there is a 'size', {size!r}.")
    return ops.randn_like(given[0] + given[-1]) * std + mean


def empty(*size: Any, dtype: Any = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A tensor whose elements nobody has set: they may be anything, here zeros.

    Args:
        size: The extents, as a tuple or one by one.
        dtype: The element type; None: float32.
        device: None or "CPU".
        pin_memory: False: only memory that a device copies from is pinned.

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If an extent is no int.
        ValueError: If an extent is negative, another device is given, or memory is to be pinned.

    Examples:
        >>> mint.empty(2, 3).shape
        (2, 3)
    """
    _here("empty", device)
    _unpinned("empty", pin_memory)
    return ops.zeros(spread(size), dtype)


def empty_like(input: Any, *, dtype: Any = None, device: Any = None, pin_memory: bool = False) -> Any:
    """A tensor in the shape of another one, whose elements nobody has set: they may be anything, here zeros.

    Args:
        input: The tensor.
        dtype: The element type; None: that of the tensor.
        device: None or "CPU".
        pin_memory: False: only memory that a device copies from is pinned.

    Returns:
        A tensor of that shape.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If another device is given, or memory is to be pinned.

    Examples:
        >>> mint.empty_like(mint.ones((2, 3))).shape
        (2, 3)
    """
    _here("empty_like", device)
    _unpinned("empty_like", pin_memory)
    return ops.zeros_like(tensor("empty_like", "input", input), dtype=dtype)


def _unpinned(owner: str, pin_memory: Any) -> None:
    if check.boolean(owner, "pin_memory", pin_memory):
        raise ValueError(f"For '{owner}', the 'pin_memory' must be False: there is no device that copies from it.")


__all__ = ["bernoulli", "empty", "empty_like", "multinomial", "normal", "rand", "rand_like", "randint", "randint_like",
           "randn", "randn_like", "randperm"]
