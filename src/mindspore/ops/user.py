"""Primitives around functions of the user's: custom operators and gradient hooks."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Aval
from mindspore.operators import user

from .hooks import InReverse
from .primitive import Primitive
from .signatures import plain

_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc")


def _listed(value: Any) -> list[Any]:
    """One or several shapes or types as a list."""
    if isinstance(value, (list, tuple)) and not (value and isinstance(value[0], int)):
        return list(value) if value else [value]
    return [value]


class Custom(Primitive):
    """An operator that a function of the user's computes.

    Args:
        func: A function of NumPy arrays that returns one or several of them.
        out_shape: Shape of the result, a list of them, or a function of the inputs' shapes.
        out_dtype: Type of the result, a list of them, or a function of the inputs' types.
        func_type: "pyfunc".  The other kinds are compiled for the original's devices.
        bprop: Cotangents of the inputs, from the inputs, the result and its cotangent.
        reg_info: Accepted for "pyfunc" as a note; formats and targets have no meaning there.

    Raises:
        TypeError: If `func` is no function.
        ValueError: If `func_type` is none of the known kinds.
        NotImplementedError: If `func_type` is not "pyfunc".
    """

    def __init__(self, func: Callable[..., Any], out_shape: Any = None, out_dtype: Any = None,
                 func_type: str = "pyfunc", bprop: Callable[..., Any] | None = None,
                 reg_info: Any = None):
        super().__init__("Custom")
        if func_type not in _TYPES:
            raise ValueError(f"For 'Custom', the 'func_type' must be one of {list(_TYPES)}, but got "
                             f"{func_type!r}.")
        if func_type != "pyfunc":
            raise NotImplementedError(
                f"For 'Custom', functions of type '{func_type}' are compiled for devices of the "
                f"original. Write the operator as a function of NumPy arrays ('pyfunc'), or compose it "
                f"of 'mindspore.ops' functions, which are compiled.")
        if not callable(func):
            raise TypeError(f"For 'Custom', the 'func' must be a function, but got {func!r}.")
        if out_shape is None or out_dtype is None:
            raise TypeError("For 'Custom', 'out_shape' and 'out_dtype' are needed.")
        self.func, self.out_shape, self.out_dtype, self.bprop = func, out_shape, out_dtype, bprop
        self.attrs.update(func_name=getattr(func, "__name__", "func"), func_type=func_type)

    def __call__(self, *inputs: Any) -> Any:
        tensors = [x if is_tensor(x) else Tensor(x) for x in inputs]
        shapes, types = self.out_shape, self.out_dtype
        if callable(shapes):
            shapes = shapes(*[x.shape for x in tensors])
        if callable(types):
            types = types(*[x.dtype for x in tensors])
        outs = tuple([Aval(tuple(plain(s)), as_dtype(t))
                      for s, t in zip(_listed(shapes), _listed(types), strict=True)])
        bprop = InReverse(self.bprop) if self.bprop else None
        return user.python_call(*tensors, function=self.func, outs=outs, bprop=bprop)


class PyFunc(Primitive):
    """A function of NumPy arrays with results of known shapes and types.

    Args:
        fn: The function.
        in_types: Types of the inputs.
        in_shapes: Shapes of the inputs.
        out_types: Types of the results.
        out_shapes: Shapes of the results.
        stateful: Whether the function has effects; it runs each time in either case.
    """

    def __init__(self, fn: Callable[..., Any], in_types: Any, in_shapes: Any, out_types: Any,
                 out_shapes: Any, stateful: bool = True):
        super().__init__("PyFunc")
        self.fn = fn
        self.outs = tuple([Aval(tuple(plain(s)), as_dtype(t))
                           for s, t in zip(out_shapes, out_types, strict=True)])

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        out = user.python_call(*inputs, function=self.fn, outs=self.outs)
        return out if isinstance(out, tuple) else (out,)


class InsertGradientOf(Primitive):
    """The tensor itself, with a function applied to its cotangent.

    Args:
        f: A function of the cotangent that returns another one.
    """

    def __init__(self, f: Callable[..., Any]):
        super().__init__("InsertGradientOf")
        if not callable(f):
            raise TypeError(f"For 'InsertGradientOf', the 'f' must be a function, but got {kind(f)}.")
        self.f = f

    def __call__(self, x: Any) -> Any:
        return user.hooked(x, hook=InReverse(self.f))


class _OfTuple(InReverse):
    """A hook that takes a tuple with the cotangent, and may return one."""

    def __call__(self, *douts: Any) -> Any:
        found = super().__call__(douts)
        return found[0] if isinstance(found, (tuple, list)) else found


class HookBackward(Primitive):
    """The tensors themselves; a function sees their cotangents and may return others.

    Args:
        hook_fn: A function of a tuple with the cotangent; None keeps it.
        cell_id: A name, kept as an attribute.
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = ""):
        super().__init__("HookBackward")
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', the 'hook_fn' must be a function, but got "
                            f"{kind(hook_fn)}.")
        self.hook_fn, self.cell_id = hook_fn, cell_id

    def __call__(self, *inputs: Any) -> Any:
        outs = [user.hooked(x, hook=_OfTuple(self.hook_fn)) for x in inputs]
        return tuple(outs) if len(outs) > 1 else outs[0]


__all__ = ["Custom", "HookBackward", "InsertGradientOf", "PyFunc"]
