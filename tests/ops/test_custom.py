"""Custom operators: functions of arrays, kernels, C++, primitives of the user's own, and their descriptions."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.kernels import available
from mindspore.ops import (
    CustomRegOp,
    DataType,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    TBERegOp,
    custom_info_register,
    op_info_register,
    prim_attr_register,
)

RUNS = pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["pynative", "graph"])
compiles = pytest.mark.skipif(not shutil.which("g++"), reason="there is no C++ compiler")
generates = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
X = Tensor(np.array([3.0, 4.0], np.float32))

SOURCE = r"""
#include <cstdint>
#include <cstring>
extern "C" int product(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream,
                       void *extra) {
  if (nparam != 3 || ndims[0] != 1 || stream != nullptr || extra != nullptr) return 1;
  for (int i = 0; i < nparam; i++) if (std::strcmp(dtypes[i], "float32")) return 2;
  float *a = static_cast<float *>(params[0]), *b = static_cast<float *>(params[1]);
  float *c = static_cast<float *>(params[2]);
  for (int64_t i = 0; i < shapes[2][0]; i++) c[i] = a[i] * b[i];
  return 0;
}
extern "C" int both(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *, void *) {
  static_cast<int64_t *>(params[1])[0] = shapes[0][0] * 100 + shapes[0][1] * 10 + ndims[0];
  static_cast<double *>(params[2])[0] = std::strcmp(dtypes[0], "bfloat16") == 0 ? 1.5 : -1.0;
  return 0;
}
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.cc").write_text(SOURCE)
    return tmp_path / "mine.cc"


@compiles
@RUNS
def test_a_function_in_c_is_compiled_and_has_the_derivative_given(source, run):
    op = ops.Custom(f"{source}:product", lambda a, b: a, lambda a, b: a, "aot", lambda a, b, out, d: (d * b, d * a))
    assert run(lambda a, b: op(a, b) + 1)(X, X).tolist() == [10.0, 17.0]
    assert run(ms.grad(lambda a: op(a, a).sum()))(X).tolist() == [6.0, 8.0]
    with pytest.raises(RuntimeError, match=r"function\(product\) is 2"):       # observed: MindSpore 2.10, CPU
        op(X.astype(ms.float64), X)


@compiles
def test_several_results_and_all_types_reach_the_function(source):
    op = ops.Custom(f"{source}:both", ([1], [1]), (ms.int64, ms.float64), "aot")
    first, second = op(Tensor(np.zeros((2, 3)), ms.bfloat16))
    assert (first.tolist(), second.tolist()) == ([232], [1.5])


@compiles
def test_a_source_is_compiled_once_and_again_when_it_changes(source):
    def libraries():
        return sorted((source.parent / "custom_kernel_meta").glob("*"))

    def run():
        return ops.Custom(f"{source}:product", lambda a, b: a, lambda a, b: a, "aot")(X, X).tolist()

    run()
    run()
    assert len(libraries()) == 1
    source.write_text(SOURCE.replace("a[i] * b[i]", "a[i] - b[i]"))
    assert run() == [0.0, 0.0]
    assert [f.suffix for f in libraries()] == [".so", ".so"]
    op = ops.Custom(f"{libraries()[0]}:product", lambda a, b: a, lambda a, b: a, "aot")        # a library, by its name
    assert op(X, X).tolist() in ([0.0, 0.0], [9.0, 16.0])


@compiles
@pytest.mark.parametrize(("file", "text", "message"), [
    ("mine.cc:nothing", SOURCE, "error occurs when fetching function 'nothing'"),
    ("absent.so:f", None, "couldn't find"),
    ("absent.cc:f", None, "there is no such file"), ("wrong.cc:f", "int f( {", "Compilation error"),
    ("mine.cu:f", None, "for GPUs"), ("text.so:f", "no library", "cannot be loaded"),
])
def test_what_cannot_be_compiled_or_loaded_is_an_error(source, file, text, message):
    if text:
        (source.parent / file.split(":")[0]).write_text(text)
    with pytest.raises(RuntimeError, match=message):
        ops.Custom(file, (2,), ms.float32, "aot")(X)


@compiles
def test_the_code_of_an_error_is_told_in_the_words_of_the_function(source):
    source.write_text(SOURCE.replace("return 0;", "return 7;"))
    op = ops.Custom(f"{source}:product", lambda a, b: a, lambda a, b: a, "aot")
    for call in (op, ms.jit(lambda a, b: op(a, b))):
        with pytest.raises(RuntimeError, match=r"^Return value from CPU AOT kernel.*function\(product\) is 7"):
            call(X, X)


@pytest.mark.parametrize("error", [RuntimeError, TypeError, IndexError, NotImplementedError, AttributeError])
def test_what_a_function_of_the_user_raises_stays_what_it_is(error):
    made = error("of mine")

    def fails(a):
        raise made
    op = ops.Custom(fails, (2,), ms.float32)
    for call in (op, ms.jit(lambda a: op(a))):
        with pytest.raises(error) as found:
            call(X)
        assert found.value is made


def test_without_a_compiler_the_error_says_what_to_do(source, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(RuntimeError, match=r"no C\+\+ compiler on this machine"):
        ops.Custom(f"{source}:product", (2,), ms.float32, "aot")(X, X)


def test_functions_for_other_devices_say_what_to_write_instead():
    for kind in ("akg", "tbe", "aicpu"):
        with pytest.raises(NotImplementedError, match=r"hybrid|aot"):
            ops.Custom(lambda x: x, (2,), ms.float32, kind)


@pytest.mark.parametrize(("args", "error", "message"), [        # observed: MindSpore 2.10, CPU
    ((lambda x: x, (2,), ms.float32, "julia"), ValueError, "'func_type' must be one of"),
    ((3, (2,), ms.float32), TypeError, "must be of type function or str"),
    ((np.sin, (2,), ms.float32, "aot"), TypeError, "'func' must be of type str"),
    (("name", (2,), ms.float32, "aot"), TypeError, "should be like 'file_name:func_name'"),
    ((np.sin, (2,), ms.float32, "hybrid"), TypeError, "must be a function decorated by kernel"),
    ((np.sin, None, ms.float32), TypeError, "'out_shape' must be one of"),
    ((np.sin, "a", ms.float32), TypeError, "'out_shape' must be one of"),
    (("f", (2,), ms.float32), TypeError, "'func' must be of type function"),
])
def test_wrong_arguments(args, error, message):
    with pytest.raises(error, match=message):
        ops.Custom(*args)


@ops.kernel
def cubed(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i] ** 3
    return y


@generates
@RUNS
def test_a_kernel_is_an_operator_with_its_own_derivative(run):
    op = ops.Custom(cubed, func_type="hybrid")
    assert run(lambda x: op(x) + 1)(X).tolist() == [28.0, 65.0]
    assert run(ms.grad(lambda x: op(x).sum()))(X).tolist() == [27.0, 48.0]


@generates
def test_what_is_declared_for_a_kernel_is_compared_and_its_derivative_replaced():
    same = ops.Custom(cubed, lambda x: x, lambda x: x, "hybrid", lambda x, out, d: (d * 7,))
    assert ms.grad(lambda x: same(x).sum())(X).tolist() == [7.0, 7.0]
    with pytest.raises(ValueError, match="but the kernel gives"):
        ops.Custom(cubed, (3,), ms.float32, "hybrid")(X)
    assert ops.Custom(cubed, lambda x: x, lambda x: x)(X).tolist() == [27.0, 64.0]      # "pyfunc", as Python


def test_registered_types_are_checked():
    info = CustomRegOp("cube").input(0, "x").output(0, "y").dtype_format(
        DataType.F32_Default, DataType.F32_Default).target("CPU").get_op_info()

    @custom_info_register(info)
    def cube(x):
        return x ** 3

    op = ops.Custom(cube, lambda x: x, lambda x: x, "pyfunc")
    assert op(X).tolist() == [27.0, 64.0]
    with pytest.raises(TypeError, match=r"must be one of \('float32',\)"):
        op(X.astype(ms.float64))
    with pytest.raises(TypeError, match=r"what 'CustomRegOp\.get_op_info"):
        ops.Custom(np.sin, (2,), ms.float32, reg_info=3)


def test_descriptions_are_those_of_the_original():      # observed: MindSpore 2.10
    found = CustomRegOp("my").input(0, "x", "dynamic").output(0, "y").attr(
        "a", "required", "int", default_value="1").dtype_format(DataType.F16_None, DataType.F16_None).get_op_info()
    assert found == {
        "op_name": "my", "inputs": [{"index": 0, "name": "x", "paramType": "dynamic"}],
        "outputs": [{"index": 0, "name": "y", "paramType": "required"}],
        "attr": [{"name": "a", "paramType": "required", "type": "int", "defaultValue": "1"}], "fusion_type": "",
        "dtype_format": [(("float16", ""), ("float16", ""))], "target": "UnKnown"}
    tbe = TBERegOp("Square").fusion_type("OPAQUE").async_flag(False).binfile_name("square.so").compute_cost(
        10).kernel_name("square").partial_flag(True).op_pattern("formatAgnostic").attr(
        "a", "required", "int", "all").input(0, "x", False, "required", "all").output(
        0, "y", False, "required", "all").dtype_format(DataType.F16_Default, DataType.F16_Default).get_op_info()
    assert tbe == {
        "op_name": "Square", "attr": [{"name": "a", "paramType": "required", "type": "int", "value": "all"}],
        "inputs": [{"index": 0, "name": "x", "needCompile": False, "paramType": "required", "shape": "all"}],
        "outputs": [{"index": 0, "name": "y", "need_compile": False, "paramType": "required", "shape": "all"}],
        "fusion_type": "OPAQUE", "dtype_format": [(("float16", "DefaultFormat"), ("float16", "DefaultFormat"))],
        "imply_type": "TBE", "async_flag": False, "binfile": "square.so", "compute_cost": 10, "kernel": "square",
        "partial_flag": True, "reshape_type": "", "dynamicRankSupport": False, "dynamicShapeSupport": False,
        "dynamicCompileStatic": False, "needCheckSupport": False, "dynamicFormat": False,
        "op_pattern": "formatAgnostic", "real_input_index": [], "input_to_attr_index": [], "unknown_shape_formats": []}
    assert (DataType.F32_5HD, DataType.I8_FracZ, DataType.BOOL_Default_List) == (
        ("float32", "NC1HWC0"), ("int8", "FRACTAL_Z"), ("bool", "DefaultFormat", "list"))
    assert len([n for n in vars(DataType) if not n.startswith("__")]) == 204


@pytest.mark.parametrize(("make", "error"), [        # observed: MindSpore 2.10
    (lambda: CustomRegOp(3), ValueError), (lambda: CustomRegOp("a").input("0", "x"), TypeError),
    (lambda: CustomRegOp("a").target(3), TypeError), (lambda: TBERegOp("a").async_flag(3), TypeError),
    (lambda: CustomRegOp("a").input(0, "x").dtype_format(), ValueError),
    (lambda: op_info_register(3), TypeError),
])
def test_wrong_descriptions(make, error):
    with pytest.raises(error):
        make()


def test_the_registering_decorator_is_also_a_module():
    from mindspore.ops.op_info_register import TBERegOp as same
    assert same is TBERegOp
    assert op_info_register(json.dumps({"op_name": "S"}))(np.sin) is np.sin


class Square(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor=2):
        self.init_prim_io_names(inputs=["x"], outputs=["y"])

    def infer_shape(self, x):
        return x

    def infer_dtype(self, x):
        return x

    def vm_impl(self, x):
        return Tensor(x.asnumpy() ** 2)

    def get_bprop(self):
        def bprop(x, out, dout):
            return (x * dout * self.factor,)
        return bprop


@RUNS
def test_a_primitive_of_1x_runs_its_kernel_and_its_derivative(run):
    square = Square()
    assert run(lambda x: square(x) + 1)(X).tolist() == [10.0, 17.0]
    assert run(ms.grad(lambda x: square(x).sum()))(X).tolist() == [6.0, 8.0]


@RUNS
def test_a_derivative_may_be_registered_apart(run):
    from mindspore.ops._grad.grad_base import bprop_getters

    class Third(PrimitiveWithInfer):
        @prim_attr_register
        def __init__(self):
            self.power = 3

        def __infer__(self, x):
            return {"shape": x["shape"], "dtype": x["dtype"], "value": None}

        def vm_impl(self, x):
            return x.asnumpy() ** 3

    third = Third()
    with pytest.raises(TypeError, match="'Third' has no derivative"):
        ms.grad(lambda x: third(x).sum())(X)

    @bprop_getters.register(Third)
    def get_bprop_third(self):
        return lambda x, out, dout: (self.power * x * x * dout,)

    assert run(ms.grad(lambda x: third(x).sum()))(X).tolist() == [27.0, 48.0]
    with pytest.raises(ValueError, match="'Square' of this package has its derivative"):
        bprop_getters.register("Square")


def test_a_primitive_without_a_kernel_says_what_is_missing():
    class Bare(PrimitiveWithCheck):
        def __init__(self):
            super().__init__("Bare")

    with pytest.raises(NotImplementedError, match="'Bare' has no kernel"):
        Bare()(X)
    op_info_register({"op_name": "Bare"})(np.sin)
    with pytest.raises(NotImplementedError, match="compiled for devices of the original"):
        Bare()(X)
    Bare.vm_impl = lambda self, x: x
    with pytest.raises(NotImplementedError, match="needs 'infer_shape'"):
        Bare()(X)


MODULE = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject *twice(PyObject *, PyObject *x) { return PyNumber_Add(x, x); }
static PyMethodDef methods[] = {{"twice", twice, METH_O, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "doubling", "", -1, methods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_doubling() { return PyModule_Create(&module); }
"""


@compiles
def test_sources_become_a_module(tmp_path):
    source = tmp_path / "doubling.cc"
    source.write_text(MODULE)
    builder = ops.CustomOpBuilder("doubling", str(source), "CPU", cflags="-O1", build_dir=str(tmp_path / "built"))
    assert builder.load().twice(X).tolist() == [6.0, 8.0]
    assert "-O1" in builder.get_cflags()
    source.write_text('#include "ms_extension/api.h"\n')
    with pytest.raises(RuntimeError, match="'ms_extension'"):
        ops.CustomOpBuilder("doubling", [str(source)]).load()
    source.write_text("int x;\n")
    with pytest.raises(RuntimeError, match="must define 'PyInit_other'"):
        ops.CustomOpBuilder("other", [str(source)], build_dir=str(tmp_path)).load()
    for args, options, error in ((("a", "b", "TPU"), {}, ValueError), ((3, "b"), {}, TypeError),
                                 (("a", "b"), {"wrong": 1}, TypeError), (("a", "b"), {"enable_atb": True},
                                                                         NotImplementedError)):
        with pytest.raises(error):
            ops.CustomOpBuilder(*args, **options)
