# ruff: noqa: E501  # one construct per entry
"""Every construct in every context: behind `if` on tensors, in loops on tensors, in functions.

A construct is three pieces of a program: what comes before, what stands in the context, what follows.
`x` is the argument (three elements), `v` the value in the context, `y` the result.
"""

from __future__ import annotations

import ast
import importlib.util
import textwrap

import pytest

CONSTRUCTS = {
    # ------------------------------------------------------------------ names and expressions
    "augmented": ("y = x", "y += v; y *= 0.5; y -= 1; y /= 2; y **= 2", ""),
    "unpacking": ("y = x", "a, (b, *c), d = v[0], (v[1], v[2], v[0]), v; y = a + b + c[1] * d", ""),
    "swap": ("a, b = x, x * 2", "a, b = b, a + v", "y = a - b"),
    "chained_assignment": ("a = b = x", "a = b = v * 2; b = b + 1", "y = a * b"),
    "conditional_expression": ("y = x", "y = v * 2 if v.sum() > 1 else v - 1", ""),
    "short_circuit": ("y = x", "y = y + 1 if v[0] > 0 and v[1] < 0 or not v[2] > 3 else y - v", ""),
    "chained_comparison": ("y = x", "y = y * 2 if -1 < v[0] < 2 != 3 else y", ""),
    "walrus": ("y = x", "y = (n := v + 1) * n", ""),
    "walrus_in_condition": ("y = x", "if (s := v.sum()) > 1:\n    y = y + s", ""),
    "slices": ("y = x", "s = slice(0, 2); y = v[::-1][s].sum() + v[None, 1:] + v[..., -1]", ""),
    "f_string_key": ("t = {'k1': x, 'k2': x * 2}", "t[f'k{1 + 1}'] = v", "y = t['k1'] + t['k2']"),
    "is_none": ("y = None", "if y is None:\n    y = v", "y = x if y is None else y"),
    # ------------------------------------------------------------------ mutation
    "list_methods": ("y = x", "items = [v, v * 2]; items.append(v + 1); items.insert(0, v * 3); items.extend([v, v * 4]); items.reverse(); items.pop(1); del items[0]; items[0] = items[-1] + v; y = items[0] * len(items)", ""),
    "list_item_outside": ("items = [x, x * 2]; alias = items", "items[0] = v + 1; alias[1] = alias[0] * v", "y = items[0] + items[1]"),
    "list_augmented_item": ("items = [x, x * 2]; alias = items", "items[0] += v; items[-1] *= 2", "y = alias[0] + alias[1]"),
    "list_in_list": ("rows = [[x], [x * 2]]; row = rows[1]", "rows[1][0] = v; row[0] = row[0] + 1", "y = rows[0][0] + rows[1][0]"),
    "same_list_twice": ("row = [x]; rows = [row, row]", "rows[0][0] = v * 3", "y = rows[1][0] + row[0]"),
    "list_slice": ("items = [x, x, x]", "items[:2] = [v, v * 2]", "y = items[0] + items[1] * items[2]"),
    "list_sort": ("y = x\nnames = ['b', 'a']", "order = sorted(names, key=lambda n: -ord(n)); y = v * (1 if order[0] == 'b' else 2)", ""),
    "dict_item": ("t = {'a': x, 'b': x}; alias = t", "t['a'] = v * 2; alias['b'] += t['a']", "y = t['a'] + t['b']"),
    "dict_methods": ("y = x", "t = {}; t['a'] = v; t.setdefault('b', v * 2); t.update(c=v + 1); t |= {'d': v}; w = t.pop('c'); y = sum(t.values()) + w * len(t)", ""),
    "dict_of_lists": ("t = {'a': [x]}", "t['a'][0] = v; t.get('a')[0] += 1", "y = t['a'][0]"),
    "dict_iteration": ("y = x; t = {'a': x, 'b': x * 2}", "y = v + 1\nfor k, w in t.items():\n    t[k] = w + v\n    y = y + t[k]", "y = y + t['a']"),
    "set_methods": ("y = x\nseen = {1}", "kept = seen | {2, 3}; kept.discard(1); kept ^= {3, 4}; y = v * sum(kept) + len(seen & {1})", ""),
    "attribute": ("h = Holder(x); alias = h", "h.value = v * 2; alias.value += 1", "y = h.value"),
    "attribute_of_attribute": ("h = Holder(Holder(x))", "h.value.value = v; h.value.value *= 3", "y = h.value.value"),
    "list_of_objects": ("hs = [Holder(x), Holder(x)]", "for h in hs:\n    h.value = h.value * 2 + v", "y = hs[0].value + hs[1].value"),
    "object_made_inside": ("y = x", "h = Holder(v); h.value += 1; y = h.doubled() + h.twice", ""),
    "dataclass": ("p = Point(x, 1)", "p.a = v * p.b; q = replace(p, b=2); p.b = q.b", "y = p.a * p.b"),
    "named_tuple": ("y = x\np = Pair(x, 2)", "p = p._replace(first=v); a, b = p; y = a * b + p.first", ""),
    "attribute_by_name": ("h = Holder(x)", "setattr(h, 'value', getattr(h, 'value') + v)", "y = h.value if hasattr(h, 'value') else x"),
    "tensor_item": ("y = x * 1", "y[0] = v[1]; y[1:] += 2; y[y > 1.5] = 0", ""),
    "tensor_item_alias": ("y = x * 1; z = y; held = [y]", "y[0] = v[2] * 2; held[0][1] = 5", "y = y + z + held[0]"),
    "tensor_in_place": ("y = x * 1; z = y", "y.add_(v); z.mul_(2)", "y = y + z"),
    "deque": ("d = deque([x, x * 2], maxlen=2)", "d.append(v); d.rotate(1); d[0] = d[0] + 1", "y = d[0] + d[1] * 2"),
    # ------------------------------------------------------------------ functions
    "inner_function": ("y = x", "def f(a, *rest, k=2, **more):\n    return a * k + len(rest) + more.get('z', 0)\ny = f(v, 1, 2, z=3) + f(v, k=v)", ""),
    "closure_sees_later_values": ("w = x\ndef f():\n    return w * 2", "w = v + 1", "y = f()"),
    "nonlocal": ("w = x\ndef bump(a):\n    nonlocal w\n    w = w * 0.5 + a", "bump(v); bump(1)", "y = w"),
    "function_changes_list": ("items = [x]\ndef change(it, a):\n    it[0] = it[0] + a", "change(items, v)", "y = items[0]"),
    "lambda": ("y = x\nf = lambda a, b=x: a * b", "f = lambda a, g=f: g(a) + v\ny = f(v)", ""),
    "early_return_in_function": ("y = x\ndef f(a):\n    if a.sum() > 1:\n        return a * 2\n    for i in range(3):\n        if a[i] > 0.5:\n            return a + i\n    return a", "y = f(v)", ""),
    "recursion": ("v0 = x; y = x\ndef f(a, n):\n    return a if n == 0 else f(a * 0.5 + v0, n - 1)", "v0 = v; y = f(v, 3)", ""),
    "tensor_recursion": ("y = x\ndef f(a):\n    if a.sum() < 4:\n        return f(a * a + 1)\n    return a", "y = f(v)", ""),
    "generator": ("y = x\ndef rows(a):\n    for k in range(3):\n        yield a * k\n    yield a", "y = v\nfor r in rows(v):\n    y = y + r", ""),
    "generator_expression": ("y = x", "y = sum((v * k for k in range(3) if k != 1), y)", ""),
    "partial": ("y = x\nf = partial(lambda a, b, c: a * b + c, c=x)", "y = f(v, 2)", ""),
    "star_call": ("y = x\ndef f(a, b, c=0):\n    return a - b * c", "y = f(*[v, x], **{'c': 2})", ""),
    "map_and_zip": ("y = x\nitems = [x, x * 2]", "y = sum(map(lambda a, b: a * b, items, [v, 2]), v)", ""),
    "method": ("y = x\nh = Holder(x)", "h.add(v); h.add(1); y = h() + h[0] + len(h)", ""),
    "bound_method_kept": ("h = Holder(x); f = h.add", "f(v)", "y = h.value"),
    "operators": ("y = x\na = Vector(x)", "b = a + Vector(v) * 2; b += 1; y = (-b).value + (2 * b).value + (a @ b)", ""),
    "property": ("y = x\nh = Holder(x)", "h.twice = v; y = h.twice * h.value", ""),
    "context_manager": ("h = Holder(x)", "with h as inside:\n    inside.value = v + 1", "y = h.value"),
    # ------------------------------------------------------------------ statements
    "nested_condition": ("y = x", "if v[0] > 0.4:\n    if v[1] > 0:\n        y = y * 3\n    else:\n        y = y - v\nelif v[2] > 1:\n    y = v", ""),
    "static_for": ("y = x", "for i, (a, b) in enumerate(zip(v, x)):\n    if i == 1:\n        continue\n    y = y + a * b\nelse:\n    y = y * 2", ""),
    "for_break_on_tensor": ("y = x", "for i in range(4):\n    y = y * 0.5 + v\n    if y.sum() > 2:\n        break\nelse:\n    y = y - 1", ""),
    "while_on_tensor": ("y = x", "n = 0\nwhile y.sum() < 5 and n < 6:\n    y = y + v * v\n    n += 1\ny = y * n", ""),
    "while_break_continue": ("y = x", "n = 0\nwhile n < 6:\n    n += 1\n    if (v * n).sum() > 4:\n        continue\n    y = y + n\n    if y[0] > 3:\n        break", ""),
    "try_finally": ("y = x; log = []", "try:\n    y = y + {'a': v}['b']\nexcept KeyError as e:\n    log.append(e.args[0])\n    y = y * 2\nelse:\n    y = y * 5\nfinally:\n    y = y + len(log)", ""),
    "match": ("y = x", "match (v.shape, [v, 1]):\n    case ((3,), [a, 1 | 2]):\n        y = y + a\n    case _:\n        y = y * 7", ""),
    "match_on_tensor": ("y = x", "match v[0] > 0.4:\n    case True:\n        y = y + 1\n    case _:\n        y = y * 7", ""),
    "comprehensions": ("y = x", "y = sum([a * b for a in v for b in [1, 2] if b > 1]) + {k: v * k for k in (1, 2)}[2] + len({i % 2 for i in range(5)})", ""),
    "assertion": ("y = x", "assert v.sum() < 100, 'too large'\ny = y + v", ""),
    "delete": ("y = x", "w = v * 2; y = y + w; del w", ""),
    "stack": ("y = x\nparts = []", "parts = [v * k for k in range(3)]; y = ops.stack(parts).sum(0)", ""),
    "itertools": ("y = x", "for a, b in itertools.product([v, 1], [2, 3]):\n    y = y + a * b\nfor a in itertools.chain([v], (w for w in [x])):\n    y = y - a", ""),
    "enum": ("y = x", "y = y * len(Kind.TWO.value) + v if Kind('two') is Kind.TWO else v", ""),
    "isinstance": ("y = x", "y = y + v if isinstance(v, Tensor) and not isinstance(v, (list, int)) else y", ""),
    "max_of_tensors": ("y = x", "y = y + max(v[0], v[1], 0.3) - min([v[2], v[0]])", ""),
    "counter": ("n = 0", "n += 1", "y = x * n"),
    "flag": ("done = False", "done = not done", "y = x * 2 if done else x"),
    "number_of_tensor": ("n = 0.0", "n = n + v.sum()", "y = x * n"),
}

CONTEXTS = {
    "plain": "v = x\n{body}",
    "then": "v = x\nif x.sum() > 0:\n    v = x * 2\n    {body}",
    "otherwise": "v = x\nif x.sum() > 0:\n    v = v + 1\nelse:\n    {body}",
    "both": "v = x\nif x[0] > 0:\n    v = v * 3\n    {body}\nelse:\n    v = v - 1\n    {body}",
    "loop": "k = 0\nv = x\nwhile (v * 0).sum() + k < 3:\n    v = v * 0.5 + k\n    {body}\n    k += 1",
    "range_of_tensor": "v = x\nfor k in range((x > -9).sum()):\n    v = v * 0.5 + k\n    {body}",
    "left_loop": "v = x\nfor k in range(3):\n    {body}\n    if v.sum() > 1:\n        break\n    v = v + 1",
    "inner": "def inner(v):\n    {nonlocals}{body}\ninner(x * 2)",
    "inner_behind": "def inner(v):\n    {nonlocals}{body}\nif x[0] > 0.2:\n    inner(x * 2)",
    "after_return": "v = x * 2\nif x.sum() > 100:\n    return x * 0\n{body}",
    "guarded": "v = x\ntry:\n    {body}\nfinally:\n    v = v + 1",
}

HEAD = '''
import itertools
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from mindspore import Tensor, ops


class Holder:
    def __init__(self, value):
        self.value = value

    @property
    def twice(self):
        return self.value * 2

    @twice.setter
    def twice(self, new):
        self.value = new / 2

    def doubled(self):
        return self.value * 2

    def add(self, amount):
        self.value = self.value + amount

    def __call__(self):
        return self.value

    def __getitem__(self, index):
        return self.value[index]

    def __len__(self):
        return len(self.value)

    def __enter__(self):
        self.value = self.value * 2
        return self

    def __exit__(self, *error):
        self.value = self.value + 1


@dataclass
class Point:
    a: Any
    b: int = 0


class Pair(NamedTuple):
    first: Any
    second: int


class Vector:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Vector(self.value + (other.value if isinstance(other, Vector) else other))

    def __mul__(self, factor):
        return Vector(self.value * factor)

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.value = self.value + other
        return self

    def __neg__(self):
        return Vector(-self.value)

    def __matmul__(self, other):
        return (self.value * other.value).sum()


class Kind(Enum):
    ONE = "one"
    TWO = "two"
'''


def written(construct, context):
    """The source of a program; a body in a function declares what it binds of the names around it."""
    before, body, after = (textwrap.dedent(part).strip() for part in CONSTRUCTS[construct])
    body = "\n".join(ast.unparse(s) for s in ast.parse(body).body)
    outer, inner = _bound(before), _bound(body)
    shared = sorted((outer & inner) - {"v"})
    template = CONTEXTS[context]
    indent = next(line[: len(line) - len(line.lstrip())] for line in template.splitlines() if "{body}" in line)
    nonlocals = f"nonlocal {', '.join(shared)}\n{indent}" if shared else ""
    lines = f"{before}\n" + template.replace("{nonlocals}", nonlocals).replace(
        "{body}", textwrap.indent(body, indent).strip())
    return f"{HEAD}\n\ndef program(x=[0.5, -1.0, 2.0]):\n" + textwrap.indent(
        f"{lines}\n{after}\nreturn y\n", "    ")


def _bound(source):
    """The names that statements bind in their own scope."""
    found, todo = set(), list(ast.parse(source).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(node.id)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            todo += ast.iter_child_nodes(node)
    return found


# Not compiled as a whole (it then runs in Python), and why.
UNCOMPILED = {("lambda", c): "a function grows with every pass" for c in ("loop", "range_of_tensor")} | {
    ("try_finally", c): "a list grows with every pass" for c in ("loop", "range_of_tensor")}


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_a_construct_does_the_same_in_both_modes(construct, context, tmp_path, agree):
    file = tmp_path / f"{construct}_{context}.py"
    file.write_text(written(construct, context))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    agree(module.program, fullgraph=(construct, context) not in UNCOMPILED)
