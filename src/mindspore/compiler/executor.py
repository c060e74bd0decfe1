"""The object by which programs compile a cell without running it: `_cell_graph_executor` of `common.api`."""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import kind

from .cells import compile_cell, run_cell


class _CellGraphExecutor:
    """What programs ask of the original's executor of graphs."""

    def __init__(self) -> None:
        self.compiled: set[str] = set()

    def compile(self, obj: Any, *args: Any, phase: str = "predict", do_convert: bool = True,
                jit_config_dict: Any = None, **kwargs: Any) -> tuple[str, bool]:
        """Compile a cell for these inputs without running it, whatever the mode.

        Args:
            obj: A Cell; its own setting of training, and what `set_jit_config` gave it, are used.
            args: Its inputs.
            phase: A name for what is compiled.
            do_convert: True; programs here have one form.
            jit_config_dict: None: the settings are those of the cell.
            kwargs: Its inputs by name.

        Returns:
            The name under which `has_compiled` knows it, and True.

        Raises:
            TypeError: If it is no Cell.
            ValueError: For other settings than these.
            Exception: Whatever the compiler says of a cell that cannot be compiled.
        """
        if do_convert is not True or jit_config_dict is not None:
            raise ValueError("For '_cell_graph_executor.compile', set options with 'Cell.set_jit_config'; 'do_convert' "
                             "must be True.")
        compile_cell(self._cell(obj), args, kwargs)
        name = f"{phase}.{id(obj)}"
        self.compiled.add(name)
        return name, True

    def has_compiled(self, phase: str = "predict") -> bool:
        """Whether `compile` gave this name."""
        return phase in self.compiled

    def run(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """The result of a cell as a compiled graph, whatever the mode; `phase` is only a name here."""
        return run_cell(self._cell(obj), args, {})

    __call__ = run

    def _cell(self, obj: Any) -> Any:
        if not hasattr(obj, "construct"):
            raise TypeError(f"For '_cell_graph_executor', the 'obj' must be a Cell, but got {kind(obj)}.")
        return obj


_cell_graph_executor = _executor = _CellGraphExecutor()
