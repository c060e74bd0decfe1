# ruff: noqa  # programs as users write them
"""Special methods of the user's own classes inside compiled functions."""

from __future__ import annotations


V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Sequence:
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, value):
        return any(value is v for v in self.items)

    def __reversed__(self):
        return reversed(self.items)

    def __call__(self, factor=1, **more):
        return sum(self.items) * factor + more.get("plus", 0)

    def __bool__(self):
        return len(self.items) > 1

    def __eq__(self, other):
        return isinstance(other, Sequence) and len(self) == len(other)

    def __hash__(self):
        return 7

    def __lt__(self, other):
        return len(self) < len(other)

    def __enter__(self):
        self.items.append(0)
        return self

    def __exit__(self, *error):
        self.items.pop()


def program_len_and_items(x=V):
    s = Sequence(x, x * 2)
    s[0] = s[1] + 1
    return s[0] * len(s) + s[-1]


def program_iteration(x=V):
    y = x
    for v in Sequence(x, x * 2):
        y = y + v
    return y + sum(Sequence(x, 1))


def program_list_of_iterable(x=V):
    a, b = Sequence(x, 2)
    return a * b + len(list(Sequence(1, 2, 3))) + len([*Sequence(1, 2)])


def program_contains(x=V):
    y = x * 2
    s = Sequence(x, y)
    return x if y in s and 3 not in s else x * 7


def program_reversed(x=V):
    return list(reversed(Sequence(x, x * 2)))[0]


def program_call(x=V):
    return Sequence(x, x)(2, plus=x)


def program_bool(x=V):
    return x * 2 if Sequence(1, 2) and not Sequence(1) else x


def program_equality_and_order(x=V):
    a, b = Sequence(1), Sequence(2)
    return x * (a == b) + (a != Sequence(1, 2)) + (a < Sequence(1, 2)) + len({a, b})


def program_sorted_objects(x=V):
    return sorted([Sequence(x, x), Sequence(x * 3)])[0][0]


def program_delete_item(x=V):
    s = Sequence(x, x * 2)
    del s[0]
    return s[0]


def program_with(x=V):
    s = Sequence(x)
    with s as t:
        n = len(t)
    return x * n + len(s)


def program_item_in_branch(x=V):
    s = Sequence(x, x * 2)
    if x.sum() > 0:
        s[0] = x * 5
    return s[0] + s[1]


def program_item_in_loop(x=V):
    s = Sequence(x, 0.0)
    while s[0].sum() < 10 and s[1] < 5:
        s[0] = s[0] * 2
        s[1] = s[1] + 1
    return s[0] * s[1]


class Halves:
    def __init__(self, n):
        self.left = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.left > 0:
            self.left //= 2
            return self.left
        raise StopIteration


def program_iterator_class(x=V):
    y = x
    for k in Halves(9):
        y = y + x * k
    return y


def program_iterator_class_in_calls(x=V):
    return x * sum(Halves(12)) + max(Halves(7)) + len(list(Halves(2)))


class Number:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return Number(self.v + getattr(o, "v", o))

    def __radd__(self, o):
        return Number(o + self.v)

    def __sub__(self, o):
        return Number(self.v - getattr(o, "v", o))

    def __rsub__(self, o):
        return Number(o - self.v)

    def __truediv__(self, o):
        return Number(self.v / getattr(o, "v", o))

    def __pow__(self, n):
        return Number(self.v ** n)

    def __abs__(self):
        return Number(abs(self.v))

    def __neg__(self):
        return Number(-self.v)

    def __invert__(self):
        return Number(self.v * 0)

    def __gt__(self, o):
        return self.v.sum() > getattr(o, "v", o).sum()

    def __float__(self):
        return 2.5

    def __index__(self):
        return 2

    def __str__(self):
        return "Number"

    def __repr__(self):
        return "Number()"

    def __format__(self, spec):
        return f"<{spec}>"


def program_arithmetic(x=V):
    n = 1 + Number(x) - 2 + Number(x) / 2
    return (3 - n).v + (-abs(n) ** 2).v + (~n).v


def program_arithmetic_with_tensor_on_the_left(x=V):
    return (Number(x) + x).v


def program_comparison_that_is_a_tensor(x=V):
    a, b = Number(x), Number(x * 2)
    return a.v if a > b else b.v


def program_conversions(x=V):
    n = Number(x)
    return x * float(n) + [1, 2, 3][n] + len(str(n)) + len(repr(n)) + len(f"{n:abc}") + len("{:x}".format(n))


def program_sum_of_objects(x=V):
    return sum([Number(x), Number(x)], Number(x)).v
