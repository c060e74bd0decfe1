"""`convert_model`: graphs of MindIR files as ONNX models; what is not done says so."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn

pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")


def converted(source, folder):
    ms.convert_model(str(source), f"{folder}/a", "ONNX")
    return onnxruntime.InferenceSession(f"{folder}/a.onnx", providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("name", ["lenet", "lstm_cls", "res_block"])
def test_files_of_the_original_compute_the_same_as_onnx(reference, name, tmp_path):
    file = Path(reference, "formats", "fixtures", "mindir", f"{name}.mindir")
    graph = ms.load(str(file))
    rng = np.random.default_rng(0)
    inputs = [rng.random(shape).astype(kind.numpy) for kind, shape in graph.inputs]
    session = converted(file, tmp_path)
    found = session.run(None, {v.name: x for v, x in zip(session.get_inputs(), inputs, strict=True)})
    wanted = nn.GraphCell(graph)(*[Tensor(x) for x in inputs])
    for mine, theirs in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(mine, theirs.asnumpy(), rtol=1e-5, atol=1e-5)


def test_branches_and_state_are_refused_by_name(reference, tmp_path):
    folder = Path(reference, "formats", "fixtures", "mindir")
    with pytest.raises(NotImplementedError, match="has branches or loops"):
        converted(folder / "while_net.mindir", tmp_path)
    with pytest.raises(RuntimeError, match="changes the parameter 'cnt'"):
        converted(folder / "state.mindir", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_suit_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must be 'ONNX'"):
        ms.convert_model("a.mindir", "a", "AIR")
    with pytest.raises(ValueError, match="there is no file"):
        ms.convert_model(f"{tmp_path}/a.mindir", "a", "ONNX")
    for name in (3, f"{tmp_path}/a.mindir"):
        with pytest.raises(ValueError, match="'file_name' must be a file"):
            ms.export_split_mindir(name)
    with pytest.raises(TypeError, match="must be a dict"):
        ms.obfuscate_model(None)


def test_what_is_not_done_says_what_to_do(tmp_path):
    ms.export(nn.ReLU(), Tensor([0.0]), file_name=f"{tmp_path}/a", file_format="MINDIR")
    with pytest.raises(NotImplementedError, match=r"not split over 2 devices .*mindspore\.load"):
        ms.export_split_mindir(f"{tmp_path}/a.mindir", 2)
    with pytest.raises(NotImplementedError, match=r"enc_key.* instead of obf_ratio"):
        ms.obfuscate_model({}, obf_ratio=0.1)
