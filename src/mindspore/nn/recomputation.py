"""Parts of a network whose values the reverse pass computes again, in both modes.  Chen et al. 2016."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore.core import check, log
from mindspore.eager import changes
from mindspore.eager.parameter import Parameter
from mindspore.eager.tape import Recording, record_custom
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.eager.unrecorded import Unrecorded
from mindspore.ir import tree
from mindspore.ir.runtime import Interpreter, pushed, runtime
from mindspore.operators import random
from mindspore.ops.linearised import Linearised, invoke

from ._settings import Settings, part_of_compiler


def recompute(block: Callable[..., Any], *args: Any, use_reentrant: bool = True, output_recompute: bool = False,
              early_stop: bool = True, context_fn: Callable[[], tuple[Any, Any]] | None = None, **kwargs: Any) -> Any:
    """`block(*args, **kwargs)`, whose values the reverse pass computes again instead of keeping them.

    Between the two passes only the arguments live, and the state of the random numbers, which are drawn alike. What
    the second run assigns to parameters, such as moving averages, is undone.

    Args:
        block: A Cell, or for `use_reentrant=False` any function of tensors.
        args: Its arguments; tensors may stand in containers.
        use_reentrant: Whether only cells are taken; the gradients are the same.
        output_recompute: Whether the result is computed again, too; here nothing keeps it but who uses it.
        early_stop: Whether the second run ends with the last value that is needed; here it runs to its end.
        context_fn: With `use_reentrant=False` in PyNative mode a function that gives two context managers, for the
            first and the second run.
        kwargs: Further arguments of `block`.

    Returns:
        What `block` returns.

    Raises:
        TypeError: If `block` is no Cell, or an option has another type.
        ValueError: If `context_fn` is given with `use_reentrant`, or in graph mode; or if a gradient follows a tensor
            that `block` uses and that is neither a parameter nor among the arguments.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(3, 4, "ones"), nn.ReLU())
        >>> mindspore.grad(lambda x: mindspore.recompute(net, x).sum())(ops.ones((1, 3))).tolist()
        [[4.0, 4.0, 4.0]]
    """
    for name, value in (("use_reentrant", use_reentrant), ("output_recompute", output_recompute),
                        ("early_stop", early_stop)):
        check.boolean("recompute", name, value)
    if use_reentrant and not isinstance(block, Settings):
        raise TypeError(f"For 'recompute', the 'block' must be a Cell, or 'use_reentrant' False, but got "
                        f"{type(block).__name__}.")
    check.callable_("recompute", "block", block)
    if context_fn is not None and (use_reentrant or runtime.building):
        raise ValueError("For 'recompute', the 'context_fn' needs 'use_reentrant=False' and PyNative mode.")
    if output_recompute or not early_stop:
        log.info("For 'recompute', 'output_recompute' and 'early_stop' change nothing here.")
    name = type(block).__name__ if isinstance(block, Settings) else getattr(block, "__name__", "recompute")
    if runtime.building:
        recomputed = part_of_compiler("frontend.calls.recompute").recomputed
        return recomputed(name, lambda *a, **k: invoke(block, a, k), args, kwargs)
    first, second = context_fn() if context_fn is not None else (contextlib.nullcontext(), None)
    parameters = block.get_parameters if isinstance(block, Settings) else list
    with first:
        return again(name, block, (args, kwargs), parameters, second)


def again(name: str, block: Callable[..., Any], given: tuple[Any, dict[str, Any]], parameters: Callable[[], Any],
          context: Any = None) -> Any:
    """The results of a part in PyNative mode; where a gradient is taken, the reverse pass will run it again.

    Args:
        name: Its name, for errors.
        block: What it computes.
        given: Positional arguments and those by name.
        parameters: Gives the parameters that it may assign.
        context: What surrounds the second run.
    """
    if not runtime.depth or any([type(one) is _Followed for one in runtime.stack]):   # or a part of such a part
        return block(*given[0], **given[1])
    return _Again(name, block, given, parameters, context or contextlib.nullcontext()).run()


class _Followed(Interpreter):
    """Notes which tensors a gradient follows into a part."""

    rank = Recording.rank + 0.2

    def __init__(self, name: str, known: Sequence[Any]):
        super().__init__()
        self.name, self.known = name, {id(var) for var in known}
        self.parameters: dict[Parameter, Any] = {}

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        for x in inputs:
            if isinstance(x, Tensor) and x._var is not None and id(x._var) not in self.known:
                self._note(x)
        return self.below.apply(op, inputs, attrs)

    def _note(self, x: Tensor) -> None:
        owner = x if isinstance(x, Parameter) else next((p for p, v in runtime.variables.items() if v is x._var), None)
        if owner is None:
            raise ValueError(f"For 'recompute', a gradient follows a tensor {tuple(x.shape)} that '{self.name}' uses "
                             "and that is neither a parameter nor among its arguments. Pass it as an argument.")
        self.parameters.setdefault(owner, owner._var)


class _Again:
    """A part that runs without records, and once more where its derivative is needed."""

    def __init__(self, name: str, block: Callable[..., Any], given: tuple[Any, dict[str, Any]],
                 parameters: Callable[[], Any], context: Any):
        self.name, self.block, self.given, self.parameters, self.context = name, block, given, parameters, context
        self.inputs = tree.leaves(given, is_tensor)
        self.state = random.snapshot()

    def run(self) -> Any:
        """The results, which lead back to the arguments and parameters."""
        with pushed(_Followed(self.name, [x._var for x in self.inputs])) as followed, pushed(Unrecorded()):
            out = self.block(*self.given[0], **self.given[1])
        self.weights = list(followed.parameters)
        sources = [*self.inputs, *self.weights]
        self.saved = [(x._data, x._data._version, x._var) for x in sources]
        found = record_custom(self.reverse, sources, tree.leaves(out, is_tensor))
        return tree.rebuild(out, is_tensor, iter(found))

    def reverse(self, *douts: Tensor) -> list[Any]:
        """Cotangents of the arguments and parameters: the part runs again, and its derivative after it."""
        for data, version, _ in self.saved:
            changes.check(data, version, self.name)
        now = random.snapshot()
        random.restore(self.state)
        try:
            with self._as_before(), self.context:
                part = Linearised(self._flat, self.inputs, {}, range(len(self.inputs)), self.weights)
                return part.pull(tree.leaves(part.out, is_tensor), douts)
        finally:
            random.restore(now)

    def _flat(self, *inputs: Tensor) -> Any:
        args, kwargs = tree.rebuild(self.given, is_tensor, iter(inputs))
        return self.block(*args, **kwargs)

    @contextlib.contextmanager
    def _as_before(self) -> Iterator[None]:
        """Arguments and parameters as in the first run; afterwards as now, whatever the second run assigns."""
        sources = [*self.inputs, *self.weights]
        others = [p for p in self.parameters() if p not in set(self.weights)]
        held = [(x, x._data, x._var) for x in sources] + [(p, p._data.clone(), p._var) for p in others]
        for x, (data, _, var) in zip(sources, self.saved, strict=True):
            x._data, x._var = data, var
        try:
            yield
        finally:
            for x, data, var in held:
                x._data, x._var = data, var
