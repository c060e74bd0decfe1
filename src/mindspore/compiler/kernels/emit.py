"""Native code of a plan: loops over rows and columns with vectors along the columns.

A kernel is three functions: its body over some of the rows (or, if it is flat, of the elements), `run(table)` which
does all of it, and `run_parallel(table, threads)`, which shares it out over OpenMP's threads.  The table holds the
addresses of inputs, results and, if there are sums over rows, of a row of partial sums per thread.  Sums are added in
an order that depends on the number of lanes and threads only, so results do not change from run to run.
"""
from __future__ import annotations

from mindspore.core.dtype import DType, bool_, float32, int32, int64
from mindspore.operators.choices import choices
from mindspore.operators.loops import COMPARISONS, LOGICAL, REDUCTIONS, Element

from .mathematics import COSTLY, FUNCTIONS
from .plan import FULL, ONE, ROW, Plan, plain
from .text import Builder, Module, Value, Variable

STORED: dict[DType, str] = {float32: "float", bool_: "i8", int32: "i32", int64: "i64"}
_ARITHMETIC = {"add": Value.__add__, "sub": Value.__sub__, "mul": Value.__mul__, "div": Value.__truediv__}
_FLOAT_WORDS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
_INTEGER_WORDS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_START = {"sum": 0.0, "max": float("-inf")}


def computed(b: Builder, e: Element, args: list[Value]) -> Value:
    """The value of an element-wise operation."""
    word = e.word
    if word in FUNCTIONS:
        return FUNCTIONS[word](b, args[0])
    if word in _ARITHMETIC:
        return _ARITHMETIC[word](*args)
    if word in ("maximum", "minimum"):
        return b.intrinsic(word, *b.alike(*args))
    if word in COMPARISONS:
        floating = e.args[0].dtype is float32
        return args[0].compare((_FLOAT_WORDS if floating else _INTEGER_WORDS)[word], args[1])
    if word in LOGICAL:
        return args[0] ^ 1 if word == "not" else args[0] & args[1] if word == "and" else args[0] | args[1]
    if word == "where":
        return b.select(*args)
    if word == "cast":
        if e.dtype is bool_:
            return args[0].compare("une", 0.0)
        if e.dtype is int64:
            return b.cast("sext", args[0], "i64")
        return b.cast("uitofp" if e.args[0].dtype is bool_ else "sitofp", args[0], "float")
    raise NotImplementedError(word)


class Body:
    """Writes the body of a kernel, which has the parameters of the kernel, the partial sums, and a range of rows."""

    def __init__(self, b: Builder, plan: Plan, inputs: list[int], unroll: int):
        self.b, self.plan, self.unroll = b, plan, unroll
        places = b.args[:-3]
        self.pointers = dict(zip(inputs, places, strict=False))
        self.results = {id(e): p for e, p in zip(plan.outs, places[len(inputs):], strict=True)}
        self.partial, self.start, self.stop = b.args[-3:]
        self.known: dict[int, Value] = {}         # values per row or for all that are computed already
        self.row = b.integer(0)
        self.kept: dict[int, Value] = {}          # rows of values that a later pass needs again

    # ------------------------------------------------------------------ values

    def single(self, e: Element) -> Value:
        """A value per row, or for all."""
        found = self.known.get(id(e))
        if found is None:
            found = self.known[id(e)] = self._single(e)
        return found

    def _single(self, e: Element) -> Value:
        b = self.b
        if e.word == "constant":
            return b.constant(e.value, {bool_: "i1"}.get(e.dtype, STORED[e.dtype]))
        if e.word == "input":
            index = self.row if self.plan.kind(e) == ROW else b.integer(0)
            return self.loaded(b.load(self.pointers[e.value], index, STORED[e.dtype], one=True), e)
        if e.word == "shaped":
            return self.single(e.args[0])
        return computed(b, e, [self.single(a) for a in e.args])

    def loaded(self, value: Value, e: Element) -> Value:
        """What was loaded, in the form that is computed with: bools are bytes in memory."""
        return value.compare("ne", 0) if e.dtype is bool_ else value

    def vector(self, e: Element, index: Value, mask: Value | None, here: dict[int, Value], step: int) -> Value:
        """The values of some columns."""
        if self.plan.kind(e) in (ROW, ONE):
            return self.single(e)
        found = here.get(id(e))
        if found is None:
            found = here[id(e)] = self._vector(e, index, mask, here, step)
        return found

    def _vector(self, e: Element, index: Value, mask: Value | None, here: dict[int, Value], step: int) -> Value:
        b = self.b
        if e.word == "input":
            place = index + self.row * self.plan.columns if self.plan.kind(e) == FULL and not self.plan.flat else index
            return self.loaded(b.load(self.pointers[e.value], place, STORED[e.dtype], mask), e)
        if e.word == "constant":
            return self.single(e)
        if e.word == "index":
            return b.splat(index, b.vector_type("i64")) + b.lane_numbers("i64")
        if e.word == "shaped":
            return self.vector(e.args[0], index, mask, here, step)
        keep = self.kept.get(id(e))
        if keep is not None and step > self.plan.depth[id(e)]:
            return b.load(keep, index)
        value = computed(b, e, [self.vector(a, index, mask, here, step) for a in e.args])
        if keep is not None:
            b.store(value, keep, index)
        return value

    # ------------------------------------------------------------------ loops

    def write(self) -> None:
        """The whole body."""
        b, plan = self.b, self.plan
        for e in plan.elements:
            if plan.kind(e) == ONE and plan.depth[id(e)] == 0:
                self.single(e)
        if plan.flat:
            self.flat()
            return
        self.keep()
        sums = plan.column_sums()
        for k in range(len(sums)):
            b.columns(plan.columns, lambda i, mask, u, k=k: b.store(
                b.constant(0.0, b.vector_type("float")), self.partial, i + k * plan.columns, mask=mask))
        always = dict(self.known)
        with b.loop(self.start, self.stop) as self.row:
            self.known = dict(always)
            for step in range(plan.passes()):
                self.go_over(step)
            for e in plan.outs:
                if plan.kind(e) == ROW or (plan.kind(e) == ONE and plan.depth[id(e)]):
                    b.store(self.single(e), self.results[id(e)], self.row)
        self.known = always
        for e in plan.outs:
            if plan.kind(e) == ONE and not plan.depth[id(e)]:
                b.store(self.single(e), self.results[id(e)], 0)

    def flat(self) -> None:
        """Elements from start to stop."""
        def body(i: Value, mask: Value | None, u: int) -> None:
            at, here = i + self.start, dict[int, Value]()
            values = [self.vector(e, at, mask, here, 0) for e in self.plan.outs]
            for e, value in zip(self.plan.outs, values, strict=True):
                self.put(e, value, at, mask)
        self.b.columns(self.stop - self.start, body, self.unroll)

    def put(self, e: Element, value: Value, index: Value, mask: Value | None) -> None:
        """Store a vector of a result."""
        b = self.b
        value = b.splat(value, b.vector_type(value.scalar))
        if e.dtype is bool_:
            value = b.cast("zext", value, "i8")
        b.store(value, self.results[id(e)], index, STORED[e.dtype], mask)

    def keep(self) -> None:
        """Give a row of memory to costly values that are needed in the pass that computes them and again later."""
        b, plan = self.b, self.plan
        needed = [self.needed(step) for step in range(plan.passes())]
        for e in plan.elements:
            if (plan.kind(e) == FULL and e.dtype is float32 and e.word not in ("input", "index", "shaped")
                    and self.costly(e)):
                first = plan.depth[id(e)]
                direct = any(id(e) in needed[p] for p in range(first + 1, plan.passes()))
                if direct and id(e) in needed[first]:
                    place = b.fresh("%kept")
                    b.places.append(f"{place} = alloca [{plan.columns + b.width} x float], align 64")
                    self.kept[id(e)] = Value(b, place, "ptr")

    def costly(self, e: Element) -> bool:
        """Whether an element is worth keeping."""
        return e.word in COSTLY or any(self.plan.kind(a) == FULL and a.word != "input" and self.costly(a)
                                       for a in e.args)

    def ends(self, step: int) -> tuple[list[Element], list[Element], list[Element]]:
        """What a pass is for: reductions of the row, results, and sums of all rows."""
        plan = self.plan
        return ([e for e in plan.elements if plan.ends_pass(e) and plan.depth[id(e)] == step],
                [e for e in plan.outs if plan.kind(e) == FULL and plan.depth[id(e)] == step],
                [e for e in plan.column_sums() if plan.depth[id(e)] == step])

    def needed(self, step: int) -> set[int]:
        """The values per row and column that a pass needs."""
        reductions, outs, sums = self.ends(step)
        todo, found = [e.args[0] for e in (*reductions, *sums)] + outs, set[int]()
        while todo:
            e = todo.pop()
            if id(e) not in found and self.plan.kind(e) == FULL:
                found.add(id(e))
                todo += e.args
        return found

    def go_over(self, step: int) -> None:
        """One pass over the columns of a row."""
        b, plan = self.b, self.plan
        reductions, outs, sums = self.ends(step)
        if not (reductions or outs or sums):
            return
        order, first = plan.column_sums(), b.vector_type("float")
        gathered = {id(e): [b.variable(b.constant(_START[e.word], first)) for _ in range(self.unroll)]
                    for e in reductions}
        for e in plan.elements:               # before the loop, so that they are computed once
            if plan.kind(e) in (ROW, ONE) and plan.depth[id(e)] <= step and e.word not in REDUCTIONS:
                self.single(e)

        def body(i: Value, mask: Value | None, u: int) -> None:
            here: dict[int, Value] = {}
            for e in reductions:
                value = b.splat(self.vector(e.args[0], i, mask, here, step), first)
                if mask is not None:
                    value = b.select(mask, value, _START[e.word])
                _gather(b, e.word, gathered[id(e)][u], value)
            values = [self.vector(e, i, mask, here, step) for e in outs]
            for e in sums:
                place = i + order.index(e) * plan.columns
                value = b.splat(self.vector(e.args[0], i, mask, here, step), first)
                b.store(b.load(self.partial, place, mask=mask) + value, self.partial, place, mask=mask)
            for e, value in zip(outs, values, strict=True):
                self.put(e, value, i + self.row * plan.columns, mask)
        b.columns(plan.columns, body, self.unroll)
        for e in reductions:
            whole, *others = gathered[id(e)]
            for other in others:
                _gather(b, e.word, whole, other.get())
            self.known[id(e)] = b.across(e.word, whole.get())


def _gather(b: Builder, word: str, into: Variable, value: Value) -> None:
    """Add a vector to a reduction."""
    into.set(into.get() + value if word == "sum" else b.greatest(into.get(), value))


def partial_row(plan: Plan, width: int) -> int:
    """How many floats the partial sums of a thread take."""
    count = len(plan.column_sums()) * plan.columns
    return -(-count // width) * width + width if count else 0


def unrolled(plan: Plan, width: int) -> int:
    """How many vectors are computed at once."""
    unroll = 2 if any(e.word in COSTLY for e in plan.elements) else 4
    return 1 if not plan.flat and plan.columns < unroll * width else unroll


def computed_per_element(plan: Plan) -> float:
    """Nanoseconds per element on one thread, roughly."""
    known = choices()
    return sum([known.element_dear if e.word in COSTLY else known.element_cheap for e in plan.elements])


def emitted(plan: Plan, inputs: list[int], width: int) -> str:
    """The text of a kernel; `inputs` are the places of those that it reads, in the order of the table."""
    module = Module(width)
    count, row, unroll = len(inputs) + len(plan.outs), partial_row(plan, width), unrolled(plan, width)
    with module.function("body", ["ptr"] * (count + 1) + ["i64", "i64"], internal=True) as b:
        Body(b, plan, inputs, unroll).write()
    whole = plan.columns if plan.flat else plan.rows
    grain = width * unroll if plan.flat else 1

    def pointers(b: Builder) -> list[Value]:
        return [b.load(b.args[0], k, "ptr", one=True) for k in range(count + 1)]

    def finish(b: Builder, at: list[Value], threads: Value) -> None:
        for k, e in enumerate(plan.column_sums()):
            for out in plan.outs:
                if plain(out) is e:
                    add_rows(b, plan, at[-1], k, row, threads, at[len(inputs) + plan.outs.index(out)])
    with module.function("run", ["ptr"]) as b:
        at = pointers(b)
        b.call("body", [*at, b.integer(0), b.integer(whole)])
        finish(b, at, b.integer(1))
    with module.function("share", ["ptr"], internal=True) as b:
        at = pointers(b)
        thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                           for what in ("thread_num", "num_threads")]
        each = ((threads - 1) + -(-whole // grain)) / threads * grain
        start = thread * each
        stop, end = start + each, b.integer(whole)
        at[-1] = b.address(at[-1], thread * row, "float")
        b.call("body", [*at, b.select(start < end, start, end), b.select(stop < end, stop, end)])
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        b.call("GOMP_parallel", [Value(b, "@share", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])
        if row:
            finish(b, pointers(b), b.cast("sext", b.args[1], "i64"))
    return module.text()


def add_rows(b: Builder, plan: Plan, partial: Value, k: int, row: int, threads: Value, to: Value) -> None:
    """The sums of all threads' rows, in order."""
    def body(i: Value, mask: Value | None, u: int) -> None:
        total = b.variable(b.constant(0.0, b.vector_type("float")))
        with b.loop(0, threads) as t:
            total.set(total.get() + b.load(partial, t * row + i + k * plan.columns, mask=mask))
        b.store(total.get(), to, i, mask=mask)
    b.columns(plan.columns, body)
