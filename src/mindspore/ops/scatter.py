"""Functions that put values into tensors and parameters at given indices."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.eager.parameter import Parameter, not_a_parameter
from mindspore.eager.tensor import is_tensor
from mindspore.operators import joining, structure
from mindspore.operators import scatter as operators
from mindspore.operators.indexing import integers

from . import documents
from ._holding import held
from .arguments import tensor
from .primitive import composed
from .signatures import named, parse, plain


def _scatter_rows(name: str, mode: str) -> Callable[..., Any]:
    """The primitive and function that change slices of a parameter along its first dimension."""
    op = getattr(operators, f"tensor_scatter_{mode}")
    low = f"scatter_{mode}"

    def body(input_x: Any, indices: Any, updates: Any) -> Any:
        _variable(name, input_x)
        integers(name, "indices", indices)
        return held(input_x, op(input_x, structure.expand_dims(indices, axis=-1), updates))

    return _public(body, name, low, _DOC.format(
        locking=_LOCKING, low=low, what="slices of a parameter along its first dimension", done=_DONE[mode],
        indices="A tensor of ints, places along that dimension.",
        updates="A tensor of shape `indices.shape + input_x.shape[1:]`.",
        given="Tensor([1]), Tensor([[2.0, 2.0]])", row=_ROWS[mode]))


def _scatter_nd(name: str, mode: str) -> Callable[..., Any]:
    """The primitive and function that change elements of a parameter at coordinates."""
    op = getattr(operators, f"tensor_scatter_{mode}")
    low = f"scatter_nd_{mode}"

    def body(input_x: Any, indices: Any, updates: Any) -> Any:
        _variable(name, input_x)
        return held(input_x, op(input_x, indices, updates))

    return _public(body, name, low, _DOC.format(
        locking=_LOCKING, low=low, what="the elements of a parameter at coordinates", done=_DONE[mode],
        indices="A tensor of ints (*, n), coordinates in the first n dimensions.",
        updates="A tensor of shape `indices.shape[:-1] + input_x.shape[n:]`.",
        given="Tensor([[1, 0]]), Tensor([2.0])", row=[_ROWS[mode][0], 8.0]))


_DONE = {"update": "replaced by the updates", "add": "increased by the updates",
         "sub": "decreased by the updates", "mul": "multiplied by the updates",
         "div": "divided by the updates", "max": "raised to the updates",
         "min": "lowered to the updates"}
_ROWS = {"update": [2.0, 2.0], "add": [8.0, 10.0], "sub": [4.0, 6.0], "mul": [12.0, 16.0], "div": [3.0, 4.0],
         "max": [6.0, 8.0], "min": [2.0, 2.0]}         # what the updates of 2 make of the row 6, 8
_DOC = """Let {what} be {done}.

Args:
    input_x: A Parameter; outside of compiled graphs a tensor, too.
    indices: {indices}
    updates: {updates}
{locking}
Returns:
    A tensor, what the parameter holds then.

Raises:
    TypeError: If `input_x` is no tensor.
    ValueError: If the shapes do not fit.

Examples:
    >>> x = Parameter(Tensor([[2.0, 4.0], [6.0, 8.0]]), name="x")
    >>> ops.{low}(x, {given}).tolist()
    [[2.0, 4.0], {row}]
"""


_LOCKING = "    use_locking: A bool without effect: updates follow each other.\n"


def _public(body: Callable[..., Any], name: str, low: str, doc: str) -> Callable[..., Any]:
    """Register the body as a primitive and return the function with its flag."""
    default = name.endswith("Update")
    body.__doc__, body.__name__ = doc.replace(_LOCKING, ""), low

    def locking(input_x: Any, indices: Any, updates: Any, *, use_locking: bool = default) -> Any:
        check.boolean(name, "use_locking", use_locking)      # updates are never concurrent here
        return body(input_x, indices, updates)

    locking.__doc__ = doc
    composed(f"{name}(use_locking={default})(input_x, indices, updates)")(locking)
    if "_nd_" not in low:
        return body

    def function(input_x: Any, indices: Any, updates: Any, use_locking: bool = default) -> Any:
        return locking(input_x, indices, updates, use_locking=use_locking)

    function.__doc__, function.__name__ = doc, low
    return function


def _variable(owner: str, value: Any) -> None:
    if not is_tensor(value):
        raise not_a_parameter(owner, "input_x", value)


_SCATTER = {}
for _mode in _DONE:
    _SCATTER[f"scatter_{_mode}"] = _scatter_rows(f"Scatter{_mode.capitalize()}", _mode)
    _SCATTER[f"scatter_nd_{_mode}"] = _scatter_nd(f"ScatterNd{_mode.capitalize()}", _mode)
globals().update(_SCATTER)


def scatter(input: Any, axis: int, index: Any, src: Any) -> Any:
    """The tensor with each element of `src` written to its own place, but along `axis` to the place that `index`
    names.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        index: A tensor of ints with as many dimensions as `input`.
        src: A tensor at least as large as `index`, or a number for all places.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` or `index` is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2, 0]), Tensor([7.0, 8.0])).tolist()
        [8.0, 2.0, 7.0]
    """
    tensor("scatter", "index", index)
    if not is_tensor(src):
        src = structure.full(shape=tuple(index.shape), value=src, dtype=input.dtype)
    if tuple(src.shape) != tuple(index.shape):
        for dim, n in enumerate(index.shape):
            src = joining.slice_axis(src, axis=dim, start=0, stop=n)
    return operators.tensor_scatter_elements(input, index, src, axis=plain(axis))


@composed("SparseToDense()(indices, values, sparse_shape)")
def _sparse_to_dense(indices: Any, values: Any, sparse_shape: Any) -> Any:
    """Zeros of `sparse_shape` with the values at the coordinates in `indices`."""
    return operators.scatter_nd(indices, values, shape=plain(sparse_shape))


@composed("IndexAdd(axis, use_lock=True, check_index_bound=True)(x, indices, y)")
def _index_add(x: Any, indices: Any, y: Any, *, axis: int, use_lock: bool = True,
               check_index_bound: bool = True) -> Any:
    """Add the slices of `y` along `axis` to a parameter at the indices."""
    check.boolean("IndexAdd", "use_lock", use_lock)          # updates are never concurrent here
    check.boolean("IndexAdd", "check_index_bound", check_index_bound)
    new = operators.index_add(x, indices, y, axis=axis)
    return held(x, new) if isinstance(x, Parameter) else new


def index_add(x: Any, indices: Any, y: Any, axis: int, use_lock: bool = True,
              check_index_bound: bool = True) -> Any:
    """Add the slices of `y` along `axis` to a parameter at the indices.

    Args:
        x: A Parameter.
        indices: A tensor of ints (n,).
        y: A tensor of the dtype of `x` and, but for the extent n along `axis`, its shape.
        axis: The dimension, an int.
        use_lock, check_index_bound: Bools; the indices are checked in any case and the sums are exact.

    Returns:
        A tensor, what the parameter holds then.

    Raises:
        TypeError: If `x` is no Parameter.
        ValueError: If the shapes do not fit.

    Examples:
        >>> x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="x")
        >>> ops.index_add(x, Tensor([1], mindspore.int32), Tensor([[10.0, 20.0]]), 0).tolist()
        [[1.0, 2.0], [13.0, 24.0]]
    """
    return _index_add(x, indices, y, axis=plain(axis), use_lock=use_lock,
                      check_index_bound=check_index_bound)


@composed("InplaceIndexAdd(axis)(var, indices, updates)")
def _inplace_index_add(var: Any, indices: Any, updates: Any, *, axis: int) -> Any:
    """Add slices along `axis` to a parameter at the indices."""
    return _index_add(var, indices, updates, axis=axis)


def inplace_index_add(var: Any, indices: Any, updates: Any, axis: int) -> Any:
    """Add slices along `axis` to a parameter at the indices.

    Args:
        var: A Parameter.
        indices: A tensor of ints (n,).
        updates: A tensor of the dtype of `var` and, but for the extent n along `axis`, its shape.
        axis: The dimension, an int.

    Returns:
        A tensor, what the parameter holds then.

    Raises:
        TypeError: If `var` is no Parameter.
        ValueError: If the shapes do not fit.

    Examples:
        >>> x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="x")
        >>> ops.inplace_index_add(x, Tensor([1], mindspore.int32), Tensor([[10.0, 20.0]]), 0).tolist()
        [[1.0, 2.0], [13.0, 24.0]]
    """
    return _inplace_index_add(var, indices, updates, axis=plain(axis))


def _index_add_method(self: Any, first: Any = None, second: Any = None, third: Any = None,
                      **kw: Any) -> Any:
    """The tensor with slices added at indices: `index_add(indices, y, axis)` or `index_add(dim, index, source,
    alpha=1)`.

    Args:
        first: The indices, a tensor of ints (n,); in the second form the dimension.
        second: The slices, n of them along the dimension; in the second form the indices.
        third: The dimension; in the second form the slices.
        kw: The same by name: `indices`, `y` and `axis`, or `dim`, `index`, `source` and `alpha`, a factor of the
            slices.

    Returns:
        A tensor; in the first form the parameter itself.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).index_add(0, Tensor([2, 2]), Tensor([1.0, 1.0]), alpha=10).tolist()
        [1.0, 2.0, 23.0]
    """
    if is_tensor(first) or "indices" in kw:
        indices, y, axis = kw.get("indices", first), kw.get("y", second), kw.get("axis", third)
        return index_add(self, indices, y, axis)
    dim, index, source = kw.get("dim", first), kw.get("index", second), kw.get("source", third)
    alpha = kw.get("alpha", 1)
    return operators.index_add(self, index, source if alpha == 1 else source * alpha, axis=plain(dim))


def _scatter_add(self: Any, first: Any = None, second: Any = None, third: Any = None,
                 **kw: Any) -> Any:
    """The tensor with elements added at places: `scatter_add(indices, updates)` or `scatter_add(dim, index, src)`.

    Args:
        first: Indices as for `ops.tensor_scatter_add`; in the second form the dimension.
        second: The elements; in the second form the places along the dimension, a tensor of ints.
        third: In the second form the elements.
        kw: The same by name: `indices` and `updates`, or `dim`, `index` and `src`.

    Returns:
        A tensor; the original one stays unchanged.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).scatter_add(0, Tensor([2, 2]), Tensor([10.0, 20.0])).tolist()
        [1.0, 2.0, 33.0]
    """
    if is_tensor(first) or "indices" in kw:
        return operators.tensor_scatter_add(self, kw.get("indices", first), kw.get("updates", second))
    dim, index, src = kw.get("dim", first), kw.get("index", second), kw.get("src", third)
    return operators.tensor_scatter_elements(self, index, src, axis=plain(dim), reduction="add")


def _scatter_method(self: Any, axis: Any = None, index: Any = None, src: Any = None,
                    dim: Any = None) -> Any:
    """The tensor with each element of `src` written to its own place, but along `axis` to the place that `index`
    names.

    Args:
        axis, dim: The dimension, an int, under either name.
        index: A tensor of ints with as many dimensions as the tensor.
        src: A tensor at least as large as `index`, or a number for all places.

    Returns:
        A tensor; the original one stays unchanged.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).scatter(0, Tensor([2, 0]), Tensor([7.0, 8.0])).tolist()
        [8.0, 2.0, 7.0]
    """
    return scatter(self, dim if axis is None else axis, index, src)


def _computing(mode: str) -> Callable[..., Any]:
    """The method that computes elements at coordinates with updates."""
    op = getattr(operators, f"tensor_scatter_{mode}")

    def method(self: Any, indices: Any, updates: Any) -> Any:
        return op(self, indices, updates)
    params = parse(f"scatter_{mode}(indices, updates)").groups[0]
    return named(method, f"scatter_{mode}", documents.of_function(op, [(p, p.name) for p in params], "") or "")


METHODS = {
    "index_add": _index_add_method, "scatter": _scatter_method,
    **{f"scatter_{mode}": _computing(mode) for mode in ("div", "max", "min", "mul", "sub")},
    "scatter_add": _scatter_add,
}
__all__ = [
    "index_add", "inplace_index_add", "scatter", *_SCATTER,
]
