"""Functions, None, texts, objects and containers of these that an `if` on a tensor chose, in operations of all kinds.

Each program compiles as a whole and gives what Python gives for the number in place of the tensor, on either side.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import itertools
import json
import math
import operator
import os.path
import re
import types

import pytest

import mindspore as ms
from mindspore import Tensor


class Box:
    def __init__(self, held):
        self.held = held

    def __len__(self):
        return 2 if self.held else 0

    def __add__(self, other):
        return ("sum", self.held, other)

    def __neg__(self):
        return ("negative", self.held)

    def __getitem__(self, index):
        return (self.held, index)

    def __delitem__(self, index):
        self.held = 5 if index == "up" else 6

    def __delattr__(self, name):
        self.held = 7


@dataclasses.dataclass
class Named:
    name: str
    size: int = 1


TEMPLATE = "%s-%s"
Pair = collections.namedtuple("Pair", ["first", "second"])


def double(v):
    return v * 2


def less(v):
    return v - 1


def name(x):
    return "up" if x > 0 else "down"


def maybe(x):
    return "up" if x > 0 else None


def fn(x):
    return double if x > 0 else less


# ---------------------------------------------------------------------- calls


def program_called_with_starred_arguments(x):
    return max(*(("a", "c") if x > 0 else ("b", "d", "e")), name(x))


def program_called_with_keywords_of_a_chosen_dict(x):
    return Named(**({"name": "a"} if x > 0 else {"name": "b", "size": 3})).size


def program_partial_of_a_chosen_function(x):
    return functools.partial(fn(x), 5)()


def program_partial_keeps_the_list_that_it_was_given(x):
    kept = [fn(x)]
    f = functools.partial(lambda fs: [g(3) for g in fs], kept)
    kept.append(double)
    return f()


def program_attribute_of_a_chosen_name(x):
    return getattr(Named("n", 4), "name" if x > 0 else "size")


def program_attribute_with_a_chosen_default(x):
    return getattr(Named("n"), "absent", name(x)), hasattr(Named("n"), "size" if x > 0 else "absent")


def program_attribute_set_by_a_chosen_name(x):
    a = Named("n", 4)
    setattr(a, "name" if x > 0 else "size", 7)
    return a.name, a.size


def program_attribute_of_a_chosen_object_deleted(x):
    a, b = Box(1), Box(2)
    del (a if x > 0 else b).held
    return a.held, b.held


def program_methods_of_texts(x):
    return name(x).upper(), "x-down".removesuffix(name(x)), f"{name(x)}/{maybe(x)}", name(x).split("o")


def program_class_of_a_chosen_base(x):
    class Made(Box if x > 0 else dict):
        pass
    return issubclass(Made, Box), len(Made([("a", 1)]))


def program_isinstance_of_chosen_classes(x):
    return isinstance(1, (str, int if x > 0 else list)), isinstance(maybe(x), str), callable(maybe(x))


def program_type_of_a_chosen_value(x):
    return type(maybe(x)) is str, type(fn(x)).__name__


# ---------------------------------------------------------------------- operators


def program_operators_of_texts_and_lists(x):
    return name(x) + "!", name(x) * 2, [1] + ([2] if x > 0 else [3, 4]), TEMPLATE % (name(x), [maybe(x)])


def program_operators_of_objects(x):
    box = Box(1) if x > 0 else Box(0)
    return box + 2, -box, bool(box), len(box), box[name(x)]


def program_comparisons(x):
    return name(x) == "up", name(x) < "m", maybe(x) is None, [name(x), 1] == ["up", 1], (1, name(x)) < (1, "m")


def program_membership(x):
    d = {"a": maybe(x)}
    return name(x) in {"up"}, "p" in name(x), "up" in d.values(), ("a", None) in d.items(), None in [maybe(x)]


def program_and_or_not(x):
    return maybe(x) or "default", maybe(x) and 3, not maybe(x), (1 if maybe(x) else 2)


def program_augmented_text_and_list(x):
    text, items = "a", [0]
    text += name(x)
    items += [1] if x > 0 else [2]
    return text, items


def program_equal_data_classes(x):
    return Named(name(x)) == Named("up"), Named("up", 2) != Named(name(x), 2)


# ---------------------------------------------------------------------- containers


def program_displays_unpack_chosen_containers(x):
    items = (1, 2) if x > 0 else (3, 4)
    return [0, *items, 5], (*items, 6), {**({"a": 1} if x > 0 else {"a": 2}), "b": 3}, len({*items, 1})


def program_keys(x):
    key = name(x)
    d = {key: 1, ("k", key): 2, "z": 3}
    return d.get("up"), d.get(("k", "up"), 0), d[key], len(d)


def program_keys_of_comprehensions(x):
    return sorted({k: i for i, k in enumerate([name(x), "a"])}), sorted({k for k in (name(x), "up")})


def program_entries_deleted(x):
    a, b = Box(1), Box(2)
    del a[name(x)]
    del (a if x > 0 else b)[1]
    return a.held, b.held


def program_slices_with_none(x):
    items = [1, 2, 3, 4]
    return len(items[(None if x > 0 else 2):]), "abcd"[::None if x > 0 else -1]


def program_places_in_lists_and_tuples(x):
    found = ["down", name(x), "up"]
    return found.index("up"), found.count("down"), tuple(found).index("up"), (maybe(x), None).count(None)


def program_lists_keep_what_they_are_given(x):
    inner = [name(x)]
    outer = [inner]
    outer.append(inner)
    outer.insert(0, inner)
    inner.append("more")
    return outer[0], outer[0] is outer[2], list(outer)[1] is inner, copy.copy(outer)[0] is inner


def program_functions_inside_of_containers(x):
    fs = {"f": [fn(x), double], "g": (less, fn(x))}
    return [g(3) for group in fs.values() for g in group]


def program_lists_sorted_and_reversed(x):
    items = [name(x), "m", "n"]
    return sorted(items), list(reversed(items)), sorted({1: name(x), 2: "m"}.values()), sorted([3, -4], key=(
        abs if x > 0 else float))


def program_a_dict_of_chosen_pairs(x):
    return dict([(name(x), 1), ("a", 2)]).get("up"), dict(zip(["k"], [name(x)], strict=True))["k"], dict(a=name(x))["a"]


def program_deque_of_chosen_values(x):
    q = collections.deque([name(x), "m"])
    q.appendleft(maybe(x))
    q.rotate(1)
    return list(q)


def program_named_tuple_keeps_its_list(x):
    kept = [name(x)]
    p = Pair(kept, maybe(x))
    return p.first is kept, p.second, p._replace(second=1).first, p == Pair(["up"], "up")


def program_unpacked_and_matched(x):
    (a, b), *rest = ((1, 2), 3) if x > 0 else ((4, 5), 6)
    match name(x):
        case "up":
            return a, rest
        case other:
            return b, other


# ---------------------------------------------------------------------- built-in functions


def program_built_in_functions_of_texts(x):
    t = name(x)
    return len(t), max(t), min("m", t), list(t[:2]), tuple(enumerate(t[:1])), list(zip("ab", t[:2], strict=True)), t[0]


def program_built_in_functions_of_functions(x):
    return list(map(fn(x), [1, 2])), list(filter(None if x > 0 else bool, [0, 1])), functools.reduce(
        operator.add if x > 0 else operator.sub, [5, 2])


def program_any_all_sum_next(x):
    return any([maybe(x), 0]), all([maybe(x), 1]), sum([(1,), (2,) if x > 0 else (3,)], ()), next(iter([]), maybe(x))


def program_numbers_read_of_texts(x):
    return int("12" if x > 0 else "7"), float("1.5" if x > 0 else "2"), round(2.567, None if x > 0 else 1)


def program_texts_of_values(x):
    return str(maybe(x)), repr([maybe(x)]), f"{name(x):>5}|{maybe(x)!r}", f"{3.14159:{'.2f' if x > 0 else '.1f'}}"


def program_text_of_a_data_class(x):
    return str(Named(name(x))), f"{[Named(name(x), 2)]}"


def program_joined(x):
    return ("-" if x > 0 else "+").join([name(x), "b"]), ",".join({"a": name(x)}.values())


# ---------------------------------------------------------------------- the standard library


def program_standard_library(x):
    return (json.dumps({"a": [name(x), maybe(x)]}), os.path.join("d", name(x)), re.sub("[ud]", "_", name(x)),
            math.prod([2, 3] if x > 0 else [4]))


def program_copies(x):
    d = {"a": [maybe(x)]}
    return copy.copy(d)["a"] is d["a"], copy.deepcopy(d), dataclasses.replace(Named("n"), name=name(x)).name


def program_data_class_as_a_dict(x):
    return dataclasses.asdict(Named(name(x))), dataclasses.astuple(Named(name(x), 2))


zip_of = itertools.zip_longest


def program_itertools_and_operator(x):
    return (list(itertools.chain([name(x)], ["b"])), operator.itemgetter(name(x))({"up": 1, "down": 2}),
            list(zip_of([name(x)], "a")), operator.attrgetter("name" if x > 0 else "size")(Named("n", 8)))


def program_name_spaces(x):
    kept = [name(x)]
    space = types.SimpleNamespace(f=fn(x), kept=kept)
    return space.f(3), space.kept is kept, collections.defaultdict(list, a=kept)["a"] is kept


# ---------------------------------------------------------------------- statements


def program_iterated(x):
    found = []
    for item in ("a", "b") if x > 0 else ("c", "d"):
        found.append(item)
    return found, [v + name(x) for v in found]


def program_assigned_element_of_a_chosen_list(x):
    a, b = [1, 2], [3, 4]
    (a if x > 0 else b)[0] = 9
    (a if x > 0 else b)[1] += 1
    return a, b


def program_chosen_within_chosen(x):
    outer = "deep" if x > 1 else None
    inner = outer if x < 5 else "far"
    return [inner, (inner, outer)], f"{inner}{outer}", {inner: 1}.get("deep"), inner == outer


PROGRAMS = {k.removeprefix("program_"): v for k, v in globals().items() if k.startswith("program_")}


def _plain(value):
    if isinstance(value, Tensor):
        return value.asnumpy().item()
    if isinstance(value, (list, tuple)):
        return type(value)([_plain(v) for v in value])
    return {k: _plain(v) for k, v in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("chosen", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_chosen_values_do_what_they_do_in_python(chosen):
    compiled = ms.jit(chosen, fullgraph=True)
    wanted = [chosen(x) for x in (2.0, -3.0)]
    assert wanted[0] != wanted[1]
    assert [_plain(compiled(Tensor(x))) for x in (2.0, -3.0)] == wanted


def test_a_chosen_error_is_raised():
    @ms.jit(fullgraph=True)
    def raises(x):
        raise (ValueError if x > 0 else KeyError)(name(x)) from (None if x > 0 else OSError())

    with pytest.raises(ValueError, match="up"):
        raises(Tensor(2.0))
    with pytest.raises(KeyError, match="down"):
        raises(Tensor(-2.0))


def test_what_looks_at_chosen_values_unseen_is_no_silent_mistake():
    def program(x):
        found = {"up", "z"}
        return operator.contains(iter([name(x), "a"]), "up"), len(found)

    assert [tuple(ms.jit(program)(Tensor(x))) for x in (2.0, -3.0)] == [(True, 2), (False, 2)]
