"""Rows of MindRecord files: columns, shards, orders, samplers, padding, and files of earlier releases."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from mindrecord_files import row, write

import mindspore.dataset as ds
from mindspore.dataset.errors import PipelineError
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.mindrecord import set_enc_key


@pytest.fixture
def one(tmp_path):
    """A file of ten rows."""
    return write(tmp_path / "one", [row(i) for i in range(10)])


@pytest.fixture
def three(tmp_path):
    """Three files of three, four and five rows: 0 to 2, 100 to 103, 200 to 204."""
    return [
        write(tmp_path / f"part{i}", [row(100 * i + k) for k in range(3 + i)]) for i in range(3)
    ]


@pytest.fixture
def ids(column):
    return lambda *arguments, **options: column(
        ds.MindDataset(*arguments, **options).project(["id"])
    )


def test_columns_stand_in_name_order_with_their_types(one):
    data = ds.MindDataset(one, shuffle=False)
    assert data.get_col_names() == ["b", "f", "id", "label", "s", "v"]
    assert [np.dtype(t).kind for t in data.output_types()] == list("SfiiUf")
    assert data.output_shapes() == [[1], [], [], [], [], [2]]
    first = next(data.create_dict_iterator(output_numpy=True))
    assert (first["id"].dtype, first["f"].dtype) == (np.int32, np.float32)
    assert first["b"].tobytes() == b"x"


def test_wanted_columns_keep_their_order(one):
    data = ds.MindDataset(one, ["s", "id", "b"])
    assert data.get_col_names() == ["s", "id", "b"]
    assert ds.MindDataset(one, []).get_col_names() == ds.MindDataset(one).get_col_names()


def test_byte_strings_of_different_lengths_are_batched(one):
    batch = next(
        ds.MindDataset(one, ["b", "s"], shuffle=False)
        .batch(4)
        .create_tuple_iterator(output_numpy=True)
    )
    assert batch[0].tolist() == [[b"x"], [b"xx"], [b"xxx"], [b"x"]]
    assert batch[1].tolist() == ["n0", "n1", "n2", "n3"]


@pytest.mark.parametrize("count", range(1, 6))
def test_shards_are_equally_long_and_take_turns(count, one, ids):
    # observed: MindSpore 2.10, CPU
    size = -(-10 // count)
    for i in range(count):
        wanted = [k % 10 for k in range(i, size * count, count)]
        assert ids(one, shuffle=False, num_shards=count, shard_id=i) == wanted


def test_shards_of_fewer_rows_than_shards_repeat(one, ids):
    assert ids(one, shuffle=False, num_shards=20, shard_id=19) == [9]


@pytest.mark.parametrize(("number", "size"), [(0, 10), (3, 3), (11, 10), (None, 10)])
def test_the_number_of_rows_can_be_limited(number, size, one, ids):
    assert ids(one, shuffle=False, num_samples=number) == list(range(size))
    assert ds.MindDataset(one, num_samples=number).get_dataset_size() == size


def test_a_limit_holds_for_each_shard(one, ids):
    assert ids(one, shuffle=False, num_samples=2, num_shards=3, shard_id=1) == [1, 4]


FILES = [[0, 1, 2], [100, 101, 102, 103], [200, 201, 202, 203, 204]]
ALL = [number for file in FILES for number in file]


@pytest.mark.parametrize(
    "shuffle", [None, True, ds.Shuffle.GLOBAL, ds.Shuffle.ADAPTIVE, ds.Shuffle.PARTIAL]
)
def test_all_rows_are_mixed(shuffle, three, ids):
    order = ids(three, shuffle=shuffle)
    assert sorted(order) == ALL
    assert order != ALL


def test_only_the_files_are_mixed(three, ids):
    orders = set()
    for seed in range(20):
        ds.config.set_seed(seed)
        order = ids(three, shuffle=ds.Shuffle.FILES)
        orders.add(tuple(sorted(range(3), key=lambda f: order.index(FILES[f][0]))))
        assert sorted(order) == ALL
        assert all([n for n in order if n // 100 == f] == FILES[f] for f in range(3))
    assert len(orders) > 3


def test_only_the_rows_of_each_file_are_mixed(three, ids):
    order = ids(three, shuffle=ds.Shuffle.INFILE)
    assert [sorted(part) for part in (order[:3], order[3:7], order[7:])] == FILES
    assert order != ALL


@pytest.mark.parametrize("level", [ds.Shuffle.FILES, ds.Shuffle.INFILE, ds.Shuffle.PARTIAL])
def test_shards_share_one_order_of_files(level, three, ids):
    parts = [ids(three, shuffle=level, num_shards=2, shard_id=i) for i in range(2)]
    assert sorted(parts[0] + parts[1]) == ALL
    options = {"shuffle": level, "num_shards": 2, "shard_id": 0, "num_samples": 2}
    assert ids(three, **options) == parts[0][:2]
    assert ds.MindDataset(three, **options).get_dataset_size() == 2


def test_partial_shuffling_stays_within_windows(three, ids, monkeypatch):
    monkeypatch.setattr("mindspore.dataset.sampler_files.WINDOW", 4)
    order = ids(three, shuffle=ds.Shuffle.PARTIAL)
    files = sorted(range(3), key=lambda f: min(order.index(n) // 4 for n in FILES[f]))
    assert sorted(order) == ALL
    assert len(set(order[:4]) & set(FILES[files[0]])) == min(4, len(FILES[files[0]]))


def test_the_order_changes_with_the_pass_and_repeats_with_the_seed(one):
    def passes():
        iterator = ds.MindDataset(one, ["id"]).create_tuple_iterator(
            num_epochs=3, output_numpy=True
        )
        return [[int(r[0]) for r in iterator] for _ in range(3)]

    first = passes()
    assert first[0] != first[1] != first[2]
    assert passes() == first


def child(sampler, below):
    sampler.add_child(below)
    return sampler


SAMPLERS = [
    (lambda: ds.SequentialSampler(2, 3), [2, 3, 4]),
    (lambda: ds.SubsetSampler([5, 2, 2]), [5, 2, 2]),
    (lambda: ds.DistributedSampler(3, 1, False), [1, 4, 7, 0]),
    (lambda: ds.PKSampler(2, class_column="label"), [0, 1, 3, 4, 6, 7, 9, 9]),
    (lambda: ds.PKSampler(1, class_column="s"), [0, 1, 2, 3]),
    (lambda: ds.IterSampler([1, 2]), [1, 2]),
    (lambda: [4, 1], [4, 1]),
    (lambda: child(ds.SequentialSampler(1, 3), ds.SubsetSampler([9, 8, 7, 6, 5])), [8, 7, 6]),
    (lambda: child(ds.DistributedSampler(2, 0, False), ds.SubsetSampler([9, 8, 7, 6])), [9, 7]),
    (
        lambda: child(ds.DistributedSampler(2, 0, False), ds.PKSampler(2, class_column="label")),
        [0, 3, 6, 9],
    ),
]


@pytest.mark.parametrize(("sampler", "wanted"), SAMPLERS)
def test_samplers_choose_the_rows(sampler, wanted, one, ids):
    assert ids(one, sampler=sampler()) == wanted


def test_random_samplers_choose_rows_that_there_are(one, ids):
    assert sorted(ids(one, sampler=ds.RandomSampler())) == list(range(10))
    assert len(ids(one, sampler=ds.RandomSampler(True, 25))) == 25
    assert sorted(ids(one, sampler=ds.SubsetRandomSampler([5, 2]))) == [2, 5]
    assert set(ids(one, sampler=ds.WeightedRandomSampler([0.0] * 9 + [1.0], 4))) == {9}


def test_a_random_sampler_may_mix_files_only(three, ids):
    order = ids(three, sampler=ds.RandomSampler(shuffle=ds.Shuffle.FILES, num_samples=12))
    assert all([n for n in order if n // 100 == f] == FILES[f] for f in range(3))


def test_a_sampler_that_comes_later_may_mix_files_only(three):
    data = ds.MindDataset(three, ["id"], shuffle=False)
    data.use_sampler(ds.RandomSampler(shuffle=ds.Shuffle.FILES))
    order = [int(n) for (n,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert all([n for n in order if n // 100 == f] == FILES[f] for f in range(3))


def test_files_are_mixed_only_where_all_their_rows_are_there(three):
    sampler = ds.RandomSampler(shuffle=ds.Shuffle.FILES, num_samples=1)
    part = ds.MindDataset(three, ["id"], shuffle=False).split([0.5, 0.5])[1]
    part.use_sampler(sampler)
    below = child(ds.RandomSampler(shuffle=ds.Shuffle.FILES, num_samples=1), ds.SubsetSampler([3, 5]))
    for data in (part, ds.MindDataset(three, ["id"], sampler=below)):
        with pytest.raises(PipelineError, match="needs all 12 rows of the files"):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


@pytest.mark.parametrize("level", [ds.Shuffle.ADAPTIVE, ds.Shuffle.PARTIAL])
def test_a_random_sampler_draws_anew_whatever_it_mixes(level, three, ids):
    assert len(ids(three, sampler=ds.RandomSampler(True, 40, level))) == 40


@pytest.mark.parametrize("level", [ds.Shuffle.FILES, ds.Shuffle.INFILE])
def test_rows_that_stay_in_their_files_are_not_drawn_anew(level, three):
    with pytest.raises(PipelineError, match="excludes 'replacement'"):
        ds.MindDataset(three, sampler=ds.RandomSampler(True, shuffle=level))


def test_classes_must_be_in_a_column_of_single_values(one):
    for column in ("b", "v"):
        with pytest.raises(PipelineError, match="class_column"):
            list(ds.MindDataset(one, sampler=ds.PKSampler(1, class_column=column)))
    with pytest.raises(MindRecordFileError, match="nothing"):
        list(ds.MindDataset(one, sampler=ds.PKSampler(1, class_column="nothing")))


PADDED = {"id": -1, "label": -2, "b": b"pad", "s": "pad", "v": np.zeros(3), "f": 0}


def test_padded_rows_come_last_with_the_types_of_the_fields(one):
    data = ds.MindDataset(one, list(PADDED), shuffle=False, padded_sample=PADDED, num_padded=2)
    rows = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert data.get_dataset_size() == len(rows) == 12
    last = rows[-1]
    assert {name: last[name].dtype for name in ("id", "label", "v", "f")} == {
        name: rows[0][name].dtype for name in ("id", "label", "v", "f")
    }
    assert (last["b"].tolist(), last["s"].item(), last["v"].shape) == ([b"pad"], "pad", (3,))


def test_padded_rows_make_shards_equally_long(one):
    # observed: MindSpore 2.10, CPU
    options = {"shuffle": False, "padded_sample": {"id": -1}, "num_padded": 2, "num_shards": 4}
    got = [
        [
            int(r[0])
            for r in ds.MindDataset(one, ["id"], shard_id=i, **options).create_tuple_iterator(
                None, 1, True
            )
        ]
        for i in range(4)
    ]
    assert got == [[0, 4, 8], [1, 5, 9], [2, 6, -1], [3, 7, -1]]
    options["num_shards"] = 5
    with pytest.raises(PipelineError, match="multiple"):
        ds.MindDataset(one, ["id"], shard_id=0, **options).get_dataset_size()


def test_padded_rows_are_mixed_with_the_others(one, ids):
    order = ids(one, ["id"], shuffle=True, padded_sample={"id": -1}, num_padded=6)
    assert sorted(order) == [-1] * 6 + list(range(10))
    assert order[-6:] != [-1] * 6


def test_a_pattern_stands_for_files(three, ids, tmp_path):
    assert ids(str(tmp_path / "part*"), shuffle=False) == ALL


def test_the_name_of_the_argument_in_former_releases(one, ids):
    assert ids(dataset_file=one, shuffle=False) == list(range(10))


def test_a_number_too_large_for_its_type_is_infinity(tmp_path, rows):
    path = write(tmp_path / "a", [{"f": 1e300}], schema={"f": {"type": "float32"}})
    assert rows(ds.MindDataset(path)) == [(float("inf"),)]


def test_a_set_without_rows_is_empty(tmp_path, rows):
    data = ds.MindDataset(write(tmp_path / "empty", []))
    assert data.get_dataset_size() == 0
    assert rows(data) == []


def test_one_shard_stands_for_its_set(tmp_path, ids):
    path = write(tmp_path / "set", [row(i) for i in range(9)], 3)
    assert ids(path + "1", shuffle=False) == list(range(9))
    assert ids([path + "1"], shuffle=False) == [3, 4, 5]


def test_encrypted_files_are_read_with_the_key_of_the_time_of_creation(tmp_path, ids):
    pytest.importorskip("cryptography", reason="needs the extra 'crypto'")
    set_enc_key("0123456789012345")
    try:
        path = write(tmp_path / "secret", [row(i) for i in range(4)])
        data = ds.MindDataset(path, ["id"], shuffle=False)
    finally:
        set_enc_key(None)
    assert [int(r[0]) for r in data.create_tuple_iterator(num_epochs=1)] == [0, 1, 2, 3]
    with pytest.raises(MindRecordFileError, match="is encrypted"):
        ids(path)


def test_the_description_becomes_json_and_back(three, column):
    options = {"shuffle": ds.Shuffle.FILES, "num_shards": 2, "shard_id": 1}
    data = ds.MindDataset(three, ["id"], **options)
    again = ds.deserialize(input_dict=ds.serialize(data))
    assert column(again) == column(data)
    data = ds.MindDataset(three, ["id"], shuffle=False, padded_sample={"id": -1}, num_padded=2)
    assert column(ds.deserialize(input_dict=ds.serialize(data))) == [*ALL, -1, -1]


def test_parts_of_a_split_have_all_rows(one, column):
    parts = ds.MindDataset(one, ["id"], shuffle=False).split([4, 6], randomize=False)
    assert [column(part) for part in parts] == [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9]]


def test_the_description_can_be_pickled(one, column):
    data = ds.MindDataset(one, ["id"], shuffle=False)
    assert column(data) == list(range(10))
    assert column(pickle.loads(pickle.dumps(data))) == list(range(10))


def test_real_files_of_version_2(reference, rows):
    folder = f"{reference}/data/mindrecord/testOldVersion"
    data = ds.MindDataset(f"{folder}/aclImdb.mindrecord1", shuffle=False)
    first = next(data.create_dict_iterator(output_numpy=True))
    assert first["array_d"].tolist() == [[-10, -127], [10, 127]]
    assert first["array_a"][-2:].tolist() == [-(2**31), 2**31 - 1]
    assert first["array_b"].shape == (1, 19)
    assert first["array_c"].tobytes() == b"nlp data"
    assert len(rows(data)) == 16


def test_real_files_of_version_3(reference):
    folder = f"{reference}/data/mindrecord/testGraphData"
    for name, count in (("sns", 153), ("testdata", 60)):
        data = ds.MindDataset(f"{folder}/{name}", shuffle=False)
        assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == count


@pytest.mark.parametrize("number", ["00", "04"])
def test_real_files_of_before_version_2_are_refused(number, reference):
    path = f"{reference}/data/mindrecord/testNlpReaderData/aclImdb.mindrecord{number}"
    with pytest.raises(MindRecordFileError):
        ds.MindDataset(path).get_dataset_size()
