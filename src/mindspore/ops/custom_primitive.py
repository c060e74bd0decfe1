"""Primitives of the user's own, as 1.x describes them: inferred shapes and types, a kernel in Python, a derivative.

    class Square(PrimitiveWithInfer):
        @prim_attr_register
        def __init__(self): ...
        def infer_shape(self, x): return x
        def infer_dtype(self, x): return x
        def vm_impl(self, x): return Tensor(x.asnumpy() ** 2)
        def get_bprop(self):
            return lambda x, out, dout: (2 * x * dout,)
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Aval
from mindspore.operators import user
from mindspore.operators.registry import REGISTRY

from .hooks import InReverse
from .op_info import REGISTERED
from .signatures import plain


class Getters:
    """Derivatives of primitives of the user's own that stand apart from their classes.

        @bprop_getters.register(Square)
        def get_bprop_square(self):
            return lambda x, out, dout: (2 * x * dout,)
    """

    def __init__(self) -> None:
        self.known: dict[Any, Callable[..., Any]] = {}

    def register(self, prim: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator of a function of the primitive that gives its derivative.

        Args:
            prim: A class of primitives, or the name of one.

        Raises:
            ValueError: If the package has such an operator, which has its derivative.
        """
        name = prim if isinstance(prim, str) else prim.__name__
        if name in REGISTRY and (isinstance(prim, str) or prim.__module__ == "mindspore.ops.primitives"):
            raise ValueError(f"For 'bprop_getters.register', the operator '{name}' of this package has its derivative; "
                             f"another one is the 'bprop' of a Cell around it.")

        def keep(fn: Callable[..., Any]) -> Callable[..., Any]:
            self.known[prim] = fn
            return fn
        return keep

    def of(self, primitive: Any) -> Callable[..., Any] | None:
        """The derivative of a primitive, from its class or registered; None without one."""
        if hasattr(primitive, "get_bprop"):
            return primitive.get_bprop()
        found = self.known.get(type(primitive)) or self.known.get(primitive.name)
        return found and found(primitive)


bprop_getters = Getters()


def _get_cache_prim(cls: Callable[..., Any]) -> Callable[..., Any]:
    """A class of primitives as a function that makes one instance for each set of settings that can be a key.

    Args:
        cls: The class.

    Returns:
        A function of its settings.

    Examples:
        >>> from mindspore.ops._primitive_cache import _get_cache_prim
        >>> _get_cache_prim(ops.ReduceSum)(True) is _get_cache_prim(ops.ReduceSum)(True)
        True
    """
    def instance(*args: Any, **kwargs: Any) -> Any:
        try:
            return _cached(cls, args, tuple(kwargs.items()))
        except TypeError:                # a list among the settings
            return cls(*args, **kwargs)
    return instance


@functools.lru_cache(maxsize=1024, typed=True)
def _cached(cls: Callable[..., Any], args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
    return cls(*args, **dict(kwargs))


def applied(primitive: Any, inputs: Sequence[Any]) -> Any:
    """The result of a primitive that is no operator's, by its `vm_impl`."""
    kernel = getattr(primitive, "vm_impl", None)
    if kernel is None:
        known = "" if primitive.name not in REGISTERED else (
            " What 'op_info_register' has for it is compiled for devices of the original.")
        raise NotImplementedError(
            f"The primitive '{primitive.name}' has no kernel.{known} Give it a '__call__', a 'vm_impl' of tensors, or "
            f"express it by functions of 'mindspore.ops'.")
    tensors = [x if is_tensor(x) else Tensor(x) for x in inputs]
    outs = inferred(primitive, tensors)
    bprop = bprop_getters.of(primitive)

    def function(*arrays: Any) -> Any:
        found = kernel(*[Tensor(a) for a in arrays])
        return tuple([_array(v) for v in found]) if isinstance(found, (tuple, list)) else _array(found)
    function.__name__ = primitive.name
    return user.python_call(*tensors, function=function, outs=outs, bprop=InReverse(bprop) if bprop else None)


def _array(value: Any) -> Any:
    return value.asnumpy() if is_tensor(value) else value


def inferred(primitive: Any, tensors: Sequence[Any]) -> tuple[Aval, ...]:
    """Shapes and types of the results, by `infer_shape` and `infer_dtype`, or by `__infer__`."""
    shapes, types = [list(x.shape) for x in tensors], [x.dtype for x in tensors]
    if hasattr(primitive, "__infer__"):
        found = primitive.__infer__(*[{"shape": s, "dtype": d, "value": None}
                                      for s, d in zip(shapes, types, strict=True)])
        shape, dtype = found["shape"], found["dtype"]
    else:
        for check, values in (("check_shape", shapes), ("check_dtype", types)):
            getattr(primitive, check, lambda *_: None)(*values)
        shape = getattr(primitive, "infer_shape", lambda *_: None)(*shapes)
        dtype = getattr(primitive, "infer_dtype", lambda *_: None)(*types)
    if shape is None or dtype is None:
        raise NotImplementedError(f"The primitive '{primitive.name}' needs 'infer_shape' and 'infer_dtype', which give "
                                  f"the shape and the type of its result.")
    several = isinstance(dtype, (tuple, list))
    pairs = list(zip(shape, dtype, strict=True)) if several else [(shape, dtype)]
    return tuple([Aval(tuple(plain(s)), as_dtype(d)) for s, d in pairs])
