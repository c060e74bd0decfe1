# ruff: noqa  # programs as users write them
"""The standard library inside compiled functions: what it does with known values, and around tensors."""

from __future__ import annotations

import bisect
import collections
import contextlib
import copy
import heapq
import logging
import math
import operator
import random
import re
import string
import time
import typing
import warnings
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np

from mindspore import Tensor

V = [1.0, -2.0, 4.0]
LOG = logging.getLogger(__name__)


def test_both_modes_agree(program, agree):
    agree(program, fullgraph=program.__name__ not in IN_PYTHON)


# what they read or change besides their arguments no graph can follow
IN_PYTHON = ("program_time", "program_logging_of_known_values", "program_warnings")


# ---------------------------------------------------------------------- collections

def program_ordered_dict(x=V):
    d = OrderedDict(a=x, b=x * 2)
    d.move_to_end("a")
    first = next(iter(d))
    d.popitem(last=False)
    return d["a"] if first == "b" else x * 9


def program_defaultdict(x=V):
    d = defaultdict(list)
    for i in range(4):
        d[i % 2].append(x * i)
    return sum(d[0]) - sum(d[1])


def program_defaultdict_of_tensors(x=V):
    d = defaultdict(lambda: x)
    d["a"] = d["a"] + 1
    return d["a"] + d["b"] * len(d)


def program_counter(x=V):
    c = Counter("abca")
    c.update("b")
    return x * c["a"] + c["b"] + c.most_common(1)[0][1] + c["z"]


def program_deque(x=V):
    d = deque([x], maxlen=2)
    d.append(x * 2)
    d.append(x * 3)
    d.appendleft(x * 4)
    return d[0] + d[-1] * len(d)


def program_chain_map(x=V):
    m = collections.ChainMap({"a": x}, {"a": 1, "b": 2})
    return m["a"] * m["b"]


Box = namedtuple("Box", ["low", "high"], defaults=[1])


def program_namedtuple_defaults(x=V):
    b = Box(x)
    return b.low * b.high + b._asdict()["low"] * len(Box._fields)


def program_namedtuple_in_tensor_branch(x=V):
    b = Box(x, x * 2)
    if x.sum() > 0:
        b = b._replace(high=x * 5)
    low, high = b
    return low + high


# ---------------------------------------------------------------------- operator, math, numbers

def program_operator_functions(x=V):
    get = operator.itemgetter(1)
    return operator.add(x, get([1, x])) - operator.neg(x) + operator.truediv(x, 2)


def program_attrgetter(x=V):
    return x * len(operator.attrgetter("shape")(x)) + operator.methodcaller("sum")(x)


def program_operator_setitem(x=V):
    items = [x, x]
    operator.setitem(items, 0, x * 2)
    return items[0] + operator.getitem(items, 1)


def program_operator_iadd(x=V):
    items = [x]
    alias = items
    items = operator.iadd(items, [x * 2])
    return alias[1] + len(items)


def program_operator_on_tensor_items(x=V):
    return operator.getitem(x, slice(0, 2)) * operator.mul(2, x[2])


def program_math(x=V):
    return x * math.sqrt(16) + math.floor(2.7) + math.prod([2, 3]) - math.pi + math.log2(8) + math.gcd(4, 6)


def program_fraction_decimal(x=V):
    return x * float(Fraction(1, 2) + Fraction(1, 4)) + int(Decimal("3"))


def program_heapq(x=V):
    heap = [5, 1, 3]
    heapq.heapify(heap)
    heapq.heappush(heap, 0)
    return x * heapq.heappop(heap) + heap[0] + heapq.nlargest(1, heap)[0]


def program_bisect(x=V):
    marks = [1, 4, 9]
    bisect.insort(marks, 5)
    return x * bisect.bisect_left(marks, 5) + marks[2]


# ---------------------------------------------------------------------- text, copies, time

def program_regular_expression(x=V):
    found = re.match(r"layer(\d+)\.(\w+)", "layer12.weight")
    return x * int(found.group(1)) + len(found[2])


def program_string_template(x=V):
    return x * len(string.Template("$a-b").substitute(a="xyz")) + len(string.ascii_lowercase)


def program_copy(x=V):
    items = [[x], x]
    shallow, deep = copy.copy(items), copy.deepcopy(items)
    items[0][0] = x * 5
    return shallow[0][0] + deep[0][0] + deep[1]


def program_time(x=V):
    start = time.time()
    y = x * 2
    assert time.time() - start < 100
    return y + (time.perf_counter() > 0)


def program_logging_of_known_values(x=V):
    LOG.debug("shape %s", x.shape)
    return x * 2


def program_warnings(x=V):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("never seen")
    return x * 2


def program_suppress(x=V):
    y = x
    with contextlib.suppress(KeyError):
        y = y + {}["a"]
    return y


def program_nullcontext(x=V):
    with contextlib.nullcontext(x * 2) as y:
        return y + 1


def program_exit_stack(x=V):
    done = []
    with contextlib.ExitStack() as stack:
        stack.callback(done.append, 1)
        y = x + len(done)
    return y * (1 + len(done))


@contextlib.contextmanager
def doubled_inside(holder):
    holder["v"] = holder["v"] * 2
    try:
        yield holder
    finally:
        holder["v"] = holder["v"] + 1


def program_contextmanager(x=V):
    held = {"v": x}
    with doubled_inside(held) as h:
        y = h["v"]
    return y + held["v"]


def program_random_of_known_values(x=V):
    rng = random.Random(3)
    order = [0, 1, 2]
    rng.shuffle(order)
    return x[order[0]] * rng.randint(2, 2) + x


def program_numpy_random_of_known_values(x=V):
    return x * float(np.random.RandomState(0).rand())


def program_numpy_constants(x=V):
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    return x + Tensor(table[1]) * np.float32(2) + table.shape[1] + np.pi


def program_numpy_sqrt_of_shape(x=V):
    return x / np.sqrt(x.shape[-1]) * np.prod(x.shape)


def program_typing(x=V):
    y: typing.Optional[Tensor] = None
    items: typing.List[int] = [1, 2]
    y = typing.cast(Tensor, x * sum(items))
    return y
