from __future__ import annotations

import threading

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor
from mindspore import dtype as mstype
from mindspore.dataset import helpers


def test_lists_are_made_and_flattened():
    assert [ds.to_list(v) for v in (None, "a", (1,), [1], 3)] == [[], ["a"], [1], [1], [3]]
    assert ds.replace_none(None, 7) == 7
    assert ds.replace_none(0, 7) == 0
    nested = [[[1, 2]], [[1], [2]], [1, [2]], 3]
    assert [ds.flatten_single_lists(v) for v in nested] == [[1, 2], [[1], [2]], [1, [2]], 3]


def test_types_and_kinds_of_shuffling_have_counterparts():
    assert ds.mstype_to_detype(mstype.int8) == np.int8
    assert ds.mstype_to_detype(mstype.string).kind == "U"
    with pytest.raises(NotImplementedError, match="mindspore type"):
        ds.mstype_to_detype("int8")
    assert [int(ds.shuffle_to_shuffle_mode(v)) for v in (False, True, ds.Shuffle.ADAPTIVE)] == [
        0,
        2,
        5,
    ]


def test_a_wrapped_function_stands_beside_transforms():
    def double(x):
        return 2 * x

    wrapped = ds.FuncWrapper(double)
    assert wrapped(3) == 6
    assert '"tensor_op_name": "double"' in wrapped.to_json()
    with pytest.raises(ValueError, match="must give a value"):
        ds.FuncWrapper(lambda: None)()
    with pytest.raises(ValueError, match="must be callable"):
        ds.FuncWrapper(3)
    wrapped.release_resource()


def test_an_exception_is_raised_again_with_its_place():
    try:
        {}["k"]
    except KeyError:
        handler = ds.ExceptionHandler(where="in a worker")
    with pytest.raises(KeyError, match=r"in a worker(.|\n)*test_helpers"):
        handler.reraise()
    error = UnicodeDecodeError("utf-8", b"", 0, 1, "why")
    with pytest.raises(RuntimeError, match="UnicodeDecodeError"):
        ds.ExceptionHandler((type(error), error, None)).reraise()


def test_workers_are_told_to_end():
    end = threading.Event()
    worker = threading.Thread(target=end.wait)
    worker.start()
    assert ds.worker_is_alive(worker)
    helpers.close_worker(worker, end)
    assert not ds.worker_is_alive(worker)
    assert helpers.check_iterator_cleanup() is False


def test_a_row_of_zeros_imitates_a_dataset():
    data = ds.NumpySlicesDataset({"a": [[1.5, 2]], "s": ["x"]})
    row = next(ds.DummyIterator(data, "dict", True))
    assert row["a"].tolist() == [0, 0]
    assert row["s"].dtype.kind == "U"
    assert isinstance(next(iter(ds.DummyIterator(data, "tuple")))[0], Tensor)
    with pytest.raises(ValueError, match="'mode'"):
        ds.DummyIterator(data, "list")


def test_names_of_several_homes_are_in_the_package():
    assert ds.VisionBaseDataset is ds.UnionBaseDataset is ds.Dataset
    assert ds.get_num_parallel_workers() == ds.config.get_num_parallel_workers()
    assert ds.LineReader.__module__ == "mindspore.dataset.utils"


def test_columns_that_a_reader_does_not_get_are_not_imitated():
    data = ds.NumpySlicesDataset({"a": [[1.5, 2]], "_meta-file": ["x"]})
    assert next(ds.DummyIterator(data, "dict", True)).keys() == {"a"}
    assert next(data.create_dict_iterator(output_numpy=True, num_epochs=1)).keys() == {"a"}


def test_a_line_that_is_no_utf8_is_told_with_its_number_and_the_others_are_read(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"one\ntw\xff\nthr\xc3\xa4\n")
    with ds.LineReader(str(file)) as lines:
        assert [lines.readline(1), lines.readline(3)] == ["one", "thr\u00e4"]
        with pytest.raises(ValueError, match=r"line 2 of the file '.*a\.txt' must be UTF-8, but: .* byte 0xff"):
            lines.readline(2)
        assert lines.readline(1) == "one"


def test_what_is_no_sampler_and_no_data_is_told():
    data = ds.NumpySlicesDataset({"a": [1, 2, 3]}, shuffle=False)
    for wrong in ("x", 3, [0]):
        with pytest.raises(TypeError, match="For 'add_sampler', the 'new_sampler' must be a sampler, but got"):
            data.add_sampler(wrong)
    assert [int(row[0]) for row in data.create_tuple_iterator(output_numpy=True)] == [1, 2, 3]
    with pytest.raises(ValueError, match="must be equally long and not empty"):
        ds.NumpySlicesDataset(())


@pytest.mark.parametrize("number", [10**30, -(2**64)])
def test_numbers_of_more_than_64_bits_are_told_by_transforms(number):
    row = np.zeros(3, np.int32)
    for call, name in ((ds.transforms.Fill(number), "Fill"),
                       (ds.transforms.Mask(ds.transforms.Relational.EQ, number), "Mask")):
        with pytest.raises(RuntimeError, match=f"For '{name}', .*must have at most 64 bits, but is {number}"):
            call(row)
