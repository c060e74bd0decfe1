"""`load_mindir` and `save_mindir`: the message of a file, changed and written again."""
from __future__ import annotations

from pathlib import Path

import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.core.errors import ModelError


def exported(folder, **options):
    ms.export(nn.ReLU(), Tensor([0.0]), file_name=f"{folder}/a", file_format="MINDIR", **options)
    return f"{folder}/a.mindir"


def test_a_file_of_the_original_keeps_every_field(reference, tmp_path):
    source = Path(reference, "formats", "fixtures", "mindir", "user_info.mindir")
    model = ms.load_mindir(str(source))
    assert dict(model.user_info) == {"k1": "v1", "version": "11.0"}
    ms.save_mindir(model, f"{tmp_path}/same")
    assert ms.load_mindir(f"{tmp_path}/same.mindir") == model
    assert nn.GraphCell(ms.load(f"{tmp_path}/same.mindir")).parameters_dict().keys() == {"weight", "bias"}


def test_a_changed_message_is_written_over_the_file(tmp_path):
    file = exported(tmp_path)
    model = ms.load_mindir(file)
    model.user_info["version"] = "2"
    ms.save_mindir(model, file)
    assert dict(ms.load_mindir(file).user_info) == {"version": "2"}
    assert nn.GraphCell(ms.load(file))(Tensor([-1.0])).tolist() == [0.0]


def test_what_is_no_file_of_a_model_is_refused(tmp_path):
    (tmp_path / "text").write_bytes(b"no message")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(ModelError, match="is no MindIR file"):
        ms.load_mindir(f"{tmp_path}/text")
    with pytest.raises(ModelError, match="has no graph"):
        ms.load_mindir(f"{tmp_path}/empty")
    with pytest.raises(ValueError, match="there is no file"):
        ms.load_mindir(f"{tmp_path}/none.mindir")
    with pytest.raises(TypeError, match="must be a string"):
        ms.load_mindir(3)
    with pytest.raises(TypeError, match="'load_mindir' gives"):
        ms.save_mindir(None, f"{tmp_path}/none.mindir")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "text"]


def test_an_encrypted_file_says_so(tmp_path):
    pytest.importorskip("cryptography", reason="the extra 'crypto' is not installed")
    with pytest.raises(ModelError, match="is encrypted"):
        ms.load_mindir(exported(tmp_path, enc_key=b"k" * 16))
