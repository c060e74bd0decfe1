"""What public names say that are made from operators."""
from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest
from tests.test_docstrings import check

from mindspore.operators.table import REGISTRY
from mindspore.ops import documents, explained, functions, primitives
from mindspore.ops.signatures import Param


class Shift:
    """x plus `y`, `step` times.

    Args:
        x, y: Tensors.
        step: How often;
            an int.

    Returns:
        The shape of `x`.

    Examples:
        >>> ops.Shift()(1)
    """

    kernel = print
    name = "Shift"
    function = "shift(a, b)"


def _pairs(**names):
    return [(Param(new, None, "plain", None), old) for new, old in names.items()]


def test_a_class_explains_what_its_constructor_and_its_call_take():
    step = Param("step", None, "plain", None)
    assert documents.of_class(Shift, "Move", [step], _pairs(a="x", y="y"), ["shift"]) == """\
a plus `y`, `step` times.

Args:
    step: How often;
        an int.

Inputs:
    a, y: Tensors.

Outputs:
    The shape of `a`.

Examples:
    >>> ops.Move()(1)"""


def test_a_class_names_the_earlier_spellings_of_what_its_constructor_takes():
    step = Param("step", None, "plain", None)
    text = documents.of_class(Shift, "Move", [step], _pairs(x="x", y="y"), ["shift"], {"count": "step"})
    assert "        an int.\n    count: An earlier name of `step`.\n\nInputs:\n" in text


def test_a_method_without_a_function_has_the_text():
    assert "Returns:\n    The shape of `self`." in documents.of_function(Shift, _pairs(self="x", y="y"), "")


def test_a_function_explains_its_own_parameters_and_a_method_leaves_out_the_tensor():
    text = documents.of_function(Shift, _pairs(a="x", b="y"), "shift")
    assert text.startswith("a plus `b`, `step` times.\n\nArgs:\n    a, b: Tensors.\n\nReturns:\n")
    assert text.endswith(">>> ops.shift(1)")
    text = documents.of_function(Shift, _pairs(self="x", times="step"), "shift")
    assert "Args:\n    times: How often;\n        an int.\n\nReturns:" in text


def test_an_operator_without_a_text_gives_none():
    class Silent:
        kernel = print
        name = "Silent"
    Silent.__doc__ = None
    assert documents.of_function(Silent, [], "silent") is None
    assert documents.of_class(Silent, "Silent", [], [], []) is None


def test_sections_that_stand_apart_belong_to_an_operator_which_has_not_the_same_ones():
    specs = primitives.primitive.specs()
    for module in pkgutil.iter_modules(explained.__path__):
        for name, text in importlib.import_module(f"{explained.__name__}.{module.name}").TEXTS.items():
            ops = [specs[name][0]] if name in specs else []
            ops += [REGISTRY[name]] if name in REGISTRY else []        # a composition may have a kernel's name
            found = [op for op in ops if explained.sections(op) == text]
            assert found, (module.name, name)
            assert "Args:" not in text or "\nArgs:\n" not in inspect.cleandoc(found[0].__doc__), name


def _made():
    for module in (primitives, functions):
        for name in dir(module):
            text = getattr(getattr(module, name), "__doc__", None) or ""
            if ">>>" in text:
                yield pytest.param(text, name, id=name)


@pytest.mark.parametrize(("text", "name"), [*_made()])
def test_examples_that_were_made_for_a_name_show_what_stands_below_them(text, name):
    check(text, name)
