# ruff: noqa  # programs as users write them
"""Containers of the standard library and of the user's own classes: what their methods change and compare."""

from __future__ import annotations

import collections

from mindspore import Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Logged(dict):
    def __init__(self):
        super().__init__()
        self.log = []

    def __setitem__(self, key, value):
        self.log.append(key)
        if value.sum() > 0:
            super().__setitem__(key, value * 2)
        else:
            super().__setitem__(key, value)

    def __getitem__(self, key):
        self.log.append("get " + key)
        return super().__getitem__(key)

    def __delitem__(self, key):
        self.log.append("del " + key)
        super().__delitem__(key)

    def __contains__(self, key):
        return dict.__contains__(self, key)

    def __missing__(self, key):
        return 5.0


def program_dict_with_methods_of_its_own(x=V):
    d = Logged()
    d["a"] = x
    d["b"] = x + 1
    y = d["a"] + d["b"] + d["c"]
    del d["a"]
    return y, "a" in d, d.log, len(d)


class Table:
    def __init__(self):
        self.rows = {}

    def __setitem__(self, key, value):
        self.rows[key] = value if value.sum() > 0 else -value

    def __getitem__(self, key):
        return self.rows[key]

    def __delitem__(self, key):
        self.rows.pop(key)


def program_items_of_an_object(x=V):
    t = Table()
    t["a"] = x
    t["a"] += 1
    t["b"] = x
    del t["b"]
    return t["a"], len(t.rows)


class Making(dict):
    def __missing__(self, key):
        self[key] = made = Tensor([2.0]) * len(key)
        return made


def program_missing_entries_in_one_branch(x=V):
    d = Making()
    if x.sum() > 0:
        d["ab"]
    return d["ab"] * x, list(d)


COUNTS = collections.defaultdict(list)


def program_default_entries(x=V):
    COUNTS.clear()
    found = collections.defaultdict(lambda: [x.sum()])
    if x.sum() > 0:
        found["a"].append(x.max())
    else:
        found["a"].append(x.min())
    COUNTS["k"].append(found["a"][1])
    return found["a"], len(found["b"]), COUNTS, len(COUNTS["none"])


class Turned(collections.OrderedDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key, last=False)


class Bounded(collections.deque):
    def append(self, value):
        super().append(value)
        self.rotate(1)


def program_ordered_dict_and_deque_in_branches(x=V):
    d, q = Turned(), Bounded([1, 2], maxlen=3)
    d["p"] = 1
    d["q"] = x
    q.append(3)
    if x.sum() > 0:
        d["r"] = x
        q.append(9)
    else:
        q.append(8)
    return list(d), list(q)


class Doubled(collections.UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)


KEPT, SEEN = Doubled(), collections.Counter()


def program_user_dict_counter_chain_map(x=V):
    KEPT.clear()
    SEEN.clear()
    KEPT["k"] = x
    SEEN.update("aab")
    SEEN["a"] += 2
    chain = collections.ChainMap({}, {"p": x})
    if x.sum() > 0:
        chain["q"] = x + 1
        KEPT["k"] = x * 3
    else:
        chain["q"] = x - 1
    return KEPT["k"] * SEEN["a"], chain["q"] + chain["p"], dict(SEEN), KEPT.data


def program_methods_taken_from_classes(x=V):
    l, d = [3, 1], {"a": 1}
    if x.sum() > 0:
        list.append(l, 9)
        dict.update(d, a=2)
    else:
        list.append(l, 8)
        dict.setdefault(d, "a", 3)
    places = [2, 1]
    list.sort(places)
    return l, d, places, str.upper("a")


# ---------------------------------------------------------------------- containers in containers that branches change

def program_lists_of_dicts_in_branches(x=V):
    rows = [{"v": x}]
    if x.sum() > 0:
        rows.append({"v": x * 2})
    else:
        rows.append({"v": x * 3})
    rows[0]["v"] = rows[0]["v"] + 1
    return rows


def program_inner_and_outer_list_changed_in_branches(x=V):
    a, b = [x], [x * 2]
    rows = [a, b]
    if x.sum() > 0:
        rows[0], rows[1] = rows[1], rows[0]
    else:
        rows[0].append(x)
    return rows[0][0], a[0], b[0]


def program_dict_that_holds_a_list_in_branches(x=V):
    a = [x]
    d = {"k": a, "z": 1}
    if x.sum() > 0:
        d["k"] = a
        d["z"] = 2
    else:
        d["z"] = 3
    a[0] = x + 5
    return d["k"][0], d["z"]


# ---------------------------------------------------------------------- comparing

class Measured:
    def __init__(self, x):
        self.x, self.asked = x, 0

    def __eq__(self, other):
        self.asked += 1
        return self.x.sum() == (other.x.sum() if isinstance(other, Measured) else other)

    def __lt__(self, other):
        return self.x.sum() < (other.x.sum() if isinstance(other, Measured) else other)

    def __len__(self):
        self.asked += 10
        return len(self.x)

    def __iter__(self):
        self.asked += 100
        yield from (self.x[0], self.x[1])


def program_comparisons_of_objects(x=V):
    a, b = Measured(x), Measured(x * 2)
    found = [a != b, a == 3.0, 3.0 != a, 5 > a, x[0] in a, not a]
    if a:
        found.append(1)
    if a < b:
        x = x * 2
    return found, x, a.asked
