"""Sizes that differ between runs: what is computed with them holds for all sizes that fulfil the conditions."""
from __future__ import annotations

import itertools
import operator
import random

import pytest

import mindspore as ms
from mindspore import ops
from mindspore.ir import Aval, Node, param
from mindspore.ir.build import (
    Building,
    apart,
    begin,
    emit,
    emit_items,
    end,
    loc_frame,
    noted,
    recording,
)
from mindspore.ir.graph import Graph, Loc
from mindspore.ir.origin import Origin
from mindspore.ir.polynomials import (
    Atom,
    bounds_of,
    divided,
    hint_of,
    plus,
    substituted,
    text_of,
    times,
)
from mindspore.ir.runtime import runtime
from mindspore.ir.sizes import Sizes, symbols_of, valued
from mindspore.ir.verify import verify
from mindspore.operators.registry import REGISTRY

VALUES = [(a, b, c) for a in (1, 2, 3, 5, 8, 12) for b in (1, 2, 4, 7) for c in (1, 3, 6)]
BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod}


def expression(draw, depth):
    """A random expression of `a`, `b`, `c` and numbers, as a text."""
    if not depth or draw.random() < 0.2:
        return draw.choice(["a", "b", "c", "a", "b", "2", "3", "4", "-1", "5"])
    if draw.random() < 0.1:
        return f"({expression(draw, depth - 1)}) ** 2"
    if draw.random() < 0.1:
        return f"(-({expression(draw, depth - 1)}))"
    return f"({expression(draw, depth - 1)} {draw.choice(list(BINARY))} {expression(draw, depth - 1)})"


def held_by(env, values):
    """Whether the conditions of a program hold for these extents."""
    fits = env.fits()
    return fits is None or fits([(n,) for n in values])


@pytest.mark.parametrize("seed", range(36))
def test_what_is_computed_from_sizes_is_right_wherever_the_conditions_hold(seed):
    draw = random.Random(seed)
    text = expression(draw, 4)
    for hints in draw.sample(VALUES, 2):
        env = Sizes()
        try:
            with env.compiling():
                a, b, c = [env.extent(k, 0, n, False) for k, n in enumerate(hints)]
                found = eval(text, {"a": a, "b": b, "c": c})
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                eval(text, dict(zip("abc", hints, strict=True)))
            continue
        others = [v for v in VALUES if held_by(env, v)]
        assert hints in others
        for values in others:
            at = dict(zip("abc", values, strict=True))
            assert valued(found, lambda atom, v=values: v[atom.where[0]]) == eval(text, at), (text, values)
            if type(found) is not int:
                low, high = found.bounds()
                assert low <= eval(text, at) <= high


@pytest.mark.parametrize("seed", range(24))
def test_answers_about_sizes_are_conditions_under_which_they_hold(seed):
    draw = random.Random(1000 + seed)
    tests = [f"{expression(draw, 2)} {draw.choice(['==', '!=', '<', '<=', '>', '>='])} {expression(draw, 2)}"
             for _ in range(4)]
    after = expression(draw, 3)
    hints = draw.choice(VALUES)
    env = Sizes()
    try:
        with env.compiling():
            names = {n: env.extent(k, 0, v, False) for k, (n, v) in enumerate(zip("abc", hints, strict=True))}
            answers = [bool(eval(test, names)) for test in tests]
            assert [bool(eval(test, names)) for test in tests] == answers
            found = eval(after, names)
    except ZeroDivisionError:
        return
    assert answers == [eval(t, dict(zip("abc", hints, strict=True))) for t in tests]
    wider = list(itertools.product(range(1, 9), repeat=3))
    for values in [v for v in wider if held_by(env, v)]:
        at = dict(zip("abc", values, strict=True))
        assert [eval(t, at) for t in tests] == answers, (tests, values)
        assert valued(found, lambda atom, v=values: v[atom.where[0]]) == eval(after, at)


@pytest.mark.parametrize("text", [
    "a / b", "1 / a", "(a + 1) / 4", "2.5 * a", "a * 2.5 - b", "1.5 - a", "a ** 0.5", "2.0 ** a", "-(a / b)",
    "abs(b / a - 1.5)", "(a / b) ** 2 / 3.0", "a + 0.5", "0.5 + a", "1e400 * a"])
def test_floats_of_sizes_are_those_of_every_run(text):
    env = Sizes()
    with env.compiling():
        a, b = env.extent(0, 0, 4, False), env.extent(1, 0, 6, False)
        found = eval(text, {"a": a, "b": b, "abs": abs})
        assert isinstance(found, float)
    for values in itertools.product((1, 2, 4, 7), (1, 6, 9)):
        if held_by(env, values):
            wanted = eval(text, dict(zip("ab", values, strict=True)))
            assert valued(found, lambda atom, v=values: v[atom.where[0]]) == pytest.approx(wanted, rel=1e-15)


def test_sizes_divide_where_no_size_is_zero_and_never_by_one_that_is():
    env = Sizes()
    with env.compiling():
        a, b = env.extent(0, 0, 4, False), env.extent(1, 0, 4, False)
        for wrong in (lambda: a // (b - a), lambda: a % 0, lambda: a / (a - a), lambda: a // (b - 4),
                      lambda: 3 // (a - b)):
            with pytest.raises(ZeroDivisionError):
                wrong()


# ---------------------------------------------------------------------- polynomials

S, T, U = [Atom(name, hint, k) for k, (name, hint) in enumerate([("s", 3), ("t", 5), ("u", 2)])]


def poly(draw):
    """A random polynomial."""
    monos = [(), (S,), (T,), (S, T), (S, S), (S, T, U)]
    return {m: draw.choice([-3, -2, -1, 1, 2, 4]) for m in draw.sample(monos, draw.randint(1, 4))}


def at(p, values):
    """The value of a polynomial."""
    total = 0
    for mono, factor in p.items():
        for atom in mono:
            factor *= values[atom.text]
        total += factor
    return total


@pytest.mark.parametrize("seed", range(40))
def test_polynomials_are_added_multiplied_and_put_in_as_numbers_are(seed):
    draw = random.Random(seed)
    p, q, r = poly(draw), poly(draw), poly(draw)
    one = {draw.choice([(S,), (S, T), (T, T), ()]): draw.choice([-2, -1, 1, 3])}
    for values in ({"s": 3, "t": 5, "u": 2}, {"s": -2, "t": 7, "u": 1}, {"s": 10, "t": 0, "u": -4}):
        assert at(plus(p, q), values) == at(p, values) + at(q, values)
        assert at(plus(p, q, -1), values) == at(p, values) - at(q, values)
        assert at(times(p, q), values) == at(times(q, p), values) == at(p, values) * at(q, values)
        inside = {k: v for k, v in values.items() if k != "s"}
        free = {m: f for m, f in r.items() if S not in m}
        assert at(substituted(p, {S: free}), values) == at(p, {**inside, "s": at(free, values)})
        both = {S: {(T,): 2, (): 1}, T: {(U,): -1}}
        u = values["u"]
        assert at(substituted(p, both), values) == at(p, {"u": u, "t": -u, "s": -2 * u + 1})
        assert eval(text_of(p), values) == at(p, values)
        product = divided(times(p, one), one)
        assert product is not None
        assert at(product, values) == at(p, values)
    assert hint_of(p) == at(p, {"s": 3, "t": 5, "u": 2})
    low, high = bounds_of(p)
    assert all(low <= at(p, {"s": s, "t": t, "u": 1}) <= high for s in range(4) for t in range(4))


def test_only_one_term_that_divides_every_term_divides():
    assert divided({(S,): 4, (): 2}, {(): 2}) == {(S,): 2, (): 1}
    assert divided({(S, S): 6, (S, T): 3}, {(S,): 3}) == {(S,): 2, (T,): 1}
    for a, b in (({(S,): 4, (): 3}, {(): 2}), ({(S,): 1}, {(S, S): 1}), ({(S,): 1}, {(S,): 1, (): 1}),
                 ({(S,): 1}, {(T,): 1}), ({(S, S): 1}, {(S,): 1, (T,): 1})):
        assert divided(a, b) is None
    assert text_of({(S,): -1, (T,): 1, (): -3}) == "-1*s + t - 3"


# ---------------------------------------------------------------------- graphs that are built

X = Aval((2,), ms.float32)


def test_what_is_emitted_carries_the_line_the_origin_and_the_block():
    add, loc = REGISTRY[ops.Add.__name__], Loc("a.py", 3, "f", None)
    outer, inner = [], []
    before = runtime.loc, runtime.origin, list(runtime.blocks), runtime.building

    def fails():
        runtime.loc = None
        raise KeyError
    with recording(outer), loc_frame():
        runtime.loc = loc
        x = param(X)
        one = noted({"stage": 2}, lambda: emit(add, (x, x), {}, X))
        with recording(inner):
            two, three = emit_items(add, (x, one), {}, (X, X))
        four = emit(add, (x, one), {}, X)
        with pytest.raises(KeyError), loc_frame():
            noted({"stage": 3}, fails)
        five = emit(add, (x, x), {}, X)
    assert (runtime.loc, runtime.origin, list(runtime.blocks), runtime.building) == before
    assert [n.loc for n in (x, one, two, four, five)] == [loc] * 5
    assert [n.origin.notes.get("stage") for n in (one, two, four, five)] == [2, None, None, None]
    assert outer == [one, four, five]
    assert inner == [two.inputs[0], two, three]
    assert [n.block for n in (one, four, five)] == [id(outer)] * 3
    assert [n.block for n in inner] == [id(inner)] * 3


def test_a_compilation_apart_sees_nothing_of_the_one_around_it_and_gives_all_back():
    around = Building()
    outer = begin(around)
    try:
        with recording([]) as nodes:
            state = runtime.trace, runtime.blocks, runtime.loc, runtime.changing, runtime.origin
            runtime.origin = Origin(("Net",))
            with pytest.raises(KeyError), apart(Building(), "trace"):
                fails(around)
            assert runtime.origin.scope == ("Net",)
            assert runtime.building is around
            assert runtime.blocks[-1] is nodes
            runtime.origin = state[-1]
            assert (runtime.trace, runtime.blocks, runtime.loc, runtime.changing, runtime.origin) == state
    finally:
        end(around, outer)
    assert runtime.building is outer


def fails(around):
    """End a compilation by an error, after a look at its state."""
    assert (runtime.trace, runtime.blocks, runtime.loc, runtime.changing) == ("trace", [], None, False)
    assert runtime.building is not around
    assert runtime.origin.scope == ()
    runtime.origin = Origin(("Other",))
    raise KeyError


def broken(change):
    """A sound graph with one thing changed in it."""
    split, neg, x = REGISTRY[ops.Split.__name__], REGISTRY["Neg"], Node(None, (), {}, Aval((4,), ms.float32))
    parts = Node(split, (x,), {"axis": 0, "output_num": 2}, (X, X))
    items = parts.with_items()
    one = Node(neg, (items[1],), {}, X)
    graph = Graph("net", [x], [parts, *items, one], [one, items[0]])
    change(graph, parts, items, one)
    return graph


@pytest.mark.parametrize(("change", "said"), [
    (lambda g, p, i, n: g.nodes.reverse(), "neither a parameter nor an earlier node"),
    (lambda g, p, i, n: g.nodes.__setitem__(slice(None), [m for m in g.nodes if m is not i[1]]),
     "neither a parameter nor an earlier node"),
    (lambda g, p, i, n: g.outs.append(Node(n.op, (i[0],), {}, X)), "a result is no node"),
    (lambda g, p, i, n: setattr(i[1], "aval", Aval((3,), ms.float32)), "result 1 is"),
    (lambda g, p, i, n: setattr(p, "items", p.items[:1]), "its owner does not know it"),
    (lambda g, p, i, n: setattr(n, "aval", Aval((2,), ms.float16)), "the operator's rule says"),
    (lambda g, p, i, n: g.params.clear(), "neither a parameter nor an earlier node")])
def test_a_graph_with_one_wrong_thing_is_refused(change, said):
    verify(broken(lambda *_: None))
    with pytest.raises(ValueError, match=said):
        verify(broken(change))


def test_symbols_are_found_wherever_sizes_stand():
    env = Sizes()
    with env.compiling():
        a, b = env.extent(0, 0, 4, False), env.extent(1, 0, 6, False)
        for value, wanted in ((a, {"s0"}), ((1, [b, "x"]), {"s1"}), (slice(a, None, b), {"s0", "s1"}),
                              (a / b, {"s0", "s1"}), (a // b, {"s0", "s1"}), ((Aval((a, 3), ms.float32),), {"s0"}),
                              (3, set())):
            assert {s.text for s in symbols_of(value, set())} == wanted
