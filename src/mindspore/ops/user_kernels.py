"""`ops.kernel`: loops in Python that become native code, with derivatives."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore.core import check
from mindspore.eager.tensor import is_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators import user

if TYPE_CHECKING:
    from mindspore.compiler.kernels.user.compiled import Kernel


class KernelFunction:
    """A function of loops: native code for tensors, plain Python for NumPy arrays.

    Attributes:
        function: The function as it was written.
        reg_info: What was given as such.
        compile_attrs: What was given as such.
    """

    def __init__(self, function: Callable[..., Any], reg_info: Any, compile_attrs: dict[str, Any]):
        from mindspore.compiler.kernels.user.compiled import Kernels  # when there is a kernel

        functools.update_wrapper(self, function)
        self.function, self.name = function, function.__name__
        self.reg_info, self.compile_attrs = reg_info, compile_attrs
        self.kernels = Kernels(function)

    def __call__(self, *args: Any) -> Any:
        if not any(map(is_tensor, args)):
            from mindspore.compiler.kernels.user.plain import in_python  # loaded when needed

            return in_python(self.function)(*args)
        return user.kernel_call(*[x for x in args if is_tensor(x)], kernel=self.kernel(*args))

    def kernel(self, *args: Any) -> Kernel:
        """The kernel for arguments of these types."""
        if runtime.trace is not None:                  # the program that is compiled holds for the present numbers
            for place in self.kernels.source.places():
                runtime.trace.heap.watch.place(*place)
        return self.kernels.of([self._type(k, x) for k, x in enumerate(args)])

    def _type(self, k: int, x: Any) -> Any:
        if is_tensor(x):
            return _named(x.dtype), x.ndim
        if isinstance(x, (bool, int, float)):
            return x
        from mindspore.compiler.kernels.user.errors import KernelCallError  # loaded when needed

        raise KernelCallError(f"For 'kernel', the argument {k} of '{self.name}' must be a tensor or a number beside "
                              f"other tensors, but got {type(x).__name__}."
                              + (" Make it a Tensor." if isinstance(x, np.ndarray) else ""))


def _named(dtype: Any) -> str:
    name = str(dtype).lower().rpartition(".")[2]
    return {"bool_": "bool"}.get(name, name)


def kernel(fn: Callable[..., Any] | None = None, reg_info: Any = None,
           compile_attrs: dict[str, Any] | None = None) -> Any:
    """Make an operator, with its derivatives, of a function of loops over elements of tensors.

    The function is read, not run: its loops become native code for the types of its arguments, whatever their
    sizes. Called with NumPy arrays, it runs as Python. docs/kernels.md describes the language.

    Args:
        fn: The function; None gives a decorator. It makes its results with `output_tensor(shape, dtype)`, sets their
            elements, and returns them.
        reg_info: A note on types and formats for `ops.Custom`; kept, since the types of the arguments decide here.
        compile_attrs: Notes that other devices compile by; kept as they are.

    Inputs:
        Tensors of any sizes, of types bool, int8 to int64, uint8, float16, bfloat16, float32, float64; numbers, for
        each of which a kernel is made.

    Returns:
        A function of tensors, in PyNative and graph mode, or of NumPy arrays.

    Raises:
        TypeError: If `fn` is no function or `compile_attrs` no dict; `KernelLanguageError` (a TypeError), in
            the first call, if the function says what the language does not have.
        ValueError: `KernelCallError`, in a call, if arguments do not fit or an index is outside of its tensor.

    Examples:
        >>> @ops.kernel
        ... def running_sum(x):
        ...     y = output_tensor(x.shape, x.dtype)
        ...     total = 0.0
        ...     for i in range(x.shape[0]):
        ...         total += x[i]
        ...         y[i] = total
        ...     return y
        >>> running_sum(Tensor([1.0, 2.0, 3.0])).tolist()
        [1.0, 3.0, 6.0]
        >>> mindspore.grad(lambda x: running_sum(x)[2] ** 2)(Tensor([1.0, 2.0, 3.0])).tolist()
        [12.0, 12.0, 12.0]
    """
    attrs = {} if compile_attrs is None else compile_attrs
    if not isinstance(attrs, dict):
        raise check.fail(TypeError, "kernel", "compile_attrs", "a dict", compile_attrs)
    if fn is None:
        return lambda f: kernel(f, reg_info, attrs)
    if not hasattr(fn, "__code__"):
        raise check.fail(TypeError, "kernel", "fn", "a Python function", fn)
    return KernelFunction(fn, reg_info, attrs)


ms_kernel = kernel

__all__ = ["kernel", "ms_kernel"]
