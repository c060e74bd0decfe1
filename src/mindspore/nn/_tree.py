"""The tree of cells: who owns which parameters and cells, and under which names."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.eager.parameter import Parameter

_FREE = {"place", "parameter"}       # methods that 2.10 does not have: parameters of programs have such names

class Tree:
    """What a cell offers for its parameters and sub-cells.

    The name of a parameter is the path of attributes that leads to it from the outermost cell.
    """

    _params: dict[str, Parameter]
    _cells: dict[str, Any]
    _param_prefix: str
    _holds_others = False            # whether parameters of other cells belong to it, under names of those cells
    _changed: Callable[[], None]

    def insert_param_to_cell(self, param_name: str, param: Parameter | None,
                             check_name_contain_dot: bool = True) -> None:
        """Let a parameter belong to the cell as attribute `param_name`.

        Raises:
            KeyError: If the name is empty or contains a dot (unless `check_name_contain_dot` is
                False), or another attribute has it.
            TypeError: If `param` is no Parameter.
        """
        own = self.__dict__
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be None.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not contain "
                           f"'.', but got {param_name!r}.")
        self._check_free("insert_param_to_cell", param_name, own["_params"])
        if param is not None and not isinstance(param, Parameter):
            raise TypeError("For 'insert_param_to_cell', the argument 'param' must be 'Parameter' if "
                            f"not None, but got {type(param)}.")
        if param is None:
            own[param_name] = None
            return
        if not param.named:
            param.name, param.named = param_name, True
        own["_params"][param_name] = own[param_name] = param
        self._changed()

    def _check_free(self, where: str, name: str, replaceable: Any) -> None:
        if (hasattr(self, name) and name not in replaceable and name not in _FREE
                and getattr(self, name) is not None):
            raise KeyError(f"For '{where}', the name '{name}' is that of another attribute.")

    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Let a cell belong to this one as `child_name`, leaving the names of its parameters.

        Raises:
            KeyError: If the name is empty or contains a dot, or another attribute has it.
            TypeError: If `child_cell` is neither a Cell nor None, the sign of one that comes later.
        """
        if not isinstance(child_name, str):
            raise TypeError("For 'insert_child_to_cell', the argument 'child_name' must be a str, but got "
                            f"{child_name!r}.")
        if not child_name or "." in child_name:
            raise KeyError("For 'insert_child_to_cell', the argument 'child_name' must be a name without '.', but "
                           f"got {child_name!r}.")
        if child_cell is not None and not isinstance(child_cell, Tree):
            raise TypeError("For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell', but "
                            f"got type {type(child_cell)}.")
        self._check_free("insert_child_to_cell", child_name, self.__dict__["_cells"])
        if child_cell is None:
            self.__dict__[child_name] = None
            return
        self._own_cell(child_name, child_cell)

    def _own_cell(self, name: str, cell: Any) -> None:
        own = self.__dict__
        own["_cells"][name] = own[name] = cell
        self._changed()

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Rename the parameters to `prefix` and their attribute paths."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', the 'prefix' must be a str, but got "
                            f"{prefix!r}.")
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def parameters_and_names(self, name_prefix: str = "",
                             expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Attribute paths and parameters, each parameter once; `expand` includes sub-cells.

        Args:
            name_prefix: What all paths begin with.
            expand: Whether parameters of sub-cells count.

        Returns:
            An iterator of (path, parameter).

        Examples:
            >>> [path for path, _ in nn.SequentialCell(nn.Dense(3, 2)).parameters_and_names()]
            ['0.weight', '0.bias']
        """
        seen: set[int] = set()
        cells = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in cell._params.items():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """The parameters, those of sub-cells included if `expand`; if two have one name, all are named by their paths.

        Args:
            expand: Whether parameters of sub-cells count.

        Returns:
            An iterator of parameters.

        Examples:
            >>> [p.shape for p in nn.Dense(3, 2).get_parameters()]
            [(2, 3), (2,)]
        """
        found = list(self.parameters_and_names(expand=expand))
        if expand and len({p.name for _, p in found}) < len(found) and not any(
                [cell._holds_others for _, cell in self.cells_and_names()]):
            for path, parameter in found:      # two of one name: a checkpoint would keep one, an optimizer refuse both
                parameter.name = path
        return iter([parameter for _, parameter in found])

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """The parameters by name.

        Args:
            recurse: Whether parameters of sub-cells count.

        Returns:
            An ordered dict from name to parameter.

        Examples:
            >>> list(nn.Dense(3, 2).parameters_dict())
            ['weight', 'bias']
        """
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters that require a gradient.

        Args:
            recurse: Whether parameters of sub-cells count.

        Returns:
            A list of those whose `requires_grad` is True.

        Examples:
            >>> [p.name for p in nn.BatchNorm2d(3).trainable_params()]
            ['gamma', 'beta']
        """
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The parameters that require no gradient."""
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def cells(self) -> Any:
        """The direct sub-cells."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Any]:
        """The direct sub-cells by attribute name, each cell once."""
        found: OrderedDict[str, Any] = OrderedDict()
        seen: set[int] = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(self, cells: Any = None,
                        name_prefix: str = "") -> Iterator[tuple[str, Any]]:
        """The cell itself and all cells below it with their attribute paths, each cell once.

        Args:
            cells: A set of cells that are left out, which those that are found join; None: an empty one.
            name_prefix: What all paths begin with.

        Returns:
            An iterator of (path, cell); the path of the cell itself is `name_prefix`.

        Examples:
            >>> net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
            >>> [path for path, _ in net.cells_and_names()]
            ['', '0', '1']
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def get_sub_cell(self, target: str) -> Any:
        """The cell at an attribute path such as "block.conv"; the cell itself for ""."""
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{type(found).__name__} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Tree):
                raise AttributeError(f"`{name}` is not an nn.Cell")
        return found

    @property
    def param_prefix(self) -> str:
        """The attribute path that `update_cell_prefix` found for the cell."""
        return self._param_prefix

    def update_cell_prefix(self) -> None:
        """Note every cell's attribute path as its `param_prefix`."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def check_names(self) -> None:
        """ValueError if two parameters have one name."""
        seen: set[str] = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in seen:
                raise ValueError(f"The value of {path} is {parameter}, its name '{parameter.name}' "
                                 "already exists. Please set a unique name for the parameter.")
            seen.add(parameter.name)

    def check_names_and_refresh_name(self) -> None:
        """Rename the parameters to their attribute paths."""
        self.update_parameters_name()

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call `fn` on every sub-cell, children first, and on the cell itself."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self
