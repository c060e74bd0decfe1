"""Primitives around functions of the user's: functions of arrays and gradient hooks."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.core.errors import kind
from mindspore.ir import Aval
from mindspore.operators import user

from .hooks import InReverse
from .primitive import Primitive
from .signatures import plain


class PyFunc(Primitive):
    """A function of NumPy arrays with results of known shapes and types.

    Args:
        fn: The function.
        in_types: Types of the inputs.
        in_shapes: Shapes of the inputs.
        out_types: Types of the results.
        out_shapes: Shapes of the results.
        stateful: Whether the function has effects; it runs each time in either case.

    Examples:
        >>> flip = ops.PyFunc(np.flip, [mindspore.float32], [(3,)], [mindspore.float32], [(3,)])
        >>> flip(Tensor([1.0, 2.0, 3.0]))[0].tolist()
        [3.0, 2.0, 1.0]
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

    Inputs:
        x: A tensor.

    Examples:
        >>> halve = ops.InsertGradientOf(lambda dout: dout / 2)
        >>> mindspore.grad(lambda x: halve(x) * 3)(Tensor(1.0)).item()
        1.5
    """

    def __init__(self, f: Callable[..., Any]):
        super().__init__("InsertGradientOf")
        if not callable(f):
            raise TypeError(f"For 'InsertGradientOf', the 'f' must be a function, but got {kind(f)}.")
        self.f = f

    def __call__(self, x: Any) -> Any:
        return user.hooked(x, hook=InReverse(self.f))


class _OfTuple(InReverse):
    """A hook that takes the tuple of the cotangents, and may return as many; a single one also without a tuple."""

    def __call__(self, *douts: Any) -> Any:
        found = super().__call__(douts)
        if found is None:
            return None
        given = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        if len(given) != len(douts):
            raise TypeError(f"For 'HookBackward', the 'hook_fn' must return None or {len(douts)} gradients, one per "
                            f"input, but got {len(given)}.")
        return given if len(douts) > 1 else given[0]


class HookBackward(Primitive):
    """The values of the tensors; a function sees their cotangents, all in one call, and may return others.

    Args:
        hook_fn: A function of the tuple of the cotangents; what it returns replaces them, None keeps them.
        cell_id: A name, kept as an attribute.

    Inputs:
        inputs: Tensors.

    Raises:
        TypeError: If `hook_fn` is no function, or returns another number of gradients.

    Examples:
        >>> halve = ops.HookBackward(lambda douts: (douts[0] / 2,))
        >>> mindspore.grad(lambda x: halve(x) * 3)(Tensor(1.0)).item()
        1.5
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = ""):
        super().__init__("HookBackward")
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', the 'hook_fn' must be a function, but got "
                            f"{kind(hook_fn)}.")
        self.hook_fn, self.cell_id = hook_fn, cell_id

    def __call__(self, *inputs: Any) -> Any:
        hook = _OfTuple(self.hook_fn)
        return user.hooked_together(*inputs, hook=hook) if len(inputs) > 1 else user.hooked(*inputs, hook=hook)


__all__ = ["HookBackward", "InsertGradientOf", "PyFunc"]
