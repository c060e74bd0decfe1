"""The files of the cache: only those that this user alone could have written are read; none of them ends a program."""

from __future__ import annotations

import os
import re
import socket

import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.disk import storage

X = Tensor([1.0, 2.0])


def cubes(x):
    return x * x * x


def how(target):
    """What the cache did for each program."""
    return [p.cache.split(" in ")[0] for p in ms.graph.explain(target).programs]


def kept(cache):
    """The file of one program, and a function that runs the program anew and says what the cache did."""
    ms.jit(cubes)(X)
    (file,) = cache.iterdir()

    def again():
        compiled = ms.jit(cubes)
        assert compiled(X).asnumpy().tolist() == [1, 8]
        return how(compiled)[0]

    return file, again


def test_files_are_for_their_user_only(cache):
    file, again = kept(cache)
    assert file.stat().st_mode & 0o777 == 0o600
    assert cache.stat().st_mode & 0o777 == 0o700
    assert again() == "loaded"


@pytest.mark.parametrize("damage", [
    lambda data: data[:-5], lambda data: data.replace(b"Mul", b"Add"), lambda data: b"", lambda data: b"\xff" * 50])
def test_a_damaged_file_is_ignored_with_a_warning(damage, cache, warnings):
    file, again = kept(cache)
    file.write_bytes(damage(file.read_bytes()))
    assert again() == "stored"
    assert "damaged" in warnings[0]
    assert again() == "loaded"


@pytest.mark.parametrize("text", [
    "{}\ngraph x():\n  return 1\n", "nothing", '{"files": 1}\n', "[]\n"])
def test_a_file_that_holds_no_program_is_ignored_with_a_warning(text, cache, warnings):
    file, again = kept(cache)
    storage.write(file, text)
    assert again() == "stored"
    assert "is not used" in warnings[0]


@pytest.mark.parametrize("text", ["__import__('os').system('true')", "open('x')", "(1).__class__"])
def test_a_file_can_name_operators_and_constants_only(text, cache, warnings):
    file, again = kept(cache)
    body = storage.read(file)
    head, _, graph = body.partition("\n")
    storage.write(file, head + "\n" + graph.replace("Mul(x0, x0)", f"Mul(x0, {text})"))
    assert again() == "stored"
    assert "is not used" in warnings[0]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_refused(mode, cache, warnings):
    file, again = kept(cache)
    file.chmod(mode)
    assert again() == "stored"
    assert "others may write" in warnings[0]


def test_a_folder_that_others_may_write_is_refused(cache, warnings):
    _, again = kept(cache)
    cache.chmod(0o777)
    assert again().startswith("not stored: others may write to the folder")
    assert len(warnings) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_refused(cache, warnings):
    file, again = kept(cache)
    os.chown(file, 12345, 12345)
    assert again() == "stored"
    assert "another user" in warnings[0]


def test_a_link_is_refused(cache, warnings, tmp_path):
    file, again = kept(cache)
    os.replace(file, tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert again() == "stored"
    assert "is not used" in warnings[0]


def a_pipe(file):
    os.mkfifo(file)


def a_folder(file):
    file.mkdir()


def a_socket(file):
    with socket.socket(socket.AF_UNIX) as made:
        os.chdir(file.parent)                       # the path of a socket is short
        made.bind(file.name)


@pytest.mark.parametrize("make", [a_pipe, a_folder, a_socket])
def test_what_is_no_file_is_not_waited_for_and_not_used(make, cache, warnings, monkeypatch):
    monkeypatch.chdir(os.getcwd())
    file, again = kept(cache)
    file.unlink()
    make(file)
    assert again().startswith("not stored: " if make is a_folder else "stored")
    assert "is not used" in warnings[0]


def test_a_file_beyond_the_limit_is_not_read(cache, warnings, monkeypatch):
    file, again = kept(cache)
    os.truncate(file, 1 << 40)
    assert again() == "stored"
    assert "is not used: the file has 1099511627776 bytes" in warnings[0]


@pytest.mark.parametrize("damage", [
    lambda head, graph: (head, graph.replace("return", "return (")),
    lambda head, graph: (head, graph.replace("Mul(x0, x0)", "Mul(x0, " + 5000 * "(" + "x0" + 5000 * ")" + ")")),
    lambda head, graph: (head.replace('"lines": [', '"lines": ["('), graph),
    lambda head, graph: ("[" * 100000, graph),
    lambda head, graph: ("1", graph),
    lambda head, graph: (re.sub(r'"count": 1', '"count": 1e400', head), graph),
    lambda head, graph: (head.replace("{}", "{"), graph),
    lambda head, graph: (re.sub(r'"{}"', '"{"', head), graph),
    lambda head, graph: (head, graph.replace("\n", "\x00\n")),
    lambda head, graph: (head, ""),
], ids=range(10))
def test_a_file_of_any_content_is_compiled_over(damage, cache, warnings):
    file, again = kept(cache)
    head, _, graph = storage.read(file).partition("\n")
    damaged = "\n".join(damage(head, graph))
    assert damaged != storage.read(file)
    storage.write(file, damaged)
    assert again() == "stored"
    assert "is not used" in warnings[0]


def test_a_folder_among_the_files_is_left_alone(cache, monkeypatch):
    monkeypatch.setattr(storage, "_LIMIT_FILES", 2)
    (cache / "old.graph").mkdir(parents=True)
    cache.chmod(0o700)
    os.utime(cache / "old.graph", (1, 1))
    for n in range(4):
        compiled = ms.jit(cubes)
        compiled(ops.ones((n + 1,), ms.float32))
        assert how(compiled) == ["stored"]
    assert (cache / "old.graph").is_dir()


def test_the_oldest_files_go_when_there_are_too_many(cache, monkeypatch):
    monkeypatch.setattr(storage, "_LIMIT_FILES", 3)
    for n in range(6):
        ms.jit(cubes)(ops.ones((n + 1,), ms.float32))
    assert len(list(cache.iterdir())) == 3
    compiled = ms.jit(cubes)
    compiled(ops.ones((6,), ms.float32))
    assert how(compiled) == ["loaded"]


def test_files_go_when_they_are_too_large_together(cache, monkeypatch):
    ms.jit(cubes)(X)
    (file,) = cache.iterdir()
    monkeypatch.setattr(storage, "_LIMIT_BYTES", int(2.5 * file.stat().st_size))
    for n in range(5):
        ms.jit(cubes)(ops.ones((n + 3,), ms.float32))
    assert len(list(cache.iterdir())) == 2
