# ruff: noqa  # programs as users write them
"""Loops on tensors that run no pass, one or many, and whose conditions change what the program holds."""

from __future__ import annotations

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]
COUNTS = [0, 1, 3]          # the negatives run no pass


def test_both_modes_agree(program, agree):
    agree(program)


class Stepping(nn.Cell):
    """A condition that assigns a parameter, an attribute and a list."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)
        self.last, self.seen = Tensor(0.0), [Tensor(0.0)]

    def step(self):
        self.count += 1
        return self.count

    def step_attribute(self):
        self.last = self.last + 1
        return self.last

    def step_list(self):
        self.seen[0] = self.seen[0] + 1
        return self.seen[0]


def program_condition_that_only_assigns_a_parameter(net=Stepping, x=V):
    while net.step() < x.sum():
        pass
    return net.count * 1


def program_condition_that_only_assigns_an_attribute(net=Stepping, x=V):
    while net.step_attribute() < x.sum():
        pass
    return net.last * 1


def program_condition_that_only_changes_a_list(net=Stepping, x=V):
    while net.step_list() < x.sum():
        pass
    return net.seen[0] * 1


def program_condition_that_assigns_and_a_body_that_reads(net=Stepping, x=V):
    y = x * 0
    while net.step() < x.sum():
        y = y + net.count
    return y, net.count * 1


def program_condition_that_assigns_and_a_body_that_leaves(net=Stepping, x=V):
    while net.step() < 5:
        if net.count > x.sum():
            break
    return net.count * 1


def program_condition_that_binds_a_name(x=V):
    i = 0
    while (i := i + 1) < x.sum():
        pass
    return x * i


def program_float_that_becomes_an_integer(x=V):
    y = 1.5
    while x.sum() > 3:
        y = 1
        x = x - 1
    return x * y, y


def program_float_that_becomes_an_integer_that_only_the_run_knows(x=V, n=COUNTS):
    y = 1.5
    for i in range(n[1]):
        y = i
    return x * y


def program_integer_that_becomes_a_float(x=V):
    y = 3
    while x.sum() > 3:
        y = 0.5
        x = x - 1
    return x * y, y


def program_flag_that_becomes_a_number(x=V):
    y = True
    while x.sum() > 3:
        y = y + 1
        x = x - 1
    return x * y


def program_large_integer_that_becomes_a_float(x=V):
    y = 2 ** 40 + 1
    while x.sum() > 3:
        y = 0.5
        x = x - 1
    return y // 2 ** 40 + x * 0


def program_negative_zero_that_no_pass_changes(x=V):
    y = -0.0
    while x.sum() > 3:
        y = 1
        x = x - 1
    return ops.sign(1 / (x * 0 + 1 + y)) + y * x


def program_tuple_of_both(x=V):
    y = (1.5, 2)
    while x.sum() > 3:
        y = (1, 2.5)
        x = x - 1
    return x * y[0] + y[1]


def program_attribute_that_no_pass_changes(net=Stepping, x=V):
    net.last = Tensor(1.5)
    while x.sum() > 3:
        net.last = net.last * 2
        x = x - 1
    return net.last + x


def program_pass_over_no_rows(x=V):
    y = x * 0
    for row in x[:0]:
        y = y + row
    return y


def program_range_of_no_length(x=V, n=COUNTS):
    y = x
    for i in range(n[0]):
        y = y * 2
    for i in range(n[2]):
        y = y + i
    return y


def program_condition_that_is_false_at_once_with_else(x=V):
    while x.sum() > 1000:
        x = x * 2
    else:
        x = x + 0.5
    return x


def program_loop_in_a_loop_without_a_pass(x=V, n=COUNTS):
    y = 1.5
    for i in range(n[2]):
        for j in range(n[0]):
            y = y * 2
        y = y + 0.25
    return x * y


def program_float_that_becomes_an_integer_tensor(x=V, n=COUNTS):
    y = 1.5
    while x.sum() > 3:
        y = n[2]
        x = x - 1
    return x * y


def program_a_name_that_the_loop_before_has_bound_and_this_one_may(x=V):
    i = j = x.sum() * 0
    while i < x[0]:
        y = x * 2
        i = i + 1
    while j < x[1]:
        y = x * 3
        j = j + 1
    return y


def program_a_name_that_both_loops_bind(x=V):
    i = j = x.sum() * 0
    while i < x[0]:
        y, z = x * 2, (x, 7)
        i = i + 1
    while j < x[2]:
        y, z = y * 3, (z[0] + y, 8)
        j = j + 1
    return y, z
