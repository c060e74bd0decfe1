from __future__ import annotations

import os

import numpy as np
import pytest

from mindspore.formats import checkpoint, safetensors
from mindspore.formats.array import StoredArray
from mindspore.train.serialization import ckpt_to_safetensors, safetensors_to_ckpt

W = StoredArray.of(np.arange(3, dtype="float32"))


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("run/rank_0", "run/rank_1", "run/other"):
        os.makedirs(folder)
        checkpoint.write(f"{folder}/a.ckpt", [("w", W), ("b", W)])
    checkpoint.write("run/rank_1/b.ckpt", [("w", W)])


def written(suffix):
    return sorted(os.path.join(d, f) for d, _, files in os.walk(".") for f in files if f.endswith(suffix))


def test_a_file_goes_there_and_back():
    ckpt_to_safetensors("run/other/a.ckpt", name_map={"w": "weight"})
    found, metadata = safetensors.read("run/other/a.safetensors")
    assert (list(found), metadata) == (["b", "weight"], {"format": "ms"})
    safetensors_to_ckpt("run/other/a.safetensors", "back")
    back = checkpoint.read("back/a.ckpt")
    assert list(back) == ["b", "weight"]
    assert bytes(back["weight"].data) == bytes(W.data)


@pytest.mark.parametrize("workers", [1, 3])
def test_of_a_folder_all_files_of_all_ranks_are_converted(workers):
    # observed: MindSpore 2.10, CPU
    ckpt_to_safetensors("run", processes_num=workers)
    assert written(".safetensors") == [f"./run/rank_{n}.safetensors" for n in ("0/a", "1/a", "1/b")]


def test_a_tree_can_be_written_elsewhere_and_only_some_files_of_it():
    ckpt_to_safetensors("run", "new", file_name_regex="b")
    assert written(".safetensors") == ["./new/rank_1/b.safetensors"]


def test_a_text_does_not_fit_and_leaves_nothing():
    checkpoint.write("t.ckpt", [("w", W), ("note", "x")])
    with pytest.raises(ValueError, match=r"\['note'\]"):
        ckpt_to_safetensors("t.ckpt")
    assert written(".safetensors") == []


@pytest.mark.parametrize(("pattern", "error"), [(3, TypeError), ("(", ValueError)])
def test_a_pattern_that_is_none_is_refused_also_for_one_file(pattern, error):
    with pytest.raises(error, match="For 'ckpt_to_safetensors', the 'file_name_regex'"):
        ckpt_to_safetensors("run/rank_0/a.ckpt", file_name_regex=pattern)


@pytest.mark.parametrize(
    "arguments",
    [("none.ckpt",), (1,), ("run/other",), ("run", "x.safetensors"), ("run", None, 1), ("run", None, None, None, 0)],
)
def test_a_wrong_request_is_refused(arguments):
    with pytest.raises(ValueError, match="For 'ckpt_to_safetensors'"):
        ckpt_to_safetensors(*arguments)


def test_a_file_of_the_other_format_is_refused():
    with pytest.raises(ValueError, match=r"must be a \.safetensors file"):
        safetensors_to_ckpt("run/other/a.ckpt")
