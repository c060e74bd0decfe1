"""Functions that put values into tensors and parameters at given indices."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter, assign, not_a_parameter
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import joining, structure
from mindspore.operators import scatter as operators
from mindspore.operators.getitem import TENSOR, get_item_grad
from mindspore.operators.indexing import integers
from mindspore.operators.joining import one_axis

from .arguments import tensor
from .array import reshape
from .getitem import getitem
from .primitive import composed
from .setitem import setitem
from .signatures import plain


def _scatter_rows(name: str, mode: str) -> Callable[..., Any]:
    """The primitive and function that change slices of a parameter along its first dimension."""
    op = getattr(operators, f"tensor_scatter_{mode}")
    low = f"scatter_{mode}"

    def body(input_x: Any, indices: Any, updates: Any) -> Any:
        _parameter(name, input_x)
        integers(name, "indices", indices)
        return assign(input_x, op(input_x, structure.expand_dims(indices, axis=-1), updates))

    return _public(body, name, low, f"Let slices of a parameter be {_DONE[mode]}; returns it.")


def _scatter_nd(name: str, mode: str) -> Callable[..., Any]:
    """The primitive and function that change elements of a parameter at coordinates."""
    op = getattr(operators, f"tensor_scatter_{mode}")
    low = f"scatter_nd_{mode}"

    def body(input_x: Any, indices: Any, updates: Any) -> Any:
        _parameter(name, input_x)
        return assign(input_x, op(input_x, indices, updates))

    return _public(body, name, low, f"Let the elements of a parameter at coordinates be {_DONE[mode]}; "
                                    f"returns it.")


_DONE = {"update": "replaced by the updates", "add": "increased by the updates",
         "sub": "decreased by the updates", "mul": "multiplied by the updates",
         "div": "divided by the updates", "max": "raised to the updates",
         "min": "lowered to the updates"}


def _public(body: Callable[..., Any], name: str, low: str, doc: str) -> Callable[..., Any]:
    """Register the body as a primitive and return the function with its flag."""
    default = name.endswith("Update")
    body.__doc__, body.__name__ = doc, low

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


def _parameter(owner: str, value: Any) -> None:
    if not isinstance(value, Parameter):
        raise not_a_parameter(owner, "input_x", value)


_SCATTER = {}
for _mode in _DONE:
    _SCATTER[f"scatter_{_mode}"] = _scatter_rows(f"Scatter{_mode.capitalize()}", _mode)
    _SCATTER[f"scatter_nd_{_mode}"] = _scatter_nd(f"ScatterNd{_mode.capitalize()}", _mode)
globals().update(_SCATTER)


def scatter(input: Any, axis: int, index: Any, src: Any) -> Any:
    """The tensor with each element of `src` written to its own place, but there along `axis`."""
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
    """Add the slices of `y` along `axis` to a parameter at the indices; returns the parameter."""
    check.boolean("IndexAdd", "use_lock", use_lock)          # updates are never concurrent here
    check.boolean("IndexAdd", "check_index_bound", check_index_bound)
    new = operators.index_add(x, indices, y, axis=axis)
    return assign(x, new) if isinstance(x, Parameter) else new


def index_add(x: Any, indices: Any, y: Any, axis: int, use_lock: bool = True,
              check_index_bound: bool = True) -> Any:
    """Add the slices of `y` along `axis` to a parameter at the indices; returns the parameter."""
    return _index_add(x, indices, y, axis=plain(axis), use_lock=use_lock,
                      check_index_bound=check_index_bound)


@composed("InplaceIndexAdd(axis)(var, indices, updates)")
def _inplace_index_add(var: Any, indices: Any, updates: Any, *, axis: int) -> Any:
    """Add slices along `axis` to a parameter at the indices; returns the parameter."""
    return _index_add(var, indices, updates, axis=axis)


def inplace_index_add(var: Any, indices: Any, updates: Any, axis: int) -> Any:
    """Add slices along `axis` to a parameter at the indices; returns the parameter."""
    return _inplace_index_add(var, indices, updates, axis=plain(axis))


def index_fill(x: Any, axis: int, index: Any, value: Any) -> Any:
    """The tensor with a number in the slices along `axis` at the elements of `index`."""
    axis = one_axis(plain(axis), tensor("index_fill", "x", x).ndim, "IndexFill")
    index = reshape(index, (-1,))
    shape = (*x.shape[:axis], index.shape[0], *x.shape[axis + 1:])
    if is_tensor(value):
        if value.ndim:
            raise ValueError(f"For 'IndexFill', the 'value' must be a number or a tensor without "
                             f"dimensions, but got {show(value)}.")
        rows = structure.broadcast_to(structure.cast(value, dtype=x.dtype), shape=shape)
    else:
        rows = structure.full(shape=shape, value=value, dtype=x.dtype)
    return operators.index_put(x, rows, index, axis=axis)


@composed("IndexFill()(x, dim, index, value)")
def _index_fill(x: Any, dim: int, index: Any, value: Any) -> Any:
    """The tensor with a number in the slices along `dim` at the elements of `index`."""
    return index_fill(x, dim, index, value)


def _rows(owner: str, x: Any, v: Any, indices: Any) -> Any:
    rows = plain(indices)
    rows = (rows,) if isinstance(rows, int) else rows
    n = tensor(owner, "x", x).shape[0]
    if any(not -n <= i < n for i in rows):
        raise ValueError(f"For '{owner}', the 'indices' must be in [0, {n}), but got {rows}.")
    return Tensor(rows, int64)


@composed("InplaceAdd(indices)(x, v)")
def _inplace_add(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows of `v` added at the indices."""
    return operators.index_add(x, _rows("InplaceAdd", x, v, indices), v, axis=0)


@composed("InplaceSub(indices)(x, v)")
def _inplace_sub(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows of `v` subtracted at the indices."""
    return operators.index_add(x, _rows("InplaceSub", x, v, indices), -v, axis=0)


@composed("InplaceUpdate(indices)(x, v)")
def _inplace_update(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows at the indices replaced by those of `v`."""
    return operators.index_put(x, v, _rows("InplaceUpdate", x, v, indices), axis=0)


def inplace_add(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows of `v` added at the indices."""
    return _inplace_add(x, v, indices=indices)


def inplace_sub(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows of `v` subtracted at the indices."""
    return _inplace_sub(x, v, indices=indices)


def inplace_update(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows at the indices replaced by those of `v`."""
    return _inplace_update(x, v, indices=indices)


def _index_put(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """The tensor with `values` at the places that a tuple of index tensors names."""
    if not accumulate:
        return setitem(self, tuple(indices), values)
    spec = (TENSOR,) * len(indices)
    added = structure.broadcast_to(values, shape=tuple(getitem(self, tuple(indices)).shape))
    return self + get_item_grad(added, *indices, spec=spec, shape=tuple(self.shape))


def slice_scatter(input: Any, src: Any, axis: int = 0, start: Any = None, end: Any = None,
                  step: int = 1) -> Any:
    """The tensor with `src` in the slices along `axis` from `start` to before `end`."""
    axis = one_axis(axis, tensor("slice_scatter", "input", input).ndim, "slice_scatter")
    return setitem(input, (slice(None),) * axis + (slice(start, end, step),), src)


def select_scatter(input: Any, src: Any, axis: int, index: int) -> Any:
    """The tensor with `src` as the slice along `axis` at `index`."""
    axis = one_axis(axis, tensor("select_scatter", "input", input).ndim, "select_scatter")
    return setitem(input, (slice(None),) * axis + (index,), src)


def _index_add_method(self: Any, first: Any = None, second: Any = None, third: Any = None,
                      **kw: Any) -> Any:
    """`index_add(indices, y, axis)` or `index_add(dim, index, source, alpha=1)`."""
    if is_tensor(first) or "indices" in kw:
        indices, y, axis = kw.get("indices", first), kw.get("y", second), kw.get("axis", third)
        return index_add(self, indices, y, axis)
    dim, index, source = kw.get("dim", first), kw.get("index", second), kw.get("source", third)
    alpha = kw.get("alpha", 1)
    return operators.index_add(self, index, source if alpha == 1 else source * alpha, axis=plain(dim))


def _scatter_add(self: Any, first: Any = None, second: Any = None, third: Any = None,
                 **kw: Any) -> Any:
    """`scatter_add(indices, updates)` or `scatter_add(dim, index, src)`."""
    if is_tensor(first) or "indices" in kw:
        return operators.tensor_scatter_add(self, kw.get("indices", first), kw.get("updates", second))
    dim, index, src = kw.get("dim", first), kw.get("index", second), kw.get("src", third)
    return operators.tensor_scatter_elements(self, index, src, axis=plain(dim), reduction="add")


def _scatter_method(self: Any, axis: Any = None, index: Any = None, src: Any = None,
                    dim: Any = None) -> Any:
    return scatter(self, dim if axis is None else axis, index, src)


METHODS = {
    "index_add": _index_add_method, "index_fill": index_fill, "index_put": _index_put,
    "inplace_update": inplace_update,
    "scatter": _scatter_method,
    "scatter_add": _scatter_add,
    "scatter_div": lambda self, indices, updates: operators.tensor_scatter_div(self, indices, updates),
    "scatter_max": lambda self, indices, updates: operators.tensor_scatter_max(self, indices, updates),
    "scatter_min": lambda self, indices, updates: operators.tensor_scatter_min(self, indices, updates),
    "scatter_mul": lambda self, indices, updates: operators.tensor_scatter_mul(self, indices, updates),
    "scatter_sub": lambda self, indices, updates: operators.tensor_scatter_sub(self, indices, updates),
    "select_scatter": select_scatter, "slice_scatter": slice_scatter,
}
__all__ = ["index_add", "index_fill", "inplace_add", "inplace_index_add", "inplace_sub",
           "inplace_update", "scatter", "select_scatter", "slice_scatter", *_SCATTER]
