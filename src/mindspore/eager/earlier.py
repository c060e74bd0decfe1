"""What only programs of 1.0 ask of a parameter."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .parameter import Parameter
    from .tensor import Tensor


class Earlier:
    """Names of a parameter's elements that later releases do not have."""

    if TYPE_CHECKING:
        data: Any
        set_data: Any

    @property
    def default_input(self) -> Tensor:
        """The elements; programs of 1.0 assign initial values to them.

        Examples:
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> w.default_input = Tensor([3.0, 4.0])
            >>> w.default_input.tolist()
            [3.0, 4.0]
        """
        return self.data

    @default_input.setter
    def default_input(self, value: Any) -> None:
        self.set_data(value)

    def set_parameter_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Take over the elements of another tensor: the name of `set_data` in 1.0.

        Args:
            data: A tensor of the shape of the parameter.
            slice_shape: Whether another shape is taken, too.

        Returns:
            The parameter.

        Raises:
            ValueError: If the shapes differ and `slice_shape` is False.

        Examples:
            >>> Parameter(Tensor([1.0, 2.0]), name="w").set_parameter_data(Tensor([3.0, 4.0])).tolist()
            [3.0, 4.0]
        """
        return self.set_data(data, slice_shape)
