"""MindIR files hold the maps of a data pipeline in the words of MindSpore's native readers."""
from __future__ import annotations

import json

import numpy as np
import pytest
from native_operations import SAYABLE, UNSAYABLE, in_the_file

import mindspore as ms
from mindspore import Tensor, dataset, nn
from mindspore.dataset import transforms, vision
from mindspore.dataset.native_operations import native_operation

IMAGES = np.zeros((4, 6, 6, 3), np.uint8)


def images(**more):
    return dataset.NumpySlicesDataset({"image": IMAGES, **more}, shuffle=False)


def maps(path):
    return [(op.op_type, json.loads(op.input_columns), json.loads(op.output_columns), json.loads(op.operations))
            for op in ms.load_mindir(str(path)).preprocessor.op]


@pytest.mark.parametrize("text", SAYABLE)
def test_an_operation_is_said_as_the_original_says_it(text):
    operation = eval(text, {"vision": vision, "transforms": transforms})
    assert json.dumps(native_operation(operation)) == json.dumps(in_the_file(text))    # the order of names, too


@pytest.mark.parametrize("text", UNSAYABLE)
def test_what_is_python_code_is_not_said(text):
    assert native_operation(eval(text, {"vision": vision})) is None
    assert native_operation(transforms.RandomApply([eval(text, {"vision": vision})])) is None



def test_an_operation_of_the_program_is_python_code():
    assert native_operation(type("Resize", (), {"__call__": lambda self, x: x})()) is None
    assert native_operation(lambda x: x) is None


def test_the_maps_of_a_pipeline_are_in_the_file_from_the_source_on(tmp_path):
    rows = images(label=np.arange(4)).map([vision.Resize(8), vision.CenterCrop(4)], "image").repeat(2)
    rows = rows.map(transforms.TypeCast(ms.int32), "label", ["class"]).map(vision.HWC2CHW()).batch(2)
    x = Tensor(np.ones((2, 3, 4, 4), np.float32))
    ms.export(nn.ReLU(), x, file_name=f"{tmp_path}/a", file_format="MINDIR", dataset=rows)
    assert maps(tmp_path / "a.mindir") == [
        ('"Map"', ["image"], ["image"], [native_operation(vision.Resize(8)), native_operation(vision.CenterCrop(4))]),
        ('"Map"', ["label"], ["class"], [{"tensor_op_name": "TypeCast", "tensor_op_params": {"data_type": "int32"}}]),
        ('"Map"', ["image"], ["image"], [{"tensor_op_name": "HwcToChw", "tensor_op_params": None}]),
    ]
    np.testing.assert_array_equal(nn.GraphCell(ms.load(f"{tmp_path}/a.mindir"))(x).asnumpy(), x.asnumpy())


def test_a_dataset_may_be_an_input(tmp_path):
    rows = images(label=np.arange(4)).map([vision.Rescale(0.5, 0.0), vision.HWC2CHW()], "image").batch(2)
    ms.export(nn.Conv2d(3, 2, 3), rows, file_name=f"{tmp_path}/a", file_format="MINDIR")
    (given,) = ms.load_mindir(f"{tmp_path}/a.mindir").graph.input
    assert list(given.tensor[0].dims) == [2, 3, 6, 6]
    assert len(maps(tmp_path / "a.mindir")[0][3]) == 2


def test_python_code_is_entered_by_its_name_and_told(tmp_path, capfd):
    rows = images().map([vision.Resize(8), test_an_operation_of_the_program_is_python_code], "image").batch(2)
    ms.export(nn.ReLU(), Tensor([1.0]), file_name=f"{tmp_path}/a", file_format="MINDIR", dataset=rows)
    native, named = maps(tmp_path / "a.mindir")[0][3]
    assert native == native_operation(vision.Resize(8))
    assert named == {"python_module": __name__,
                     "tensor_op_name": "test_an_operation_of_the_program_is_python_code"}
    assert "no reader can run them" in capfd.readouterr().err


def test_a_pipeline_without_maps_leaves_no_preprocessing(tmp_path):
    ms.export(nn.ReLU(), Tensor([1.0]), file_name=f"{tmp_path}/a", file_format="MINDIR", dataset=images().batch(2))
    assert maps(tmp_path / "a.mindir") == []


@pytest.mark.parametrize(("inputs", "options", "error", "says"), [
    ([Tensor([1.0])], {"dataset": 3}, TypeError, "'dataset' must be a Dataset"),
    ([images(), images()], {}, ValueError, "but got 2"),
    ([images()], {"dataset": images()}, ValueError, "but got 2"),
    ([images().rename("image", "x")], {}, ValueError, "'image', but has .'x'"),
    ([images().skip(4)], {}, ValueError, "it is empty"),
])
def test_other_datasets_are_refused(tmp_path, inputs, options, error, says):
    with pytest.raises(error, match=says):
        ms.export(nn.ReLU(), *inputs, file_name=f"{tmp_path}/a", file_format="MINDIR", **options)
    assert list(tmp_path.iterdir()) == []
