# ruff: noqa  # programs as users write them
"""Elements and slices of lists and tensors: read and assigned."""

from __future__ import annotations

V = [1.0, -2.0, 4.0]
M = [[1.0, 2.0], [3.0, 4.0]]


def test_both_modes_agree(program, agree):
    agree(program)


def program_key_error(x=V):
    return {"a": x}["b"]


def program_index_error(x=V):
    return [x][3]


def program_slices(x=V):
    xs = [1, 2, 3, 4]
    return x[1:], x[::2], xs[::-1], xs[1:3], xs[-1]


def program_slice_assignment_of_list(x=V):
    xs = [1, 2, 3, 4]
    xs[1:3] = [x]
    return xs


def program_tensor_indexing(x=M):
    return x[0], x[:, 1], x[-1, 0], x[..., None]


def program_tensor_item_assignment(x=M):
    y = x * 1
    y[0] = 5.0
    y[:, 1] = x[0]
    y[1, 1] += 2
    return y


def program_tensor_item_assignment_reaches_aliases(x=M):
    y = x * 1
    z = y
    z[0, 0] = 9.0
    return y


def program_tensor_item_assignment_in_function(x=M):
    def put(t):
        t[0] = 7.0

    y = x * 1
    put(y)
    return y


def program_tensor_item_assignment_in_branch(x=V):
    y = x * 1
    if x[0] > 0:
        y[1] = 100.0
    return y
