# ruff: noqa  # programs as users write them
"""Lists, dicts, tuples, comprehensions, unpacking, slices, text: both modes do the same."""

from __future__ import annotations

from collections import deque, namedtuple
from dataclasses import dataclass, replace

V = [1.0, -2.0, 4.0]
Pair = namedtuple("Pair", "first second")


@dataclass
class Point:
    x: object
    y: object = 0

    def norm(self):
        return self.x * self.x + self.y

    @property
    def double(self):
        return self.x * 2


def test_both_modes_agree(program, agree):
    agree(program)


def program_list_append(x=V):
    out = []
    for i in range(3):
        out.append(x * i)
    return out


def program_list_methods(x=V):
    xs = [1, 2]
    xs.extend([3, 4])
    xs.insert(0, 9)
    xs.reverse()
    last = xs.pop()
    xs.remove(2)
    return x * last, xs, xs.index(3), xs.count(4)


def program_list_arithmetic(x=V):
    xs = [x] + [x * 2]
    ys = [1] * 3
    xs += [x * 3]
    return xs, ys


def program_append_in_both_branches(x=V):
    out = []
    if x[0] > 0:
        out.append(x)
    else:
        out.append(-x)
    return out[0] * 2


def program_list_item_in_branch(x=V):
    xs = [x, x * 2]
    if x[0] > 0:
        xs[1] = x * 5
    return xs


def program_two_names_for_one_list(x=V):
    a = [x, 1]
    b = a
    if x[0] > 0:
        a[0] = x * 2
        b[1] = 7
    return b[0] * b[1], a[1]


def program_list_changed_in_called_function(x=V):
    def put(xs, v):
        if v[0] > 0:
            xs[0] = v * 2
        else:
            xs[0] = v * 3

    data = [x]
    put(data, x)
    return data[0]


def program_local_list_in_branch(x=V):
    if x[0] > 0:
        parts = []
        parts.append(x)
        parts.append(x * 2)
        y = parts[0] + parts[1]
    else:
        y = x
    return y


def program_dict(x=V):
    d = {"a": x}
    d["b"] = x * 2
    d.update(c=x * 3)
    d.setdefault("a", 0)
    return d, list(d), "b" in d, d.get("z", 5), len(d)


def program_dict_in_branch(x=V):
    d = {"a": x, "n": 1}
    if x[0] > 0:
        d["a"] = d["a"] * 2
        d["n"] += 1
    return d


def program_dict_loop(x=V):
    d = {k: x * i for i, k in enumerate("abc")}
    return sum(d.values()), list(d.items())[1][0]


def program_dict_merge(x=V):
    return {**{"a": x}, "b": 2, **{"c": 3}} | {"b": x}


def program_delete(x=V):
    d = {"a": 1, "b": 2}
    del d["a"]
    xs = [1, 2, 3]
    del xs[0]
    y = x
    del y
    return x, d, xs


def program_set(x=V):
    s = {1, 2}
    s.add(3)
    return x * len(s), 2 in s, 5 not in s


def program_in_and_not_in(x=V):
    return x if 2 in (1, 2) and "z" not in "abc" and 5 not in [1] else -x


def program_is(x=V):
    y = x
    return x * 2 if y is x and y is not None else x


def program_namedtuple(x=V):
    p = Pair(x, second=2)
    return p.first * p.second, p._replace(first=1), p


def program_namedtuple_in_branches(x=V):
    p = Pair(x, 1) if x[0] > 0 else Pair(x * 2, 5)
    return p.first * p.second


def program_dataclass(x=V):
    p = Point(x, y=2)
    q = replace(p, y=x)
    return p.norm() + q.norm() + p.double


def program_dataclass_attribute(x=V):
    p = Point(x)
    p.y = x * 3
    p.x += 1
    return p.x, p.y


def program_dataclass_attribute_in_branch(x=V):
    p = Point(x)
    other = p
    if x[0] > 0:
        p.y = x * 3
    else:
        other.y = x
    return other.y


def program_dataclass_in_branches(x=V):
    p = Point(x, x) if x[0] > 0 else Point(x * 2, x)
    return p.x + p.y


def program_deque(x=V):
    q = deque([x], maxlen=2)
    q.append(x * 2)
    q.append(x * 3)
    return list(q), q.popleft()


def program_match_class(x=V):
    match Point(x, 5):
        case Point(x=v, y=5):
            return v * 2
    return x


def program_inplace_set_of_outer_list(x=V):
    grid = [[x, x], [x, x]]
    for row in grid:
        row[0] = row[0] * 2
    return grid


def program_sorting_a_list(x=V):
    xs = [3, 1, 2]
    xs.sort(key=lambda v: -v)
    return x * xs[0], xs
