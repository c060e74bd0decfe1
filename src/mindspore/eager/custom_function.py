"""Functions whose derivatives a program writes itself, for PyNative mode."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.core.kinds import is_sequence
from mindspore.eager.fitting import fitted
from mindspore.eager.tape import record_custom, refresh
from mindspore.eager.tensor import Tensor, wrap
from mindspore.eager.unrecorded import Unrecorded
from mindspore.ir.runtime import runtime
from mindspore.operators.structure import zeros_like


class _Function:
    """A function with a derivative of its own: a subclass defines `forward` and `backward`, and `apply` calls it.

    `forward(ctx, *args)` gives a tensor or a tuple of them, and no gradient follows what it computes.
    `backward(ctx, *gradients)` takes a gradient for each result and gives one for each argument, None where there is
    none. `ctx` carries what both share. A class that defines `setup_context(ctx, inputs, output)` has a `forward`
    without `ctx`.

    Attributes:
        saved_tensors: What `save_for_backward` was given.
        needs_input_grad: For each argument whether it is a tensor that a gradient is taken for.
        materialize_grads: Whether results that nothing uses have gradients of zeros, or None.

    Examples:
        >>> class Cube(mindspore._Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x * x
        ...     @staticmethod
        ...     def backward(ctx, gradient):
        ...         x, = ctx.saved_tensors
        ...         return 3 * x * x * gradient
        >>> mindspore.grad(Cube.apply)(Tensor(2.0)).item()
        12.0
    """

    materialize_grads = True
    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """What the function gives; a subclass defines it."""
        raise NotImplementedError("For '_Function', define 'forward'.")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """A gradient for each argument; a subclass defines it."""
        raise NotImplementedError("For '_Function', define 'backward'.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Keep what `backward` needs, for a `forward` without `ctx`."""
        raise NotImplementedError("For '_Function', define 'setup_context'.")

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors as `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which arguments `forward` has changed; they must be among its results."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which results no gradient leads through."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether results that nothing uses have gradients of zeros (True) or None."""
        self.materialize_grads = value

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """The result of `forward`, with `backward` as its derivative.

        Args:
            args, kwargs: What `forward` takes besides `ctx`; gradients lead to tensors among `args`.
        """
        if runtime.building:
            raise GraphSyntaxError(f"'{cls.__name__}.apply' cannot be compiled; give a Cell a method 'bprop' instead.")
        ctx, inputs = cls(), [a for a in args if isinstance(a, Tensor)]
        refresh(inputs)
        ctx.needs_input_grad = tuple([isinstance(a, Tensor) and a._var is not None for a in args])
        places = tuple([x._var for x in inputs])
        runtime.push(unrecorded := Unrecorded())
        try:
            if cls.setup_context is _Function.setup_context:
                out = cls.forward(ctx, *args, **kwargs)
            else:
                out = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, out)
        finally:
            runtime.drop(unrecorded)
        outs: Any = out if is_sequence(out) else (out,)
        if any(all(d is not o for o in outs) for d in ctx.dirty_tensors):
            raise RuntimeError("The dirty tensors must all be outputs of the forward function. For "
                               f"'{cls.__name__}', return what 'mark_dirty' was given.")
        found = ctx._recorded(args, (inputs, places), outs)
        return found[0] if outs is not out else tuple(found) if isinstance(outs, tuple) else found

    def _recorded(self, args: tuple[Any, ...], inputs: tuple[list[Tensor], tuple[Any, ...]],
                  outs: Sequence[Any]) -> list[Any]:
        """The results, which lead back to the arguments."""
        apart = {id(t) for t in self.non_differentiable}
        leading = [isinstance(o, Tensor) and id(o) not in apart for o in outs]
        plain = [wrap(o._data) if isinstance(o, Tensor) else o for o in outs]

        def rule(*douts: Any) -> list[Any]:
            given = iter(douts)
            every = [next(given) if leads else self._without(o) for o, leads in zip(plain, leading, strict=True)]
            return self._gradients(args, type(self).backward(self, *every))

        made = iter(record_custom(rule, inputs[0], [p for p, leads in zip(plain, leading, strict=True) if leads],
                                  self.materialize_grads, inputs[1]))
        found = [next(made) if leads else p for p, leads in zip(plain, leading, strict=True)]
        for n, tensor in enumerate(outs):
            if any(tensor is d for d in self.dirty_tensors):
                tensor._data, tensor._var = found[n]._data, found[n]._var
                found[n] = tensor
        kept = {id(o): f for o, f in zip(outs, found, strict=True)}
        if runtime.depth > 1:                  # a second derivative leads through saved results, too
            self.saved_tensors = tuple([kept.get(id(t), t) for t in self.saved_tensors])
        return found

    def _without(self, out: Any) -> Any:
        return zeros_like(out) if self.materialize_grads and isinstance(out, Tensor) else None

    def _gradients(self, args: tuple[Any, ...], given: Any) -> list[Any]:
        """The gradients of the tensors among the arguments."""
        found: Any = given if is_sequence(given) else (given,)
        if len(found) != len(args):
            raise RuntimeError(f"Function backward return a wrong number of gradients: for '{type(self).__name__}', "
                               f"'backward' must give one for each of the {len(args)} arguments of 'forward', but "
                               f"gave {len(found)}.")
        return [self._fitted(n, a, g) for n, (a, g) in enumerate(zip(args, found, strict=True))
                if g is not None or isinstance(a, Tensor)]

    def _fitted(self, n: int, argument: Any, gradient: Any) -> Any:
        """The gradient of an argument as that argument has one.

        Raises:
            RuntimeError: If it cannot be one.
        """
        name = type(self).__name__
        if not isinstance(argument, Tensor):
            raise RuntimeError(f"Input is not tensor, but gradient is not none: for '{name}', 'backward' must give "
                               f"None for argument {n} of 'forward', which is of type '{type(argument).__name__}'.")
        if gradient is not None and not isinstance(gradient, Tensor):
            raise RuntimeError(f"Gradient should be none or tensor, but for '{name}', 'backward' gave "
                               f"{gradient!r} with type '{type(gradient).__name__}' for argument {n} of 'forward'.")
        return fitted(name, gradient, argument)


__all__ = ["_Function"]
