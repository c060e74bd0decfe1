"""Shapes that describe inputs, with extents that may differ: those of `Tensor(shape=[None, 3], dtype=float32)`."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType
from mindspore.core.symbol import Symbol

ANY_RANK = (-2,)


class Described:
    """A dtype and a shape, of which extents that may differ between calls are -1; (-2,) is any shape.

    `Tensor` makes it where a shape has None, -1 or a `Symbol`; it serves `set_inputs` and `input_signature`.
    """

    __slots__ = ()

    @property
    def _data(self) -> Any:
        raise ValueError(f"A tensor of shape {self.shape} describes inputs whose shape is not known; it has "
                         f"no elements to compute with.")

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents, -1 where they may differ; (-2,) if the rank may differ, too."""
        return self.__dict__["pattern"][0]

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.__dict__["pattern"][1]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """0: there are no elements."""
        return 0

    @property
    def symbols(self) -> tuple[Symbol | None, ...]:
        """For each extent what is known about it."""
        return self.__dict__["pattern"][2]

    @property
    def symbolic_shape(self) -> list[Any] | None:
        """The extents, with what is known about those that have symbols; None if none has."""
        if not any(self.symbols):
            return None
        return [n if s is None else s.to_dict() for n, s in zip(self.shape, self.symbols, strict=True)]

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value=)"

    __str__ = __repr__


def described(shape: Any, dtype: DType | None) -> tuple[Any, ...] | None:
    """What a pattern describes: shape, dtype, symbols; None if the shape is an ordinary one."""
    if shape is None:
        return None if dtype is None else (ANY_RANK, dtype, (None,))
    parts = (shape,) if isinstance(shape, (int, Symbol)) else tuple(shape)
    symbols = tuple([n if isinstance(n, Symbol) else None for n in parts])
    parts = tuple([None if isinstance(n, Symbol) else n for n in parts])
    if not any([n is None or n == -1 or n == -2 for n in parts]):
        return None
    if dtype is None:
        raise ValueError("For 'Tensor', the 'dtype' must be given with a shape that is not known.")
    return tuple([-1 if n is None else n for n in parts]), dtype, symbols
