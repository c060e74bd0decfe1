"""Questions about tensors, assignment, order, printing and summaries."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ir.runtime import runtime
from mindspore.ops import functional as F
from mindspore.ops import operations as P


@pytest.fixture(autouse=True)
def _no_summaries():
    runtime.summaries = []
    yield
    runtime.summaries = None


def matrix():
    return Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(("ask", "answer"), [
    (P.Shape(), (2, 3)), (P.Rank(), 2), (P.Size(), 6), (P.DType(), ms.float32), (F.shape, (2, 3)),
    (F.rank, 2), (F.size, 6), (F.dtype, ms.float32), (F.numel, 6), (ops.typeof, ms.float32),
])
def test_questions_about_a_tensor(ask, answer):
    assert ask(matrix()) == answer


@pytest.mark.parametrize("ask", [P.Shape(), P.Rank(), P.Size(), P.DType(), F.shape, F.dtype])
def test_questions_about_anything_else_are_type_errors(ask):
    with pytest.raises(TypeError, match="must be a Tensor"):
        ask(3)


def test_cast_takes_tensors_and_numbers_and_only_dtypes():
    assert ops.cast(matrix(), ms.int32).dtype is ms.int32
    assert P.Cast()(3, ms.float16).dtype is ms.float16
    with pytest.raises(TypeError, match="should be mindspore dtype"):
        ops.cast(matrix(), "float16")


def test_depend_gives_the_value():
    x = matrix()
    assert ops.depend(x, 3) is x
    assert P.Depend()(x, x) is x


def test_a_partial_function_keeps_its_first_arguments():
    assert ops.partial(ops.sub, matrix())(1.0).asnumpy()[0, 0] == 0.0
    with pytest.raises(TypeError, match="partial"):
        ops.partial(3)


def test_assignment_changes_a_parameter_in_place():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    held = P.Assign()(p, Tensor([3.0, 4.0]))
    ops.assign_add(p, Tensor([1.0, 1.0]))
    P.AssignSub()(p, Tensor([0.5, 0.5]))
    assert p.asnumpy().tolist() == [3.5, 4.5]
    assert (type(held), held.tolist()) == (Tensor, [3.0, 4.0])       # observed: MindSpore 2.10


def test_assignment_refuses_other_shapes_and_wider_types():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    with pytest.raises(ValueError, match="must have the shape"):
        ops.assign(p, Tensor([1.0]))
    with pytest.raises(TypeError, match="cannot be converted"):
        ops.assign_add(p, Tensor([1.0, 2.0], ms.float64))
    with pytest.raises(TypeError, match="must be a Parameter"):
        ops.assign(3, Tensor([1.0]))


def test_assignment_inside_a_graph_is_written_back():
    p = Parameter(Tensor([1.0, 2.0]), name="p")

    @ms.jit
    def step(x):
        ops.assign_add(p, x)
        return p * 2

    assert step(Tensor([1.0, 1.0])).asnumpy().tolist() == [4.0, 6.0]
    assert p.asnumpy().tolist() == [2.0, 3.0]


def test_printing_writes_each_value_on_a_line(capsys):
    P.Print()("loss", Tensor([1.0]), 3, (1, 2))
    assert capsys.readouterr().out.splitlines() == [
        "loss", "Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])", "3", "(1, 2)"]


def test_summaries_are_collected_in_order():
    P.ScalarSummary()("loss", Tensor(1.0))
    P.HistogramSummary()("weights", matrix())
    P.TensorSummary()("raw", matrix())
    P.ImageSummary()("image", ops.zeros((1, 3, 2, 2), ms.float32))
    assert [(r.kind, r.tag) for r in runtime.summaries] == [
        ("scalar", "loss"), ("histogram", "weights"), ("tensor", "raw"), ("image", "image")]


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_summaries_belong_to_the_thread_that_runs(wrap):
    def step(x):
        P.ScalarSummary()("loss", x)
        return x

    step, together = wrap(step), Barrier(2)

    def run(value):
        together.wait()               # so that each has a thread
        runtime.summaries = []
        for _ in range(3):
            step(Tensor(value))
        return [float(r.value) for r in runtime.summaries]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, [1.0, 2.0])) == [[1.0] * 3, [2.0] * 3]
    assert runtime.summaries == []


def test_summaries_that_nobody_wants_are_told_once_and_not_kept(warned):
    runtime.summaries = None
    for _ in range(3):
        P.ScalarSummary()("a tag of its own", Tensor(1.0))
    assert runtime.summaries is None
    assert warned == ["Nothing records the values of summary operators ('a tag of its own')."]


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_a_summary_under_a_gradient_is_recorded_once(mode):
    def loss(x):
        y = (x * x).sum()
        P.ScalarSummary()("loss", y)
        return y

    slope = ms.grad(loss)
    slope = ms.jit(slope) if mode == "graph" else slope
    assert slope(Tensor([3.0])).asnumpy().tolist() == [6.0]
    assert [float(r.value) for r in runtime.summaries] == [9.0]


def test_summaries_check_the_shape_and_the_name():
    with pytest.raises(ValueError, match="one element"):
        P.ScalarSummary()("loss", matrix())
    with pytest.raises(ValueError, match="4 dimensions"):
        P.ImageSummary()("image", matrix())
    with pytest.raises(TypeError, match="non-empty str"):
        P.ScalarSummary()(3, Tensor(1.0))


def test_numbers_become_tensors_under_the_earlier_names():
    assert F.tuple_to_array((1, 2)).dtype is ms.int32
    assert F.tuple_to_array((1.0, 2)).dtype is ms.float32
    assert F.scalar_to_tensor(3).dtype is ms.float32
    assert P.ScalarToTensor()(3, ms.int32).dtype is ms.int32
    assert P.TupleToArray()((1, 2)).dtype is ms.int32
    assert F.scalar_to_array(3).asnumpy() == 3


@pytest.mark.parametrize(("name", "args", "wanted"), [
    ("scalar_add", (2, 3), 5), ("scalar_floordiv", (7, 2), 3), ("scalar_usub", (2,), -2),
    ("bool_and", (True, False), False), ("in_dict", ("a", {"a": 1}), True), ("is_", (None, None), True),
    ("tuple_div", ((4, 6), (2, 3)), (2, 2)), ("tuple_setitem", ((1, 2), 0, 5), (5, 2)),
    ("make_range", (0, 5, 2), (0, 2, 4)), ("reduced_shape", ((2, 3), 1), (2, 1)), ("tail", ((1, 2),), (2,)),
    ("shape_mul", ((2, 3, 4),), 24), ("tuple_reversed", ((1, 2),), (2, 1)), ("list_len", ([1],), 1),
])
def test_functions_of_python_values(name, args, wanted):
    assert getattr(F, name)(*args) == wanted


def test_a_quotient_of_tuples_must_be_whole():
    with pytest.raises(ValueError, match="multiples"):
        F.tuple_div((3,), (2,))


def test_overflow_is_seen_in_the_elements():
    assert P.FloatStatus()(Tensor([1.0, float("inf")])).asnumpy().tolist() == [1.0]
    assert P.FloatStatus()(matrix()).asnumpy().tolist() == [0.0]


def test_a_nested_structure_is_cast():
    out = F.mixed_precision_cast(ms.float16, (matrix(), {"a": matrix(), "n": 3}))
    assert out[0].dtype is ms.float16
    assert out[1]["a"].dtype is ms.float16
    assert out[1]["n"] == 3


@pytest.mark.parametrize(("attribute", "shape"), [("T", (4, 3, 2)), ("mT", (2, 4, 3))])
def test_transposed_views_are_properties(attribute, shape):
    x = ops.zeros((2, 3, 4), ms.float32)
    assert getattr(x, attribute).shape == shape


def test_a_matrix_is_needed_for_its_transpose():
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        _ = Tensor([1.0]).mT


@pytest.mark.parametrize("wrap", [lambda function: function, ms.jit])
def test_stop_gradient_takes_what_holds_tensors(wrap):             # observed: MindSpore 2.10, CPU
    @wrap
    def program(x):
        pair, number, nothing, named = ops.stop_gradient(((x * 2, [x]), 3, None, {"a": x}))
        assert (number, nothing) == (3, None)
        return pair[0] + pair[1][0] + named["a"] + x

    x = Tensor([1.0])
    assert program(x).asnumpy().tolist() == [5]
    assert ms.grad(program)(x).asnumpy().tolist() == [1]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("program", [
    lambda x: ops.neg(3.0), lambda x: ops.abs(None) + x, lambda x: ops.relu(None), lambda x: ops.square("a")])
def test_an_operator_on_no_tensor_is_a_type_error(program):        # observed: MindSpore 2.10, CPU
    with pytest.raises(TypeError, match=r"must be .*[Tt]ensor"):
        ms.jit(program)(Tensor([1.0]))
    with pytest.raises(TypeError, match=r"must be .*[Tt]ensor"):
        program(Tensor([1.0]))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("program", "expected", "dtype"), [
    (lambda: ops.add(1, 2), 3, "Int64"), (lambda: ops.div(1, 2), 0.5, "Float32"),
    (lambda: ops.subtract(True, 2), -1, "Int64"), (lambda: ops.maximum(1.5, 2), 2.0, "Float32"),
    (lambda: ops.minimum(True, False), False, "Bool"), (lambda: ops.logical_and(True, False), False, "Bool"),
    (lambda: ops.logical_xor(True, False), True, "Bool")])
def test_numbers_alone_make_a_tensor(program, expected, dtype):
    for found in program(), ms.jit(program)():
        assert isinstance(found, Tensor)
        assert str(found.dtype) == dtype
        assert found.asnumpy() == expected


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("program", [lambda: ops.logical_and(1, 2), lambda: ops.logical_or(1.0, True)])
def test_numbers_have_no_logic(program):        # observed: MindSpore 2.10, CPU
    for run in program, ms.jit(program):
        with pytest.raises(TypeError, match="must be tensors or bools"):
            run()


@pytest.mark.usefixtures("both_modes")
def test_assert_prints_the_first_elements_and_raises(capfd):
    class Checked(nn.Cell):
        def construct(self, x, limit):
            y = x * 2
            P.Assert(summarize=2)(y.sum() < limit, (y, x))
            return y

    x = Tensor([1.0, 2.5, 3.0])
    assert Checked()(x, 100.0).asnumpy().tolist() == [2, 5, 6]
    assert capfd.readouterr().out == ""
    with pytest.raises(RuntimeError, match="assert failed") as raised:
        Checked()(x, 3.0)
    assert raised.type is RuntimeError
    assert capfd.readouterr().out == ("For 'Assert' condition is false.\ninput data: [2 5]\n"
                                      "input data: [1 2.5]\n")
    with pytest.raises(TypeError, match="'condition' must be bool"):
        P.Assert()(Tensor(0), [x])
    with pytest.raises(TypeError, match="'input_data' must be tensors"):
        P.Assert()(Tensor(False), [1])
