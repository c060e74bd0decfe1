"""`ops.Custom`: operators that a function of the user's computes, in Python or in native code."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Aval
from mindspore.operators import user

from .custom_native import native_function
from .hooks import InReverse
from .op_info import described
from .primitive import Primitive
from .signatures import plain
from .user_kernels import KernelFunction

_TYPES = ["hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc"]
_ELSEWHERE = {
    "akg": "is written in the words of the package 'akg', which is not here. Write it as loops and decorate it with "
           "'ops.kernel' ('hybrid'), which gives its derivative, too",
    "tbe": "is compiled for NPUs by packages that are not here. Write it as loops ('hybrid'), in C++ ('aot'), or as "
           "a function of NumPy arrays ('pyfunc')",
    "aicpu": "runs on the CPU of an NPU. Compile it as C++ for this machine ('aot'), or write it as a function of "
             "NumPy arrays ('pyfunc')"}


class Custom(Primitive):
    """An operator that a function of the user's computes.

    Args:
        func: For "pyfunc" a function of NumPy arrays that returns one or several of them; for "hybrid" a function under
            `ops.kernel`; for "aot" the text "file.so:name" or "file.cc:name" of a function in C++ (docs/kernels.md).
        out_shape: Shape of the result, a list of them, or a function of the inputs' shapes. "hybrid" infers it.
        out_dtype: Type of the result, a list of them, or a function of the inputs' types. "hybrid" infers it.
        func_type: "pyfunc", "hybrid" or "aot"; "akg", "tbe" and "aicpu" need what is not on this machine.
        bprop: Cotangents of the inputs, from the inputs, the result and its cotangent. "hybrid" has its own without it.
        reg_info: What `CustomRegOp.get_op_info()` gave: types are checked against its `dtype_format`.

    Raises:
        TypeError: If `func`, `out_shape` or `out_dtype` is of a type that does not go with `func_type`; in a call, if
            the types of inputs are none that `reg_info` lists.
        ValueError: If `func_type` is none of the known kinds ("julia" is none, as in MindSpore 2.10); if results are
            not of `out_shape` and `out_dtype`.
        NotImplementedError: If `func_type` is "akg", "tbe" or "aicpu".
        RuntimeError: "aot": if the file cannot be compiled or loaded, or the function gives an error code.

    Examples:
        >>> double = ops.Custom(lambda x: 2 * x, out_shape=(2,), out_dtype=mindspore.float32)
        >>> double(Tensor([1.0, 2.0])).tolist()
        [2.0, 4.0]
    """

    def __init__(self, func: Any, out_shape: Any = None, out_dtype: Any = None, func_type: str = "pyfunc",
                 bprop: Callable[..., Any] | None = None, reg_info: Any = None):
        super().__init__("Custom")
        self.log = f"For 'Custom', 'func_type': {func_type}, 'func': {func}"
        if func_type not in _TYPES:
            raise ValueError(f"{self.log}, 'func_type' must be one of {_TYPES}, but got {func_type}.")
        if not callable(func) and not isinstance(func, str):
            raise TypeError(f"For 'Custom', 'func' must be of type function or str, but got {type(func)}.")
        if func_type in _ELSEWHERE:
            raise NotImplementedError(f"{self.log}: such a function {_ELSEWHERE[func_type]}.")
        if bprop is not None and not callable(bprop):
            raise TypeError(f"{self.log}, 'bprop' must be a function, but got {kind(bprop)}.")
        self.check_function(func, func_type)
        if func_type != "hybrid":
            for name, value, kinds in (("out_shape", out_shape, (tuple, list)), ("out_dtype", out_dtype, ())):
                if value is None or (kinds and not isinstance(value, kinds) and not callable(value)):
                    raise TypeError(f"{self.log}, '{name}' must be one of [tuple, list, function], but got "
                                    f"{type(value)}")
        self.func: Any = func
        self.out_shape, self.out_dtype, self.bprop = out_shape, out_dtype, bprop
        reg_info = getattr(func, "reg_info", None) if reg_info is None else reg_info
        self.accepted = [[t[0] for t in row] for info in described(reg_info) if info.get("target") in ("CPU", "UnKnown")
                         for row in info.get("dtype_format", ())] if reg_info else []
        name = func.rpartition(":")[2] if isinstance(func, str) else getattr(func, "__name__", "func")
        self.attrs.update(func_name=name, func_type=func_type)

    def check_function(self, func: Any, func_type: str) -> None:
        """Raise if a function is none of its kind."""
        if func_type == "aot":
            if not isinstance(func, str):
                raise TypeError(f"{self.log}, 'func' must be of type str, but got {type(func)}")
            file, colon, name = func.rpartition(":")
            if not (file and colon and name):
                raise TypeError(f"{self.log}, 'func' should be like 'file_name:func_name', but got {func}")
        elif not callable(func):
            raise TypeError(f"{self.log}, 'func' must be of type function, but got {type(func)}")
        elif func_type == "hybrid" and not isinstance(func, KernelFunction):
            raise TypeError(f"{self.log}, 'func' must be a function decorated by kernel")

    def __call__(self, *inputs: Any) -> Any:
        tensors = [x if is_tensor(x) else Tensor(x) for x in inputs]
        self.check_types(tensors)
        bprop = InReverse(self.bprop) if self.bprop else None
        if self.attrs["func_type"] == "hybrid":
            return self.hybrid(tensors, bprop)
        outs = self.declared(tensors)
        if outs is None:
            raise TypeError(f"{self.log}, 'out_shape' and 'out_dtype' are needed.")
        function = native_function(self.func) if self.attrs["func_type"] == "aot" else self.func
        return user.python_call(*tensors, function=function, outs=outs, bprop=bprop)

    def hybrid(self, tensors: list[Any], bprop: Any) -> Any:
        """The kernel, compared with what was declared for it."""
        kernel = self.func.kernel(*tensors)
        outs = tuple(Aval(*o) for o in kernel.outs([x.shape for x in tensors]))
        declared = self.declared(tensors)
        if declared is not None and declared != outs:
            raise ValueError(f"{self.log}, 'out_shape' and 'out_dtype' say {list(declared)}, but the kernel gives "
                             f"{list(outs)}.")
        if bprop is None:
            return user.kernel_call(*tensors, kernel=kernel)
        return user.python_call(*tensors, function=kernel, outs=outs, bprop=bprop)

    def declared(self, tensors: list[Any]) -> tuple[Aval, ...] | None:
        """The results by `out_shape` and `out_dtype`; None without them."""
        shapes, types = self.out_shape, self.out_dtype
        if shapes is None or types is None:
            return None
        if callable(shapes):
            shapes = shapes(*[x.shape for x in tensors])
        if callable(types):
            types = types(*[x.dtype for x in tensors])
        return tuple([Aval(tuple(plain(s)), as_dtype(t))
                      for s, t in zip(_listed(shapes), _listed(types), strict=True)])

    def check_types(self, tensors: list[Any]) -> None:
        """Raise if the types of the inputs are none that were registered."""
        given = [as_dtype(x.dtype).name for x in tensors]
        if self.accepted and not any(all(a in ("", g) for a, g in zip(row, given, strict=False))
                                     for row in self.accepted):
            rows = sorted({str(tuple(row[:len(given)])) for row in self.accepted})
            raise TypeError(f"{self.log}: the types of the inputs must be one of {', '.join(rows)}, as 'reg_info' "
                            f"says, but got {tuple(given)}.")


def _listed(value: Any) -> list[Any]:
    """One or several shapes or types as a list."""
    if isinstance(value, (list, tuple)) and not (value and isinstance(value[0], int)):
        return list(value) if value else [value]
    return [value]


__all__ = ["Custom"]
