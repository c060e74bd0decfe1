"""Bijector: an invertible function that knows the logarithm of its derivative."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType
from mindspore.operators.rules import broadcast

from ...cell import Cell
from .. import arguments

QUESTIONS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Cell):
    """The base of invertible functions.

    A subclass defines `_forward(value)`, `_inverse(value)`, `_forward_log_jacobian(value)` and
    `_inverse_log_jacobian(value)`. A bijector called with a distribution gives the distribution of its
    values.

    Args:
        is_constant_jacobian: Whether the derivative is the same everywhere.
        is_injective: Whether different values have different images.
        name: Name that messages use.
        dtype: Element type of the values. Default: any floating-point type.
        param: What the subclass was made with: a dictionary of its arguments.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> from mindspore.nn.probability.bijector import Bijector
        >>> class Twice(Bijector):
        ...     '''y = 2 x.'''
        ...     def __init__(self):
        ...         super().__init__(is_constant_jacobian=True, name="Twice")
        ...     def _forward(self, value):
        ...         return 2 * value
        >>> Twice()("forward", Tensor([1.5])).tolist()
        [3.0]
    """

    def __init__(self, is_constant_jacobian: bool = False, is_injective: bool = True, name: str | None = None,
                 dtype: DType | None = None, param: dict[str, Any] | None = None):
        super().__init__()
        self._is_constant_jacobian = check.boolean(self, "is_constant_jacobian", is_constant_jacobian)
        self._is_injective = check.boolean(self, "is_injective", is_injective)
        self._name = check.string(self, "name", name)
        self._dtype = check.optional(check.instance, self, "dtype", dtype, DType)
        kept = {k: v for k, v in (param or {}).items() if k not in ("self", "__class__")}
        self._parameters_given = kept
        self._parameter_type = self._type_of(kept.get("param_dict") or {})
        self.parameter_names: list[str] = []
        self.default_parameters: list[Any] = []

    def _type_of(self, given: dict[str, Any]) -> DType:
        for name, value in given.items():
            kind = getattr(getattr(value, "dtype", None), "kind", None)
            if isinstance(value, int) or kind in ("i", "u", "b"):
                raise check.fail(TypeError, self, name, "of a floating-point type", value)
        return arguments.float_type(given)

    def _add_parameter(self, value: Any, name: str) -> Any:
        """Make a parameter of the bijector; what a subclass keeps it as an attribute."""
        value = arguments.as_parameter(self, name, value, self._parameter_type)
        self.parameter_names.append(name)
        self.default_parameters.append(value)
        return value

    def cast_param_by_value(self, value: Any, para: Any) -> Any:
        """A parameter in the element type of a value."""
        return arguments.cast(para, value.dtype)

    def _check_value_dtype(self, value: Any) -> Any:
        """A tensor of floats (of `dtype`, if the bijector has one), or the error for what is none."""
        arguments.checked_tensor(self, "value", value)
        if not value.dtype.is_floating or (self._dtype is not None and value.dtype is not self._dtype):
            raise TypeError(f"For '{self.name}', the 'value' must be of {self._dtype or 'a floating-point type'}, "
                            f"but got {value.dtype}.")
        return value

    # ------------------------------------------------------------------ properties

    @property
    def name(self) -> str:
        """The name that messages use."""
        return self._name

    @property
    def dtype(self) -> DType | None:
        """The element type of the values, None for any floating-point type."""
        return self._dtype

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the derivative is the same everywhere."""
        return self._is_constant_jacobian

    @property
    def is_injective(self) -> bool:
        """Whether different values have different images."""
        return self._is_injective

    @property
    def parameters(self) -> dict[str, Any]:
        """What the bijector was made with."""
        return self._parameters_given

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The shape that the parameters have together."""
        return arguments.common_shape(self, self.default_parameters) or ()

    @property
    def is_scalar_batch(self) -> bool:
        """Whether no parameter has an axis."""
        return not self.batch_shape

    def shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the images of values of a shape."""
        return broadcast(tuple(shape), self.batch_shape, name=self.name)

    def rising(self) -> Any:
        """Whether greater values have greater images: True, or a tensor of bools."""
        return True

    # ------------------------------------------------------------------ questions

    def _answer(self, question: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        formula = getattr(self, f"_{question}", None)
        if formula is None:
            raise NotImplementedError(f"{question} is not implemented for {self.name} bijector.")
        return formula(self._check_value_dtype(value), *args, **kwargs)

    def forward(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The image of `value`."""
        return self._answer("forward", value, args, kwargs)

    def inverse(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """What `value` is the image of."""
        return self._answer("inverse", value, args, kwargs)

    def forward_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """log |forward'(value)|."""
        return self._answer("forward_log_jacobian", value, args, kwargs)

    def inverse_log_jacobian(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """log |inverse'(value)|."""
        return self._answer("inverse_log_jacobian", value, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The distribution of the images, for a distribution; else the answer to a question by its name."""
        if args and hasattr(args[0], "transformed"):
            return args[0].transformed(self, *args, **kwargs)
        return super().__call__(*args, **kwargs)

    def construct(self, name, *args, **kwargs):
        """The answer to a question by its name, such as `bijector("forward", value)`.

        Raises:
            ValueError: If there is no question of that name.
        """
        if name not in QUESTIONS:
            raise ValueError(f"For '{self.name}', the question must be one of {list(QUESTIONS)}, but got {name!r}.")
        return getattr(self, name)(*args, **kwargs)
