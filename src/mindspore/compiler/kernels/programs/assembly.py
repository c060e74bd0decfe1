"""From the nodes of a graph to the stages of a native program.

Every node becomes stages that read and write slots of a table of addresses.  Planes are computed with samples innermost
(`windows`); what comes in or goes out otherwise is laid out anew by a stage of its own, and element-wise stages work in
whichever layout their operands have.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindspore.core.dtype import float32, int32
from mindspore.ir import ITEM, Node
from mindspore.operators.choices import choices
from mindspore.operators.loops import Element, shaped
from mindspore.operators.stages import INNERMOST, Correlation, Indexed, MaxPool, Product

from ..emit import STORED, partial_row
from ..plan import FULL, ONE, ordered, planned
from ..speeds import speeds
from ..text import Builder, Value
from . import products, windows
from .described import Unfit, description, operands
from .stages import ROWS, SAMPLES, Place, Stage, of_plan
from .sweeps import last_reduction, replaced, same_samples, together

_ROWS = 128                 # lines of a result that are shared out by rows, whose memory then lies apart


class Assembly:
    """Makes the stages.

    Args:
        inputs: The nodes outside; their slots come first.
        results: The nodes whose values leave, not those that only give others another shape; their slots follow.
        width: How many lanes a vector has.
        innermost: Whether results leave with their samples innermost.

    Attributes:
        stages: In order.
        sizes: The bytes of every slot behind those of inputs and results; a partial sum's are per thread.
        per_thread: The slots of partial sums.
        checks: Inputs that hold indices, with what says what is wrong with one that is too large.
    """

    def __init__(self, inputs: Sequence[Node], results: Sequence[Node], width: int, innermost: bool = False):
        self.leave_as = SAMPLES if innermost else ROWS
        self.width, self.rate = width, speeds(1).flops * choices().product_reached
        self.values: dict[int, Place] = {id(x): self.outside(k, x) for k, x in enumerate(inputs)}
        self.wanted = {id(x): len(inputs) + k for k, x in enumerate(results)}
        self.given, self.count = len(inputs), len(inputs) + len(results)
        self.stages: list[Stage] = []
        self.sizes: dict[int, int] = {}
        self.per_thread: set[int] = set()
        self.checks: list[tuple[int, int, Node, int]] = []
        self.laid: dict[tuple[int, str], Place] = {}
        self.filled: dict[tuple[int, Any], int] = {}

    # ------------------------------------------------------------------ memory

    def outside(self, slot: int, x: Node) -> Place:
        """Memory that is given: as rows, or with the samples innermost if these fill vectors."""
        inner = x.attrs.get(INNERMOST) and x.shape[0] % self.width == 0
        return Place(slot, x.shape, x.dtype, SAMPLES, x.shape[0]) if inner else Place(slot, x.shape, x.dtype)

    def slot(self, size: int) -> int:
        """A slot for so many bytes."""
        self.sizes[self.count] = size
        self.count += 1
        return self.count - 1

    def place(self, shape: tuple[int, ...], dtype: Any, like: Place | None = None, node: Node | None = None) -> Place:
        """Memory for a value, as rows or in the layout of another: in the result that it is, if that leaves so."""
        samples = like.samples if like else 0
        found = Place(-1, shape, dtype, SAMPLES if samples else ROWS, samples)
        wanted = self.wanted.get(id(node)) if node is not None and found.layout == self.leave_as else None
        return found._replace(slot=self.slot(found.size * dtype.itemsize) if wanted is None else wanted)

    def innermost(self, count: int) -> int:
        """The number of samples, filled up."""
        return -(-count // self.width) * self.width

    def rows(self, x: Place, slot: int | None = None) -> Place:
        """A value as rows."""
        if not x.samples:
            return x
        known = self.laid.get((x.slot, ROWS))
        if known is None or slot is not None:
            features, count = prod(x.shape[1:]), x.shape[0]
            known = Place(self.slot(prod(x.shape) * x.dtype.itemsize) if slot is None else slot, x.shape, x.dtype)
            scalar = STORED[x.dtype]
            self.stages.append(Stage(
                features, [x.slot], [known.slot],
                lambda b, p, start, stop: windows.to_rows(b, features, count, x.samples, scalar, p[0], p[1], start,
                                                          stop),
                prod(x.shape) * 0.4))
            self.laid[x.slot, ROWS] = known
        return known._replace(shape=x.shape)

    def samples(self, x: Place) -> Place:
        """A value with its samples innermost."""
        if x.samples:
            return x
        known = self.laid.get((x.slot, SAMPLES))
        if known is None or known.shape[0] != x.shape[0]:
            features, count, inner = prod(x.shape[1:]), x.shape[0], self.innermost(x.shape[0])
            scalar = STORED[x.dtype]
            known = Place(self.slot(features * inner * x.dtype.itemsize), x.shape, x.dtype, SAMPLES, inner)
            self.stages.append(Stage(
                features, [x.slot], [known.slot],
                lambda b, p, start, stop: windows.to_samples(b, features, count, inner, scalar, p[0], p[1], start,
                                                             stop),
                prod(x.shape) * 0.4))
            self.laid[x.slot, SAMPLES] = known
        return known._replace(shape=x.shape)

    def places(self, x: Place) -> Place:
        """Places in planes with samples innermost, in 32 bits; those from outside have 64."""
        if x.dtype is int32:
            return self.samples(x)
        features, count, inner = prod(x.shape[1:]), x.shape[0], self.innermost(x.shape[0])
        found = Place(self.slot(features * inner * 4), x.shape, int32, SAMPLES, inner)

        def write(b: Builder, p: Sequence[Value], start: Value, stop: Value) -> None:
            if x.samples:
                windows.resized(b, inner, "trunc", p[0], p[1], start, stop)
            else:
                windows.to_samples(b, features, count, inner, "i32", p[0], p[1], start, stop, STORED[x.dtype])
        self.stages.append(Stage(features, [x.slot], [found.slot], write, prod(x.shape) * (0.1 if x.samples else 0.4)))
        return found

    def padded(self, x: Place, padding: tuple[int, int, int, int]) -> int:
        """The slot of planes with zeros around them."""
        if not any(padding):
            return x.slot
        key = (x.slot, padding)
        if key not in self.filled:
            _, c, h, w = x.shape
            top, bottom, left, right = padding
            self.filled[key] = slot = self.slot(c * (h + top + bottom) * (w + left + right) * x.samples * 4)
            self.stages.append(Stage(
                c * (h + top + bottom), [x.slot], [slot],
                lambda b, p, start, stop: windows.padded(b, c, h, w, x.samples, padding, p[0], p[1], start, stop),
                x.size * 0.15))
        return self.filled[key]

    # ------------------------------------------------------------------ nodes

    def add(self, node: Node) -> None:
        """The stages of a node.

        Raises:
            Unfit: It has none.
        """
        if node.op is ITEM:
            return
        found = description(node)
        given = [self.values[id(x)] for x in operands(node)]
        outs = list(node.items or (node,))
        if type(found) is Product:
            self.product(node, found, given)
        elif type(found) is Correlation:
            self.correlation(outs, found, given)
        elif type(found) is MaxPool:
            self.pool(outs, found, given)
        elif type(found) is Indexed:
            x = [x for x in node.inputs if type(x) is Node][found.place]
            if self.values[id(x)].slot >= self.given:
                raise Unfit                     # only what is there before the program runs can be tested
            self.checks.append((self.values[id(x)].slot, found.below, node, found.place))
            self.elements(outs, found.forms, given)
        elif found is not None:
            self.elements(outs, found, given)
        else:
            raise Unfit

    def done(self, node: Node, value: Place) -> None:
        """Note the value of a node; results leave as rows."""
        self.values[id(node)] = value
        wanted = self.wanted.get(id(node))
        if wanted is not None and value.slot != wanted:
            if not value.samples or self.leave_as == SAMPLES:
                raise Unfit                     # only another shape of something: that stays outside
            self.rows(value, wanted)

    # ------------------------------------------------------------------ elements

    def elements(self, outs: Sequence[Node], forms: Sequence[Element], given: Sequence[Place]) -> None:
        """Results that are elements: each by itself, with those that share its operands."""
        if len(forms) == 1 and forms[0].word == "input":           # another shape of an operand
            value = given[forms[0].value]
            if value.samples and outs[0].shape[0] != value.shape[0]:
                value = self.rows(value)
            self.done(outs[0], value._replace(shape=outs[0].shape))
            return
        for part in together(forms):
            self.computed([outs[k] for k in part], [forms[k] for k in part], given)

    def computed(self, outs: Sequence[Node | None], forms: Sequence[Element], given: Sequence[Place]) -> list[Place]:
        """The values of some elements, in one sweep if they lie over the same rows."""
        plan = planned(forms)
        if plan is None:
            return self.in_turn(outs, forms, given)
        used = sorted({e.value for e in plan.elements if e.word == "input"})
        full = {e.value for e in plan.elements if e.word == "input" and plan.kind(e) == FULL}
        laid = [given[k] for k in used]
        inner = next((given[k] for k in full if given[k].samples), None)
        beside = inner is not None and plan.flat and all(given[k].shape[0] == inner.shape[0] for k in full) and all(
            same_samples(e.shape, inner.shape) for e in (*plan.outs, *plan.elements) if plan.kind(e) == FULL) and all(
            plan.kind(e) in (FULL, ONE) and e.word not in ("index",) for e in plan.elements)
        laid = [self.samples(x) if beside and k in full else self.rows(x) for k, x in zip(used, laid, strict=True)]
        like = self.samples(inner) if inner is not None and beside else None
        values = [self.place(f.shape, f.dtype, like, node) for f, node in zip(forms, outs, strict=True)]
        partial, row = -1, partial_row(plan, self.width)
        if row:
            partial = self.slot(row * 4)
            self.per_thread.add(partial)
        self.stages += of_plan(plan, self.width, [x.slot for x in laid], [v.slot for v in values],
                               like.size if like else 0, partial)
        for node, value in zip(outs, values, strict=True):
            if node is not None:
                self.done(node, value)
        return values

    def in_turn(self, outs: Sequence[Node | None], forms: Sequence[Element], given: Sequence[Place]) -> list[Place]:
        """The same in several sweeps: first what a reduction is of, with all that does not need the reduction."""
        cut = last_reduction(forms)
        if cut is None:
            raise Unfit
        early = [k for k, f in enumerate(forms) if cut not in ordered([f])]
        late = [k for k in range(len(forms)) if k not in early]
        inner = cut.args[0]
        value, *first = self.computed([None, *[outs[k] for k in early]], [inner, *[forms[k] for k in early]], given)
        form = Element("input", (), inner.shape, inner.dtype, len(given))
        last = self.computed([outs[k] for k in late], replaced([forms[k] for k in late], inner, form), [*given, value])
        found = dict(zip((*early, *late), (*first, *last), strict=True))
        return [found[k] for k in range(len(forms))]

    # ------------------------------------------------------------------ products and planes

    def product(self, node: Node, found: Product, given: Sequence[Place]) -> None:
        """A product of matrices; of more dimensions of the first operand than two all but the last are rows."""
        a, c, *bias = given
        a = a._replace(shape=(prod(a.shape[:-1]), a.shape[-1])) if len(a.shape) > 2 and not a.samples else a
        if len(a.shape) != 2 or len(c.shape) != 2:
            a, c = self.rows(a), self.rows(c)
            a = a._replace(shape=(prod(a.shape[:-1]), a.shape[-1]))
        (k, m) = a.shape if found.transpose_a else a.shape[::-1]
        n = c.shape[0 if found.transpose_b else 1]
        las = [products.Matrix(x.samples or x.shape[1], bool(x.samples) != turned)
               for x, turned in ((a, found.transpose_a), (c, found.transpose_b))]
        out = self.place(node.shape, node.dtype, node=None if bias else node)
        by_columns = m < _ROWS
        self.stages.append(Stage(
            n if by_columns else m, [a.slot, c.slot], [out.slot],
            lambda b, p, start, stop: products.product(b, m, n, k, (p[0], las[0]), (p[1], las[1]), p[2], start, stop,
                                                       by_columns),
            2.0 * m * n * k / self.rate, products.GRAIN))
        if bias:
            form = Element("input", (), (m, n), float32, 0) + Element("input", (), (n,), float32, 1)
            self.elements([node], [shaped(form, node.shape)], [out._replace(shape=(m, n)), self.rows(bias[0])])
        else:
            self.done(node, out)

    def correlation(self, outs: Sequence[Node], found: Correlation, given: Sequence[Place]) -> None:
        """A convolution or a part of its reverse."""
        first, second, *bias = given
        taken = first.shape if found.of == "result" else outs[0].shape if found.of == "input" else second.shape
        weight = second.shape if found.of in ("result", "input") else outs[0].shape
        count, c, h, wide = taken
        top, bottom, left, right = found.padding
        p = windows.Planes(c, h + top + bottom, wide + left + right, weight[0], weight[2], weight[3],
                           self.innermost(count), count)
        time = 2.0 * prod(weight) * p.oh * p.ow * p.samples / self.rate
        blocks = p.samples // self.width
        if found.of == "result":
            x = self.samples(first)
            y = self.place((count, p.outputs, p.oh, p.ow), float32, x, outs[0])
            self.stages.append(Stage(p.oh * blocks, [self.padded(x, found.padding), self.rows(second).slot], [y.slot],
                                     lambda b, a, i, j: windows.forward(b, p, a[0], a[1], a[2], i, j), time))
            if bias:
                self.bias(p, y, bias[0])
            self.done(outs[0], y)
            return
        dy = self.samples(first)
        if found.of == "input":
            dx, inner, weights = self.place(taken, float32, dy), (top, h, left, wide), self.rows(second).slot
            self.stages.append(Stage(h * blocks, [dy.slot, weights], [dx.slot],
                                     lambda b, a, i, j: windows.of_input(b, p, inner, a[0], a[1], a[2], i, j), time))
            self.done(outs[0], dx)
            return
        x, dw = self.samples(second), self.place(weight, float32, node=outs[0])
        items = p.outputs // windows.weights_at_once(p, self.width) * p.channels * p.kh
        self.stages.append(Stage(items, [self.padded(x, found.padding), dy.slot], [dw.slot],
                                 lambda b, a, i, j: windows.of_weight(b, p, a[0], a[1], a[2], i, j), time))
        self.done(outs[0], dw)
        if found.of == "affine":
            db = self.place((p.outputs,), float32, node=outs[1])
            self.stages.append(Stage(p.outputs, [dy.slot], [db.slot],
                                     lambda b, a, i, j: windows.channel_sums(b, p, a[0], a[1], i, j),
                                     dy.size * 0.1))
            self.done(outs[1], db)

    def bias(self, p: windows.Planes, y: Place, bias: Place) -> None:
        """Add a number to every channel."""
        size = p.oh * p.ow * p.samples
        self.stages.append(Stage(p.outputs, [bias.slot], [y.slot],
                                 lambda b, a, i, j: windows.add_bias(b, size, a[1], a[0], i, j), y.size * 0.1))

    def pool(self, outs: Sequence[Node], found: MaxPool, given: Sequence[Place]) -> None:
        """Maxima of windows, or what takes cotangents to them."""
        if found.reverse:
            dy, places = self.samples(given[0]), self.places(given[1])
            _, c, h, w = outs[0].shape
            p = windows.Pool(c, h, w, found.window, found.stride, dy.samples)
            dx = self.place(outs[0].shape, float32, dy)
            self.stages.append(Stage(c * p.oh if p.covers else c, [dy.slot, places.slot], [dx.slot],
                                     lambda b, a, i, j: windows.to_maxima(b, p, a[0], a[1], a[2], i, j), dx.size * 0.3))
            self.done(outs[0], dx)
            return
        x = self.samples(given[0])
        _, c, h, w = x.shape
        p = windows.Pool(c, h, w, found.window, found.stride, x.samples)
        y = self.place(outs[0].shape, float32, x, outs[0])
        places = self.place(outs[1].shape, int32, x)
        wanted = self.wanted.get(id(outs[1]))
        if wanted is not None and self.leave_as == ROWS:
            raise Unfit
        self.stages.append(Stage(c * p.oh, [x.slot], [y.slot, places.slot],
                                 lambda b, a, i, j: windows.maxima(b, p, a[0], a[1], a[2], i, j), x.size * 0.15))
        self.done(outs[0], y)
        if wanted is None:
            self.done(outs[1], places)
        else:
            self.stages.append(Stage(c * p.oh, [places.slot], [wanted],
                                     lambda b, a, i, j: windows.resized(b, p.ow * x.samples, "sext", a[0], a[1], i, j),
                                     y.size * 0.1))
