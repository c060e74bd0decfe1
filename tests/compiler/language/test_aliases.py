# ruff: noqa  # programs as users write them
"""Tensors changed in place, two names of one tensor or list, arguments that a program changes."""

from __future__ import annotations

from mindspore import Tensor, nn, ops

V = [1.0, -2.0, 4.0]
HELD = {"t": Tensor([1.0, 2.0, 3.0])}


def test_both_modes_agree(program, agree):
    agree(program)


def program_item_of_argument(x=V):
    x[0] = 5.0
    return x * 2


def program_slice_of_argument(x=V):
    x[1:] += 1
    x[:1] *= 3
    return x.sum()


def program_method_on_argument(x=V):
    x.add_(1.0).mul_(2.0)
    return x + 0


def program_argument_in_branch(x=V):
    if x.sum() > 0:
        x[0] = 9.0
    else:
        x.mul_(3.0)
    return x * 1


def program_argument_in_loop(x=V):
    while x.sum() < 20:
        x.add_(abs(x) + 1)
    return x * 1


def program_argument_in_counted_loop(x=V):
    for i in range(3):
        x[i] = x[i] * i
    return x * 2


def program_argument_in_called_function(x=V):
    def change(v, k):
        v[k] = k

    change(x, 0)
    change(x, 2)
    return x * 1


def program_two_arguments(x=V, y=V):
    x[0] = y[1]
    y.copy_(x)
    return x + y


def program_argument_before_and_after(x=V):
    before = x * 1
    x[0] = 7.0
    return before + x


def program_names_of_one_tensor(x=V):
    y = x * 1
    z, held = y, {"a": [y]}
    z[0] = 5.0
    held["a"][0].add_(1)
    return y, z, held["a"][0]


def program_names_of_one_tensor_in_branches(x=V):
    y = x * 1
    z = y
    if x.sum() > 0:
        y[0] = 7.0
    else:
        z[1] = 2.0
    return y, z


def program_names_of_one_tensor_in_loop(x=V):
    y = z = x * 1
    k = 0
    while (x * 0).sum() + k < 3:
        y.add_(x)
        z[0] = z[1]
        k += 1
    return y + z


def program_augmented_assignment_makes_a_new_tensor(x=V):
    y = x * 1
    z = y
    y += 1
    return y, z


def program_attribute_changed(x=V):
    class_ = Box(x * 1)
    alias = class_.v
    class_.v[0] = 3.0
    alias.add_(1)
    return class_.v


class Box:
    def __init__(self, v):
        self.v = v


def program_default_argument_is_one_tensor(x=V):
    def f(v, seen=x * 1):
        seen.add_(v)
        return seen * 1
    return f(x) + f(x)


def program_closure_sees_the_change(x=V):
    y = x * 1

    def read():
        return y * 2
    y[0] = 9.0
    return read()


def program_list_made_in_branch_under_two_names(x=V):
    if x.sum() > 0:
        a = b = [x]
    else:
        a = b = [x * 2]
    a[0] = a[0] + 5
    return b[0]


def program_nested_list_made_in_branch(x=V):
    if x.sum() > 0:
        row = [x]
        rows = [row, row]
    else:
        row = [x * 2]
        rows = [row, row]
    rows[0][0] = x * 7
    return rows[1][0] + row[0]


def program_list_that_may_be_another_one(x=V):
    a = [x]
    b = a
    if x.sum() > 0:
        b = [x * 2]
    b[0] = b[0] + 5
    return a[0], b[0]


def program_list_grown_in_one_branch(x=V):
    out = []
    if x.sum() > 0:
        out.append(x)
    out.append(x * 2)
    return sum(out)


def program_list_grown_and_returned(x=V):
    out = [x]
    if x[0] > 0:
        out.append(x * 2)
    return out


def program_dict_grown_in_one_branch(x=V):
    table = {"a": x}
    if x.sum() > 0:
        table["b"] = x * 2
    return table.get("b", x * 3) * len(table)


def program_set_grown_in_one_branch(x=V):
    seen = {"a"}
    if x.sum() > 0:
        seen.add("b")
    return x * len(seen)


def program_none_becomes_a_tensor_in_a_loop(x=V):
    y = None
    while x.sum() < 20:
        y = x if y is None else y + x
        x = x * x + 1
    return y


def program_shape_settles_in_a_loop(x=V):
    y = x
    while x.sum() < 20:
        y = ops.stack([x, x])
        x = x * x + 1
    return y


class Buffer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.buffer = Tensor([1.0, 2.0, 3.0])
        self.same = self.buffer

    def construct(self, x):
        self.buffer[0] = x[1]
        if x.sum() > 0:
            self.same.add_(x)
        return self.buffer + self.same


def program_buffer_of_a_cell(net=Buffer, x=V):
    return net(x)
