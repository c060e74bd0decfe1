"""What an attribute is without being given is one thing: for the kernel, every rule and the primitive."""
from __future__ import annotations

import ast
import inspect
import re

from mindspore import ops
from mindspore.operators.registry import REGISTRY

RULES = ("shape_rule", "rule", "cost_rule", "onnx_rule", "layout_rule")      # `rule` is that of the gradient


def defaults(function):
    """The defaults of keywords."""
    parameters = inspect.signature(inspect.unwrap(function)).parameters.items()
    return {name: p.default for name, p in parameters if p.kind == p.KEYWORD_ONLY and p.default is not p.empty}


def named(primitive):
    """The defaults in a text such as `Split(axis=0, output_num=1)(input_x)`."""
    found = re.match(r"\w+\((.*)\)\(", (primitive or "").partition(";")[0])
    call = ast.parse(f"f({found[1] if found else ''})", mode="eval").body
    values = {}
    for word in call.keywords:
        try:
            values[word.arg] = ast.literal_eval(word.value)
        except ValueError:                     # a name of a type
            continue
    return values


def test_rules_and_primitives_have_the_defaults_of_the_kernel():
    assert ops.Add().name == "Add"            # all operators are loaded
    differ, counts = [], {"rules": 0, "primitives": 0}
    for op in REGISTRY.values():
        own = defaults(op.kernel)
        for name in RULES:
            rule = getattr(op, name, None)
            if not callable(rule):
                continue
            other = defaults(rule)
            counts["rules"] += len(own.keys() & other.keys())
            differ += [(op.name, name, key, other[key], own[key]) for key in own.keys() & other.keys()
                       if repr(other[key]) != repr(own[key])]
        texts = named(op.primitive)
        counts["primitives"] += len(own.keys() & texts.keys())
        differ += [(op.name, "primitive", key, texts[key], own[key]) for key in own.keys() & texts.keys()
                   if repr(texts[key]) != repr(own[key])]
    assert differ == []
    assert counts["rules"] > 400
    assert counts["primitives"] > 100
