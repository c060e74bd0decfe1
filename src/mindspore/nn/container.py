"""Cells that hold cells: in sequence, as a list, as a dictionary."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from mindspore.eager.tensor import Tensor

from .cell import Cell


def _lead(cells: dict[str, Cell]) -> str:
    """What stands before the names of these cells in the names of their parameters."""
    for key, cell in cells.items():
        for path, parameter in cell.parameters_and_names():
            full = f"{key}.{path}"
            return parameter.name[:-len(full)] if parameter.name.endswith(full) else ""
    return ""


class _Items(Cell):
    """What sequences of cells share: indexing, and names "0", "1", ... in their order."""

    chosen_by_tensors = True           # graph mode turns an index that is a tensor into conditions

    def _place(self, index: Any) -> int:
        if isinstance(index, Tensor) and index.dtype.kind in "iu":
            index = int(index)
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"For '{type(self).__name__}', the type of 'index' must be int, but got "
                            f"{type(index).__name__}.")
        count = len(self._cells)
        if not -count <= index < count:
            raise IndexError(f"For '{type(self).__name__}', the value of 'index' must be a number in "
                             f"range [{-count}, {count}), but got {index}.")
        return index % count

    def _checked(self, cell: Any) -> Cell:
        if not isinstance(cell, Cell):
            raise TypeError(f"For '{type(self).__name__}', each cell must be subclass of Cell, but got "
                            f"{type(cell).__name__}.")
        return cell

    def _arrange(self, cells: Iterable[tuple[str, Cell]]) -> None:
        """Hold these cells under these names, and name their parameters after them."""
        own = self.__dict__
        lead = _lead(own["_cells"])
        own["_cells"] = OrderedDict()
        for name, cell in cells:
            self._put(name, cell, lead)

    def _put(self, name: str, cell: Cell, lead: str | None = None) -> None:
        own = self.__dict__
        if own["_auto_prefix"]:
            lead = _lead(own["_cells"]) if lead is None else lead
            cell.update_parameters_name(lead + name + ".")
        own["_cells"][name] = cell
        self._changed()

    def _renumber(self, cells: Iterable[Cell]) -> None:
        self._arrange([(str(i), cell) for i, cell in enumerate(cells)])

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return len(self._cells) != 0

    def __iter__(self) -> Iterator[Cell]:
        return iter(list(self._cells.values()))

    def __delitem__(self, index: int | slice) -> None:
        kept = list(self._cells.values())
        del kept[index if isinstance(index, slice) else self._place(index)]
        self._renumber(kept)

    def __setitem__(self, index: int, cell: Cell) -> None:
        name = list(self._cells)[self._place(index)]
        self._put(name, self._checked(cell))

    def set_grad(self, flag: bool = True) -> Cell:
        """Note for the cells, too, that their gradient will be taken."""
        self.__dict__["requires_grad"] = flag
        for cell in self._cells.values():
            cell.set_grad(flag)
        return self


class SequentialCell(_Items):
    """Cells applied one after the other.

    Args:
        args: The cells, one list of them, or one OrderedDict from name to cell.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
        >>> net(ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(self, *args: Any):
        super().__init__()
        if len(args) != 1 or isinstance(args[0], Cell):
            cells: Any = enumerate(args)
        elif isinstance(args[0], list):
            cells = enumerate(args[0])
        elif isinstance(args[0], OrderedDict):
            cells = args[0].items()
        else:
            raise TypeError(f"For '{type(self).__name__}', the 'args[0]' must be Cell, list or "
                            f"orderedDict, but got {type(args[0]).__name__}.")
        self._arrange([(str(name), self._checked(cell)) for name, cell in cells])

    def __getitem__(self, index: int | slice) -> Cell:
        if isinstance(index, slice):
            part = type(self)()
            part.__dict__["_auto_prefix"] = False       # the cells keep the names they have here
            part._arrange(list(self._cells.items())[index])
            return part
        return list(self._cells.values())[self._place(index)]

    def append(self, cell: Cell) -> SequentialCell:
        """Add a cell at the end."""
        self._put(str(len(self._cells)), self._checked(cell))
        return self

    def construct(self, input_data: Any) -> Any:
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Items):
    """A list of cells, to be called one by one by the cell that holds it.

    Args:
        args: One list of cells, or nothing.
        kwargs: `auto_prefix` as for Cell.

    Examples:
        >>> layers = nn.CellList([nn.Dense(3, 3) for _ in range(2)])
        >>> _ = layers.append(nn.ReLU())
        >>> len(layers), [p.name for p in layers.get_parameters()]
        (3, ['0.weight', '0.bias', '1.weight', '1.bias'])
    """

    holds_cells_only = True      # `vmap` runs one cell per slice

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(kwargs.pop("auto_prefix", True), **kwargs)
        self._arrange([])
        if len(args) == 1:
            self.extend(args[0])
        elif args:
            raise TypeError(f"For '{type(self).__name__}', the cells must be given as one list, but "
                            f"got {len(args)} arguments.")

    def __getitem__(self, index: int | slice) -> Cell:
        if isinstance(index, slice):
            return type(self)(list(self._cells.values())[index])
        return list(self._cells.values())[self._place(index)]

    def __iadd__(self, cells: list[Cell]) -> CellList:
        self.extend(cells)
        return self

    def append(self, cell: Cell) -> CellList:
        """Add a cell at the end."""
        self._put(str(len(self._cells)), self._checked(cell))
        return self

    def extend(self, cells: list[Cell]) -> CellList:
        """Add the cells of a list at the end."""
        if not isinstance(cells, (list, CellList)):
            raise TypeError(f"For '{type(self).__name__}', the new cells wanted to append should be "
                            f"instance of list, but got {type(cells).__name__}.")
        for cell in cells:
            self.append(cell)
        return self

    def insert(self, index: int, cell: Cell) -> None:
        """Add a cell before the one at `index`."""
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"For '{type(self).__name__}', the type of 'index' must be int, but got "
                            f"{type(index).__name__}.")
        count = len(self._cells)
        if not -count <= index <= count:
            raise IndexError(f"For '{type(self).__name__}', the value of 'index' must be a number in "
                             f"range [{-count}, {count}], but got {index}.")
        cells = list(self._cells.values())
        cells.insert(index, self._checked(cell))
        self._renumber(cells)

    def construct(self, *inputs: Any) -> Any:
        raise NotImplementedError("A CellList holds cells and computes nothing; call its items.")


class CellDict(Cell):
    """A dictionary from names to cells, in order of insertion.

    Args:
        args: One dict, or one iterable of pairs (name, cell), or nothing.
        kwargs: `auto_prefix` as for Cell.

    Examples:
        >>> layers = nn.CellDict({"linear": nn.Dense(2, 3)})
        >>> layers["act"] = nn.ReLU()
        >>> list(layers), "act" in layers, [p.name for p in layers.get_parameters()]
        (['linear', 'act'], True, ['linear.weight', 'linear.bias'])
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(kwargs.get("auto_prefix", True))
        if args:
            self.update(args[0])

    def __getitem__(self, key: str) -> Cell:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        self._check(key, cell)
        own = self.__dict__
        if own["_auto_prefix"]:
            cell.update_parameters_name(_lead(own["_cells"]) + key + ".")
        own["_cells"][key] = cell
        self._changed()

    def _check(self, key: Any, cell: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"For 'CellDict', the type of key should be string but got "
                            f"{type(key).__name__}.")
        if not key or "." in key:
            raise KeyError(f"For 'CellDict', the key must not be empty nor contain '.', but got {key!r}.")
        if hasattr(self, key) and key not in self._cells:
            raise KeyError(f"For 'CellDict', the key can not be same with the attributes of Cell, but "
                           f"got key {key}.")
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellDict', the type of cell should be Cell, but got "
                            f"{type(cell).__name__}.")

    def __delitem__(self, key: str) -> None:
        del self._cells[key]
        self._changed()

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key: str) -> bool:
        return key in self._cells

    def clear(self) -> None:
        """Remove all cells."""
        self._cells.clear()
        self._changed()

    def pop(self, key: str) -> Cell:
        """Remove the cell of that name and return it."""
        cell = self._cells.pop(key)
        self._changed()
        return cell

    def keys(self) -> Any:
        """The names."""
        return self._cells.keys()

    def values(self) -> Any:
        """The cells."""
        return self._cells.values()

    def items(self) -> Any:
        """The pairs of name and cell."""
        return self._cells.items()

    def update(self, cells: Any) -> None:
        """Add the cells of a dict, of a CellDict, or of an iterable of pairs."""
        if isinstance(cells, (dict, CellDict)):
            pairs = list(cells.items())
        elif isinstance(cells, Iterable):
            pairs = [tuple(pair) for pair in cells]
        else:
            raise TypeError(f"For 'CellDict', the cells must be a dict or pairs of name and cell, but "
                            f"got {type(cells).__name__}.")
        for key, cell in pairs:
            self[key] = cell

    def construct(self, *inputs: Any) -> Any:
        raise NotImplementedError("A CellDict holds cells and computes nothing; call its items.")
