"""Columns whose values are dicts, which Python functions and sources give."""

import collections

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor


def numbers(count=4):
    return ds.GeneratorDataset(lambda: ((i,) for i in range(count)), ["x"])


def with_dicts(count=4):
    return numbers(count).map(lambda x: {"a": x, "b": np.array([x, x + 1])}, "x")


def read(data, **options):
    options = {"output_numpy": True, "num_epochs": 1, **options}
    return [row[0] for row in data.create_tuple_iterator(**options)]


class Source:
    def __getitem__(self, i):
        return {"a": i, "t": "x" * i}, i

    def __len__(self):
        return 3


# observed: MindSpore 2.10, CPU, for all results


def test_leaves_are_arrays_with_output_numpy():
    (found,) = read(numbers(1).map(lambda x: {"n": x, "t": "s", 3: (0.5, None), "l": [True, b"z"]}, "x"))
    assert [str(found["n"].dtype), str(found["t"].dtype)] == ["int64", "<U1"]
    assert isinstance(found[3], tuple)
    assert (found[3][0].dtype, found[3][1]) == (np.float64, None)
    assert isinstance(found["l"], list)
    assert (found["l"][0].dtype, found["l"][1]) == (np.bool_, b"z")


def test_leaves_are_tensors_except_text():
    (found,) = read(numbers(1).map(lambda x: {"n": x, "t": "s", "d": {"f": 1.5}}, "x"), output_numpy=False)
    assert isinstance(found["n"], Tensor)
    assert isinstance(found["t"], np.ndarray)
    assert (str(found["d"]["f"].dtype), float(found["d"]["f"])) == ("Float64", 1.5)


def test_a_source_may_give_dicts():
    data = ds.GeneratorDataset(Source(), ["d", "i"], shuffle=False)
    rows = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert [(int(r["d"]["a"]), str(r["d"]["t"]), int(r["i"])) for r in rows] == [(0, "", 0), (1, "x", 1), (2, "xx", 2)]
    slices = ds.NumpySlicesDataset([{"p": 1}, {"p": 2}], ["d"], shuffle=False)
    assert [int(row["p"]) for row in read(slices)] == [1, 2]


def test_functions_get_the_dict():
    assert [int(v) for v in read(with_dicts().map(lambda d: d["b"].sum(), "x"))] == [1, 3, 5, 7]
    assert [int(row["a"]) for row in read(with_dicts().filter(lambda d: bool(d["a"] > 1), "x"))] == [2, 3]
    lengths = with_dicts().bucket_batch_by_length(["x"], [2], [2, 2], element_length_function=lambda d: d["a"])
    assert [row["a"].tolist() for row in read(lengths)] == [[0, 1], [2, 3]]


@pytest.mark.parametrize("count", [4, 3])
def test_batches_are_joined_key_by_key(count):
    found = read(with_dicts(count).batch(2))
    assert [row["a"].tolist() for row in found] == [[0, 1], [2, 3][: count - 2]]
    assert found[0]["b"].tolist() == [[0, 1], [1, 2]]
    assert read(with_dicts(4).batch(2).batch(2))[0]["a"].tolist() == [[0, 1], [2, 3]]
    assert len(read(with_dicts(3).batch(2, drop_remainder=True))) == 1
    assert read(with_dicts(2).padded_batch(2, pad_info={}))[0]["a"].tolist() == [0, 1]


def test_texts_and_tensors_in_dicts_are_joined():
    data = numbers(2).map(lambda x: {"t": "x" * int(x), "v": Tensor([1.0, 2.0])}, "x")
    (found,) = read(data.batch(2))
    assert (found["t"].tolist(), found["v"].shape, found["v"].dtype) == (["", "x"], (2, 2), np.float32)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: {"a": np.ones(int(x) + 1)},
        lambda x: {"a": 1} if x else {"b": 1},
        lambda x: {"a": None},
        lambda x: {"a": {"b": 1}},
        lambda x: {"a": 1} if x else 1,
    ],
)
def test_what_cannot_be_joined_is_refused(make):
    with pytest.raises(RuntimeError, match="per_batch_map"):
        read(numbers(2).map(make, "x").batch(2))


def test_batch_functions_take_and_give_dicts():
    taking = with_dicts().batch(2, per_batch_map=lambda rows, info: ([r["a"] for r in rows],))
    assert [batch.tolist() for batch in read(taking)] == [[0, 1], [2, 3]]
    giving = numbers().batch(2, per_batch_map=lambda rows, info: ({"s": np.stack(rows)},))
    assert [batch["s"].tolist() for batch in read(giving)] == [[0, 1], [2, 3]]


def test_dicts_pass_other_steps():
    data = with_dicts()
    assert sorted(int(row["a"]) for row in read(data.shuffle(3))) == [0, 1, 2, 3]
    assert len(read(data.repeat(2))) == len(read(data + data)) == 8
    assert [int(row["a"]) for row in read(data.skip(1).take(2))] == [1, 2]
    both = ds.zip((data, numbers().rename("x", "n"))).create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert [(int(row["a"]), int(n)) for row, n in both] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert read(numbers(2).map(lambda x: collections.OrderedDict(a=x), "x")) == [{"a": 0}, {"a": 1}]
    assert data.output_types() == [np.object_]


def test_processes_hand_dicts_over():
    data = numbers().map(lambda x: {"q": x}, "x", python_multiprocessing=True, num_parallel_workers=2)
    assert [int(row["q"]) for row in read(data)] == [0, 1, 2, 3]


def test_what_the_reader_changes_stays_with_it():
    kept = {"a": np.zeros(2)}
    first = read(ds.GeneratorDataset(lambda: [(kept,)], ["x"]))[0]
    first["a"][:] = 1
    first["b"] = 2
    assert list(kept) == ["a"]
    assert kept["a"].tolist() == [0, 0]


def test_transforms_and_files_refuse_dicts(tmp_path):
    with pytest.raises(RuntimeError, match="TypeCast"):
        read(with_dicts().map(ds.transforms.TypeCast("int32"), "x"))
    with pytest.raises(RuntimeError, match="has dicts"):
        with_dicts().save(str(tmp_path / "rows.mindrecord"))
