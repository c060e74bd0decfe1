"""Rows and elements of a tensor, changed one by one."""
from __future__ import annotations


def base_by_row(lib, y):
    y[0].mul_(3.0)
    return y


def row_after_base(lib, y):
    v = y[1]
    y.mul_(2.0)
    return v


def row_after_item(lib, y):
    v = y[1]
    y[1] = 7.0
    y[0] = v
    return y * v


def item_of_itself(lib, y):
    y[0] = y[1] * 2.0
    return y


def item_shift(lib, y):
    y[:, 1:] = y[:, :2] * 1.0
    return y


def rows_in_a_list(lib, y):
    rows = [y[i] for i in range(2)]
    for i, row in enumerate(rows):
        row.mul_(i + 2.0)
    return y


def rows_of_a_loop(lib, y):
    total = y[0] * 0.0
    for row in lib.rows(y):
        row.add_(1.0)
        total = total + row
    return total * y[1]


def rows_kept(lib, y):
    rows = lib.rows(y)
    y.mul_(2.0)
    return rows[0] + rows[1]


def rows_in_a_dict(lib, y):
    parts = {"first": y[0], "last": y[1]}
    parts["first"].mul_(parts["last"])
    return y + parts["first"]


def into_zeros(lib, y):
    out = lib.zeros(3, 3)
    for i in range(2):
        out[i] = y[i] * 2.0
    return out


def into_zeros_by_view(lib, y):
    out = lib.zeros(2, 3)
    v = out[1]
    v.copy_(y[0])
    out[0] = v
    return out * y


def view_of_zeros_after(lib, y):
    out = lib.zeros(2, 3)
    v = out.reshape((6,))
    out.copy_(y)
    return v


def expanded_of_row(lib, y):
    e = lib.expand(y[0], (4, 3))
    y[0].mul_(y[1])
    return e


def narrowed(lib, y):
    lib.narrow(y, 1, 1, 2).mul_(3.0)
    return y


def split_after(lib, y):
    a, b = lib.split(y, 1)
    y.mul_(3.0)
    return a * b


def unbound_after(lib, y):
    a, b = lib.unbind(y)
    y.mul_(3.0)
    return a * b


def previous_row(lib, y):
    for i in range(1, 2):
        y[i] = y[i - 1] * y[i]
    return y


def previous_row_copied(lib, y):
    out = lib.zeros(3, 3)
    row = y[0] * 1.0
    for i in range(3):
        row = lib.tanh(row * y[1])
        out[i] = row
    return out


def nested_rows(lib, y):
    grid = [[y[i][j:j + 1] for j in range(3)] for i in range(2)]
    grid[1][2].mul_(4.0)
    y[0].add_(1.0)
    return lib.stack([grid[1][2], grid[0][0], grid[0][1]])
