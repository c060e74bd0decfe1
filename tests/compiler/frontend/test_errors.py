"""What graph mode refuses: the type, the construct, the user's line and a remedy."""

from __future__ import annotations

import pytest

from mindspore import Tensor
from mindspore.compiler.jit import jit
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError


def yields_inside_an_expression(x):
    def rows():
        return (yield x) + 1

    return list(rows())


def yields_behind_a_condition(x):
    def rows():
        if x.sum() > 0:
            yield x

    return list(rows())


def waits(x):
    async def later():
        return x

    return later()


def catches_an_error_of_a_called_function(x):
    def check(v):
        if v[0] > 0:
            raise ValueError("positive")
        return v

    try:
        x = check(x)
    except ValueError:
        x = x + 1
    return x


def catches_an_error_behind_a_condition(x):
    try:
        y = {}["a"] if x[0] > 0 else x
    except KeyError:
        y = x + 1
    return y


def advances_an_iterator_in_one_branch(x):
    items = iter([x, x * 2])
    if x[0] > 0:
        next(items)
    return next(items)


def changes_the_shape_in_a_loop(x):
    while x.sum() < 10:
        x = x.reshape(1, *x.shape)
    return x


def appends_in_a_loop(x):
    out = []
    while x.sum() < 10:
        x = x + 1
        out.append(x)
    return out


def filters_by_content(x):
    return [v for v in x if v > 0]


def asks_for_elements(x):
    return x.asnumpy().sum()


def uses_numpy(x):
    import numpy as np

    return np.exp(x)


def lists_bound_by_a_loop(x):
    while x.sum() < 10:
        y = [x * 2]
        x = x + 1
    return y


def names_bound_in_one_branch(x):
    if x[0] > 0:
        y = x
    return y


def range_step_unknown(x):
    for _ in range(0, 10, x[0].astype("int32")):
        x = x + 1
    return x


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


@pytest.mark.parametrize(
    ("refused", "error", "says"),
    [
        (yields_inside_an_expression, GraphSyntaxError, "'yield'.*name"),
        (yields_behind_a_condition, GraphSyntaxError, "'yield'.*tensor"),
        (waits, GraphSyntaxError, "'AsyncFunctionDef'"),
        (catches_an_error_of_a_called_function, GraphSyntaxError, "'raise'.*'ops.where'"),
        (catches_an_error_behind_a_condition, GraphSyntaxError, "KeyError.*'ops.where'"),
        (advances_an_iterator_in_one_branch, GraphSyntaxError, "iterator.*inside"),
        (changes_the_shape_in_a_loop, GraphTypeError, r"loop variable 'x' changes from f32\[1,3\] to f32\[1,1,3\]"),
        (appends_in_a_loop, GraphTypeError, "a list"),
        (filters_by_content, GraphSyntaxError, "comprehension.*mask"),
        (asks_for_elements, GraphValueError, "NumPy array.*PyNative"),
        (uses_numpy, GraphValueError, "NumPy array.*PyNative"),
        (lists_bound_by_a_loop, UnboundLocalError, "'y'.*before the loop"),
        (names_bound_in_one_branch, UnboundLocalError, "'y' is bound in only one branch of an 'if' on a tensor"),
        (range_step_unknown, GraphTypeError, "step"),
    ],
)  # fmt: skip
def test_an_unsupported_construct_is_named_with_line_and_remedy(refused, error, says):
    args = (Tensor([1.0, -2.0, 4.0]), Manager())[: refused.__code__.co_argcount]
    with pytest.raises(error, match=says) as caught:
        jit(refused, fullgraph=True)(*args)
    assert any(f"in {refused.__name__}: " in note for note in caught.value.__notes__)


def test_notes_name_every_frame_of_the_user_innermost_first():
    def inner(x):
        return x.reshape(7)

    def outer(x):
        y = x + 1
        return inner(y)

    with pytest.raises(ValueError, match="'Reshape'") as caught:
        jit(outer, fullgraph=True)(Tensor([1.0, 2.0]))
    shown = [note.split(": ")[-1] for note in caught.value.__notes__]
    assert shown == ["return x.reshape(7)", "return inner(y)"]


@pytest.mark.parametrize("fullgraph", [True, False])
def test_what_a_program_changes_before_it_ends_in_an_error_stays_changed(fullgraph):
    class Holder:
        def __init__(self):
            self.x, self.items = 1, [1]

    holder = Holder()

    def program(x):
        holder.x = x
        holder.items.append(x)
        return x.missing

    x = Tensor([1.0])
    with pytest.raises(AttributeError, match="missing") as caught:
        jit(program, fullgraph=fullgraph)(x)
    assert caught.value.__notes__[0].endswith("return x.missing")
    assert holder.x is x
    assert len(holder.items) == 2
    assert holder.items[1] is x


def test_what_cannot_be_compiled_leaves_objects_as_they_were():
    holder = []

    def program(x):
        holder.append(x)
        return x.asnumpy()

    with pytest.raises(GraphValueError):
        jit(program, fullgraph=True)(Tensor([1.0]))
    assert holder == []


def test_a_program_is_compiled_once_per_signature():
    @jit
    def program(x, k):
        return x * k

    program(Tensor([1.0]), 2)
    program(Tensor([5.0]), 2)
    assert program.cache.compiled == 1
    program(Tensor([1.0, 2.0]), 2)
    program(Tensor([1.0]), 3)
    assert program.cache.compiled == 3


FACTOR = 2


def test_a_changed_global_is_seen(monkeypatch):
    @jit
    def program(x):
        return x * FACTOR

    assert float(program(Tensor(3.0))) == 6
    monkeypatch.setitem(globals(), "FACTOR", 5)
    assert float(program(Tensor(3.0))) == 15


def test_a_changed_variable_of_an_enclosing_function_is_seen():
    k = Tensor(2.0)

    @jit
    def program(x):
        return x * k

    assert float(program(Tensor(3.0))) == 6
    k = Tensor(5.0)
    assert float(program(Tensor(3.0))) == 15


def test_small_integer_arguments_are_constants_where_their_values_are_needed():
    @jit
    def program(x, shape):
        return x.reshape(tuple(shape.tolist()))

    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert program(x, Tensor([3, 2])).shape == (3, 2)
    assert program(x, Tensor([6, 1])).shape == (6, 1)
    assert program(x * 2, Tensor([3, 2])).shape == (3, 2)
    assert program.cache.compiled == 2


def test_a_mask_given_as_an_argument_selects():
    @jit
    def program(x, mask):
        return x[mask] * 2

    x = Tensor([1.0, 2.0, 3.0])
    assert program(x, Tensor([True, False, True])).asnumpy().tolist() == [2, 6]
    assert program(x, Tensor([False, True, False])).asnumpy().tolist() == [4]


def test_a_function_without_source_runs_as_it_is():
    space = {}
    exec("def program(x):\n    return x * 2 + 1", space)
    assert float(jit(space["program"], fullgraph=True)(Tensor(3.0))) == 7


def test_a_condition_in_a_function_without_source_says_so():
    space = {}
    exec("def program(x):\n    return x if x > 0 else -x", space)
    with pytest.raises(GraphValueError) as caught:
        jit(space["program"], fullgraph=True)(Tensor(3.0))
    assert "source of 'program' is not available" in caught.value.__notes__[0]


def test_notes_name_lines_of_lambdas():
    program = lambda x: x.reshape(7)  # noqa: E731  # the line of a lambda is what is tested
    with pytest.raises(ValueError, match="'Reshape'") as caught:
        jit(program, fullgraph=True)(Tensor([1.0, 2.0]))
    assert "program = lambda x: x.reshape(7)" in caught.value.__notes__[0]


def test_a_number_of_elements_that_depends_on_a_tensor_is_refused():
    def program(x):
        t = (x,) if x[0] > 0 else (x, x)
        a, b = t
        return a + b

    with pytest.raises((GraphTypeError, ValueError), match=r"How many elements|not enough values"):
        jit(program, fullgraph=True)(Tensor([1.0, 2.0]))
