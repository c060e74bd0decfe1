"""The table of choices: it decides which kernel is taken, never what comes out; a file of it is read with care."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler.disk.cache import walk_of
from mindspore.compiler.kernels import available
from mindspore.compiler.passes import clusters, products, windows
from mindspore.core import log
from mindspore.operators.choices import NEVER, Choices, choices, files, table, using

generates = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
READING = """
from mindspore.operators.choices import choices
print(choices().product_least, choices().window_tiles)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYSPORE_CHOICES", str(tmp_path / "choices"))
    table._stored.cache_clear()
    yield tmp_path / "choices"
    table._stored.cache_clear()


@pytest.fixture
def said(monkeypatch):
    found = []
    monkeypatch.setattr(log, "warning", lambda text, *args: found.append(text % args))
    return found


def drawn(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def product():
    x, y = drawn(40, 50), drawn(50, 60)
    return ms.jit(lambda x, y: ops.matmul(x, y))(Tensor(x), Tensor(y)).asnumpy(), x.astype(np.float64) @ y


def convolution():
    x, w = drawn(2, 32, 9, 9), drawn(32, 32, 3, 3)
    net = nn.Conv2d(32, 32, 3, weight_init=Tensor(w))
    wanted = torch.conv2d(torch.tensor(x, dtype=torch.float64), torch.tensor(w, dtype=torch.float64), padding=1)
    return ms.jit(lambda x: net(x))(Tensor(x)).asnumpy(), wanted.numpy()


def exponential():
    x = drawn(33, 5)
    return ms.jit(lambda x: ops.exp(x))(Tensor(x)).asnumpy(), np.exp(x.astype(np.float64))


@generates
@pytest.mark.parametrize(("name", "place", "kind", "run"), [
    ("product_least", products, "MatrixProduct", product), ("window_least", windows, "WindowConvolution", convolution),
    ("costly_least", clusters, "generated", exponential)])
def test_a_table_forces_either_kernel_and_the_results_are_equal(monkeypatch, name, place, kind, run):
    made, whole = [], getattr(place, kind)
    monkeypatch.setattr(place, kind, lambda *args: made.append(args) or whole(*args))
    for least, count in ((NEVER, 0), (1, 1)):
        made.clear()
        with using(Choices(**{name: least, "window_tiles": 1})):
            found, wanted = run()
            again, _ = run()
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(found, again)
        assert bool(made) is bool(count)


def test_what_was_written_is_read_by_other_processes(folder):
    files.write(1, {"product_least": 77, "window_tiles": 5})
    assert choices().product_least == 77 or torch.get_num_threads() != 1
    found = subprocess.run([sys.executable, "-c", READING], text=True, capture_output=True, check=True,
                           env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert found.stdout.split() == ["77", "5"]
    other = subprocess.run([sys.executable, "-c", READING], text=True, capture_output=True, check=True,
                           env={**os.environ, "OMP_NUM_THREADS": "3"})
    assert other.stdout.split() == [str(Choices().product_least), str(Choices().window_tiles)]


@pytest.mark.parametrize("damage", [
    lambda file: file.write_bytes(file.read_bytes()[:-3]),
    lambda file: file.write_bytes(b"\x00" * 50),
    lambda file: file.chmod(0o666),
    lambda file: file.parent.chmod(0o777),
    lambda file: files.trusted.write(file, "anyspore choices 1", b"[1, 2]"),
    lambda file: files.trusted.write(file, "anyspore choices 1", json.dumps({"product_least": "5"}).encode()),
    lambda file: files.trusted.write(file, "anyspore choices 1", json.dumps({"product_least": True}).encode()),
    lambda file: files.trusted.write(file, "anyspore choices 1", b'{"product_least": NaN}'),
    lambda file: files.trusted.write(file, "anyspore choices 1", b'{"product_least": -1}'),
    lambda file: files.trusted.write(file, "anyspore choices 1", json.dumps({"no_such_choice": 5}).encode())])
def test_a_damaged_or_foreign_table_is_ignored_with_one_line(folder, said, damage):
    threads = torch.get_num_threads()
    damage(files.write(threads, {"product_least": 77}))
    assert choices() == Choices()
    assert choices() == Choices()
    assert len(said) == 1
    assert str(folder) in said[0]


def test_none_is_read_where_they_are_switched_off(folder, monkeypatch):
    files.write(torch.get_num_threads(), {"product_least": 77})
    monkeypatch.setenv("ANYSPORE_CHOICES", "off")
    assert choices() == Choices()
    with pytest.raises(OSError, match="ANYSPORE_CHOICES"):
        files.write(1, {})


def test_many_writers_leave_a_whole_table(folder, said):
    program = ("import sys; from mindspore.operators.choices import files\n"
               "n = int(sys.argv[1])\n"
               "for k in range(200): files.write(1, {'product_least': n, 'window_tiles': n})")
    running = [subprocess.Popen([sys.executable, "-c", program, str(n)]) for n in (3, 4, 5)]
    seen = set()
    while any(p.poll() is None for p in running):
        found = files.read(1, Choices._fields)
        if found:
            assert found["product_least"] == found["window_tiles"]
            seen.add(found["product_least"])
    assert [p.returncode for p in running] == [0, 0, 0]
    assert seen
    assert seen <= {3, 4, 5}
    assert not said
    assert len(list(folder.iterdir())) == 1


def test_the_table_belongs_to_the_key_of_a_compiled_graph():
    def key():
        return walk_of(exponential, (), {}, lambda x: False).digest()
    assert key() == key()
    with using(Choices(product_least=5)):
        other = key()
    assert other != key()
