# ruff: noqa  # programs as users write them
"""Changes in place in functions that are graphs of their own, in conditions of loops and in gradients."""

from __future__ import annotations

import pytest

from mindspore import Parameter, Tensor, float64, grad, jit, nn, ops

V, W = [1.0, -2.0, 4.0], [0.5, 2.0, -1.0]
WHOLE = """
test_changes test_changes2 test_changes3 test_print test_changes_for if_test ifexp grad_inside grad_inside2
grad_inside3 grad_inside4 second view_change split copy iadd list_iadd box_iadd relu_inplace
""".split()


def test_both_modes_agree(program, agree):
    agree(program)


class Cust(nn.Cell):
    def construct(self, v):
        v.add_(1)
        return v * 2

    def bprop(self, v, out, dout):
        return (dout * 2,)


cust = Cust()


def program_custom(x=V, w=W):
    y = x * 1
    z = cust(y)
    return y, z


class Ident(Cust):
    def construct(self, v):
        return v


ident = Ident()


def program_custom_ident(x=V, w=W):
    y = x * 1
    z = ident(y)
    z.add_(1)
    return y, z


def program_recursive(x=V, w=W):
    def f(v):
        v.add_(1)
        if v.sum() > 5:
            return v
        return f(v)
    y = x * 1
    z = f(y)
    return y, z


def program_recursive2(x=V, w=W):
    def f(v, k):
        if v.sum() > 5:
            return v
        return f(v + 1, k)
    y = x * 1 + 10
    z = f(y, 3)
    z.add_(1)
    return y, z


def program_recursive3(x=V, w=W):
    c = w * 1

    def f(v):
        if v.sum() > 5:
            return c
        return f(v + 1)
    z = f(x)
    z.add_(1)
    return c, z


def program_recursive4(x=V, w=W):
    def f(v):
        if v.sum() > 5:
            return v, v
        return f(v + 1)
    y, z = f(x)
    z.add_(1)
    return y, z


def program_recursive5(x=V, w=W):
    items = [x * 1]

    def f(v):
        if v.sum() > 5:
            return v
        items[0] = items[0] + 1
        return f(v + 1)
    z = f(x)
    return z, items[0]


def program_test_changes(x=V, w=W):
    t = x * 1
    k = 0
    while t.add_(1).sum() < 9:
        k += 1
    return t, k


def program_test_changes2(x=V, w=W):
    items = [x * 1]

    def more():
        items[0] = items[0] + 1
        return items[0].sum() < 9
    k = 0
    while more():
        k += 1
    return items[0], k


def program_test_changes3(x=V, w=W):
    n = 0

    def more():
        nonlocal n
        n = n + 1
        return x.sum() + n < 9
    k = 0
    while more():
        k += 1
    return x * n, k


def program_test_print(x=V, w=W):
    k = 0

    def more():
        print("more", k)
        return x.sum() + k < 4
    while more():
        k += 1
    return x * k


def program_test_changes_for(x=V, w=W):
    def more(v):
        v.add_(1)
        return v.sum() < 9
    t = x * 1
    for i in range(4):
        if not more(t):
            break
    return t


def program_if_test(x=V, w=W):
    t = x * 1
    if t.add_(1).sum() > 1 and t.add_(1).sum() > 2 or t.mul_(3).sum() > 2:
        t.add_(5)
    return t


def program_ifexp(x=V, w=W):
    t = x * 1
    return (t.add_(1) if x.sum() > 0 else t.mul_(2)) + t


def program_grad_inside(x=V, w=W):
    def f(v):
        v2 = v * 1
        v2.add_(w)
        return (v2 * v2).sum()
    return grad(f)(x) + x


def program_grad_inside2(x=V, w=W):
    y = w * 1

    def f(v):
        y.add_(v)
        return (y * v).sum()
    g = grad(f)(x)
    return g, y


def program_grad_inside3(x=V, w=W):
    items = [w * 1]

    def f(v):
        items[0] = items[0] + v
        return (items[0] * v).sum()
    g = grad(f)(x)
    return g, items[0]


def program_grad_inside4(x=V, w=W):
    def f(v):
        v.add_(1)
        return (v * v).sum()
    y = x * 1
    g = grad(f)(y)
    return g, y


def program_second(x=V, w=W):
    def f(v):
        k = 0
        while v.sum() < 3 and k < 3:
            v = v * v + w
            k += 1
        return (v * v * v).sum()
    return grad(lambda v: (grad(f)(v) * w).sum())(x)


def program_value_and_grad(x=V, w=W):
    def f(v, u):
        return (v * u).sum(), v
    (l, aux), g = ops.value_and_grad(f, (0, 1), has_aux=True)(x, w)
    aux.add_(1)
    return l, aux, g[0], x * 1


def program_view_change(x=V, w=W):
    y = x * 1
    v = y[:2]
    v.add_(1)
    return v


def program_views_chain(x=V, w=W):
    y = ops.stack([x, w])
    for row in y:
        row.add_(1)
    return y


def program_views_chain2(x=V, w=W):
    y = ops.stack([x, w])
    y[0].add_(1)
    y[0][1] = 5
    return y


def program_T(x=V, w=W):
    y = ops.stack([x, w])
    y.T[0] = 7
    return y


def program_split(x=V, w=W):
    y = ops.stack([x, w])
    a, b = y.split(1)
    a.add_(1)
    return a


def program_split2(x=V, w=W):
    y = ops.stack([x, w])
    a, b = y.unbind(0)
    a.add_(1)
    return b


def program_float(x=V, w=W):
    y = x.astype(float64)
    y.add_(1)
    return x * 1, y


def program_copy(x=V, w=W):
    y = x.copy()
    y.add_(1)
    z = x.clone() if hasattr(x, "clone") else x.copy()
    z.add_(2)
    return x * 1, y, z


def program_iadd(x=V, w=W):
    y = x * 1
    z = y
    y += w
    y[0] += 1
    return y, z


def program_list_iadd(x=V, w=W):
    items = [x * 1, w * 1]
    a = items[0]
    items[0] += 1
    items[0][1] += 1
    return items, a


def program_box_iadd(x=V, w=W):
    d = {"k": x * 1}
    a = d["k"]
    d["k"] -= 1
    d["k"][0] *= 3
    return d, a


def program_stop(x=V, w=W):
    y = ops.stop_gradient(x)
    y.add_(1)
    return y


def program_stop2(x=V, w=W):
    t = x * 1
    y = ops.stop_gradient(t)
    y.add_(1)
    return y, t


def program_relu_inplace(x=V, w=W):
    y = x * 1
    z = ops.relu(y)
    z.mul_(2)
    return y, z


class Holder:
    kept = None


HOLDER = Holder()
FIRST = Parameter(Tensor([1.0, 2.0, 3.0], float64), name="first")
OTHER = Parameter(Tensor([3.0, 2.0, 1.0], float64), name="other")


def program_attribute_is_a_parameter(x=V, w=W):
    HOLDER.kept = FIRST
    return HOLDER.kept * x


def program_attribute_is_replaced(x=V, w=W):
    HOLDER.kept = FIRST
    if x.sum() > 0:
        HOLDER.kept = x * 1
    return HOLDER.kept * 1


def program_condition_chooses_a_parameter(x=V, w=W):
    chosen = FIRST if x.sum() > 0 else OTHER
    chosen.set_data(chosen + 1)
    return x * 1


@pytest.mark.parametrize("function", [program_attribute_is_a_parameter, program_attribute_is_replaced])
def test_plain_objects_hold_the_parameter_itself_at_every_call(function):
    compiled, before = jit(function), FIRST.asnumpy().tolist()
    for values in (V, [-5.0, 1.0, 1.0], V):
        found = []
        for run in (function, compiled):
            HOLDER.kept = None
            run(Tensor(values, float64), Tensor(W, float64))
            found.append((HOLDER.kept is FIRST, HOLDER.kept.asnumpy().tolist()))
        assert found[0] == found[1]
    assert FIRST.asnumpy().tolist() == before
