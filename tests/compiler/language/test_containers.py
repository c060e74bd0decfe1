# ruff: noqa  # programs as users write them
"""Lists, dicts, tuples, comprehensions, unpacking, slices, text: both modes do the same."""

from __future__ import annotations

from collections import deque, namedtuple
from dataclasses import dataclass, replace

from mindspore import Tensor, ops

V = [1.0, -2.0, 4.0]
M = [[1.0, 2.0], [3.0, 4.0]]
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


def program_append_in_both_arms(x=V):
    out = []
    if x[0] > 0:
        out.append(x)
    else:
        out.append(-x)
    return out[0] * 2


def program_list_item_in_arm(x=V):
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


def program_local_list_in_arm(x=V):
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


def program_dict_in_arm(x=V):
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


def program_key_error(x=V):
    return {"a": x}["b"]


def program_index_error(x=V):
    return [x][3]


def program_set(x=V):
    s = {1, 2}
    s.add(3)
    return x * len(s), 2 in s, 5 not in s


def program_set_comprehension(x=V):
    return x * len({i % 2 for i in range(5)})


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


def program_list_comprehension(x=V):
    return [x * i for i in range(4) if i % 2]


def program_nested_comprehension(x=V):
    return [x * i + j for i in range(2) for j in range(3) if i != j]


def program_dict_comprehension(x=V):
    return {k: x * v for k, v in {"a": 1, "b": 2}.items()}


def program_comprehension_scope(x=V):
    i = 7
    ys = [i * 2 for i in range(3)]
    return x * i, ys


def program_comprehension_walrus(x=V):
    ys = [last := i for i in range(3)]
    return x * last, ys


def program_comprehension_with_tensor_choice(x=V):
    return [v * 2 if v > 0 else v * 3 for v in x]


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


def program_tensor_item_assignment_in_arm(x=V):
    y = x * 1
    if x[0] > 0:
        y[1] = 100.0
    return y


def program_in_and_not_in(x=V):
    return x if 2 in (1, 2) and "z" not in "abc" and 5 not in [1] else -x


def program_is(x=V):
    y = x
    return x * 2 if y is x and y is not None else x


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


def program_isinstance(x=V):
    return isinstance(x, Tensor), isinstance(3, (int, str)), isinstance([x], list), isinstance(x, int)


def program_type(x=V):
    return x if type(x) is Tensor and int is int else -x


def program_getattr(x=V):
    return getattr(x, "shape")[0] + getattr(x, "missing", 2), hasattr(x, "dtype")


def program_len(x=M):
    return x * len(x), len([1, 2]), len({})


def program_extremes(x=V):
    return max(x), min(x[0], x[1]), max(3, 4), min([5, 2]), max([1, 2], key=lambda v: -v)


def program_sum_any_all(x=V):
    return sum([x, x * 2]), any(x > 3), all([True, 1]), any([0, x[0] > 0]), all(x > 0)


def program_abs_pow_round(x=V):
    return abs(x), pow(x, 2), round(2.6), divmod(7, 2), abs(-3)


def program_enumerate_reversed_zip(x=V):
    out = []
    for i, v in enumerate(reversed([x, x * 2])):
        out.append(v + i)
    for a, b in zip([1, 2], (x, x)):
        out.append(a * b)
    return out


def program_range_list(x=V):
    return x * sum(list(range(1, 6, 2)))


def program_numbers(x=V):
    return x * (7 // 2) + 7 % 3 - 2**3 + (5 & 3) + (5 | 3) + (5 ^ 3) + (1 << 2) + ~1


def program_numpy_and_math_on_static(x=V):
    import math

    import numpy as np

    table = np.arange(3).astype(np.float32) * 2
    return x * Tensor(table) + math.floor(2.5) + float(np.sqrt(16.0)) + int(np.prod(x.shape))


def program_tensor_of_numbers(x=V):
    return x + Tensor([1.0, 2.0, 3.0]) * Tensor(2)


def program_tensor_of_computed_elements(x=V):
    return Tensor([x[0], x[1] * 2])


def program_namedtuple(x=V):
    p = Pair(x, second=2)
    return p.first * p.second, p._replace(first=1), p


def program_namedtuple_in_arms(x=V):
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


def program_dataclass_attribute_in_arm(x=V):
    p = Point(x)
    other = p
    if x[0] > 0:
        p.y = x * 3
    else:
        other.y = x
    return other.y


def program_dataclass_in_arms(x=V):
    p = Point(x, x) if x[0] > 0 else Point(x * 2, x)
    return p.x + p.y


def program_deque(x=V):
    q = deque([x], maxlen=2)
    q.append(x * 2)
    q.append(x * 3)
    return list(q), q.popleft()


def program_walrus(x=V):
    if (n := len(x.shape)) > 0:
        x = x * n
    return x, n


def program_walrus_on_tensor(x=V):
    if (s := x.sum()) > 0:
        return x / s
    return s


def program_match_value(x=V, k=2):
    match k:
        case 1:
            return x
        case 2 | 3:
            return x * 2
        case _:
            return x * 3


def program_match_structure(x=V):
    match (x, {"k": 3}, [1, 2, 3]):
        case (a, {"k": int(n)}, [first, *rest]) if n > 2:
            return a * n + first + len(rest)
    return x


def program_match_class(x=V):
    match Point(x, 5):
        case Point(x=v, y=5):
            return v * 2
    return x


def program_match_on_tensor(x=V):
    match x[0]:
        case 1.0:
            y = x * 2
        case -1.0:
            y = x * 3
        case _:
            y = x
    return y


def program_match_guard_on_tensor(x=V):
    match x:
        case v if v[0] > 0:
            return v * 2
        case v:
            return v * 3




def program_try_static(x=V):
    try:
        k = {"a": 1}["b"]
    except KeyError:
        k = 7
    else:
        k = 0
    finally:
        x = x + 1
    return x * k


def program_try_return(x=V):
    try:
        return x * 2
    finally:
        x = x + 100


def program_try_in_loop(x=V):
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            x = x + 10 // (i - 2)
        except ZeroDivisionError as error:
            x = x + len(str(error))
    return x


def program_try_reraise(x=V):
    try:
        raise ValueError("a")
    except ValueError:
        raise


def program_inplace_set_of_outer_list(x=V):
    grid = [[x, x], [x, x]]
    for row in grid:
        row[0] = row[0] * 2
    return grid


def program_sorting_a_list(x=V):
    xs = [3, 1, 2]
    xs.sort(key=lambda v: -v)
    return x * xs[0], xs


def program_stack_of_list(x=V):
    parts = [x * i for i in range(3)]
    return ops.stack(parts).sum(0)
