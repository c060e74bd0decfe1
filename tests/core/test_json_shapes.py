"""Values of JSON texts as the types of annotations."""
from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from mindspore.core.json_shapes import made


class Row(NamedTuple):
    name: str
    sizes: tuple[tuple[int, ...], ...]
    share: float | None = None
    more: dict[str, Any] = {}


def test_values_become_the_types_that_are_named():
    assert made(list[Row], [["a", [[1, 2], []]], ["b", [], 2, {"x": [1]}]]) == [
        Row("a", ((1, 2), ())), Row("b", (), 2, {"x": [1]})]
    assert made(dict[str, list[tuple[float, float]]], {"a": [[1, 2.5]]}) == {"a": [(1, 2.5)]}
    assert made(bool | None, None) is None


@pytest.mark.parametrize(("kind", "value", "told"), [
    (int, True, "whole number of 62 bits, but there is True"), (int, 1.0, "whole number"), (int, 2**62, "whole number"),
    (float, float("nan"), "number, but there is nan"), (float, float("inf"), "number"), (float, "1", "number"),
    (float, False, "number"), (float, 10**400, "whole number"), (str, 1, "str"), (bool, 1, "bool"),
    (list[int], {"a": 1}, "list"), (list[int], [1, "x"], "whole number"), (dict[str, int], [1], "object"),
    (tuple[int, int], [1], "list of 2 values"), (tuple[int, int], [1, 2, 3], "list of 2 values"),
    (Row, ["a"], "list of 4 values"), (Row, ["a", [], 1.0, {}, 1], "list of 4 values"), (Row, {"name": "a"}, "list"),
    (Row, ["a", [[-1.5]]], "whole number"), (Row, ["a", [], "x"], "NoneType"), (str, None, "str"),
])
def test_other_values_are_told(kind, value, told):
    with pytest.raises(ValueError, match=told):
        made(kind, value)
