# ruff: noqa  # programs as users write them
"""What branches on tensors leave: numbers of several types, containers from outside, two names of one thing."""

from __future__ import annotations

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Chosen(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Parameter(Tensor([1.0, 2.0]), name="a")
        self.b = Parameter(Tensor([5.0, 7.0]), name="b")
        self.count, self.items, self.kind = 0, [1, 2], {"n": 1}


def program_equal_numbers_and_texts(x=V):
    if x[0] > 0:
        k, s, t = 3, "a", 1
    else:
        k, s, t = 3, "a", 2
    return x * k * len(s) * t


def program_two_names_of_a_list_from_a_branch(x=V):
    if x[0] > 0:
        c = [x]
        d = c
    else:
        c = [x + 1]
        d = c
    c[0] = x * 5
    c.append(x)
    return d, c is d


def program_two_names_of_a_tensor_from_a_branch(x=V):
    if x[0] > 0:
        a = x * 2
        b = a
    else:
        a = x * 3
        b = a
    a[0] = 100
    return b


def program_the_condition_as_a_value(x=V):
    flag = x[0] > 0
    if flag:
        r = flag
    else:
        r = False
    if flag:
        s = True
    else:
        s = flag
    if flag:
        t = False
    else:
        t = flag
    if flag:
        u = flag
    else:
        u = True
    print(bool(r), bool(s), bool(t), bool(u))
    return x


def program_bools_of_branches(x=V):
    if x[0] > 0:
        r = False
        s = True
    else:
        r = True
        s = False
    print(r, s, not r)
    return x * r + s


def program_attributes_of_one_branch(x=V, cell=Chosen):
    if x[0] > 0:
        cell.count = 5
    else:
        cell.kind["n"] = 7
    return x * cell.count + cell.kind["n"]


def program_contents_of_one_branch(x=V, cell=Chosen):
    if x[0] > 0:
        cell.items[0] = 9
    return x * cell.items[0]


def program_parameter_or_tensor(x=V, cell=Chosen):
    if x[0] > 0:
        p = cell.a
    else:
        p = cell.a * 3
    return p + 1


def program_functions_chosen(x=V):
    def double(y):
        return y * 2

    def square(y):
        return y * y
    f = double if x[0] > 0 else square
    g = square if x[1] > 0 else double
    return f(g(x))


def program_closures_with_values_of_branches(x=V):
    if x[0] > 0:
        n = x * 2
        f = lambda y: y + n
    else:
        n = x * 3
        f = lambda y: y - n
    return f(x)


def program_results_of_other_lengths(x=V):
    def found(y):
        line = [y]
        if y[0] > 0:
            line.append(y * 2)
            return line
        return line
    total = x
    for v in found(x):
        total = total + v
    return total


def program_results_of_other_lengths_twice(x=V):
    def found(y):
        line = [y]
        both = {"a": line, "b": line}
        if y[0] > 0:
            line.append(y * 2)
            return both
        return both
    return len(found(x)["a"]) * x + len(found(x)["b"])


def program_name_deleted_in_both(x=V):
    t = x
    if x[0] > 0:
        del t
    else:
        del t
    return t


def program_nested_branches(x=V):
    if x[0] > 0:
        if x[1] > 0:
            y, k = x * 2, 1
        else:
            y, k = x * 3, 2
    else:
        y, k = x, 3
    return y, k


def program_branch_that_raises(x=V):
    if x[0] > 0:
        y = x * 2
    else:
        raise ValueError("negative")
    return y


def program_a_list_of_numbers_and_tensors(x=V):
    l = [1, x, "s"]
    if x[0] > 0:
        l[0] = 2
    else:
        l[1] = x * 2
    return l[0] * l[1]
