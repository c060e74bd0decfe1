"""Checkpoints go to the original and back. Runs only where ANYSPORE_ORACLE names a Python that has MindSpore 2.10."""
from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest

import mindspore as ms
from mindspore.eager.tensor import Tensor
from mindspore.train.serialization import load_checkpoint, save_checkpoint

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
KEY = b"0123456789abcdef"
TYPES = ["bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "bfloat16"]
VARIANTS = {
    "plain.ckpt": ({}, {}),
    "crc.ckpt": ({"crc_check": True}, {"crc_check": True}),
    "gcm.ckpt": ({"enc_key": KEY}, {"dec_key": KEY}),
    "cbc.ckpt": ({"enc_key": KEY, "enc_mode": "AES-CBC"}, {"dec_key": KEY, "dec_mode": "AES-CBC"}),
    "sm4.ckpt": ({"enc_key": KEY, "enc_mode": "SM4-CBC"}, {"dec_key": KEY, "dec_mode": "SM4-CBC"}),
    "plain.safetensors": ({}, {}),
    "crc.safetensors": ({"crc_check": True}, {"crc_check": True}),
}
PROGRAM = """
import sys
import numpy as np
import mindspore as ms

def values(crc):
    found = {}
    for name in TYPES:
        for shape in ((), (3,), (2, 1, 2)):
            if not (crc and name == "bfloat16"):
                count = int(np.prod(shape))
                found[f"{name}.{len(shape)}"] = ms.Tensor((np.arange(count) % 2 + 1).reshape(shape), getattr(ms, name))
    return found

def shown(loaded):
    return {n: v if isinstance(v, str) else (str(v.dtype), tuple(v.shape), v.astype(ms.float64).asnumpy().tolist())
            for n, v in loaded.items()}

mode, folder = sys.argv[1:]
for file, (save, load) in VARIANTS.items():
    format = file.split(".")[1]
    crc = file == "crc.safetensors"
    path = f"{folder}/{file}"
    if mode == "write":
        more = {"append_dict": {"epoch": 3, "rate": 0.5, "note": "häl lo"}} if format == "ckpt" else {}
        items = [{"name": name, "data": value} for name, value in values(crc).items()]
        ms.save_checkpoint(items, path.rsplit(".", 1)[0], format=format, **save, **more)
    else:
        print(repr((file, shown(ms.load_checkpoint(path, format=format, **load)))))
"""


def tensors(crc):
    return {
        f"{name}.{len(shape)}": Tensor((np.arange(int(np.prod(shape))) % 2 + 1).reshape(shape), getattr(ms, name))
        for name in TYPES for shape in ((), (3,), (2, 1, 2)) if not (crc and name == "bfloat16")
    }


def shown(loaded):
    return {n: v if isinstance(v, str) else (str(v.dtype), tuple(v.shape), v.asnumpy().astype("float64").tolist())
            for n, v in loaded.items()}


def ask(mode, folder):
    program = f"TYPES = {TYPES}\nVARIANTS = {VARIANTS}\n{PROGRAM}"
    run = subprocess.run([ORACLE, "-c", program, mode, str(folder)], capture_output=True, text=True, timeout=300,
                         env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})
    assert run.returncode == 0, run.stderr[-2000:]
    return [eval(line) for line in run.stdout.splitlines() if line.startswith("('")]


def test_the_original_reads_what_was_written_here(tmp_path):
    for file, (save, _) in VARIANTS.items():
        stem, format = file.split(".")
        more = {"append_dict": {"epoch": 3, "rate": 0.5, "note": "häl lo"}} if format == "ckpt" else {}
        save_checkpoint(tensors(file == "crc.safetensors"), str(tmp_path / stem), format=format, **save, **more)
    answers = dict(ask("read", tmp_path))
    assert list(answers) == list(VARIANTS)
    for file, (_, load) in VARIANTS.items():
        assert answers[file] == shown(load_checkpoint(str(tmp_path / file), format=file.split(".")[1], **load))
        assert shown(tensors(file == "crc.safetensors")).items() <= answers[file].items()


def test_what_the_original_writes_is_read_here(tmp_path):
    ask("write", tmp_path)
    for file, (_, load) in VARIANTS.items():
        loaded = shown(load_checkpoint(str(tmp_path / file), format=file.split(".")[1], **load))
        assert shown(tensors(file == "crc.safetensors")).items() <= loaded.items()
        if file.endswith("ckpt"):
            more = {"epoch": ("Int64", (), 3.0), "rate": ("Float32", (), 0.5), "note": "häl lo"}
            assert more.items() <= loaded.items()
