# ruff: noqa  # programs as users write them
"""Texts that show tensors: printed, joined, formatted, and in the messages of errors."""

from __future__ import annotations

import collections
import dataclasses

from mindspore import Tensor, nn

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


Pair = collections.namedtuple("Pair", "a b")


@dataclasses.dataclass
class Point:
    x: object
    y: int = 2


class Named(nn.Cell):
    def __str__(self):
        return "a cell of its own"

    def construct(self, x):
        print(self, str(self), "%s" % self)
        return x


def program_format(x=V):
    print("a {} b".format(x), "{0} {k:>4}".format(x, k=3), "{:.2f}".format(2.5))
    return x


def program_percent(x=V):
    print("a %s b" % x, "%s %d" % (x, 3), "%5.1f" % 2.25)
    print("%(a)s" % {"a": x})
    return x


def program_containers(x=V):
    print([x], (x, 2), {"a": x, "b": [x]}, [], (x,))
    return x


def program_containers_in_f_strings(x=V):
    print(f"{[x, 1]} {(x,)} {{}} { {'a': x} } {x.shape}")
    return x


def program_str_of_parts(x=V):
    s = "v=" + str(x) + "!" + str([x[0]]) + str(x.shape)
    s += "; " + repr(x)
    print(s)
    return x


def program_repr(x=V):
    print(repr(x), repr([x]), f"{x!r}", f"{x!s}", repr("a"))
    return x


def program_join(x=V):
    print(", ".join([str(v) for v in x]), "|".join(["a", str(x)]), "-".join("abc"))
    return x


def program_format_with_a_width_is_refused(x=V):
    try:
        print(f"{x[0]:.2f}")
    except TypeError as error:
        print("refused", error)
    return x


def program_named_tuples_and_data_classes(x=V):
    print(Pair(x, 1), Point(x), [Point(x * 2, 3)])
    return x


def program_other_values(x=V):
    print(x.dtype, x.shape, None, True, 1.5, "text", nn.ReLU, sep="|")
    return x


def program_in_a_loop(x=V):
    i = Tensor(0)
    while i < 2:
        print("i = {}, x = {}".format(i, [x * i]))
        i += 1
    return x


def program_in_a_branch(x=V):
    if x.sum() > 0:
        print("above", [x])
    else:
        print("below {}".format({"x": x}))
    return x


def program_cell(net=Named, x=V):
    return net(x)


def program_tensor_of_outside(x=V):
    t = Tensor([1.0, 2.0])
    print("t", [t], f"{t}", str(t))
    return x


def program_error_percent(x=V):
    if x.sum() < 100:
        raise ValueError("bad value %s of %d" % (x, 3))
    return x


def program_error_format(x=V):
    if x.sum() < 100:
        raise RuntimeError("bad {} {k}".format(x.shape, k=x[0]))
    return x


def program_error_with_a_list(x=V):
    if x.sum() < 100:
        raise ValueError("bad " + str([x]))
    return x


def program_assert_with_format(x=V):
    assert x.sum() > 100, "sum is {}".format(x.sum())
    return x


def program_length_of_a_known_text(x=V):
    return x * len(str(x.shape)) + len(f"{x.ndim}{[1, 2]}")


def test_a_text_that_is_not_known_cannot_be_measured():
    import pytest

    from mindspore import jit

    for use in (len, lambda s: s.upper(), lambda s: s == "a", lambda s: "a" in s):
        with pytest.raises(ValueError, match="not known while compiling"):
            jit(lambda x: use(str(x)) and x, fullgraph=True)(Tensor(V))


def program_f_string_static(x=V):
    name = f"{'a':>3}|{3.14159:.2f}|{7!r}|{x.shape}"
    return x * len(name)


def program_f_string_in_print(x=V):
    print(f"x = {x}, twice {x * 2}", 3, sep="; ")
    return x


def program_print_order(x=V):
    print("first", x.sum())
    if x[0] > 0:
        print("positive", x)
    else:
        print("negative")
    for i in range(2):
        print(i, end=" ")
    print()
    return x


def program_print_in_tensor_loop(x=V):
    while x.sum() < 6:
        print("pass", x)
        x = x + 1
    return x


def program_string_methods(x=V):
    return x * len(["a", "b"]), "-".join(["a", "b"]).upper(), "%d" % 3, f"{4}"
