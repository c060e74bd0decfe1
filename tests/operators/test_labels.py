"""The label language: what is read, what is refused, what follows for a piece."""
from __future__ import annotations

from typing import NamedTuple

import pytest

from mindspore.operators.labels import adjoint, parse, whole
from mindspore.operators.layouts import laid_out


class Shaped(NamedTuple):
    shape: tuple[int, ...]


def layout(text, inputs, results, **attrs):
    return laid_out(text, [Shaped(x) if isinstance(x, tuple) else x for x in inputs], attrs,
                    [Shaped(x) for x in results])


@pytest.mark.parametrize(("text", "words"), [
    ("a b", "no '->'"), ("a -> a b", "only in a result"), ("a -> max:a a", "partial results"),
    ("a -> best:a", "unknown kind"), ("(a b -> a b", "open bracket"), ("a) -> a", "bracket out of place"),
    ("... a ... -> a", "twice"), ("* a, b -> a", "before the last"), ("a & b -> a", "cannot be read"),
    ("max:a b -> b", "cannot be read"), ("a; 3=a -> a", "without '='"), ("a b -> b share:a", "partial results"),
])
def test_a_text_that_is_none_is_refused(text, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        parse(text)


@pytest.mark.parametrize(("text", "inputs", "results", "attrs"), [
    ("a b -> a", [(2, 3, 4)], [(2,)], {}), ("a b, b -> a", [(2, 3), (4,)], [(2,)], {}),
    ("a -> a, a", [(2,)], [(2,)], {}), ("a -> a", [(2,), (2,)], [(2,)], {}),
    ("(a=2 b) -> a b", [(6,)], [(2, 4)], {}), ("(a b) -> (a b)", [(6,)], [(6,)], {}),
    ("a; shape=a -> a", [(2,)], [(2,)], {"shape": (3,)}),
])
def test_labels_that_do_not_fit_the_tensors_are_refused(text, inputs, results, attrs):
    with pytest.raises(ValueError, match="labels"):
        layout(text, inputs, results, **attrs)


@pytest.mark.parametrize(("text", "inputs", "results", "cuttable"), [
    ("... m k, ... k n -> ... m n", [(5, 2, 3), (3, 4)], [(5, 2, 4)], [".0", "k", "m", "n"]),
    ("... m! k, ... k n -> ... m n", [(2, 3), (3, 4)], [(2, 4)], ["k", "n"]),
    ("..., ... -> ...", [(4, 1), 2.0], [(4, 1)], [".0"]),
    ("a b! -> a b!", [(4, 5)], [(4, 9)], ["a"]),
    ("a, b, c -> a", [(4,), None], [(4,)], ["a"]),
    ("* a -> a", [(4,), (4,), (4,)], [(4,)], ["a"]),
    ("a b! -> * a b!", [(4, 6)], [(4, 2), (4, 2), (4, 2)], ["a"]),
    ("(h d) -> h d", [(6,)], [(2, 3)], ["d", "h"]),
    ("... -> ...", [()], [()], []),
    (whole("because it is tested"), [(4,)], [(4,)], []),
])
def test_a_label_may_be_cut_that_stays_whole_nowhere(text, inputs, results, cuttable):
    assert layout(text, inputs, results).cuttable() == cuttable


def test_what_a_cut_leaves_is_said_for_every_result():
    found = layout("a b -> a max:b, a mean:b, a b, b share:b", [(2, 3)], [(2,), (2,), (2, 3), (3,)])
    assert [found.left(i, "b") for i in range(4)] == ["max", "mean", None, "share"]
    assert [found.left(i, "a") for i in range(4)] == [None, None, None, "sum"]


def test_a_dimension_that_is_broadcast_is_not_cut_and_its_result_is_a_sum():
    found = layout("..., ... -> ..., ...", [(4, 3), (1, 3)], [(4, 3), (1, 3)])
    assert [found.left(i, ".0") for i in (0, 1)] == [None, "sum"]
    assert found.shape(found.inputs[1], {".0": 2}) == (1, 3)


def test_the_attributes_of_a_piece_have_its_extents():
    found = layout("(h d); shape=h d; count=h -> h d", [(6,)], [(2, 3)], shape=(-1, 3), count=2)
    assert found.settings({"shape": (-1, 3), "count": 2, "other": "x"}, {"h": 1}) == {
        "shape": (-1, 3), "count": 1, "other": "x"}


def test_the_labels_of_a_reverse_follow_from_the_forward_ones():
    product = "... m k, ... k n -> ... m n"
    assert adjoint(product, "out0 x y", "x y", ["x", "y"]) == (
        "... m n, ... m k, ... k n -> ... m k, ... k n")
    assert adjoint("a b -> a max:b", "x out0", "x", ["x"]) == "a b!, a -> a b!"
    assert adjoint("a b, b; n=a -> a mean:b", "x w out0", "x w -", ["x", "w"]) == (
        "a b, b, a; n=a -> a b share:b, b share:b,  mean:b")
    assert adjoint("* a -> * a", "x y out0 out1", "x y", ["x", "y"]) == "a, a, a, a -> a, a"
    assert adjoint(whole("because it is tested"), "x out0", "x", ["x"]) == whole("because it is tested")


def test_a_reason_is_more_than_a_word():
    with pytest.raises(ValueError, match="too short"):
        whole("sorted")
