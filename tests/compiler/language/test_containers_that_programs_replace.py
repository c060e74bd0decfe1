"""Containers that a program makes, keeps in an object from outside, and reads or changes there again."""

from __future__ import annotations

import collections
import copy
import types

import numpy as np
from outside import V


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def compiled_number_in_a_new_list(jit, make):
    o = types.SimpleNamespace(l=[])

    def f(x):
        o.l = [float(x.sum())]
        return x * o.l[-1]

    f = jit(f)
    yield f(make(V)), o.l, type(o.l[0])
    yield f(make([5.0])), o.l, type(o.l[0])


def compiled_tensor_in_a_new_dict(jit, make):
    d = {"state": None}

    def f(x):
        d["state"] = {"x": x * 2, "n": 1}
        d["state"]["n"] += 1
        return d["state"]["x"] * d["state"]["n"]

    f = jit(f)
    yield f(make(V))
    first = d["state"]
    yield f(make([5.0])), first, d["state"]


def case_new_list_that_grows(jit, make):
    o = types.SimpleNamespace(l=[0.0])

    def f(x):
        o.l = [float(x.sum()), *o.l[:1]]
        o.l.append(1.0)
        return x * o.l[0] * len(o.l)

    f = jit(f)
    yield f(make(V))
    first = o.l
    yield f(make([5.0])), first
    first.append(7)
    yield f(make(V)), first, o.l


def compiled_best_results(jit, make):
    o = types.SimpleNamespace(l=[2.0, 1.0])

    def f(x):
        o.l = [float(x.sum()), *o.l][:2]
        return x * o.l[-1]

    f = jit(f)
    for v in (1.0, 3.0, 2.0):
        yield f(make([v])), o.l


def case_sorted_results(jit, make):
    o = types.SimpleNamespace(l=[])

    def f(x):
        o.l = sorted([*o.l, float(x.sum())], reverse=True)[:2]
        return x * o.l[-1]

    f = jit(f)
    for v in (1.0, 3.0, 2.0, 0.0):
        yield f(make([v])), o.l


def compiled_new_deque(jit, make):
    o = types.SimpleNamespace(q=collections.deque([1], 3))

    def f(x):
        o.q = collections.deque(o.q, 3)
        o.q.append(x.sum())
        return x * o.q[-1] * len(o.q)

    f = jit(f)
    yield f(make(V))
    first = o.q
    yield f(make([2.0])), first, o.q


def case_new_object(jit, make):
    class State:
        def __init__(self, n):
            self.n = n

    o = types.SimpleNamespace(s=State(0))

    def f(x):
        o.s = State(o.s.n + 1)
        o.s.n += 10
        return x * o.s.n

    f = jit(f)
    yield f(make(V))
    first = o.s
    yield f(make(V)), first.n, o.s.n, first is o.s


RECENT = [0]


def case_new_list_of_the_module(jit, make):
    def f(x):
        global RECENT
        RECENT = [len(RECENT), *RECENT]
        RECENT.append(float(x.sum()))
        return x * len(RECENT)

    global RECENT
    RECENT = [0]
    f = jit(f)
    yield f(make(V))
    first = RECENT
    yield f(make(V)), first, RECENT, first is RECENT


def compiled_element_that_stays_beside_a_change(jit, make):
    class Counted:
        n = 0

    held = [Counted(), 1]

    def f(x):
        held[1] = held[1] + 1
        held[0].n = held[0].n + 1
        return x * held[0].n * held[1]

    f = jit(f)
    yield f(make(V)), held[0].n, held[1]
    yield f(make(V)), held[0].n, held[1]


def compiled_list_that_stays_beside_a_change(jit, make):
    d = {"a": [[1]], "k": 0}

    def f(x):
        d["k"] = d["k"] + 1
        d["a"][0].append(2)
        d["a"].append(3)
        return x * len(d["a"][0]) * len(d["a"])

    f = jit(f)
    yield f(make(V)), d
    yield f(make(V)), d


def case_list_replaced_in_one_branch(jit, make):
    o = types.SimpleNamespace(l=[1])

    def f(x):
        if x.sum() > 0:
            o.l = [5]
        o.l.append(2)
        return x * len(o.l)

    f = jit(f)
    for v in (1.0, -1.0, -1.0):
        yield f(make([v])), list(o.l)


def compiled_new_set(jit, make):
    o = types.SimpleNamespace(s=set())

    def f(x):
        o.s = o.s | {len(o.s)}
        o.s.add(100)
        return x * len(o.s)

    f = jit(f)
    yield f(make(V))
    first = o.s
    yield f(make(V)), first, o.s
    first.add(50)
    yield f(make(V)), first, o.s


def compiled_set_that_is_returned(jit, make):
    f = jit(lambda x: (x, {1, 2}))
    f(make(V))[1].add(3)
    yield f(make(V))[1]
    yield f(make(V))[1]


def case_set_that_is_kept_twice(jit, make):
    o = types.SimpleNamespace(a=None, b=None)

    def f(x):
        o.a = o.b = {1}
        return x

    f = jit(f)
    f(make(V))
    o.a.add(2)
    yield o.b
    yield f(make(V)), o.a is o.b


def compiled_deep_copy_of_a_tensor(jit, make):
    o = types.SimpleNamespace(t=make(V))

    def f(x):
        before = copy.deepcopy(o.t)
        o.t = o.t + x
        return before * x

    f = jit(f)
    yield f(make(V)), o.t
    yield f(make(V)), o.t


def case_deep_copy_of_a_list_of_tensors(jit, make):
    held = [make(V), [make(V)]]

    def f(x):
        return [v * x for v in (copy.deepcopy(held)[0], copy.deepcopy(held)[1][0])]

    f = jit(f)
    yield f(make(V))
    held[0][...] = 5.0
    held[1][0] = make([7.0, 8.0])
    yield f(make(V))


def case_deep_copy_of_an_object_with_a_tensor(jit, make):
    o = types.SimpleNamespace(t=make(V), held=[make(V)])
    f = jit(lambda x: copy.deepcopy(o).t * x + copy.deepcopy(o).held[0])
    yield f(make(V))
    o.t[...] = 5.0
    yield f(make(V))
    o.t, o.held[0] = make([7.0, 8.0]), make([1.0, 0.0])
    yield f(make(V))


def case_optimizer_made_inside(jit, make):
    w = make(V)

    def f(x):
        from mindspore import Parameter, nn
        if isinstance(x, np.ndarray):
            return w - 0.5 * x
        p = Parameter(w.copy(), name="w")
        nn.SGD([p], learning_rate=0.5)((x,))
        return p.value()

    f = jit(f)
    yield f(make(V))
    yield f(make([3.0, 4.0]))
