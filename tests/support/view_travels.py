"""Views that travel through containers, functions, objects and loops, and are changed there."""
from __future__ import annotations

from dataclasses import dataclass


def rows_of_a_list_by_index(lib, y):
    rows = [y[0], y[1]]
    for i in range(2):
        rows[i].mul_(rows[1 - i] * 1.0)
    return y


def list_of_views_then_base(lib, y):
    views = [y[:, j] for j in range(3)]
    y.add_(1.0)
    return lib.stack(views)


def running_sum_of_rows(lib, y):
    for i in range(1, 2):
        y[i].add_(y[i - 1])
    return y * y


def running_columns(lib, y):
    for j in range(1, 3):
        y[:, j].add_(y[:, j - 1] * 0.5)
    return y


def columns_swapped(lib, y):
    first = y[:, 0] * 1.0
    y[:, 0] = y[:, 2]
    y[:, 2] = first
    return y * y[:, :1]


def columns_swapped_without_copy(lib, y):
    first = y[:, 0]
    y[:, 0] = y[:, 2]
    y[:, 2] = first
    return y


def dict_of_views(lib, y):
    parts = {name: y[i] for i, name in enumerate(("a", "b"))}
    for part in parts.values():
        part.mul_(2.0)
    parts["a"].add_(parts["b"])
    return y


def tuple_of_views(lib, y):
    pair = (y[0], y[1])
    a, b = pair
    a.sub_(b)
    return pair[0] * pair[1]


@dataclass
class Parts:
    head: object
    tail: object


def views_in_a_dataclass(lib, y):
    parts = Parts(y[:, :1], y[:, 1:])
    parts.tail.mul_(parts.head * 1.0)
    parts.head.add_(1.0)
    return y


def base_in_a_dataclass(lib, y):
    parts = Parts(y, y[0])
    parts.head.mul_(3.0)
    return parts.tail


class Holder:
    def __init__(self, x):
        self.x, self.row = x, x[1]

    def double(self):
        self.row.mul_(2.0)

    def shift(self):
        self.x.add_(1.0)


def views_in_attributes(lib, y):
    held = Holder(y)
    held.double()
    held.shift()
    held.double()
    return held.x + held.row


def attribute_is_replaced(lib, y):
    held = Holder(y)
    held.row = held.row * 2.0
    held.double()
    held.shift()
    return held.row * held.x


def first_row(y):
    return y[0]


def view_given_back(lib, y):
    row = first_row(y)
    row.mul_(4.0)
    return y


def view_given_back_after(lib, y):
    row = first_row(y)
    y.mul_(4.0)
    return row


def triple(v):
    v.mul_(3.0)


def view_is_an_argument(lib, y):
    triple(y[1])
    triple(y[:, 0])
    return y


def base_is_an_argument(lib, y):
    v = y[1]
    triple(y)
    return v * v


def added(v, other):
    v.add_(other)
    return v


def returned_is_the_argument(lib, y):
    out = added(y[0], y[1])
    out.mul_(2.0)
    return y


def chained_calls(lib, y):
    added(added(y[0], 1.0), y[1] * 1.0).mul_(2.0)
    return y


def closure_changes_a_view(lib, y):
    v = y[1]

    def change(by):
        v.mul_(by)
    change(2.0)
    change(3.0)
    return y


def closure_reads_a_view(lib, y):
    v = y[1]

    def read():
        return v * 2.0
    before = read()
    y.add_(1.0)
    return before + read()


def closure_nonlocal(lib, y):
    v = y[0]

    def step():
        nonlocal v
        v.mul_(2.0)
        v = y[1]
    step()
    step()
    return y * v


def recursion(lib, y):
    def halves(v):
        if v.shape[0] > 1:
            middle = v.shape[0] // 2
            halves(v[:middle])
            halves(v[middle:])
            v.mul_(2.0)
        else:
            v.add_(1.0)
    halves(y.reshape((6,)))
    return y


def generator_of_views(lib, y):
    def rows():
        for i in range(2):
            yield y[i]
    for row in rows():
        row.mul_(y[0] * 1.0)
    return y


def comprehension_of_changes(lib, y):
    return lib.stack([y[i].add_(float(i)) for i in range(2)]) * y


def zipped_views(lib, y):
    for a, b in zip([y[0, :2], y[1, :2]], [y[0, 1:], y[1, 1:]], strict=True):
        a.mul_(b * 1.0)
    return y


def enumerated_rows(lib, y):
    for i, row in enumerate(lib.rows(y)):
        row.mul_(i + 2.0)
    return y * y[0]


def sorted_by_name(lib, y):
    parts = {"b": y[0], "a": y[1]}
    for name in sorted(parts):
        parts[name].mul_(parts["a"] * 1.0)
    return y


def while_on_numbers(lib, y):
    v, k = y[0], 0
    while k < 3:
        v.add_(y[1])
        k += 1
    return y


def loop_rebinds_the_view(lib, y):
    v = y[0]
    for j in range(2):
        v.mul_(2.0)
        v = y[1, j:]
    v.add_(1.0)
    return y


def loop_rebinds_the_base(lib, y):
    v = y[0]
    for _ in range(2):
        y = y * 2.0
        v.mul_(3.0)
    return y * v


def loop_of_changes_of_a_fresh_tensor(lib, y):
    out = lib.zeros(2, 3)
    for i in range(2):
        for j in range(3):
            out[i, j] = y[i, j] * y[i, 0]
    return out


def filled_column_by_column(lib, y):
    out = lib.zeros(3, 2)
    for j in range(3):
        out[j].copy_(y[:, j])
    return out * out[0]


def accumulated_in_a_row(lib, y):
    out = lib.zeros(2, 3)
    total = out[0]
    for i in range(2):
        total.add_(y[i] * y[i])
    return out


def state_of_a_cell(lib, y):
    state = lib.zeros(3)
    states = []
    for i in range(2):
        state = lib.tanh(state + y[i])
        states.append(state)
    states[0].mul_(2.0)
    return lib.stack(states)


def augmented_row(lib, y):
    y[0] += y[1]
    y[1] *= y[0]
    return y


def augmented_element(lib, y):
    v = y.reshape((6,))
    y[0, 1] -= y[1, 1]
    y[1, 2] /= 2.0
    return v


def alias_by_name(lib, y):
    z = y
    v = z[0]
    z.mul_(2.0)
    y[1] = v
    return z


def conditional_expression(lib, y):
    v = y[0] if y.shape[0] == 2 else y[1]
    v.mul_(3.0)
    return y


def condition_on_elements(lib, y):
    v = y[0]
    if lib.number(y.sum()) > 3.0:
        v.mul_(2.0)
    else:
        y[1].add_(1.0)
    return y * v


def condition_chooses_the_view(lib, y):
    v = y[0] if lib.number(y.sum()) > 3.0 else y[1]
    v.add_(1.0)
    return y


def early_return(lib, y):
    v = y[1]
    v.mul_(2.0)
    if lib.number(v[0]) > 0.0:
        return y
    return v


def with_a_default(lib, y, by=3.0):
    v = y[:, 1:]
    v.mul_(by)
    return y


def unpacked_star(lib, y):
    first, *rest = [y[:, j] for j in range(3)]
    for v in rest:
        v.mul_(first * 1.0)
    return y


def lambda_changes(lib, y):
    change = lambda v: v.mul_(2.0)      # noqa: E731  # a program with one
    change(y[0])
    change(y[:, 0])
    return y


def try_and_finally(lib, y):
    v = y[0]
    try:
        v.mul_(2.0)
    finally:
        v.add_(1.0)
    return y


def value_is_changed(lib, y):
    v = lib.value(y)
    v.mul_(2.0)
    return y


def value_after_a_change(lib, y):
    v = lib.value(y)
    y.mul_(2.0)
    return v
