"""Cell: a network or a part of one."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore.compiler.ir import Node, building
from mindspore.core import check, context, mixed
from mindspore.core.dtype import DType, bfloat16, float16, float32
from mindspore.core.hooks import HookHandle
from mindspore.core.initializer import initializer
from mindspore.core.mixed import Mixed
from mindspore.core.parameter import Parameter, ParameterTuple, Version, assign
from mindspore.core.tape import State
from mindspore.core.tensor import Tensor

from ._hooks import Hooks, run_with_backward_hooks, run_with_bprop
from ._state import Stateful
from ._tree import Tree

_FLOATS = {"fp16": float16, "fp32": float32, "bf16": bfloat16}
_settings = context.state


class Cell(Tree, Stateful):
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
    _keeps_precision = False     # a cell whose operators take low-precision inputs beside float32 state

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None):
        own = self.__dict__
        own.update(
            _params={}, _cells={}, _buffers={}, _auto_prefix=auto_prefix, _param_prefix="",
            _flags={}, _hooks=None, _cast=None, _stamp=0, _inputs=None,
            _plain=not hasattr(type(self), "bprop"),
            training=False, requires_grad=False, phase="train")
        if flags:
            self.add_flags(**flags)

    # ------------------------------------------------------------------ running

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """What the cell computes; subclasses define it."""
        raise AttributeError(f"For 'Cell', the method 'construct' is not defined; define it in "
                             f"'{type(self).__name__}'.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if building:
            return _compiler("frontend").call_cell(self, args, kwargs)
        if _settings.mode == 0 and not State.depth:
            try:
                return _compiler("cells").run_cell(self, args, kwargs)
            except Exception as error:  # raised again, without the frames of the compiler
                __tracebackhide__ = True
                raise _compiler("inspection.tracebacks").at_border(error) from error.__cause__
        return self.run_uncompiled(*args, **kwargs)

    def run_uncompiled(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell in Python, whatever the mode; cells that it calls follow the mode."""
        if self._plain and Mixed.dtype is None:
            return self.construct(*args, **kwargs)
        return self.run_around(self.construct, args, kwargs)

    def run_around(self, construct: Callable[..., Any], args: tuple[Any, ...],
                   kwargs: dict[str, Any]) -> Any:
        """Run `construct` with the cell's hooks, its own derivative and its float type."""
        hooks: Hooks | None = self._hooks
        if hooks:
            args, kwargs = hooks.before(self, args, kwargs)
        try:
            out = self._run_cast(construct, args, kwargs)
        except Exception:  # of the program: raised again, once the hooks know
            if hooks:
                hooks.after(self, args, kwargs, None, failed=True)
            raise
        return hooks.after(self, args, kwargs, out) if hooks else out

    def _run_cast(self, construct: Callable[..., Any], args: tuple[Any, ...],
                  kwargs: dict[str, Any]) -> Any:
        dtype = self._cast
        if dtype is None and Mixed.dtype is None:
            return self._run_derivative(construct, args, kwargs)
        inside = None if self._keeps_precision else dtype
        if dtype is not None and (inside is None or building):
            args = mixed.cast_arguments(args, dtype)
            kwargs = mixed.cast_arguments(kwargs, dtype)
        return mixed.run(inside, self.__dict__,
                         lambda: self._run_derivative(construct, args, kwargs), (args, kwargs))

    def _run_derivative(self, construct: Callable[..., Any], args: tuple[Any, ...],
                        kwargs: dict[str, Any]) -> Any:
        hooks = self._hooks
        if hasattr(self, "bprop") and not building:
            return run_with_bprop(self, construct, args, kwargs)
        if hooks and (hooks.of["backward"] or hooks.of["backward_pre"]):
            return run_with_backward_hooks(self, hooks, construct, args, kwargs)
        return construct(*args, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile the cell for these inputs without running it."""
        _compiler("cells").compile_cell(self, args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell as a compiled graph, whatever the mode."""
        return _compiler("cells").run_cell(self, args, kwargs)

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
        elif building and type(value) is Node:
            _compiler("frontend").set_attribute(self, name, value)
        elif name in _QUIET:
            own[name] = value
            Version.value += 1
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
        Version.value += 1

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
        if building and name in own["_params"] and own["_params"][name] is not value:
            assign(own["_params"][name], value)
            return
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
        Version.value += 1

    def __getattr__(self, name: str) -> Any:
        cells = self.__dict__.get("_cells")
        if cells and name in cells:                  # items of containers: "0", "1"
            return cells[name]
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

    # ------------------------------------------------------------------ state of the cell

    def set_train(self, mode: bool = True) -> Cell:
        """Let the cell and those below it behave as in training (dropout, batch statistics) or not."""
        mode = bool(mode)
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = mode
            cell.__dict__["phase"] = "train" if mode else "predict"
        Version.value += 1
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Note that the cell's gradient will be taken; gradients work without it."""
        self.__dict__["requires_grad"] = requires_grad
        return self

    def to_float(self, dst_type: DType) -> Cell:
        """Let the cell and those below it compute in float16, bfloat16 or float32.

        Inputs are cast at the entrance, parameters where an operator takes them.

        Raises:
            ValueError: If `dst_type` is another type.
        """
        if dst_type not in (float16, float32, bfloat16):
            raise ValueError("For 'to_float', the argument 'dst_type' must be mstype.float32, "
                             f"mstype.float16 or mstype.bfloat16, but got {dst_type!r}.")
        return self.add_flags_recursive(**{k: v is dst_type for k, v in _FLOATS.items()})

    def add_flags(self, **flags: Any) -> Cell:
        """Set flags of the cell; each is also an attribute."""
        own = self.__dict__
        own["_flags"].update(flags)
        own.update(flags)
        if _FLOATS.keys() & flags.keys():
            chosen = [dtype for name, dtype in _FLOATS.items() if own.get(name)]
            own["_cast"] = chosen[0] if chosen else None
            self._refresh()
        self._changed()
        return self

    def add_flags_recursive(self, **flags: Any) -> Cell:
        """Set flags of the cell and of those below it."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags."""
        return self._flags

    def _refresh(self) -> None:
        self.__dict__["_plain"] = not (self._hooks or self._cast is not None or hasattr(self, "bprop")
                                          or self._flags.get("recompute"))

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Declare the inputs that the cell will get, tensors by `Tensor(shape=[None, 3], dtype=...)`.

        Graph mode compiles a dimension None for all sizes at once, and refuses other inputs.

        Raises:
            ValueError: If inputs are given by position and by name, or `construct` has no such name.
            TypeError: If `construct` does not take so many.
        """
        if inputs and kwargs:
            raise ValueError("For 'Cell', the inputs are given by position or by name, not both.")
        names = list(inspect.signature(self.construct).parameters.values())
        strange = [k for k in kwargs if k not in [p.name for p in names]]
        if strange and not any([p.kind is p.VAR_KEYWORD for p in names]):
            raise ValueError(f"For 'set_inputs', the names must be among {[p.name for p in names]}, but "
                             f"got '{strange[0]}'.")
        if len(inputs) > len(names) and not any([p.kind is p.VAR_POSITIONAL for p in names]):
            raise TypeError(f"For 'set_inputs', 'construct' takes {len(names)} arguments, but got "
                            f"{len(inputs)}.")
        self.__dict__["_inputs"] = kwargs or inputs
        self.__dict__.pop("_compiled", None)
        self._changed()

    def get_inputs(self) -> Any:
        """What `set_inputs` was given; None without."""
        return self._inputs

    def set_jit_config(self, jit_config: Any) -> None:
        """Options for compiling the cell: a JitConfig, or a dict of its options.

        Raises:
            TypeError: If it is neither.
        """
        self.__dict__["_jit_config"] = _compiler("options").config_of(self, jit_config)
        self._changed()

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The options for compiling the cell."""
        found = self.__dict__.get("_jit_config")
        return dict(found.jit_config_dict) if found else {}

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def recompute(self, **kwargs: Any) -> None:
        """Let graph mode compute the cell's values again in the reverse pass, to hold less memory.

        Between the two passes only the cell's inputs and its random numbers live.  Chen et al. 2016.
        PyNative mode keeps the values.

        Args:
            kwargs: `mp_comm_recompute`, `parallel_optimizer_comm_recompute` and
                `recompute_slice_activation` (bool) concern communication between devices and change
                nothing on one device.

        Raises:
            TypeError: If an option is none of these, or not a bool.
        """
        for name, value in kwargs.items():
            if name not in ("mp_comm_recompute", "parallel_optimizer_comm_recompute",
                            "recompute_slice_activation"):
                raise TypeError(f"For 'recompute', there is no option '{name}'.")
            check.boolean(self, name, value)
        for _, cell in self.cells_and_names():
            cell._flags["recompute"] = True        # no attribute: that is this method
            cell._refresh()
            cell._changed()

    def shard(self, in_strategy: Any, out_strategy: Any = None,
              parameter_plan: dict[str, Any] | None = None) -> Callable[..., Any]:
        """Note how inputs, outputs and parameters are split; returns the function to call."""
        self.add_flags(in_strategy=in_strategy, out_strategy=out_strategy,
                       parameter_plan=parameter_plan)
        return self.__call__

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Cell:
        """Put the trainable parameters' gradients into one group of collective operators."""
        check.non_negative_int(self, "fusion_type", fusion_type)
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Cell:
        """Note that the parameters are to be broadcast from the first process."""
        return self.add_flags_recursive(broadcast_flag=mode)

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """The parameters, which hold their initial values since construction.

        They are whole, with and without `auto_parallel_mode`.
        """
        return {p: p for p in self.get_parameters()}

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


def _compiler(name: str) -> Any:
    """A part of the compiler, which loads only when a program compiles."""
    import importlib

    return importlib.import_module(f"mindspore.compiler.{name}")


class GraphCell(Cell):
    """The cell of a graph that `load` read from a MINDIR file.

    Args:
        graph: What `mindspore.load` returned.
        params_init: New initial values of parameters, by name.
        obf_random_seed: Only None is taken: graphs are not obfuscated here.
    """

    def __init__(self, graph: Any, params_init: dict[str, Tensor] | None = None,
                 obf_random_seed: int | None = None):
        super().__init__(auto_prefix=True)
        if obf_random_seed is not None:
            raise ValueError("For 'GraphCell', the 'obf_random_seed' must be None: obfuscated graphs "
                             "are not read here.")
        if params_init is not None and not isinstance(params_init, dict):
            raise TypeError(f"For 'GraphCell', the 'params_init' must be a dict, but got "
                            f"{params_init!r}.")
        if not callable(graph):
            raise TypeError(f"For 'GraphCell', the 'graph' must be what 'mindspore.load' returns, but "
                            f"got {type(graph).__name__}.")
        self.graph = graph
        for name, parameter in getattr(graph, "parameters", {}).items():
            if params_init and name in params_init:
                parameter.set_data(params_init[name])
            self.insert_param_to_cell(name, parameter, False)

    def construct(self, *inputs: Any) -> Any:
        return self.graph(*inputs)


class GraphKernel(Cell):
    """A cell of earlier releases whose operators were to be fused; graphs fuse them without it."""
