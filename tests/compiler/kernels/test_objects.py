"""Machine code on disk: loaded by other processes, made anew where it is damaged, refused where others could write."""
from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch

import mindspore as ms
from mindspore.compiler.kernels import available, generated, native, objects
from mindspore.core import log
from mindspore.core.dtype import float32
from mindspore.operators.loops import Element, exp

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")

TEXT = """
define void @run(ptr %table) {
  %to = load ptr, ptr %table
  store i64 41, ptr %to
  ret void
}
define void @run_parallel(ptr %table, i32 %threads) {
  ret void
}
"""
PROGRAM = """
import numpy as np
import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.kernels.native import machine

ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O2"})
asked = []
optimise = machine().optimise
machine().optimise = lambda module, *passes: (asked.append(module), optimise(module, *passes))[1]
x = Tensor(np.linspace(-2, 2, 4096, dtype=np.float32).reshape(64, 64))
found = ms.jit(lambda x: ops.softmax(ops.tanh(x) * 2 + ops.exp(x)))(x)
print(len(asked), machine().count, found.asnumpy().tobytes().hex())
"""


@pytest.fixture
def cache(tmp_path):
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path))
    yield tmp_path / "kernel_cache"
    ms.context.reset_context()


@pytest.fixture
def warnings(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", lambda text, *args: said.append(text % args))
    return said


@pytest.fixture
def compiled(monkeypatch):
    """How many modules were compiled from now on, one element for each."""
    done, optimise = [], native.Machine.optimise
    monkeypatch.setattr(native.Machine, "optimise", lambda *given: (done.append(1), optimise(*given))[1])
    return done


def answer(text=TEXT):
    """What the code of a text stores."""
    to = ctypes.c_int64(0)
    code = native.machine().load(text)                # the memory of the code goes with it
    code.run((ctypes.c_void_p * 1)(ctypes.addressof(to)))
    return to.value


def started(folder):
    return subprocess.Popen([sys.executable, "-c", PROGRAM], text=True, stdout=subprocess.PIPE,
                            env={**os.environ, "MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": str(folder)})


def said(process):
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    compiled, loaded, result = out.split()
    return int(compiled), int(loaded), result


def test_a_second_process_compiles_nothing_and_computes_the_same(tmp_path):
    first, second = said(started(tmp_path)), said(started(tmp_path))
    assert first[0] > 0
    assert second[0] == 0 < second[1]
    assert first[2] == second[2]


def test_two_processes_at_once_leave_whole_files(tmp_path):
    both = [said(p) for p in [started(tmp_path), started(tmp_path)]]
    assert both[0][2] == both[1][2]
    files = list((tmp_path / "kernel_cache").iterdir())
    assert files
    assert all(re.fullmatch(r"[0-9a-f]{40}\.o", f.name) for f in files)
    assert said(started(tmp_path))[0] == 0


WRITER = """
import sys
from mindspore.compiler.kernels import objects

print("ready", flush=True)
k = 0
while True:
    name = objects.key(str(k % 3))
    objects.keep(name, bytes([k % 3]) * (4 << 20))
    k += 1
"""


@pytest.mark.parametrize("after", [0.0, 0.005, 0.02, 0.05])
def test_a_process_that_is_killed_while_it_writes_leaves_whole_files(after, cache, warnings):
    settings = {"MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": str(cache.parent)}
    process = subprocess.Popen([sys.executable, "-c", WRITER], text=True, stdout=subprocess.PIPE,
                               env={**os.environ, **settings})
    assert process.stdout.readline() == "ready\n"
    deadline = time.monotonic() + 60
    while not list(cache.glob("*.o")) and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(after)
    process.kill()
    process.wait()
    process.stdout.close()
    found = [objects.find(objects.key(str(k))) for k in range(3)]
    assert any(f is not None for f in found)
    assert all(f is None or f == bytes([k]) * (4 << 20) for k, f in enumerate(found))
    assert not warnings
    assert answer() == 41


def test_four_threads_make_and_run_kernels_of_their_own(cache):
    def work(k):
        x = torch.linspace(-2.0, 2.0, 64 * (k + 1) + k).reshape(1, -1)
        element = Element("input", (), tuple(x.shape), float32, 0)
        for power in range(6):
            kernel = generated([exp(element) * float(10 * k + power)])
            for _ in range(20):
                got.append((kernel(x)[0], x.exp() * (10 * k + power)))
    got = []
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(got) == 4 * 6 * 20
    for value, wanted in got:
        torch.testing.assert_close(value, wanted, rtol=2e-6, atol=0)


@pytest.mark.parametrize("no", ["off", "environment", "context"])
def test_nothing_is_kept_where_it_is_switched_off(no, tmp_path, monkeypatch, compiled):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("MS_COMPILER_CACHE_ENABLE", raising=False)
    if no != "off":
        monkeypatch.delenv("ANYSPORE_KERNEL_CACHE")
        if no == "environment":
            monkeypatch.setenv("MS_COMPILER_CACHE_ENABLE", "0")
        else:
            ms.set_context(enable_compile_cache=False)
    assert [answer(), answer()] == [41, 41]
    assert len(compiled) == 2
    assert list(tmp_path.iterdir()) == []
    ms.context.reset_context()


@pytest.mark.parametrize(("name", "below"), [
    ("XDG_CACHE_HOME", "anyspore/kernels"), ("HOME", ".cache/anyspore/kernels"), ("ANYSPORE_KERNEL_CACHE", "")])
def test_code_is_kept_among_the_caches_of_the_user(name, below, tmp_path, monkeypatch, compiled):
    monkeypatch.delenv("MS_COMPILER_CACHE_ENABLE", raising=False)
    monkeypatch.delenv("ANYSPORE_KERNEL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(name, str(tmp_path / "mine"))
    assert [answer(), answer()] == [41, 41]
    assert len(compiled) == 1
    (file,) = (tmp_path / "mine" / below).iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_what_was_kept_is_loaded_and_is_for_its_user_only(cache, compiled):
    assert [answer(), answer()] == [41, 41]
    assert len(compiled) == 1
    (file,) = cache.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert cache.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", [
    lambda data: data[:-1], lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], lambda data: b"",
    lambda data: b"\x7fELF" * 100], ids=["end", "bit", "empty", "other"])
def test_damaged_code_is_compiled_over(damage, cache, compiled, warnings):
    answer()
    (file,) = cache.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert [answer(), answer()] == [41, 41]
    assert len(compiled) == 2
    assert len(warnings) == 1
    assert "damaged" in warnings[0]


def test_code_under_the_name_of_other_code_is_not_used(cache, compiled, warnings):
    answer()
    (file,) = cache.iterdir()
    other = TEXT.replace("41", "42")
    assert answer(other) == 42
    (of_other,) = set(cache.iterdir()) - {file}
    of_other.write_bytes(file.read_bytes())
    assert answer(other) == 42
    assert len(compiled) == 3
    assert "damaged" in warnings[0]


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_refused(mode, cache, compiled, warnings):
    answer()
    (file,) = cache.iterdir()
    file.chmod(mode)
    assert answer() == 41
    assert len(compiled) == 2
    assert "others may write to the file" in warnings[0]


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_is_refused(mode, cache, compiled, warnings):
    answer()
    (file,) = cache.iterdir()
    before = file.stat().st_mtime_ns
    cache.chmod(mode)
    assert [answer(), answer()] == [41, 41]
    assert len(compiled) == 3
    assert len(warnings) == 3           # twice not used, once not stored
    assert all("others may write to the folder" in w for w in warnings)
    assert file.stat().st_mtime_ns == before


def test_a_link_in_place_of_the_folder_is_refused(cache, compiled, warnings):
    answer()
    os.replace(cache, cache.with_name("elsewhere"))
    cache.symlink_to(cache.with_name("elsewhere"))
    assert answer() == 41
    assert len(compiled) == 2
    assert "is not used" in warnings[0]


@pytest.mark.parametrize("index", range(5))
def test_code_for_another_machine_or_version_is_not_found(index, cache, compiled, monkeypatch):
    answer()
    own = native.machine().describes
    assert len(own) == 5
    monkeypatch.setattr(native.machine(), "describes", (*own[:index], own[index] + "x", *own[index + 1:]))
    answer()
    assert len(compiled) == 2


def test_another_version_of_this_package_compiles_anew(cache, compiled, monkeypatch):
    answer()
    monkeypatch.setattr(objects, "ANYSPORE", "0.0.0")
    answer()
    assert len(compiled) == 2


def test_the_code_that_was_not_used_for_longest_goes(cache, compiled, monkeypatch):
    monkeypatch.setattr(objects, "_LIMIT_FILES", 2)
    for number in (41, 42, 43):
        for file in cache.glob("*.o"):
            os.utime(file, ns=(file.stat().st_mtime_ns - 10**9,) * 2)
        assert answer(TEXT.replace("41", str(number))) == number
    assert len(list(cache.iterdir())) == 2
    assert answer() == 41
    assert len(compiled) == 4


def test_a_folder_that_cannot_be_written_costs_no_more_than_the_time(tmp_path, compiled, warnings):
    blocked = Path(tmp_path, "file")
    blocked.write_text("")
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(blocked))
    try:
        assert answer() == 41
    finally:
        ms.context.reset_context()
    assert "is not stored" in warnings[-1]
