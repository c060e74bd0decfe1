from __future__ import annotations

import json

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(f"line {i}" for i in range(10)))
    return str(path)


def contents(data):
    return [
        [a.tolist() for a in row]
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    ]


def test_a_pipeline_is_made_again_from_its_json(lines, tmp_path):
    one = ds.TextFileDataset(lines, num_samples=9, shuffle=ds.Shuffle.FALSE).skip(1)
    one = one.rename("text", "t")
    data = (
        one.concat(one).take(12).shuffle(4).batch(2, drop_remainder=True).repeat(2).project(["t"])
    )
    content = data.to_json(str(tmp_path / "pipe.json"))
    assert json.loads((tmp_path / "pipe.json").read_text()) == content
    again = ds.deserialize(json_filepath=str(tmp_path / "pipe.json"))
    assert contents(again) == contents(data)
    assert ds.compare(again, data)
    assert not ds.compare(again, data.take(3))


def test_transforms_samplers_and_enums_come_back(tmp_path):
    (tmp_path / "a").mkdir()
    for i in range(3):
        vision.write_png(str(tmp_path / "a" / f"{i}.png"), np.full((6, 5, 3), 50 * i, np.uint8))
    data = ds.ImageFolderDataset(str(tmp_path), sampler=ds.SequentialSampler(1), decode=True).map(
        [
            vision.Resize((3, 4), vision.Inter.NEAREST),
            vision.Normalize([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]),
            transforms.TypeCast(ms.float16),
        ],
        ["image"],
    )
    again = ds.deserialize(ds.serialize(data))
    assert contents(again) == contents(data)
    assert len(contents(again)) == 2


def test_json_of_the_original_is_read(lines):
    # observed: MindSpore 2.10, CPU
    content = {
        "children": [
            {
                "children": [
                    {
                        "children": [
                            {
                                "children": [
                                    {
                                        "children": [],
                                        "connector_queue_size": 16,
                                        "dataset_files": [lines],
                                        "num_parallel_workers": 2,
                                        "num_samples": 0,
                                        "num_shards": 1,
                                        "op_type": "TextFileDataset",
                                        "shard_id": 0,
                                        "shuffle": 0,
                                    }
                                ],
                                "count": 1,
                                "op_type": "Skip",
                            }
                        ],
                        "count": 3,
                        "op_type": "Take",
                    }
                ],
                "input_columns": ["text"],
                "op_type": "Rename",
                "output_columns": ["t"],
            }
        ],
        "columns": ["t"],
        "op_type": "Project",
    }
    assert contents(ds.deserialize(content)) == [["line 1"], ["line 2"], ["line 3"]]


def test_what_json_cannot_hold_is_named():
    data = ds.NumpySlicesDataset({"x": [1, 2]}).map(lambda x: x, "x")
    written = json.dumps(ds.serialize(data))
    assert "test_what_json_cannot_hold_is_named.<locals>.<lambda>" in written
    with pytest.raises(RuntimeError, match="Python object"):
        ds.deserialize(json.loads(written))
    with pytest.raises(RuntimeError, match="source"):
        ds.deserialize(ds.serialize(ds.GeneratorDataset(lambda: iter([1]), ["a"])))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({}, ValueError),
        ({"op_type": "Nothing"}, ValueError),
        (3, TypeError),
        ({"op_type": "Resize"}, ValueError),
    ],
)
def test_what_is_no_pipeline_is_refused(content, error):
    with pytest.raises(error, match="deserialize"):
        ds.deserialize(content)


@pytest.mark.parametrize("content", ["", "[1]", "{", "[" * 100_000, '{"op_type": []}', '{"op_type": "Nothing"}',
                                     '{"op_type": "Batch", "children": 3}',
                                     '{"op_type": "Batch", "children": [' * 300 + "]}" * 300])
def test_a_damaged_file_is_told_with_its_name(tmp_path, content):
    path = tmp_path / "damaged.json"
    path.write_text(content)
    with pytest.raises(RuntimeError, match=r"damaged\.json"):
        ds.deserialize(json_filepath=str(path))


def test_neither_file_nor_dict_is_refused(tmp_path):
    with pytest.raises(ValueError, match="either"):
        ds.deserialize()
    with pytest.raises(ValueError, match="json_filepath"):
        ds.deserialize(json_filepath=str(tmp_path / "nothing.json"))
    with pytest.raises(TypeError, match="dataset"):
        ds.serialize(3)


def test_a_written_pipeline_is_one_dataset(column, tmp_path):
    (tmp_path / "a.txt").write_text("x\ny\n")
    path = str(tmp_path / "p.json")
    content = ds.serialize(ds.TextFileDataset(str(tmp_path / "a.txt"), shuffle=False).repeat(2), path)
    for given in (content, path):
        data = ds.DeserializedDataset(given)
        assert column(data) == ["x", "y"] * 2
        assert data.get_dataset_size() == 4
