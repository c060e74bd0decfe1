"""What is computed before and after changes in place, and what must not follow them."""
from __future__ import annotations


def overwritten(lib, y):
    v = y[0]
    y.fill_(3.0)
    return v


def partly_overwritten(lib, y):
    v = y.reshape((6,))
    y[0].zero_()
    return v


def detached_value(lib, y):
    d = lib.detach(y)
    y.mul_(2.0)
    return d * y


def detached_changed(lib, y):
    lib.detach(y).mul_(2.0)
    return y


def detached_view(lib, y):
    d = lib.detach(y[0])
    y.add_(1.0)
    return y[1] * d


def detached_source(lib, y):
    y[0].copy_(lib.detach(y[1]))
    return y


def twice(lib, y):
    v = y[0]
    v.mul_(2.0)
    y.add_(1.0)
    v.mul_(y[1])
    return y + v


def many_times(lib, y):
    v = y.reshape((6,))
    for i in range(4):
        v[i:i + 2].mul_(float(i + 1))
    return y


def by_variable(lib, y):
    scale = y[1] * 1.0
    y[0].mul_(scale)
    return y


def saved_before(lib, y):
    z = y * y
    v = y[0]
    v.mul_(2.0)
    return z + y


def saved_result_before(lib, y):
    z = lib.tanh(y)
    v = z[0]
    v.mul_(2.0)
    return z


def saved_but_not_needed(lib, y):
    z = y + y
    v = y[0]
    v.mul_(2.0)
    return z * y


def saved_view_before(lib, y):
    z = y[0] * y[1]
    y.add_(1.0)
    return z


def saved_after(lib, y):
    v = y[0]
    v.mul_(2.0)
    return v * y * y[1]


def masked(lib, y):
    v = y.reshape((6,))
    y.masked_fill_(y > 1.2, 0.5)
    return v


def clamped(lib, y):
    v = y[1]
    y.clamp_(1.0, 2.0)
    return v * y[0]


def copied_from_other(lib, y):
    other = y * 3.0
    v = y[1]
    y.copy_(other)
    return v * other[0]


def alone(lib, y):
    y.add_(1.0)
    y.mul_(2.0)
    return y


def subtracted(lib, y):
    a = y[:, 0]
    b = y[:, 1]
    a.sub_(b)
    b.sub_(a)
    return y


def divided(lib, y):
    y[1].div_(y[0] * 1.0)
    return y


def behind_a_condition(lib, y):
    v = y[0]
    if lib.number(y[0, 0]) < 1.0:
        v.mul_(3.0)
    return y
