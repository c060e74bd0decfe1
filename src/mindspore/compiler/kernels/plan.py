"""How the elements of a kernel lie over rows and columns.

A kernel runs over `rows` x `columns`, cut out of the dimensions of its tensors at one place.  An element is of a kind:
full (one value per row and column), per row, per column, or one value for all.  A reduction of all columns gives a
value per row; what needs it is computed in a later pass over the row.  A sum of all rows gives a value per column,
which only leaves the kernel.  Without reductions and values per row or column, a kernel is flat: one long row.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from mindspore.core.dtype import bool_, float32, int32, int64
from mindspore.operators.loops import COMPARISONS, LOGICAL, REDUCTIONS, Element

FULL, ROW, COLUMN, ONE = "full", "row", "column", "one"
_CASTS = {(bool_, float32), (int32, float32), (int64, float32), (float32, bool_), (int32, int64)}


_LONGEST = 1 << 14           # columns of a row, some of which may be kept on the stack


class Misfit(Exception):
    """Elements do not lie over these rows and columns."""


def ordered(outs: Iterable[Element]) -> list[Element]:
    """All elements that the given ones are computed from, and these, in order."""
    found: dict[int, Element] = {}
    todo = [(e, False) for e in reversed(list(outs))]
    while todo:
        element, ready = todo.pop()
        if id(element) in found:
            continue
        if ready or not element.args:
            found[id(element)] = element
        else:
            todo.append((element, True))
            todo += [(a, False) for a in reversed(element.args)]
    return list(found.values())


def plain(element: Element) -> Element:
    """What an element is another shape of."""
    while element.word == "shaped":
        (element,) = element.args
    return element


class Plan:
    """The elements of a kernel over rows and columns.

    Attributes:
        outs: What leaves the kernel.
        elements: All elements, in order.
        rows, columns: The extents.
        kinds: The kind of every element, by id.
        depth: In which pass over a row an element is known, by id.
        flat: Whether it is one long row of elements that are independent of each other.
    """

    def __init__(self, outs: Sequence[Element], rows: int, columns: int):
        self.outs, self.rows, self.columns = list(outs), rows, columns
        self.elements = ordered(outs)
        self.kinds: dict[int, str] = {}
        for out in outs:
            kind = self.guessed(out)
            if kind is None:
                raise Misfit
            self.settle(out, kind, self.split(out.shape, kind))
        kinds = set(self.kinds.values())
        self.flat = (rows == 1 and kinds <= {FULL, ONE} and all(self.kind(o) == FULL for o in outs)
                     and not any(e.word in REDUCTIONS for e in self.elements))
        self.depth: dict[int, int] = {}
        for e in self.elements:
            self.depth[id(e)] = max([self.depth[id(a)] + self.ends_pass(a) for a in e.args], default=0)
        inner = {id(plain(a)) for e in self.elements for a in e.args if e.word != "shaped"}
        sums = set(map(id, self.column_sums()))
        if sums & inner or any(self.kind(e) == COLUMN and id(plain(e)) not in sums for e in self.outs):
            raise Misfit                              # sums of all rows are there at the end only

    def kind(self, element: Element) -> str:
        """The kind of an element."""
        return self.kinds[id(element)]

    def ends_pass(self, element: Element) -> bool:
        """Whether an element is known at the end of a pass only."""
        return element.word in REDUCTIONS and self.kind(element) == ROW

    def follows_row(self, element: Element) -> bool:
        """Whether there is one of an element for each row and column, that is known when reductions of the row are."""
        return self.kind(element) == FULL and self.depth[id(element)] > 0

    def column_sums(self) -> list[Element]:
        """The sums of all rows."""
        return [e for e in self.elements if e.word in REDUCTIONS and self.kind(e) == COLUMN]

    def passes(self) -> int:
        """How often a row is gone over."""
        return 1 + max(self.depth[id(e)] + self.ends_pass(e) for e in self.outs)

    # ------------------------------------------------------------------ kinds

    def guessed(self, element: Element) -> str | None:
        """The kind of a result, from the shapes of what it is computed from; None if they do not tell."""
        if prod(element.shape) == self.rows * self.columns:
            return FULL
        if prod(element.shape) == 1:
            return ONE
        if element.word in REDUCTIONS:
            (x,) = element.args
            if prod(x.shape) != self.rows * self.columns:
                return None
            return ROW if min(element.value) >= self.split(x.shape, FULL) else COLUMN
        if element.args:
            found = {self.guessed(a) for a in element.args} - {ONE, None}
            return found.pop() if len(found) == 1 else None
        fits = [k for k, n in ((ROW, self.rows), (COLUMN, self.columns)) if prod(element.shape) == n]
        return fits[0] if len(fits) == 1 else None

    def split(self, shape: tuple[int, ...], kind: str) -> int:
        """How many dimensions of a shape are rows."""
        if kind == FULL:
            for k in range(len(shape), -1, -1):
                if prod(shape[k:]) == self.columns and prod(shape[:k]) == self.rows:
                    return k
            raise Misfit
        long = [i for i, n in enumerate(shape) if n != 1]
        if kind == ROW and prod(shape) == self.rows:
            return long[-1] + 1 if long else len(shape)
        if kind == COLUMN and prod(shape) == self.columns:
            return long[0] if long else 0
        if kind == ONE and not long:
            return 0
        raise Misfit

    def settle(self, element: Element, kind: str, split: int) -> None:
        """Note the kind of an element, and those of what it is computed from."""
        todo = [(element, kind, split)]
        while todo:
            e, kind, split = todo.pop()
            if kind == ONE and self.rows == 1 and e.word in REDUCTIONS:
                kind = ROW                          # of the only row
            if id(e) in self.kinds:
                if self.kinds[id(e)] != kind:
                    raise Misfit
                continue
            self.kinds[id(e)] = kind
            if e.word in REDUCTIONS:
                todo.append((e.args[0], FULL, self.reduced(e, kind)))
            elif e.word == "shaped":
                todo.append((e.args[0], kind, self.split(e.args[0].shape, kind)))
            else:
                _check(e)
                todo += [(a, *self.operand(e, a, kind, split)) for a in e.args]

    def reduced(self, e: Element, kind: str) -> int:
        """How many dimensions of the operand of a reduction are rows."""
        shape = e.args[0].shape
        split = self.split(shape, FULL)
        rows = {i for i in range(split) if shape[i] != 1}
        columns = {i for i in range(split, len(shape)) if shape[i] != 1}
        axes = columns if kind == ROW else rows if kind == COLUMN and e.word == "sum" else None
        if e.dtype is not float32 or set(e.value) != axes:
            raise Misfit
        return split

    def operand(self, e: Element, a: Element, kind: str, split: int) -> tuple[str, int]:
        """The kind of an operand of an element-wise operation, and how many of its dimensions are rows."""
        lead = len(e.shape) - len(a.shape)
        padded = (1,) * lead + a.shape
        head, tail = padded[:split], padded[split:]
        in_rows, in_columns = prod(head) != 1, prod(tail) != 1
        if (in_rows and head != e.shape[:split]) or (in_columns and tail != e.shape[split:]):
            raise Misfit
        whole = kind == FULL and (in_rows or self.rows == 1) and (in_columns or self.columns == 1)
        found = FULL if whole and (in_rows or in_columns) else ROW if in_rows else COLUMN if in_columns else ONE
        return found, max(split - lead, 0)


def _check(e: Element) -> None:
    """Misfit for an operation on dtypes that kernels do not compute with."""
    of = [a.dtype for a in e.args]
    if e.word == "cast":
        fits = (of[0], e.dtype) in _CASTS
    elif e.word == "where":
        fits = of[0] is bool_ and of[1] is of[2] and of[1] is float32
    elif e.word in COMPARISONS:
        fits = of[0] is of[1] and of[0] in (float32, int32, int64)
    elif e.word in LOGICAL:
        fits = all(d is bool_ for d in of)
    elif e.word in ("add", "sub", "mul"):
        fits = of[0] is of[1] and of[0] in (float32, int32, int64)
    elif e.args:
        fits = all(d is float32 for d in of)
    else:
        fits = e.dtype in (float32, bool_, int32, int64)
    if not fits:
        raise Misfit


def _extents(outs: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Rows and columns that elements may lie over."""
    if not outs:
        return                                        # nothing of them is used
    elements = ordered(outs)
    reductions = [e for e in elements if e.word in REDUCTIONS]
    if reductions:
        e = reductions[0]
        shape = e.args[0].shape
        long = [i for i, n in enumerate(shape) if n != 1]
        k = min(e.value) if e.value[-1] == long[-1] else max(e.value) + 1
        yield prod(shape[:k]), prod(shape[k:])
        return
    shape = max([e.shape for e in outs], key=prod)
    yield 1, prod(shape)
    for k in range(len(shape) - 1, 0, -1):
        if prod(shape[:k]) > 1 and prod(shape[k:]) > 1:
            yield prod(shape[:k]), prod(shape[k:])


def planned(outs: Sequence[Element]) -> Plan | None:
    """The plan of a kernel with these results; None if there is none."""
    for rows, columns in _extents(outs):
        try:
            plan = Plan(outs, rows, columns)
        except Misfit:
            continue
        if plan.flat or (columns <= _LONGEST and (rows > 1 or plan.passes() > 1)):
            return plan
    return None


def overwritable(plan: Plan, out: Element) -> list[int]:
    """The inputs whose memory a result may take: read at the place where it is stored, and not in a later pass."""
    if plan.kind(out) != FULL:
        return []
    last = {id(e): plan.depth[id(e)] for e in plan.elements}
    for e in reversed(plan.elements):
        for a in e.args:
            last[id(a)] = max(last[id(a)], last[id(e)])
    own = plan.depth[id(out)]
    by_place: dict[int, list[Element]] = {}
    for e in plan.elements:
        if e.word == "input":
            by_place.setdefault(e.value, []).append(e)
    return [k for k, found in by_place.items()
            if all(plan.kind(e) == FULL and e.dtype is out.dtype and last[id(e)] <= own for e in found)
            and any(e.shape == out.shape for e in found)]
