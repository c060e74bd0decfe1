"""`vmap`: a function over the slices of its inputs, at once where that is possible.

In PyNative mode the function runs once, on tensors that hold all slices (`torch.func.vmap`).  In a graph
the function becomes a graph of its own, and one node runs it over all slices; its derivative computes the
values again and sweeps back, over all slices at once, too.  What needs the elements of a slice, draws random
numbers or changes objects runs slice by slice.
"""
from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from mindspore.core import check, context, log
from mindspore.eager.memory import take_back
from mindspore.eager.tensor import Tensor, is_tensor, wrap
from mindspore.ir import Aval, Graph, Node, param, recording, symbolic, tree, user_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators import mapping, structure
from mindspore.operators.registry import REGISTRY
from mindspore.operators.torch_reverse import tracked

from .gradients import Compiled
from .linearised import invoke
from .slices import Axis, AxisError, apart, differ, over_slices


def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """`fn` over the slices of its inputs along `in_axes`, the results put together along `out_axes`.

    The function may run once for all slices, or once per slice, so it should have no effects.

    Args:
        fn: A function or cell; or a CellList, whose cells run one per slice (on the whole of an input that is
            not mapped).
        in_axes: For each argument the axis of its slices, None for an argument that all slices share; an int
            for all arguments. Tuples, lists and dicts describe the members of an argument.
        out_axes: The same for the results. None for a result that does not depend on the slice.

    Raises:
        TypeError: If `fn` is no function.
        AxisError: In the call, a ValueError and a RuntimeError: if axes do not fit the arguments or the
            results, no argument is mapped, or the mapped extents differ.

    Examples:
        >>> dots = ops.vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))
        >>> dots(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])).tolist()
        [21.0, 43.0]
    """
    if not callable(fn):
        raise check.fail(TypeError, "vmap", "fn", "a function or a Cell", fn)
    return Mapped(fn, in_axes, out_axes)


class Mapped(Compiled):
    """A function over slices."""

    def __init__(self, fn: Any, in_axes: Any, out_axes: Any):
        super().__init__("vmap", self.run)
        self.fn, self.in_axes, self.out_axes = fn, in_axes, out_axes
        self.ensemble = getattr(fn, "holds_cells_only", False)
        self.sequential = self.ensemble          # whether slices have to be computed one by one

    def __call__(self, *args: Any) -> Any:
        if runtime.building:
            return self.run(*args)
        in_gradient = runtime.depth and not self.ensemble     # what the tape would keep lives within the slices
        if in_gradient or (context.state.mode == context.GRAPH_MODE and not runtime.depth):
            self.cache = self.cache or self.shared_cache()
            return self.cache.run(self.native, args, {})
        places = self.places(args)
        return self.by_slices(args, places) if self.sequential else self.at_once(args, places)

    def run(self, *args: Any) -> Any:
        """In a graph one node for all slices, if that is possible; slice by slice otherwise."""
        places = self.places(args)
        if runtime.building and not self.ensemble:
            found = self.in_graph(args, places)
            if found is not None:
                return found[0]
        return self.by_slices(args, places)

    def shared_cache(self) -> Any:
        """The programs of this function over such axes, wherever `vmap` was called for it."""
        from mindspore.compiler.cache import Cache  # the compiler is loaded when needed

        key = repr((self.in_axes, self.out_axes))
        try:
            return _caches.setdefault(self.fn, {}).setdefault(key, Cache(self.name))
        except TypeError:                  # no weak references to it
            return Cache(self.name)

    def places(self, args: Sequence[Any]) -> Places:
        """Where the slices of the arguments are."""
        axes = self.in_axes
        if axes is None and not self.ensemble:
            raise AxisError("For 'vmap', the 'in_axes' must not be None, unless 'fn' is a CellList.")
        if not isinstance(axes, (tuple, list)):
            axes = [axes] * len(args)
        elif len(axes) != len(args):
            raise AxisError(f"For 'vmap', 'in_axes' has {len(axes)} entries, but the function was called "
                            f"with {len(args)} arguments.")
        pairs = [pair for value, axis in zip(args, axes, strict=True) for pair in matched(value, axis, "in_axes")]
        places = Places([(v, _axis(a, v.ndim, "in_axes")) for v, a in pairs if a is not None])
        if self.ensemble:
            places.sizes.add(len(self.fn))
            if len(self.fn) < 2:
                raise AxisError(f"For 'vmap', a CellList must hold at least two cells, but got {len(self.fn)}.")
        if len(places.sizes) != 1:
            raise AxisError(f"For 'vmap', the mapped axes must have one extent, but got "
                            f"{sorted(places.sizes)} for 'in_axes' {self.in_axes}.")
        return places

    # ------------------------------------------------------------------ slice by slice

    def by_slices(self, args: Sequence[Any], places: Places) -> Any:
        """One call per slice."""
        spread = [structure.transpose(v, perm=structure.move_axis(v.ndim, a, 0)) for v, a in places.leaves]
        results = []
        for i in range(places.size):
            one = places.rebuilt(args, iter([s[i] for s in spread]))
            results.append(invoke(self.fn[i] if self.ensemble else self.fn, one))
        return self.put_together(results)

    def put_together(self, results: list[Any]) -> Any:
        """The results of all slices as one."""
        first = results[0]
        axes = self.axes_of_results(first)
        columns = list(zip(*[tree.leaves(r, _is_result) for r in results], strict=True))
        return tree.rebuild(first, _is_result, iter([
            column[0] if axis is None else _joined([_as_tensor(v) for v in column], axis)
            for column, axis in zip(columns, axes, strict=True)]))

    def axes_of_results(self, result: Any) -> list[Axis]:
        """The axis of the slices in each tensor or number of a result."""
        if self.out_axes is None and not self.ensemble:
            raise AxisError("For 'vmap', the 'out_axes' must not be None, unless 'fn' is a CellList.")
        axes = self.out_axes
        if isinstance(axes, (tuple, list)) and not isinstance(result, (tuple, list)):
            axes = axes[0] if len(axes) == 1 else axes
        return [a if a is None else _axis(a, getattr(v, "ndim", 0) + 1, "out_axes")
                for v, a in matched(result, axes, "out_axes", _is_result)]

    # ------------------------------------------------------------------ all slices at once

    def at_once(self, args: Sequence[Any], places: Places) -> Any:
        """One call on tensors that hold all slices; slice by slice if that does not work."""
        held: list[Any] = []

        def body(*slices: torch.Tensor) -> tuple[torch.Tensor, ...]:
            out = self.fn(*places.rebuilt(args, iter(map(wrap, slices))))
            flat = tree.leaves(out, _is_result)
            held.append((out, self.axes_of_results(out)))
            return tuple([_as_tensor(v)._data for v in flat])

        inputs, axes = [t._data for t, _ in places.leaves], [a for _, a in places.leaves]
        runtime.slicing += 1
        changes = len(runtime.before)
        try:
            found = over_slices(body, inputs, axes, places.size, lambda: held[-1][1])
        except AxisError:
            raise
        except Exception as error:       # whatever it is: slice by slice the function runs, or raises its own error
            self.sequential = True
            log.info("'vmap' of '%s' runs slice by slice: %s", getattr(self.fn, "__name__", type(self.fn).__name__),
                     error)
        finally:
            runtime.slicing -= 1
            if runtime.slicing == 0 and not self.sequential:
                runtime.before.clear()
        if self.sequential:
            take_back(changes)
            return self.by_slices(args, places)
        return tree.rebuild(held[-1][0], _is_result, iter(map(wrap, found)))

    def in_graph(self, args: Sequence[Any], places: Places) -> tuple[Any] | None:
        """The result as that of one node; None if the function does more than compute."""
        from mindspore.compiler.frontend import (  # the compiler is loaded when it is needed
            lift,
            traced,
        )

        inputs = [lift(v) for v, _ in places.leaves]
        if any(symbolic(x.aval.shape) for x in inputs):
            return None
        avals = [Aval(_without(x.shape, a), x.dtype) for x, (_, a) in zip(inputs, places.leaves, strict=True)]
        found = traced("slice", lambda *slices: invoke(self.fn, places.rebuilt(args, iter(slices))), avals)
        if found is None:
            return None
        graph, result, free, changed = found
        axes = self.axes_of_results(result)
        axes += [places.leaves[k][1] for k in changed]
        if not graph.outs:
            return None
        own = dependent(graph, graph.params[:len(avals)])
        if any(a is None and id(o) in own for o, a in zip(graph.outs, axes, strict=True)):
            raise differ()
        body = Body(graph, [*[a for _, a in places.leaves], *[None] * len(free)], axes, places.size)
        outs = mapping.mapped(*inputs, *free, body=body)
        outs = list(outs) if type(outs) is tuple else [outs]
        for k, out in zip(changed, outs[len(outs) - len(changed):], strict=True):
            runtime.builder.replace(places.leaves[k][0], out)          # the slices share memory with the whole
        return (tree.rebuild(result, _is_result, iter(outs)),)


_caches: weakref.WeakKeyDictionary[Any, dict[str, Any]] = weakref.WeakKeyDictionary()


class Places:
    """The mapped tensors among arguments, each with the axis of its slices."""

    def __init__(self, leaves: list[tuple[Any, int]]):
        self.leaves = leaves
        self.mapped = {id(v) for v, _ in leaves}
        self.sizes = {v.shape[a] for v, a in leaves}

    @property
    def size(self) -> int:
        """How many slices there are."""
        return next(iter(self.sizes))

    def rebuilt(self, args: Sequence[Any], slices: Iterator[Any]) -> list[Any]:
        """The arguments with other tensors in place of the mapped ones."""
        return tree.rebuild(list(args), lambda v: id(v) in self.mapped and is_tensor(v), slices)


class Body:
    """A graph that runs over slices of its inputs.

    Args:
        graph: A closed graph over one slice.
        in_axes, out_axes: The axis of the slices in each input and result; None for those without slices.
        size: How many slices there are.
        level: Of its passes. Default: that of the program that is made.
    """

    def __init__(self, graph: Graph, in_axes: Sequence[Axis], out_axes: Sequence[Axis], size: int,
                 level: int | None = None):
        self.graph, self.in_axes, self.out_axes, self.size = graph, tuple(in_axes), tuple(out_axes), size
        self.level = runtime.level if level is None else level
        self.avals = [o.aval if a is None else Aval((*o.shape[:a], size, *o.shape[a:]), o.dtype)
                      for o, a in zip(graph.outs, out_axes, strict=True)]
        self._run: Any = None
        self._reverse: Any = None
        self.sequential = False

    def __call__(self, *xs: torch.Tensor) -> Any:
        if self._run is None:
            self._run = self.executable()
        if not self.sequential and not tracked(*xs):
            try:
                found = over_slices(self._run, xs, self.in_axes, self.size, lambda: self.out_axes)
            except (RuntimeError, ValueError, NotImplementedError) as error:
                self.sequential = True
                log.info("'vmap' runs slice by slice: %s", error)
            else:
                return tuple(found) if len(found) > 1 else found[0]
        rows = [self._run(*[x if a is None else x.select(a, i) for x, a in zip(xs, self.in_axes, strict=True)])
                for i in range(self.size)]
        found = [column[0] if a is None else torch.stack(column, a)
                 for column, a in zip(zip(*rows, strict=True), self.out_axes, strict=True)]
        found = apart(found, xs)
        return tuple(found) if len(found) > 1 else found[0]

    def executable(self) -> Callable[..., Any]:
        """The generated source; nothing in it is computed in place, where slices might not fit."""
        from mindspore.compiler.autodiff import copied  # the compiler is loaded when it is needed
        from mindspore.compiler.codegen import Executable
        from mindspore.compiler.passes import ANY, FINAL, lower
        from mindspore.compiler.targets import at_level

        with at_level(self.level):
            return Executable(lower(copied(self.graph), None, ANY, FINAL), in_place=False).run

    def reverse(self) -> tuple[Body | None, frozenset[int]]:
        """Cotangents of inputs from inputs and cotangents of results, and the places of the inputs that have one.

        Those of inputs without slices have them here, to be added up.
        """
        self._reverse = self._reverse or self.swept()
        return self._reverse

    def swept(self) -> tuple[Body | None, frozenset[int]]:
        """Build the reverse: the values once more, then the sweep."""
        from mindspore.compiler.autodiff.copying import inline  # loaded when needed
        from mindspore.compiler.autodiff.reverse import Sweep

        xs = [param(p.aval) for p in self.graph.params]
        douts = [param(o.aval) for o in self.graph.outs]
        back = Graph(self.graph.name + "_reverse", [*xs, *douts])
        with user_tensor.values(), recording(back.nodes):
            outs = inline(self.graph, xs)
            found = Sweep(back.nodes, xs).run(outs, douts)
        if not (places := [k for k, d in enumerate(found) if type(d) is Node]):
            return None, frozenset()
        back.outs = [found[k] for k in places]
        axes = [self.in_axes[k] or 0 for k in places]
        return Body(back, [*self.in_axes, *self.out_axes], axes, self.size, self.level), frozenset(places)


# ---------------------------------------------------------------------- axes and slices

def dependent(graph: Graph, params: Sequence[Node]) -> set[int]:
    """The ids of the nodes of a graph that depend on some of its parameters."""
    found = set(map(id, params))
    for node in graph.nodes:
        if any(id(x) in found for x in node.inputs):
            found.add(id(node))
    return found


def matched(value: Any, axis: Any, what: str, is_leaf: Callable[[Any], bool] = is_tensor) -> list[tuple[Any, Axis]]:
    """The leaves of a value with the axis of each.

    Raises:
        AxisError: If the axes have another structure than the value, or something is no axis.
    """
    if is_leaf(value) or not isinstance(value, (tuple, list, dict)):
        if axis is not None and (isinstance(axis, bool) or not isinstance(axis, int)):
            raise AxisError(f"For 'vmap', the '{what}' must hold an int or None for each tensor, but got "
                            f"{axis!r}.")
        if is_leaf(value):
            return [(value, axis)]
        if axis is not None:
            raise AxisError(f"For 'vmap', the '{what}' must be None for what is no tensor, but got {axis} for "
                            f"{value!r}.")
        return []
    members = list(value.values()) if isinstance(value, dict) else list(value)
    if isinstance(axis, dict) and isinstance(value, dict) and axis.keys() == value.keys():
        axes = [axis[key] for key in value]
    elif isinstance(axis, (tuple, list)) and not isinstance(value, dict) and len(axis) == len(value):
        axes = list(axis)
    elif isinstance(axis, (tuple, list, dict)):
        raise AxisError(f"For 'vmap', the '{what}' {axis!r} do not fit {len(members)} values in a "
                        f"{type(value).__name__}.")
    else:
        axes = [axis] * len(members)
    return [pair for v, a in zip(members, axes, strict=True) for pair in matched(v, a, what, is_leaf)]


def _axis(axis: int, ndim: int, what: str) -> int:
    if not -ndim <= axis < ndim:
        raise AxisError(f"For 'vmap', the axis {axis} in '{what}' must be in [{-ndim}, {ndim}).")
    return axis % ndim


def _without(shape: Sequence[int], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1:])


def _is_result(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, (bool, int, float))


def _as_tensor(value: Any) -> Any:
    return value if is_tensor(value) else Tensor(value)


def _joined(parts: list[Any], axis: int) -> Any:
    stacked = REGISTRY["Stack"](*parts, axis=0)
    return structure.transpose(stacked, perm=structure.move_axis(stacked.ndim, 0, axis))


__all__ = ["vmap"]
