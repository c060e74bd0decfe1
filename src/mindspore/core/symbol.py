"""Symbol: what is known about an extent that may differ between calls."""
from __future__ import annotations

from typing import Any

from . import check


class Symbol:
    """An extent in the shape of a described input: `Tensor(shape=[Symbol(max=64, divisor=8), 3], dtype=...)`.

    Args:
        max: The largest extent; without effect if it is not greater than `min`.
        min: The smallest extent.
        divisor, remainder: The extent is `divisor * n + remainder` with a positive n.
        unique: Whether the extents of all dimensions with this symbol are the same in one call.
        kwargs: Not used.

    Raises:
        TypeError: If an argument has the wrong type.
        ValueError: If `min` or `divisor` is not positive, or `remainder` is not in [0, divisor).
    """

    def __init__(self, max: int = 0, min: int = 1, divisor: int = 1, remainder: int = 0,
                 unique: bool = False, **kwargs: Any):
        for name, value in (("max", max), ("min", min), ("divisor", divisor), ("remainder", remainder)):
            check.instance("Symbol", name, value, int)
        check.boolean("Symbol", "unique", unique)
        for name, value in (("min", min), ("divisor", divisor)):
            if value < 1:
                raise check.fail(ValueError, "Symbol", name, "positive", value)
        if not 0 <= remainder < divisor:
            raise check.fail(ValueError, "Symbol", "remainder", f"in [0, {divisor})", remainder)
        self.max, self.min, self.divisor, self.remainder, self.unique = max, min, divisor, remainder, unique

    def to_dict(self) -> dict[str, int]:
        """What differs from a symbol about which nothing is known."""
        found = {}
        if self.max > self.min:
            found["max"] = self.max
        if self.min > self.divisor + self.remainder:
            found["min"] = self.min
        if self.divisor != 1:
            found["divisor"] = self.divisor
        if self.remainder:
            found["remainder"] = self.remainder
        if self.unique:
            found["id"] = id(self)
        return found

    def __str__(self) -> str:
        return str(self.to_dict())

    def wrong(self, extent: int) -> str | None:
        """What an extent should be and is not; None if it fits."""
        if extent < self.min:
            return f"at least {self.min}"
        if self.max > self.min and extent > self.max:
            return f"at most {self.max}"
        if extent % self.divisor != self.remainder or (self.divisor > 1 and extent < self.divisor):
            return f"{self.divisor} * n + {self.remainder} with a positive n"
        return None
