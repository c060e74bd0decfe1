"""Hooks of cells: functions that see, and may replace, what goes in, comes out and flows back."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore.compiler.frontend.calls.custom import in_order, of_inputs, of_parameters, used
from mindspore.core.errors import GraphValueError
from mindspore.eager import changes
from mindspore.eager.fitting import fitted
from mindspore.eager.hooks import HookHandle
from mindspore.eager.tape import record_custom
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import tree
from mindspore.ir.runtime import runtime
from mindspore.operators.structure import copied
from mindspore.ops.linearised import invoke


class Hooks:
    """The hooks of one cell, by kind and in the order of their calls."""

    def __init__(self) -> None:
        self.of: dict[str, dict[int, tuple[Callable[..., Any], bool, bool]]] = {
            "forward_pre": {}, "forward": {}, "backward_pre": {}, "backward": {}}

    def add(self, kind: str, hook: Any, prepend: bool = False, with_kwargs: bool = False,
            always: bool = False) -> HookHandle:
        """Register a hook.  TypeError if it cannot be called."""
        if not callable(hook):
            raise TypeError(f"For 'register_{kind}_hook', the hook must be a function, but got "
                            f"{type(hook).__name__}.")
        place = self.of[kind]
        old, handle = dict(place), HookHandle(place)
        if prepend:
            place.clear()
        place[handle.handle_id] = hook, with_kwargs, always
        if prepend:
            place.update(old)
        return handle

    def __bool__(self) -> bool:
        return any(self.of.values())

    def before(self, cell: Any, args: tuple[Any, ...],
               kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments after the forward pre-hooks."""
        for hook, with_kwargs, _ in list(self.of["forward_pre"].values()):
            if with_kwargs:
                found = invoke(hook, (cell, args, kwargs))
                if found is not None:
                    args, kwargs = _pair(cell, found)
                continue
            found = invoke(hook, (cell, args))
            if found is not None:
                args = found if isinstance(found, tuple) else (found,)
        return args, kwargs

    def after(self, cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any,
              failed: bool = False) -> Any:
        """The result after the forward hooks; after a failure only those registered for it."""
        for hook, with_kwargs, always in list(self.of["forward"].values()):
            if failed and not always:
                continue
            found = invoke(hook, (cell, args, kwargs, out) if with_kwargs else (cell, args, out))
            if found is not None:
                out = found
        return out


def _pair(cell: Any, found: Any) -> Any:
    if not (isinstance(found, tuple) and len(found) == 2):
        raise RuntimeError(f"A forward pre-hook of '{type(cell).__name__}' with keywords must return "
                           f"None or (args, kwargs), but got {found!r}.")
    return found


# ---------------------------------------------------------------------- the reverse pass

def run_with_backward_hooks(cell: Any, hooks: Hooks, construct: Callable[..., Any],
                            args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The cell's result; its cotangents pass through the backward hooks."""
    if runtime.building:
        raise GraphValueError(
            f"For '{type(cell).__name__}', a backward hook runs Python while gradients flow, which a "
            "compiled graph cannot. Use PyNative mode, or a 'bprop' method.")
    if not runtime.depth:
        return construct(*args, **kwargs)
    places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
    inputs = [args[i] for i in places]
    sweep = _Sweep(cell, hooks, [x._var is not None for x in inputs])
    entered = iter(record_custom(sweep.entered, inputs, inputs))
    args = tuple([next(entered) if i in places else a for i, a in enumerate(args)])
    out = construct(*args, **kwargs)
    flat = tensors_of(out)
    return rebuilt(out, iter(record_custom(sweep.left, flat, flat)))


class _Sweep:
    """One reverse pass through a cell: first its results (`left`), then its inputs (`entered`)."""

    def __init__(self, cell: Any, hooks: Hooks, tracked: list[bool]):
        self.cell, self.hooks, self.tracked = cell, hooks, tracked
        self.douts: tuple[Any, ...] = ()

    def left(self, *douts: Any) -> Sequence[Any]:
        douts = tuple([copied(d) for d in douts])       # hooks may change them in place; other gradients share memory
        for hook, *_ in list(self.hooks.of["backward_pre"].values()):
            douts = self._replaced(douts, hook(self.cell, douts), "output")
        self.douts = douts
        if not any(self.tracked):       # the inputs' gradients are not wanted
            self.entered(*[None] * len(self.tracked))
        return douts

    def entered(self, *dins: Any) -> Sequence[Any]:
        dins = tuple([copied(d) if t else None for d, t in zip(dins, self.tracked, strict=True)])
        for hook, *_ in list(self.hooks.of["backward"].values()):
            dins = self._replaced(dins, hook(self.cell, dins, self.douts), "input")
        return dins

    def _replaced(self, old: tuple[Any, ...], new: Any, what: str) -> tuple[Any, ...]:
        if new is None:
            return old
        new = tuple(new) if isinstance(new, (tuple, list)) else (new,)
        if len(new) != len(old):
            raise TypeError(f"A backward hook of '{type(self.cell).__name__}' must return "
                            f"{len(old)} gradients, one per {what}, but got {len(new)}.")
        return new


def run_with_bprop(cell: Any, construct: Callable[..., Any], args: tuple[Any, ...],
                   kwargs: dict[str, Any]) -> Any:
    """The cell's result; its derivative is the cell's method `bprop(*inputs, out, dout)`."""
    if not runtime.depth:
        return _apart(construct(*args, **kwargs), tensors_of((args, kwargs)))
    args, kwargs = in_order(cell.construct, args, kwargs)
    given = (*args, *kwargs.values())
    inputs = tensors_of(given)
    plain = rebuilt((args, kwargs), iter([wrap(x._data) for x in inputs]))
    out = construct(*plain[0], **plain[1])
    flat = tensors_of(out)
    # The rule must not hold the recorded results, or only the garbage collector would free them;
    # for a second derivative it has to.
    kept = [rebuilt(out, iter([wrap(o._data) for o in flat]))]
    given = rebuilt(given, iter([wrap(x._data, x._var) if type(x) is Tensor else x for x in inputs]))
    versions = [(x._data, x._data._version) for x in (*inputs, *flat)]

    name, own = type(cell).__name__, list(getattr(cell, "internal_params", ()))

    def rule(*douts: Any) -> list[Any]:
        for data, version in versions:
            changes.check(data, version, name)
        dout = rebuilt(out, iter([copied(d) for d in douts]))       # it may change them in place
        found = cell.bprop(*used(cell, (*given, kept[0])), dout)
        flat = [*tree.matched(given, of_inputs(found), _is_tensor), *of_parameters(found, own)]
        return [fitted(name, _gradient(name, d), x) for d, x in zip(flat, (*inputs, *own), strict=True)]

    # Without `bprop` nothing flows back, to parameters only what it gives for them: the results forget what made them.
    outs = record_custom(rule, [*inputs, *own], [wrap(o._data) for o in flat])
    result = rebuilt(out, iter(outs))
    if runtime.depth > 1:
        kept[0] = result
    return result


def _apart(out: Any, inputs: Sequence[Tensor]) -> Any:
    """The result with tensors of its own where it is an input itself."""
    if not any(o is x for o in tensors_of(out) for x in inputs):
        return out
    return rebuilt(out, iter([wrap(o._data) if any(o is x for x in inputs) else o for o in tensors_of(out)]))


def _gradient(owner: str, found: Any) -> Any:
    """RuntimeError for what is neither a tensor nor None."""
    if found is None or isinstance(found, Tensor):
        return found
    raise RuntimeError(f"For '{owner}', 'bprop' must give a tensor or None for each input, but gave {found!r} with "
                       f"type '{type(found).__name__}'; a grad tensor should be broadcast to its input.")


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def tensors_of(value: Any) -> list[Tensor]:
    """The tensors inside of containers, in order."""
    return tree.leaves(value, _is_tensor)


def rebuilt(value: Any, tensors: Iterator[Any]) -> Any:
    """The value with its tensors replaced, one after the other."""
    return tree.rebuild(value, _is_tensor, tensors)
