"""MindIR files go to the original and back. Runs only where ANYSPORE_ORACLE names a Python that has MindSpore 2.10."""
from __future__ import annotations

import ast
import json
import os
import subprocess

import mindir_nets
import mindir_networks
import mindir_operators
import numpy as np
import pytest
from native_operations import SAYABLE, in_the_file

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.train.exporting import mindir_forms

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]


def original(*arguments, cwd, program=(mindir_nets.__file__,)):
    found = subprocess.run([ORACLE, *program, *arguments], capture_output=True, text=True, timeout=1800, cwd=cwd,
                           env={**os.environ, "GLOG_v": "3", "PYTHONPATH": ""}, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


NETS = {mindir_nets: mindir_nets.NETS, mindir_networks: mindir_networks.NETWORKS}
BOTH = pytest.mark.parametrize("of", NETS, ids=lambda module: module.__name__)


@BOTH
def test_what_is_written_here_the_original_runs(tmp_path, of):
    mindir_nets.write(tmp_path, NETS[of])
    found = original("read", str(tmp_path), cwd=tmp_path, program=(of.__file__,))
    found = ast.literal_eval(found[found.index("DIFFERENCES") + len("DIFFERENCES"):].strip())
    assert set(found) == set(NETS[of])
    assert {name: d for name, d in found.items() if not d <= 1e-5} == {}


@BOTH
def test_what_the_original_writes_runs_here(tmp_path, of):
    original("write", str(tmp_path), cwd=tmp_path, program=(of.__file__,))
    found = mindir_nets.differences(tmp_path, NETS[of])
    assert {name: d for name, d in found.items() if not d <= 1e-5} == {}


CHECKPOINTS = pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])


@CHECKPOINTS
def test_the_original_loads_checkpoints_of_networks(tmp_path, suffix):
    nets = mindir_nets.with_parameters(mindir_networks.NETWORKS)
    mindir_nets.save(tmp_path, nets, suffix)
    found = original("restore", str(tmp_path), suffix, cwd=tmp_path, program=(mindir_networks.__file__,))
    found = ast.literal_eval(found[found.index("DIFFERENCES") + len("DIFFERENCES"):].strip())
    assert set(found) == set(nets)
    assert len(nets) >= 30
    assert {name: d for name, d in found.items() if not d <= 1e-5} == {}


@CHECKPOINTS
def test_checkpoints_of_networks_that_the_original_writes_are_loaded(tmp_path, suffix):
    original("save", str(tmp_path), suffix, cwd=tmp_path, program=(mindir_networks.__file__,))
    found = mindir_nets.restored(tmp_path, mindir_nets.with_parameters(mindir_networks.NETWORKS), suffix)
    assert {name: d for name, d in found.items() if not d <= 1e-5} == {}


# The original has no kernel for it on CPUs.
ELSEWHERE = {"MatrixExp"}
# They repeat the original's Tanh, which is off by up to 1e-4.
OF_TANH = {"DynamicGru", "DynamicLstm", "Gru", "Rnn"}


def operators(folder):
    """By how much what the original computes with the file of each operator differs."""
    found = original(str(folder), cwd=folder, program=(mindir_operators.__file__,))
    return json.loads(found[found.index("DIFFERENCES") + len("DIFFERENCES"):])


def test_every_operator_that_is_written_here_the_original_runs(tmp_path):
    mindir_operators.write(tmp_path)
    found = operators(tmp_path)
    assert {name for name, d in found.items() if isinstance(d, str) or not d <= 1e-5} == ELSEWHERE | OF_TANH
    assert max([found[name] for name in OF_TANH]) < 2e-4


def by_sigmoids(g, x):
    """tanh(x) as 2 sigmoid(2 x) - 1."""
    one, two = [g.constant(np.asarray(k, np.float32), g.results[0].dtype) for k in (1, 2)]
    return g.add("Sub", g.add("Mul", g.add("Sigmoid", g.add("Mul", x, two)), two), one)


def test_the_difference_of_recurrent_operators_is_that_of_the_tanh_of_the_original(tmp_path, monkeypatch):
    monkeypatch.setitem(mindir_forms.FORMS, "Tanh", by_sigmoids)
    mindir_operators.write(tmp_path, OF_TANH)
    found = operators(tmp_path)
    assert found.keys() == OF_TANH
    assert max(found.values()) <= 1e-5


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_the_original_decrypts_what_is_written_here(tmp_path, mode):
    net, x, key = nn.Dense(3, 2), np.ones((1, 3), np.float32), b"0123456789abcdef"
    ms.export(net, Tensor(x), file_name=f"{tmp_path}/a", file_format="MINDIR", enc_key=key, enc_mode=mode)
    program = f"""
import numpy as np, mindspore as ms
graph = ms.load("{tmp_path}/a.mindir", dec_key={key!r}, dec_mode="{mode}")
print("RESULT", ms.nn.GraphCell(graph)(ms.Tensor(np.ones((1, 3), np.float32))).asnumpy().tolist())
"""
    found = original(cwd=tmp_path, program=("-c", program)).partition("RESULT")[2]
    np.testing.assert_allclose(ast.literal_eval(found.strip()), net(Tensor(x)).asnumpy(), rtol=1e-5)


PREPARING = """
import json, mindspore as ms, numpy as np
from mindspore import nn, dataset
from mindspore.dataset import transforms, vision
from mindspore.train import mind_ir_pb2
found = {}
for text in TEXTS:
    rows = dataset.NumpySlicesDataset({"image": np.zeros((4, 6, 6, 3), np.uint8)}).map(eval(text), "image")
    ms.export(nn.ReLU(), ms.Tensor([1.0]), file_name="a", file_format="MINDIR", dataset=rows)
    message = mind_ir_pb2.ModelProto()
    message.ParseFromString(open("a.mindir", "rb").read())
    found[text] = [op.operations for op in message.preprocessor.op]
print("FOUND", json.dumps(found))
"""


def test_the_original_writes_the_maps_of_a_pipeline_so(tmp_path):
    found = original(cwd=tmp_path, program=("-c", f"TEXTS = {list(SAYABLE)}{PREPARING}")).partition("FOUND")[2]
    assert json.loads(found) == {text: [json.dumps([in_the_file(text)])] for text in SAYABLE}


def test_the_original_reads_a_file_with_preprocessing_and_one_of_a_function(tmp_path):
    rows = ms.dataset.NumpySlicesDataset({"image": np.ones((2, 6, 6, 3), np.float32)})
    ms.export(nn.ReLU(), rows.map(ms.dataset.vision.HWC2CHW(), "image").batch(2), file_name=f"{tmp_path}/a",
              file_format="MINDIR")
    ms.export(ms.jit(lambda x, y: x * 2 - y), Tensor([1.0]), Tensor([1.0]), file_name=f"{tmp_path}/b",
              file_format="MINDIR")
    program = """
import numpy as np, mindspore as ms
first, second = (ms.nn.GraphCell(ms.load(name + ".mindir")) for name in "ab")
print("FOUND", first(ms.Tensor(np.full((2, 3, 6, 6), -1, np.float32))).asnumpy().max(),
      second(ms.Tensor([3.0]), ms.Tensor([1.0])).asnumpy()[0])
"""
    assert original(cwd=tmp_path, program=("-c", program)).partition("FOUND")[2].split() == ["0.0", "5.0"]
