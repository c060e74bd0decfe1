# ruff: noqa  # programs as users write them
"""`raise`, `assert`, `del`, `global`, assignment to several targets, annotations."""

from __future__ import annotations

from mindspore import Tensor

V = [1.0, -2.0, 4.0]
TOTAL = 0
LAST = None


def test_both_modes_agree(program, agree):
    agree(program)


def program_raise_with_tensor_in_message(x=V):
    if x.sum() > 0:
        raise ValueError(f"sum {x.sum()}")
    return x


def program_raise_class(x=V):
    if x.sum() > 0:
        raise NotImplementedError
    return x


def program_raise_in_loop_on_tensor(x=V):
    y = x
    for i in range(5):
        y = y + x
        if y.sum() > 6:
            raise OverflowError("too much")
    return y


def program_raise_in_while_on_tensor(x=V):
    y = x
    while y.sum() < 30:
        y = y + abs(x)
        if y[0] > 3:
            raise RuntimeError("stop")
    return y


def program_assert_message(x=V):
    assert x.sum() < 2, f"sum is {x.sum()}"
    return x * 2


def program_assert_shape(x=V):
    assert x.ndim == 1 and x.shape[0] == 3, x.shape
    return x


def program_assert_in_loop(x=V):
    for v in x:
        assert v > -3, "small"
    return x


def program_assert_false(x=V):
    assert False, "always"


def program_assert_isinstance(x=V):
    assert isinstance(x, Tensor)
    return x


def program_return_after_raise_in_else(x=V):
    if x.sum() > 0:
        return x * 2
    else:
        raise ValueError("negative")


def program_raise_in_nested_function(x=V):
    def check(v):
        if v.sum() > 2:
            raise ValueError("big")
        return v * 2
    return check(x) + check(x - 1)


def program_global(x=V):
    global TOTAL
    TOTAL = 5
    TOTAL += 1
    return x * TOTAL


def program_global_tensor(x=V):
    global LAST
    LAST = x * 2
    return LAST + 1


def program_global_in_branch(x=V):
    global LAST
    LAST = x
    if x.sum() > 0:
        LAST = x * 3
    return LAST


def program_global_in_inner_function(x=V):
    def store(v):
        global LAST
        LAST = v
    store(x * 4)
    return LAST


def program_del_of_many(x=V):
    a, b, c = x, x * 2, [x, x * 3]
    y = a + b
    del a, b, c[0]
    return y + c[0]


def program_del_then_use(x=V):
    y = x
    del y
    return y


def program_del_of_slice(x=V):
    items = [x, x * 2, x * 3, x * 4]
    del items[1:3]
    return items[0] + items[1]


def program_annotated_without_value(x=V):
    y: Tensor
    y = x
    z: int = 3
    return y * z


def program_pass_and_ellipsis(x=V):
    if x.sum() > 0:
        pass
    else:
        ...
    return x


def program_multiple_statements_on_a_line(x=V):
    a = x; b = a * 2; return a + b


def program_nested_functions_deep(x=V):
    def a(u):
        def b(v):
            def c(w):
                return u + v + w + x
            return c(v * 2)
        return b(u * 2)
    return a(x)


def program_tuple_unpacking(x=V):
    a, (b, c) = x, (x * 2, 3)
    return a + b * c


def program_star_unpacking(x=V):
    first, *rest = x
    *head, last = (1, 2, 3)
    return first, rest, head, last


def program_unpack_too_few(x=V):
    a, b, c, d = x
    return a


def program_unpack_too_many(x=V):
    a, b = x
    return a


def program_swap(x=V):
    a, b = x[0], x[1]
    a, b = b, a
    return a - b


def program_multiple_targets(x=V):
    a = b = x * 2
    return a + b


def program_augmented(x=V):
    y = x
    y += 1
    y *= 2
    y -= x
    y /= 3
    y **= 2
    return y, x
