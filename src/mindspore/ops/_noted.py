"""What programs ask of several devices for an operator: it is noted in graphs, and one process computes without it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from mindspore.core import check, context, log
from mindspore.distributed import get_group_size
from mindspore.parallel.layout import check_strategy


def _not_split() -> str:
    """Why nothing acts on what is noted."""
    if get_group_size() > 1:
        return "each process computes whole operators with this 'parallel_mode'"
    return "nothing splits a program over devices in one process"


class Noted:
    """The part of `Primitive` that tells the nodes of an instance how they are to be distributed."""

    name: str
    add_prim_attr: Callable[[str, Any], Any]
    notes: dict[str, Any] | None = None        # what the nodes of this instance carry in their origin

    def note(self, **notes: Any) -> None:
        """Let the nodes that this instance makes carry something in their origin.

        Args:
            notes: What they carry, by name.

        Examples:
            >>> add = ops.Add()
            >>> add.note(stage=1)
            >>> add.notes
            {'stage': 1}
        """
        self.notes = {**(self.notes or {}), **notes}

    def _unused(self, what: str, why: str) -> None:
        log.warn_once("The '%s' of '%s' is noted in graphs, but %s. Results are the same without it.",
                      what, self.name, why)

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Self:
        """Note how the inputs (and outputs) are to be split over devices.

        Args:
            in_strategy: For every input a tuple with the number of parts per dimension, or a layout.
            out_strategy: The same for the outputs.

        Returns:
            The primitive.

        Raises:
            TypeError: If a strategy is no tuple of layouts, or of tuples of ints.
            ValueError: If there is an `out_strategy` alone, or a number of parts is below 1.

        Examples:
            >>> product = ops.MatMul().shard(((2, 1), (1, 2)))
            >>> product.in_strategy
            ((2, 1), (1, 2))
            >>> product(ops.ones((4, 3)), ops.ones((3, 2))).shape
            (4, 2)
        """
        for name, value in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if value is None:
                continue
            if not isinstance(value, tuple):
                raise TypeError(f"For '{self.name}', the '{name}' must be a tuple, but got "
                                f"{value!r} with type '{type(value).__name__}'.")
            for one in value:
                check_strategy(self.name, name, value, one)
            self.add_prim_attr(name, value)
            self.note(**{name: value})
        if in_strategy is None and out_strategy is not None and not self.name.startswith("_"):
            raise ValueError(f"For '{self.name}', the 'out_strategy' needs an 'in_strategy'.")
        if self.notes and get_group_size() == 1:           # of several processes each program is looked at
            self._unused("shard", _not_split())
        return self

    def set_stage(self, stage: int) -> Self:
        """Note the stage of a pipeline over devices that the operator belongs to.

        Args:
            stage: The number of the stage.

        Returns:
            The primitive.

        Raises:
            TypeError: If `stage` is no int.

        Examples:
            >>> ops.Add().set_stage(1).stage
            1
        """
        self.note(stage=check.integer(self.name, "stage", stage))
        self._unused("set_stage", _not_split())
        return self.add_prim_attr("stage", stage)

    def set_device(self, device_target: str) -> Self:
        """Note the kind of device that is to compute the operator.

        Args:
            device_target: "CPU", "GPU" or "Ascend".

        Returns:
            The primitive.

        Raises:
            ValueError: If it is none of these.

        Examples:
            >>> ops.Add().set_device("CPU").primitive_target
            'CPU'
        """
        check.option(self.name, "device_target", device_target, ["CPU", "GPU", "Ascend"])
        self.note(device=device_target)
        if device_target not in (context.state.device_target, context.target_in_use()):
            self._unused("set_device", "every operator runs on the device of the context")
        return self.add_prim_attr("primitive_target", device_target)

    def recompute(self, mode: bool = True) -> Self:
        """Note that the reverse pass is to compute the result again; `Cell.recompute` is what does so.

        Args:
            mode: Whether it is to.

        Returns:
            The primitive.

        Raises:
            TypeError: If `mode` is no bool.

        Examples:
            >>> ops.Exp().recompute().notes
            {'recompute': True}
        """
        self.note(recompute=check.boolean(self.name, "mode", mode))
        if mode:
            self._unused("recompute", "the values of single operators are kept; 'Cell.recompute' computes again")
        return self.add_prim_attr("recompute", mode)

    def place(self, role: str, rank_id: int) -> Self:
        """Note the process of a cluster that is to compute the operator.

        Args:
            role: "MS_WORKER".
            rank_id: The number of the process.

        Returns:
            The primitive.

        Raises:
            TypeError: If `rank_id` is no int.
            ValueError: If `role` is another one, or `rank_id` is negative.

        Examples:
            >>> ops.Add().place("MS_WORKER", 0).rank_id
            0
        """
        check.option(self.name, "role", role, ["MS_WORKER"])
        check.non_negative_int(self.name, "rank_id", rank_id)
        self.note(role=role, rank=rank_id)
        self._unused("place", _not_split())
        self.add_prim_attr("ms_role", role)
        return self.add_prim_attr("rank_id", rank_id)
