"""Cell: a network or a part of one."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import context
from mindspore.core.dtype import DType, float32
from mindspore.core.mistaken import told
from mindspore.eager import automatic, mixed
from mindspore.eager.hooks import HookHandle
from mindspore.eager.initializer import initializer
from mindspore.eager.parameter import Parameter, Version, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.eager.uninitialised import fill, waiting
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from ._earlier import Earlier
from ._hooks import Hooks, run_with_backward_hooks, run_with_bprop
from ._inner import inner
from ._inputs import present, refused
from ._settings import part_of_compiler
from ._state import Stateful
from ._tree import Tree
from .recomputation import again

_settings = context.state
_PACKAGE = __name__.partition(".")[0] + "."


class Cell(Tree, Stateful, Earlier):
    """A network or a part of one: parameters, sub-cells and the computation `construct`.

    Parameters and cells that are assigned to attributes belong to the cell.  The name of a parameter
    is the path of attributes that leads to it; a parameter that was given a name keeps it until its
    cell becomes part of another one.

    Args:
        auto_prefix: Whether assigning a sub-cell puts the attribute's name before the names of the
            sub-cell's parameters.
        flags: Flags as `add_flags` takes them.

    Examples:
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = nn.Dense(3, 2)
        ...     def construct(self, x):
        ...         return ops.relu(self.fc(x))
        >>> [p.name for p in Net().trainable_params()]
        ['fc.weight', 'fc.bias']
    """

    # What every instance has; parameters and cells also stand in the instance's own dictionary,
    # where Python finds them without asking `__getattr__`.
    _params: dict[str, Parameter]
    _cells: dict[str, Cell]
    training: bool
    requires_grad: bool
    _phase_of_nodes: str | None = None       # what nodes of the cell are part of; that of the caller
    takes_batches = False    # a cell that each process calls with its share of a batch, as the data set gives it
    _keeps_precision = False     # a cell whose operators take low-precision inputs beside float32 state

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith(_PACKAGE) and "__init__" in cls.__dict__:
            cls.__init__ = told(cls.__name__, cls.__dict__["__init__"])

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None):
        own = self.__dict__
        if runtime.trace is not None:                  # a cell that lives in a program that is compiled only
            runtime.trace.made_cells[id(self)] = self
        own.update(
            _params={}, _cells={}, _buffers={}, _auto_prefix=auto_prefix, _param_prefix="",
            _flags={}, _hooks=None, _cast=None, _stamp=0, _inputs=None,
            _plain=not hasattr(type(self), "bprop"),
            training=False, requires_grad=False, phase="train")
        if flags:
            self.add_flags(**flags)

    # ------------------------------------------------------------------ running

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """What the cell computes; subclasses define it.

        Args:
            args, kwargs: What the cell is called with.

        Returns:
            The output: a tensor, or what holds tensors.

        Raises:
            AttributeError: If the subclass does not define it.

        Examples:
            >>> class Double(nn.Cell):
            ...     def construct(self, x):
            ...         return x * 2
            >>> Double()(Tensor([1.0])).tolist()
            [2.0]
        """
        raise AttributeError(f"For 'Cell', the method 'construct' is not defined; define it in "
                             f"'{type(self).__name__}'.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if waiting:
            fill(self.get_parameters())
        if kwargs:
            kwargs = present(self, kwargs)
        if runtime.building:
            return part_of_compiler("frontend").call_cell(self, args, kwargs)
        if _settings.mode == 0 and not runtime.depth:
            try:
                return part_of_compiler("cells").run_cell(self, args, kwargs)
            except Exception as error:  # raised again, without the frames of the compiler
                __tracebackhide__ = True
                raise part_of_compiler("inspection.tracebacks").at_border(error) from error.__cause__
        return self.run_uncompiled(*args, **kwargs)

    def run_uncompiled(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell in Python, whatever the mode; cells that it calls follow the mode.

        Args:
            args: The inputs.
            kwargs: Those given by name.

        Returns:
            What the cell computes.

        Raises:
            Exception: What `construct` raises.

        Examples:
            >>> nn.ReLU().run_uncompiled(Tensor([-1.0, 2.0])).tolist()
            [0.0, 2.0]
        """
        try:
            if self._plain and runtime.casting is None:
                return self.construct(*args, **kwargs)
            if self._flags.get("recompute") and not runtime.building:
                return again(type(self).__name__, lambda *a, **k: self.run_around(self.construct, a, k),
                             (args, kwargs), self.get_parameters)
            return self.run_around(self.construct, args, kwargs)
        except Exception as error:  # raised again: itself, or in words of the user's
            made = self.explained(error, args, kwargs)
            if made is error:
                raise
            raise made from made.__cause__

    def explained(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        """What a layer of the library raises for an input that no check refused, or the error itself."""
        return refused(self, args, kwargs, error)

    def run_around(self, construct: Callable[..., Any], args: tuple[Any, ...],
                   kwargs: dict[str, Any]) -> Any:
        """Run `construct` with the cell's hooks, its own derivative and its float type."""
        hooks: Hooks | None = self._hooks
        if not hooks:
            return self._run_cast(construct, args, kwargs)

        def hooked(*args: Any, **kwargs: Any) -> Any:
            try:
                out = self._run_cast(construct, args, kwargs)
            except Exception:  # of the program: raised again, once the hooks know
                hooks.after(self, args, kwargs, None, failed=True)
                raise
            return hooks.after(self, args, kwargs, out)

        args, kwargs = hooks.before(self, args, kwargs)
        if (hooks.of["backward"] or hooks.of["backward_pre"]) and (runtime.building or not hasattr(self, "bprop")):
            return run_with_backward_hooks(self, hooks, hooked, args, kwargs)
        return hooked(*args, **kwargs)

    def _run_cast(self, construct: Callable[..., Any], args: tuple[Any, ...],
                  kwargs: dict[str, Any]) -> Any:
        dtype = self._cast
        if dtype is None and (runtime.casting is None or automatic.is_on()):
            return self._run_derivative(construct, args, kwargs)
        inside = None if self._keeps_precision and isinstance(dtype, DType) else dtype
        if isinstance(dtype, DType) and (inside is None or runtime.building):
            args = mixed.cast_arguments(args, dtype)
            kwargs = mixed.cast_arguments(kwargs, dtype)
        return mixed.run(inside, self.__dict__,
                         lambda: self._run_derivative(construct, args, kwargs), (args, kwargs), self.construct)

    def _run_derivative(self, construct: Callable[..., Any], args: tuple[Any, ...],
                        kwargs: dict[str, Any]) -> Any:
        if hasattr(self, "bprop") and not runtime.building:
            return run_with_bprop(self, construct, args, kwargs)
        return construct(*args, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the cell for these inputs without running it."""
        part_of_compiler("cells").compile_cell(self, args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell as a compiled graph, whatever the mode."""
        return part_of_compiler("cells").run_cell(self, args, kwargs)

    # ------------------------------------------------------------------ attributes

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        params = own.get("_params")
        if params is None:
            self._set_early(name, value)
        elif isinstance(value, Parameter):
            self._set_parameter(name, value)
        elif isinstance(value, Cell):
            self._set_cell(name, value)
        elif name in params:
            self._set_parameter_value(name, value)
        elif name in own["_cells"]:
            self._drop_cell(name, value)
        elif runtime.building and type(value) is Node:
            part_of_compiler("frontend").set_attribute(self, name, value)
        elif name in _QUIET:
            own[name] = value
            Version.moves()
        else:
            self._set_other(name, value)

    def _set_other(self, name: str, value: Any) -> None:
        own = self.__dict__
        if type(value) is ParameterTuple:
            for parameter in value:
                self.insert_param_to_cell(parameter.name, parameter, False)
        if isinstance(value, Tensor) and isinstance(own.get(name), Tensor):
            if name in own["_buffers"]:
                own["_buffers"][name] = value
            own[name] = value
            return
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            own[name] = value
        own["_stamp"] += 1
        Version.moves()

    def _set_early(self, name: str, value: Any) -> None:
        if isinstance(value, (Parameter, Cell)):
            raise AttributeError(f"For '{type(self).__name__}', please call Cell.__init__() firstly: "
                                 f"'{name}' is set before.")
        object.__setattr__(self, name, value)

    def _set_parameter(self, name: str, value: Parameter) -> None:
        own = self.__dict__
        if name in own["_cells"]:
            raise KeyError(f"For '{type(self).__name__}', the parameter '{name}' cannot be set: a cell "
                           "of that name exists.")
        self.insert_param_to_cell(name, value)

    def _set_cell(self, name: str, value: Cell) -> None:
        own = self.__dict__
        if name in own["_params"]:
            raise KeyError(f"For '{type(self).__name__}', the cell '{name}' cannot be set: a parameter "
                           "of that name exists.")
        if own["_auto_prefix"]:
            value.update_parameters_name(name + ".")
        own["_cells"][name] = own[name] = value
        self._changed()

    def _set_parameter_value(self, name: str, value: Any) -> None:
        parameter = self._params[name]
        if value is None:
            del self._params[name]
            self.__dict__[name] = None
            self._changed()
        elif isinstance(value, Node):
            assign(parameter, value)
        elif isinstance(value, Tensor):
            parameter.set_data(value, slice_shape=True)
        else:
            raise TypeError(f"Parameter '{name}' already exists in network, can not assign this type: "
                            f"'{type(value)}' as a parameter.")

    def _drop_cell(self, name: str, value: Any) -> None:
        if value is not None:
            raise TypeError(f"Sub cell '{name}' already exists in network, can not assign this type: "
                            f"'{type(value)}' as a cell.")
        del self._cells[name]
        self.__dict__[name] = None
        self._changed()

    def _changed(self) -> None:
        self.__dict__["_stamp"] += 1
        Version.moves()

    def __getattr__(self, name: str) -> Any:
        cells = self.__dict__.get("_cells")
        if cells and name in cells:                  # items of containers: "0", "1"
            return cells[name]
        if (found := inner(self, name)) is not None:
            return found
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        if name not in own:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        for place in (own["_params"], own["_cells"], own["_buffers"]):
            place.pop(name, None)
        del own[name]
        self._changed()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # ------------------------------------------------------------------ parameters

    def parameter(self, name: str, shape: Any, init: Any, dtype: DType = float32,
                  requires_grad: bool = True) -> Parameter:
        """A parameter of that shape, filled by an initializer, its name, a number or a tensor."""
        if isinstance(init, Tensor) and tuple(init.shape) != tuple(shape):
            raise ValueError(f"For '{type(self).__name__}', the shape of the initial '{name}' must be "
                             f"{tuple(shape)}, but got {tuple(init.shape)}.")
        return Parameter(initializer(init, tuple(shape), dtype), name=name,
                         requires_grad=requires_grad)

    # ------------------------------------------------------------------ hooks

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], *, prepend: bool = False,
                                  with_kwargs: bool = False) -> HookHandle:
        """Call `hook(cell, args)` before the cell; what it returns (if not None) replaces `args`."""
        return self._add_hook("forward_pre", hook_fn, prepend, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], *, prepend: bool = False,
                              with_kwargs: bool = False, always_call: bool = False) -> HookHandle:
        """Call `hook(cell, args, output)` after the cell; what it returns replaces the output."""
        return self._add_hook("forward", hook_fn, prepend, with_kwargs, always_call)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, grad_output)` when the gradient of the output arrives."""
        return self._add_hook("backward_pre", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, grad_input, grad_output)` when the inputs' gradients are known."""
        return self._add_hook("backward", hook_fn)

    def _add_hook(self, kind: str, *options: Any) -> HookHandle:
        own = self.__dict__
        if own["_hooks"] is None:
            own["_hooks"] = Hooks()
        handle = own["_hooks"].add(kind, *options)
        self._hooks_changed()
        return handle.on_removal(self._hooks_changed)

    def _hooks_changed(self) -> None:
        self._refresh()
        self._changed()

    # ------------------------------------------------------------------ text

    def extend_repr(self) -> str:
        """What `repr` shows of the cell beside its sub-cells."""
        return ""

    def __repr__(self) -> str:
        extra, name = self.extend_repr(), type(self).__name__
        if not self._cells:
            return f"{name}({extra})"
        lines = [f"({k}): {v!r}".replace("\n", "\n  ") for k, v in self._cells.items()]
        shown = "\n  ".join([extra, *lines] if extra else lines)
        return f"{name}(\n  {shown}\n)"

    __str__ = __repr__


_QUIET = frozenset(["training", "requires_grad", "phase"])
