"""Transforms made of transforms."""

from __future__ import annotations

from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.transforms.base import TensorOperation, to_array
from mindspore.dataset.transforms.random import stream


class CompoundOperation(TensorOperation):
    """A transform that calls others, given as a list.

    Args:
        transforms: Transforms, or functions of arrays.

    Examples:
        >>> issubclass(transforms.Compose, type(transforms.Compose([transforms.Duplicate()])).__mro__[1])
        True
    """

    random = True  # as far as is known

    def __init__(self, transforms: Any):
        check.instance(self, "transforms", transforms, list)
        if not transforms:
            raise check.fail(ValueError, self, "transforms", "not empty", transforms)
        for transform in transforms:
            if not callable(transform):
                raise check.fail(TypeError, self, "transforms", "a list of callables", transform)
            if isinstance(transform, type):
                wanted = "a list of objects; is a pair of parentheses missing?"
                error = check.fail(ValueError, self, "transforms", wanted, transform)
                raise ValueError(f"{error} Each should be a dataset processing operation instance.")
        self.transforms = list(transforms)

    def __call__(self, *inputs: Any) -> Any:
        values = tuple(_value(self, value) for value in inputs)
        values = tuple(_value(self, value) for value in applied(self.chosen(), values))
        return values[0] if len(values) == 1 else values

    def called(self) -> list[Any]:
        return self.transforms

    def chosen(self) -> list[Any]:
        """The transforms to call this time, in order."""
        return self.transforms


def applied(transforms: list[Any], values: tuple) -> tuple:
    """`values` after the transforms, each of which takes all the values that the one before gave."""
    for transform in transforms:
        try:
            result = transform(*values)
        except PipelineError:
            raise
        except Exception as error:  # of the user's function: raised again with its name
            name = getattr(transform, "__qualname__", type(transform).__name__)
            kind = InputError if isinstance(error, TypeError) else PipelineError
            raise kind(f"'{name}' failed: {type(error).__name__}: {error}") from error
        values = result if isinstance(result, tuple) else (result,)
    return values


def _value(owner: Any, value: Any) -> Any:
    """A value as an array; PIL images are left alone."""
    return value if hasattr(value, "getbands") else to_array(owner, value)


class Compose(CompoundOperation):
    """All transforms, one after the other.

    Called on its own, outside of a pipeline, it gives a tuple where PIL images were involved, as programs expect that
    write `Compose([...])(image)[0]`; else the array itself.

    Args:
        transforms: Transforms, or functions of arrays.

    Examples:
        >>> transforms.Compose([transforms.Fill(7), transforms.TypeCast(np.float32)])(np.array([1, 2])).tolist()
        [7.0, 7.0]
    """

    def __call__(self, *inputs: Any) -> Any:
        values: tuple[Any, ...] = tuple(_value(self, value) for value in inputs)
        through_pil = any(hasattr(value, "getbands") for value in inputs)
        for transform in self.transforms:
            values = applied([transform], values)
            through_pil = through_pil or any(hasattr(value, "getbands") for value in values)
        values = tuple(_value(self, value) for value in values)
        return values[0] if len(values) == 1 and not through_pil else values


class RandomApply(CompoundOperation):
    """All transforms with probability `prob`, else none.

    Args:
        transforms: Transforms, or functions of arrays.
        prob: The probability, 0 to 1.

    Examples:
        >>> transforms.RandomApply([transforms.Fill(7)], prob=1.0)(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, transforms: Any, prob: float = 0.5):
        super().__init__(transforms)
        self.prob = check.number(self, "prob", prob, 0.0, 1.0)

    def chosen(self) -> list[Any]:
        return self.transforms if stream().random() < self.prob else []


class RandomChoice(CompoundOperation):
    """One of the transforms, drawn anew each time.

    Args:
        transforms: Transforms, or functions of arrays.

    Examples:
        >>> transforms.RandomChoice([transforms.Fill(7), transforms.Fill(7)])(np.array([1, 2])).tolist()
        [7, 7]
    """

    def chosen(self) -> list[Any]:
        return [self.transforms[stream().integers(len(self.transforms))]]


class RandomOrder(CompoundOperation):
    """All transforms in an order drawn anew each time; values and errors are those of the transforms.

    Args:
        transforms: Transforms, or functions of arrays.

    Examples:
        >>> transforms.RandomOrder([transforms.Fill(7), transforms.TypeCast(np.float32)])(np.array([1, 2])).tolist()
        [7.0, 7.0]
    """

    def __call__(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise InputError(f"For 'RandomOrder', one input is expected, but got {len(inputs)}.")
        (value,) = inputs
        for transform in self.chosen():
            value = transform(*value) if isinstance(value, tuple) else transform(value)
        return value

    def chosen(self) -> list[Any]:
        return [self.transforms[i] for i in stream().permutation(len(self.transforms))]


def not_random(function: Any) -> Any:
    """Mark a function as giving equal results for equal inputs.

    Args:
        function: The function.

    Returns:
        The function itself.

    Examples:
        >>> @transforms.not_random
        ... def doubled(array):
        ...     return array * 2
        >>> doubled(np.array([1, 2])).tolist()
        [2, 4]
    """
    function.random = False
    return function
