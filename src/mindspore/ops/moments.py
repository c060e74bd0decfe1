"""Variance, standard deviation and mean."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.eager.automatic import computed_as
from mindspore.operators import powers, reduction
from mindspore.operators.structure import cast

from .arguments import only
from .primitive import composed
from .reductions import _axis, _flag
from .spelling import spelled


def _variance(owner: str, x: Any, axis: Any, ddof: Any, keepdims: Any) -> Any:
    if not isinstance(ddof, int):
        raise TypeError(f"For '{owner}', the 'ddof' must be an int, but got {ddof!r}.")
    return reduction.variance(only(owner, x), axis=_axis(owner, axis), ddof=int(ddof),
                              keep_dims=_flag(owner, keepdims))


def var(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The variance over `axis`: the sum of squared distances from the mean, divided by n - ddof.

    Args:
        input: A floating-point tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        ddof: What is subtracted from the number of elements; 1 (or True) for the unbiased estimate.
        keepdims: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> x = Tensor([1.0, 2.0, 3.0, 6.0])
        >>> ops.var(x).item(), round(ops.var(x, ddof=1).item(), 3)
        (3.5, 4.667)
    """
    return _variance("var", computed_as("SumExt", input), axis, ddof, keepdims)


def std(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviation over `axis`: the root of the sum of squared distances from the mean, divided by n -
    ddof.

    Args:
        input: A floating-point tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        ddof: What is subtracted from the number of elements; 1 (or True) for the unbiased estimate.
        keepdims: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.std(Tensor([[1.0, 3.0], [2.0, 6.0]]), 1).tolist()
        [1.0, 2.0]
    """
    return powers.sqrt(_variance("std", input, axis, ddof, keepdims))


def var_mean(input: Any, axis: Any = None, ddof: int = 0,
             keepdims: bool = False) -> tuple[Any, Any]:
    """The variance and the mean over `axis`.

    Args:
        input: A floating-point tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        ddof: What is subtracted from the number of elements in the variance.
        keepdims: Whether the dimensions stay, with extent 1.

    Returns:
        Two tensors without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> var, mean = ops.var_mean(Tensor([[1.0, 3.0], [2.0, 6.0]]), 1)
        >>> var.tolist(), mean.tolist()
        ([1.0, 4.0], [2.0, 4.0])
    """
    return (_variance("var_mean", computed_as("SumExt", input), axis, ddof, keepdims),
            reduction.reduce_mean(input, axis=_axis("var_mean", axis), keep_dims=keepdims))


def std_mean(input: Any, axis: Any = None, ddof: int = 0,
             keepdims: bool = False) -> tuple[Any, Any]:
    """The standard deviation and the mean over `axis`.

    Args:
        input: A floating-point tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        ddof: What is subtracted from the number of elements in the deviation.
        keepdims: Whether the dimensions stay, with extent 1.

    Returns:
        Two tensors without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> std, mean = ops.std_mean(Tensor([[1.0, 3.0], [2.0, 6.0]]), 1)
        >>> std.tolist(), mean.tolist()
        ([1.0, 2.0], [2.0, 4.0])
    """
    return (powers.sqrt(_variance("std_mean", input, axis, ddof, keepdims)),
            reduction.reduce_mean(input, axis=_axis("std_mean", axis), keep_dims=keepdims))


def _moment_method(moment: Any) -> Any:
    @spelled(keepdim="keepdims", correction="ddof")
    def method(self: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False,
               **dims: Any) -> Any:
        """The variance (`var`) or its root (`std`) over `axis`; over `dim` without bias.

        Args:
            axis: An int or a tuple of ints; None for all dimensions.
            ddof: What is subtracted from the number of elements in the divisor.
            keepdims: Whether the dimensions stay, with extent 1.
            dims: `dim` instead of `axis`, where `ddof` is 1 by default.

        Returns:
            A tensor without the dimensions; float32 for bools and integers.

        Raises:
            ValueError: If there is no such dimension.

        Examples:
            >>> x = Tensor([[1.0, 3.0], [2.0, 6.0]])
            >>> x.var(1).tolist(), x.std(1).tolist(), x.var(dim=1).tolist()
            ([1.0, 4.0], [1.0, 2.0], [2.0, 8.0])
        """
        if "dim" in dims:
            return moment(self, dims["dim"], ddof or 1, keepdims)
        # integers are measured in float32, as NumPy measures them in float64
        x = self if self.dtype.is_differentiable else cast(self, dtype=as_dtype("float32"))
        return moment(x, axis, ddof, keepdims)
    return method


@composed("ReduceStd(axis=[], unbiased=True, keep_dims=False)(x)")
def _reduce_std(x: Any, *, axis: Any = (), unbiased: bool = True,
                keep_dims: bool = False) -> tuple[Any, Any]:
    """The standard deviation and the mean over `axis`."""
    return std_mean(x, axis, int(unbiased), keep_dims)


__all__ = [
    "std", "std_mean", "var", "var_mean",
]

METHODS = {
    "std": _moment_method(std), "var": _moment_method(var),
}
