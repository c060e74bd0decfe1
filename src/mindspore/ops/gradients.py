"""Derivatives of functions and cells: `grad`, `value_and_grad`, `GradOperation`, `vjp`, `jvp`, Jacobians.

One implementation serves both modes: `Linearised` runs the function.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from mindspore.core import context
from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.memory import forget
from mindspore.eager.parameter import Parameter
from mindspore.eager.tape import recording
from mindspore.eager.tensor import is_tensor
from mindspore.ir import Graph, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import structure

from .float_status import note
from .linearised import Linearised, detached, invoke, is_variable, ones_for


class Compiled:
    """Runs a library function compiled in graph mode, natively otherwise; one cache per object."""

    def __init__(self, name: str, run: Callable[..., Any]):
        self.name, self.native, self.cache = name, run, None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if runtime.building or context.state.mode != context.GRAPH_MODE or runtime.depth:
            found = self.native(*args, **kwargs)
        else:
            if self.cache is None:
                from mindspore.compiler.cache import Cache  # the compiler is loaded when needed
                self.cache = Cache(self.name)
            found = self.cache.run(self.native, args, kwargs)
        note(found)
        return found


def _name(fn: Any) -> str:
    return getattr(fn, "__name__", None) or type(fn).__name__


def _weights(weights: Any) -> tuple[list[Parameter], bool]:
    """The parameters, and whether one was given alone."""
    if weights is None:
        return [], False
    if isinstance(weights, Parameter):
        return [weights], True
    found = list(weights)
    for w in found:
        if not isinstance(w, Parameter):
            raise TypeError(f"For 'grad', the 'weights' must be Parameters, but got {type(w)}.")
    return found, False


def _positions(grad_position: Any) -> tuple[tuple[int, ...], bool]:
    """The positions, and whether there is one: its gradient comes without a tuple around it."""
    if grad_position is None:
        return (), False
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple)):
        raise TypeError("For 'grad', the 'grad_position' must be an int, a tuple of ints or None, "
                        f"but got {grad_position!r}.")
    if isinstance(grad_position, int):
        grad_position = (grad_position,)
    for p in grad_position:
        if not isinstance(p, int) or p < 0:
            raise ValueError(f"For 'grad', the 'grad_position' must not be negative, but got {p}.")
    return grad_position, len(grad_position) == 1


def value_and_grad(fn: Any, grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
                   return_ids: bool = False, sens_param: bool = False) -> Callable[..., Any]:
    """A function that returns the value of `fn` and its gradients.

    Args:
        fn: Function or Cell.
        grad_position: Positional arguments to differentiate, an int or a tuple; None for none.
        weights: Parameters to differentiate.
        has_aux: Whether only the first of `fn`'s results is differentiated.
        return_ids: Whether every gradient comes as (position or name, gradient).
        sens_param: Whether the last argument of the call is the cotangent of the result.

    Returns:
        A function of `fn`'s arguments: (value, gradient of inputs), (value, gradients of weights) or
        (value, (gradient of inputs, gradients of weights)).

    Raises:
        ValueError: If neither `grad_position` nor `weights` is given.

    Examples:
        >>> run = ops.value_and_grad(lambda x: x * x)
        >>> value, slope = run(Tensor(3.0))
        >>> value.item(), slope.item()
        (9.0, 6.0)
    """
    positions, single = _positions(grad_position)
    params, alone = _weights(weights)
    if grad_position is None and weights is None:
        raise ValueError("For 'grad', 'grad_position' and 'weights' can not be None at the same time.")

    def run(*args: Any, **kwargs: Any) -> Any:
        sens = None
        if sens_param:
            args, sens = args[:-1], args[-1]
        at = positions if args else ()            # a call without arguments has no gradients of any
        line = Linearised(fn, args, kwargs, at, params)
        out = line.out
        head = out[0] if has_aux else out
        per_input, per_weight = line.split(line.pull(*_cotangents(head, sens)))
        if return_ids:
            per_input = [(p, d) for p, d in zip(at, per_input, strict=True)]
            per_weight = [(w.name, d) for w, d in zip(params, per_weight, strict=True)]
        of_inputs = per_input[0] if single and args else tuple(per_input)
        of_weights = per_weight[0] if alone else tuple(per_weight)
        if weights is None:
            return detached(out), of_inputs
        return detached(out), of_weights if not positions else (of_inputs, of_weights)
    return Compiled(f"value_and_grad_{_name(fn)}", run)


def _cotangents(out: Any, sens: Any) -> tuple[list[Any], list[Any]]:
    outs = tree.leaves(out, is_tensor)
    if sens is None:
        return outs, [ones_for(o) for o in outs]
    given = tree.leaves(sens, is_tensor)
    if len(given) != len(outs):
        raise ValueError(f"The cotangent has {len(given)} tensors, but the result has {len(outs)}.")
    for k, (o, s) in enumerate(zip(outs, given, strict=True)):
        if tuple(o.shape) == tuple(s.shape):
            continue
        if (*o.shape, *s.shape) == (1,):         # a loss of one element and a scale without dimensions, or the reverse
            given[k] = structure.reshape(s, shape=tuple(o.shape))
        else:
            raise ValueError(f"The cotangent has shape {tuple(s.shape)}, but the result has shape "
                             f"{tuple(o.shape)}.")
    return outs, [s if s.dtype is o.dtype else structure.cast(s, dtype=o.dtype)
                  for o, s in zip(outs, given, strict=True)]


def grad(fn: Any, grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
         return_ids: bool = False, sens_param: bool = False) -> Callable[..., Any]:
    """A function that returns the gradients of `fn`; with `has_aux` also its further results.

    The arguments are those of `value_and_grad`.

    Args:
        function that returns the gradients of `fn`; with `has_aux` also its further results.
        fn: Function or Cell.
        grad_position: Positional arguments to differentiate, an int or a tuple; None for none.
        weights: Parameters to differentiate.
        has_aux: Whether only the first of `fn`'s results is differentiated.
        return_ids: Whether every gradient comes as (position or name, gradient).
        sens_param: Whether the last argument of the call is the cotangent of the result.

    Returns:
        A function of `fn`'s arguments.

    Raises:
        ValueError: If neither `grad_position` nor `weights` is given.

    Examples:
        >>> ops.grad(lambda x: x * x)(Tensor(3.0)).item()
        6.0
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids, sens_param)

    def run(*args: Any, **kwargs: Any) -> Any:
        value, grads = both.native(*args, **kwargs)
        return (grads, tuple(value[1:])) if has_aux else grads
    return Compiled(f"grad_{_name(fn)}", run)


def get_grad(gradients: Any, identifier: int | str) -> Any:
    """The gradient of one position or parameter name among those returned with `return_ids`.

    Args:
        gradients: What a function of `ops.grad` with `return_ids` returned.
        identifier: A position, a parameter, or its name.

    Returns:
        The gradient.

    Raises:
        RuntimeError: If there is none.

    Examples:
        >>> found = ops.grad(lambda x, y: x * y, (0, 1), return_ids=True)(Tensor(3.0), Tensor(5.0))
        >>> ops.get_grad(found, 1).item()
        3.0
    """
    if isinstance(identifier, Parameter):
        identifier = identifier.name

    def look(value: Any) -> Any:
        if not isinstance(value, tuple):
            return None
        if len(value) == 2 and type(value[0]) in (int, str) and value[0] == identifier:
            return value[1]
        return next((f for v in value if (f := look(v)) is not None), None)
    found = look(gradients)
    if found is None:
        raise RuntimeError(f"There is no gradient for {identifier!r}: take gradients with "
                           "return_ids=True and name a position or parameter among them.")
    return found


class GradOperation:
    """The gradient operation of 1.x: `GradOperation(...)(fn, weights)(*inputs[, sens])`.

    Args:
        get_all: Whether the gradients of all inputs are returned, else that of the first.
        get_by_list: Whether the gradients of `weights` are returned.
        sens_param: Whether the last argument of the call is the cotangent of the result.

    Examples:
        >>> both = ops.GradOperation(get_all=True)(lambda x, y: x * y)
        >>> [d.tolist() for d in both(Tensor(2.0), Tensor(3.0))]
        [3.0, 2.0]
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list),
                            ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'GradOperation', the '{name}' must be a bool, but got {value!r}.")
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param
        self.made: dict[Any, Any] = {}

    def __call__(self, fn: Any, weights: Any = None) -> Callable[..., Any]:
        key = id(fn), id(weights) if weights is not None else None
        held = self.made.get(key)
        if held is None:
            if len(self.made) > 16:
                self.made.clear()
            held = self.made[key] = self.build(fn, weights), fn, weights
        return held[0]

    def build(self, fn: Any, weights: Any) -> Callable[..., Any]:
        """The function that returns the gradients."""
        if self.get_by_list and weights is None and hasattr(fn, "trainable_params"):
            weights = tuple(fn.trainable_params())
        params, alone = _weights(weights) if self.get_by_list else ([], False)

        def run(*args: Any, **kwargs: Any) -> Any:
            sens = None
            if self.sens_param:
                if "sens" in kwargs:
                    sens = kwargs.pop("sens")
                else:
                    args, sens = args[:-1], args[-1]
            tensors = [i for i, a in enumerate(args) if tree.leaves(a, is_variable)]
            wanted = tensors if self.get_all else tensors[:1]
            if self.get_by_list and not self.get_all:
                wanted = []
            line = Linearised(fn, args, kwargs, wanted, params)
            per_input, per_weight = line.split(line.pull(*_cotangents(line.out, sens)))
            of_weights = per_weight[0] if alone else tuple(per_weight)
            if self.get_all:
                return (tuple(per_input), of_weights) if self.get_by_list else tuple(per_input)
            return of_weights if self.get_by_list else per_input[0] if per_input else ()
        return Compiled(f"grad_{_name(fn)}", run)


def vjp(fn: Any, *inputs: Any, weights: Any = None, has_aux: bool = False) -> tuple[Any, ...]:
    """(value, pull) where `pull(cotangent)` gives the cotangents of the inputs.

    Args:
        fn: Function or Cell.
        inputs: Its arguments.
        weights: Parameters; with them `pull` gives (cotangents of inputs, cotangents of weights).
        has_aux: Whether only the first of `fn`'s results is differentiated; then the result is (value, pull, aux).

    Returns:
        The value and the function `pull`.

    Examples:
        >>> value, pull = ops.vjp(lambda x: x * x, Tensor([1.0, 2.0]))
        >>> value.tolist(), pull(Tensor([1.0, 10.0]))[0].tolist()
        ([1.0, 4.0], [2.0, 40.0])
    """
    params, alone = _weights(weights)
    line = Linearised(fn, inputs, {}, range(len(inputs)), params)
    head = line.out[0] if has_aux else line.out

    def pull(*sens: Any) -> Any:
        outs, douts = _cotangents(head, sens[0] if len(sens) == 1 else sens)
        per_input, per_weight = line.split(line.pull(outs, douts, keep=True))
        of_inputs = tuple(per_input)
        if weights is None:
            return of_inputs
        return of_inputs, per_weight[0] if alone else tuple(per_weight)
    if has_aux:
        return detached(head), pull, detached(further(line.out))
    return detached(head), pull


def jvp(fn: Any, inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """(value, directional derivative of `fn` at `inputs` along `v`); with `has_aux` (value, jvp, aux).

    Computed as the derivative of the reverse sweep with respect to its cotangent, in which the sweep
    is linear.

    Args:
        fn: Function or Cell.
        inputs: Its argument, or a tuple of them.
        v: The direction, of the same structure.
        has_aux: Whether only the first of `fn`'s results is differentiated.

    Returns:
        A tuple.

    Raises:
        ValueError: If there are not as many tangents as inputs.

    Examples:
        >>> value, slope = ops.jvp(lambda x: x * x, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))
        >>> value.tolist(), slope.tolist()
        ([1.0, 4.0], [2.0, 40.0])
    """
    primals = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    tangents = v if isinstance(v, (tuple, list)) else (v,)
    if len(primals) != len(tangents):
        raise ValueError(f"For 'jvp', {len(primals)} inputs need as many tangents, but got "
                         f"{len(tangents)}.")

    out, push = pushed_forward(fn, primals, has_aux)
    head = out[0] if has_aux else out
    tangent = tree.rebuild(head, is_tensor, iter(push(tangents)))
    return (head, tangent, further(out)) if has_aux else (head, tangent)


def further(out: Sequence[Any]) -> Any:
    """The results that are not differentiated: one alone as it is, several as a tuple."""
    return out[1] if len(out) == 2 else tuple(out[1:])


def pushed_forward(fn: Any, primals: Sequence[Any], has_aux: bool) -> tuple[Any, Callable[[Sequence[Any]], list[Any]]]:
    """What `fn` returns, run once, and the function from tangents of its inputs to those of its result."""
    def back(*douts: Any) -> Any:
        line = made[0] if made else Linearised(fn, primals, {}, range(len(primals)), [])
        return tuple(line.pull(_tensors(line.out, has_aux), list(douts), keep=True))

    made: list[Linearised] = []
    if runtime.building:
        out = _foreseen(fn, primals)
    else:
        if not runtime.depth:
            runtime.variables.clear()
        with recording():              # as inside of another gradient, so that the sweep can be followed
            made.append(Linearised(fn, primals, {}, range(len(primals)), []))
        out = made[0].out
    zeros = [structure.zeros_like(o) for o in _tensors(out, has_aux)]
    with nullcontext() if runtime.building else recording():
        line = Linearised(back, zeros, {}, range(len(zeros)), [])
    if not runtime.building and not runtime.depth:
        forget()
    return detached(out) if made and not runtime.depth else out, lambda tangents: line.pull(
        list(line.out), list(tangents), keep=True)


def _tensors(out: Any, has_aux: bool) -> list[Any]:
    return tree.leaves(out[0] if has_aux else out, is_tensor)


def _foreseen(fn: Any, primals: Sequence[Any]) -> Any:
    """What a function returns; what it changes is undone, because it is called again.

    Raises:
        GraphSyntaxError: If it draws random numbers, prints or raises, which happens once.
    """
    from mindspore.compiler.walking import draws, shows  # loads with the compiler

    heap, block = runtime.trace.heap, runtime.blocks[-1]
    mark, depth = len(block), len(heap.levels)
    heap.push()
    try:
        out = invoke(fn, primals)
    finally:
        heap.unwind(depth)
    part = Graph("foreseen", [], block[mark:], [])
    if draws(part) or shows(part):
        raise GraphSyntaxError("A function whose directional derivative is taken draws random numbers, prints, asserts "
                               "or raises; it has to be run once. Take 'vjp' or 'grad', or use PyNative mode.")
    return out


__all__ = ["GradOperation", "get_grad", "grad", "jvp",
           "value_and_grad", "vjp"]
