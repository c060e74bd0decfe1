"""The settings of a cell: training or not, float type, recomputation, inputs, options of compiling."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Self

from mindspore.core import check, log
from mindspore.core.dtype import DType, bfloat16, float16, float32
from mindspore.distributed import get_rank
from mindspore.eager.automatic import Automatic
from mindspore.eager.parameter import Parameter, Version
from mindspore.eager.uninitialised import fill
from mindspore.ops.layouts import shard
from mindspore.parallel import running
from mindspore.parallel.files import layout_list

_FLOATS = {"fp16": float16, "fp32": float32, "bf16": bfloat16}


def part_of_compiler(name: str) -> Any:
    """A part of the compiler, which loads only when a program compiles."""
    import importlib

    return importlib.import_module(f"mindspore.compiler.{name}")


class Settings:
    """The part of `Cell` that keeps its settings."""

    _inputs: Any
    _flags: dict[str, Any]
    _hooks: Any
    _cast: DType | Automatic | None
    _notes: dict[str, Any] | None = None
    _changed: Callable[[], None]
    construct: Callable[..., Any]
    __call__: Callable[..., Any]
    cells_and_names: Callable[..., Any]
    trainable_params: Callable[..., Any]
    get_parameters: Callable[..., Any]

    def set_train(self, mode: bool = True) -> Self:
        """Let the cell and those below it behave as in training (dropout, batch statistics) or not.

        Args:
            mode: Whether it is training.

        Returns:
            The cell.

        Examples:
            >>> net = nn.SequentialCell(nn.Dense(3, 2), nn.Dropout(p=0.5))
            >>> net.set_train().training, net[1].training
            (True, True)
            >>> net.set_train(False).training
            False
        """
        mode = bool(mode)
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = mode
            cell.__dict__["phase"] = "train" if mode else "predict"
        Version.moves()
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Note that the cell's gradient will be taken; gradients work without it.

        Args:
            requires_grad: Whether it will be.

        Returns:
            The cell.

        Examples:
            >>> nn.Dense(3, 2).set_grad().requires_grad
            True
        """
        self.__dict__["requires_grad"] = requires_grad
        return self

    def to_float(self, dst_type: DType) -> Self:
        """Let the cell and those below it compute in float16, bfloat16 or float32.

        Inputs are cast at the entrance, parameters where an operator takes them.

        Args:
            dst_type: The dtype.

        Returns:
            The cell.

        Raises:
            ValueError: If `dst_type` is another type.

        Examples:
            >>> nn.Dense(3, 2).to_float(mindspore.float16)(ops.ones((1, 3))).dtype
            mindspore.float16
        """
        if dst_type not in (float16, float32, bfloat16):
            raise ValueError("For 'to_float', the argument 'dst_type' must be mstype.float32, "
                             f"mstype.float16 or mstype.bfloat16, but got {dst_type!r}.")
        return self.add_flags_recursive(**{k: v is dst_type for k, v in _FLOATS.items()})

    def add_flags(self, **flags: Any) -> Self:
        """Set flags of the cell; each is also an attribute.

        Args:
            flags: The flags by name.

        Returns:
            The cell.

        Examples:
            >>> nn.Dense(3, 2).add_flags(frozen=True).frozen
            True
        """
        own = self.__dict__
        own["_flags"].update(flags)
        own.update(flags)
        if _FLOATS.keys() & flags.keys():
            chosen = [dtype for name, dtype in _FLOATS.items() if own.get(name)]
            own["_cast"] = chosen[0] if chosen else None
            self._refresh()
        self._changed()
        return self

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set flags of the cell and of those below it.

        Args:
            flags: The flags by name.

        Returns:
            The cell.

        Examples:
            >>> nn.SequentialCell(nn.Dense(3, 2)).add_flags_recursive(frozen=True)[0].frozen
            True
        """
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
        """What `set_inputs` was given; None without.

        Returns:
            A tuple of the inputs, or a dict if they were given by name.

        Examples:
            >>> nn.Dense(3, 2).get_inputs() is None
            True
        """
        return self._inputs

    def set_jit_config(self, jit_config: Any) -> None:
        """Set options for compiling the cell.

        Args:
            jit_config: A JitConfig, or a dict of its options.

        Raises:
            TypeError: If it is neither.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.set_jit_config(mindspore.JitConfig(jit_level="O0"))
            >>> net.jit_config_dict["jit_level"]
            'O0'
        """
        self.__dict__["_jit_config"] = part_of_compiler("options").config_of(self, jit_config)
        self.__dict__.pop("_compiled", None)
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
        """Let the reverse pass compute the cell's values again, to hold less memory, in both modes.

        Between the two passes only the cell's inputs and its random numbers live.  Chen et al. 2016.

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
        """A function like the cell whose inputs, outputs and parameters lie over processes as strategies say.

        Args:
            in_strategy, out_strategy, parameter_plan: As in `mindspore.shard`.

        Returns:
            The function to call in place of the cell.

        Examples:
            >>> split = nn.Dense(4, 2).shard(((2, 1),))
            >>> split(ops.ones((8, 4))).shape
            (8, 2)
        """
        return shard(self, in_strategy, out_strategy, parameter_plan)

    @property
    def parameter_layout_dict(self) -> dict[str, Any]:
        """How the parameters that lie in pieces lie over processes, by name.

        Each is a list: the numbers of devices along the axes, the axis that cuts each dimension (counted from the
        last, -1 for none), the shape of the piece of this process, the blocks of the first dimension (0), whether
        pieces are equally long, the group of a parallel optimizer ("": such pieces are in the axes), the whole shape.

        Examples:
            >>> nn.Dense(3, 2).parameter_layout_dict
            {}
        """
        return {p.name: layout_list(p.stored, get_rank() % p.stored.mesh.size) for p in self.get_parameters()
                if p.stored is not None and p.stored.here}

    def place(self, role: str, rank_id: int) -> Self:
        """Note the process of a cluster that is to compute the cell; one process computes all of them.

        Args:
            role: "MS_WORKER".
            rank_id: The number of the process.

        Returns:
            The cell.

        Raises:
            ValueError: If `role` is not "MS_WORKER", or `rank_id` is negative.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.place("MS_WORKER", 0) is net
            True
        """
        check.option(self, "role", role, ["MS_WORKER"])
        self._note("place", role=role, rank=check.non_negative_int(self, "rank_id", rank_id))
        return self

    @property
    def pipeline_stage(self) -> int | None:
        """The stage of a pipeline over devices that the cell belongs to, noted in graphs; None without.

        Returns:
            The number of the stage, or None.

        Raises:
            ValueError: If it is set to a negative number.
            TypeError: If it is set to what is no int.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.pipeline_stage = 1
            >>> net.pipeline_stage
            1
        """
        return (self._notes or {}).get("stage")

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError("For 'Cell', the property 'pipeline_stage' must be int type, but got type : "
                            f"{type(value)}.")
        if value < 0:
            raise ValueError(f"For 'Cell', the property 'pipeline_stage' can not be less than 0, but got {value}.")
        self._note("pipeline_stage", stage=value)

    @property
    def pipeline_segment(self) -> int | None:
        """The segment of its stage that the cell belongs to, where stages have several; None without.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.pipeline_segment = 1
            >>> net.pipeline_segment
            1
        """
        return (self._notes or {}).get("segment")

    @pipeline_segment.setter
    def pipeline_segment(self, value: int) -> None:
        self._note("pipeline_segment", segment=check.non_negative_int(self, "pipeline_segment", value))

    def _note(self, what: str, **notes: Any) -> None:
        """Let the nodes that the cell makes carry something in their origin; nothing acts on it in one process."""
        self.__dict__["_notes"] = {**(self._notes or {}), **notes}
        self._changed()
        if what in ("pipeline_stage", "pipeline_segment") and running.stages() > 1:
            return
        why = ("what splits programs looks at strategies of operators, and at stages if the context has some"
               if running.active() else "nothing splits a program over devices in one process")
        log.warn_once("The '%s' of '%s' is noted in graphs, but %s. Results are the same without it.",
                      what, type(self).__name__, why)

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Self:
        """Put the trainable parameters' gradients into one group of collective operators, which is noted in graphs.

        Args:
            fusion_type: The number of the group.
            recurse: Whether to include the parameters of the cells below.

        Returns:
            The cell.

        Raises:
            ValueError: If `fusion_type` is negative.
            TypeError: If `fusion_type` is no int.

        Examples:
            >>> net = nn.Dense(3, 2).set_comm_fusion(2)
            >>> [p.comm_fusion for p in net.trainable_params()]
            [2, 2]
        """
        check.non_negative_int(self, "fusion_type", fusion_type)
        for parameter in self.trainable_params(recurse):
            parameter._comm_fusion = fusion_type       # one warning, below, is enough
        self._note("set_comm_fusion", comm_fusion=fusion_type)
        return self

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False) -> None:
        """Let parameter servers keep the trainable parameters, see `Parameter.set_param_ps`."""
        for parameter in self.trainable_params(recurse):
            parameter.set_param_ps(init_in_server)

    def set_broadcast_flag(self, mode: bool = True) -> Self:
        """Note that the parameters are to be broadcast from the first process."""
        return self.add_flags_recursive(broadcast_flag=mode)

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """The parameters, which hold their initial values since construction.

        They are whole, with and without `auto_parallel_mode`.

        Args:
            auto_parallel_mode: Whether parameters may be split; with one process they are not.

        Returns:
            A dict in which each parameter leads to itself.

        Examples:
            >>> [p.name for p in nn.Dense(3, 2).init_parameters_data()]
            ['weight', 'bias']
        """
        fill(self.get_parameters())
        return {p: p for p in self.get_parameters()}
