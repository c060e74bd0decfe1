"""Entries of files in any order, cut into pieces, of foreign byte orders, and values at the edges of their kinds."""
from __future__ import annotations

import io
import zlib

import numpy as np
import pytest
import torch
from PIL import Image

from mindspore.formats import checkpoint, event_values, safetensors, wire
from mindspore.formats.array import StoredArray
from mindspore.formats.strategy import (
    LayoutRow,
    StrategyFile,
    merged,
    read_strategy,
    staged,
    write_strategy,
)

KINDS = ["<f4", ">f4", ">i2", ">u8", "<i8", ">f8", "|b1", ">f2", "|u1"]


def arrays():
    """Arrays of several types, orders of bytes and of memory, without axes and of one element."""
    draw, found = np.random.default_rng(0), {}
    for k, kind in enumerate(KINDS):
        whole = draw.integers(0, 2 if kind == "|b1" else 100, (4, 6)).astype(kind)
        found |= {f"{k}": whole, f"{k} turned": whole.T, f"{k} some": whole[::2, ::-1], f"{k} one": whole[:1, 0],
                  f"{k} scalar": whole[0, 0].reshape(()), f"{k} column": whole[:, :1]}
    return found


@pytest.mark.parametrize("ending", ["ckpt", "safetensors"])
@pytest.mark.parametrize("pieces", [2**29, 8, 24, 40])
def test_arrays_of_any_layout_come_back_in_their_order(tmp_path, monkeypatch, ending, pieces):
    monkeypatch.setattr(checkpoint, "SLICE_BYTES", pieces)
    every, path = arrays(), tmp_path / f"file.{ending}"
    names = [*list(every)[::2], *list(every)[1::2]]
    stored = {name: StoredArray.of(every[name]) for name in names}
    if ending == "ckpt":
        checkpoint.write(path, stored.items())
        found = checkpoint.read(path)
        assert list(found) == names
    else:
        safetensors.write(path, stored)
        found, _ = safetensors.read(path)
        assert list(found) == sorted(names)
    for name, array in every.items():
        got = found[name].numpy()
        assert got.shape == array.shape
        assert got.dtype == array.dtype.newbyteorder("<")
        np.testing.assert_array_equal(got, array)
        own = np.frombuffer(found[name].own_data(), np.uint8)
        assert own.flags.writeable
        if not found[name].own:                          # a copy, which nobody else sees
            own[:] = 255 - own
            np.testing.assert_array_equal(found[name].numpy(), array)
    wanted = names[1::3]
    if ending == "ckpt":
        assert list(checkpoint.read(path, wanted=lambda name: name in wanted)) == wanted


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "bfloat16", "float32", "bool_"])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_both_checksums_are_those_of_the_bytes_but_for_whole_numbers_without_axes(dtype, number):
    content = torch.tensor(number).to(getattr(torch, dtype.rstrip("_"))).reshape(1).view(torch.uint8).numpy().tobytes()
    one = {"n": StoredArray(dtype, (), content), "m": StoredArray(dtype, (1,), content)}
    plain = zlib.crc32(b"m" + content + b"n" + content)
    zeros = zlib.crc32(b"m" + content + b"n" + (bytes(number) if "int" in dtype else content))
    assert safetensors.checksums(one) == [zeros, plain]


def table(name, *columns):
    """A slice of a table as a checkpoint holds it: keys, values and status."""
    def array(a):
        about = b"".join(wire.varint_field(1, n) for n in a.shape) + wire.bytes_field(2, a.dtype.name.encode())
        return wire.bytes_field(1, about + wire.bytes_field(3, a.tobytes()))
    return wire.bytes_field(1, wire.bytes_field(1, name.encode()) + wire.bytes_field(3, b"".join(map(array, columns))))


def test_slices_of_tables_of_any_length_are_joined_and_keep_their_place(tmp_path):
    keys, values = np.arange(9, dtype=np.int64) + 100, np.arange(18, dtype=np.float32).reshape(9, 2)
    status = np.arange(9, dtype=np.int32) % 3
    parts = [(0, 2), (2, 3), (3, 9)]
    content = b"".join(map(bytes, checkpoint._messages("first", StoredArray.of(values))))
    content += b"".join([table("t", keys[a:b], values[a:b], status[a:b]) for a, b in parts])
    content += b"".join(map(bytes, checkpoint._messages("last", "a\0b\0")))
    (tmp_path / "a.ckpt").write_bytes(content)
    found = checkpoint.read(tmp_path / "a.ckpt")
    assert list(found) == ["first", "t", "last"]
    assert found["last"] == "a\0b\0"
    for column, wanted in zip(found["t"], (keys, values, status), strict=True):
        np.testing.assert_array_equal(column.numpy(), wanted)


# ---------------------------------------------------------------------- values of events

@pytest.mark.parametrize("values", [[-0.5, 0.25, 1.0], [0.0, 0.5, 1.0], [0.0, 1.5, 3.0], [-3.0, -2.0, -1.0], [0.25] * 3,
                                    [7.0] * 3, [-0.001, 0.0, 1.0]])
def test_pictures_are_brightened_by_their_unit_or_their_extent(values):
    low, high = min(values), max(values)
    found = event_values.scaled(np.array(values).reshape(1, 3, 1))
    if low >= 0 and high <= 1:
        wanted = [v * 255 for v in values]
    else:
        wanted = [(v - low) * 255 / (high - low + 1) for v in values]
    assert found.ravel().tolist() == [int(v) for v in wanted]


@pytest.mark.parametrize(("count", "channels"), [(1, 1), (3, 3), (8, 1), (9, 3), (17, 1)])
def test_pictures_of_a_batch_lie_side_by_side_row_by_row(count, channels):
    batch = np.arange(count * channels * 2 * 5, dtype=float).reshape(count, channels, 2, 5)
    canvas = event_values.tiled(batch)
    columns = min(count, 8)
    assert canvas.shape == (-(-count // columns) * 2, columns * 5, channels)
    for n in range(count):
        top, left = 2 * (n // columns), 5 * (n % columns)
        for c in range(channels):
            np.testing.assert_array_equal(canvas[top:top + 2, left:left + 5, c], batch[n, c])


@pytest.mark.parametrize("channels", [1, 3])
def test_pictures_are_written_in_three_channels(channels):
    pixels = np.arange(4 * 5 * channels, dtype=np.uint8).reshape(4, 5, channels)
    found = np.asarray(Image.open(io.BytesIO(event_values.png(pixels))))
    np.testing.assert_array_equal(found, np.concatenate([pixels] * (3 // channels), axis=2))


@pytest.mark.parametrize("array", [
    np.array([1.0, np.nan, np.inf, -np.inf, 2.0, np.nan]), np.array([True, False, True]), np.array([5, -3, 5, 9]),
    np.array([2.5] * 4, np.float32), np.arange(25.0), np.arange(885), np.array([np.nan]), np.array([], np.float32),
    np.array([-1e308, 1e308])])
def test_a_histogram_counts_every_element_once(array):
    found = event_values.histogram(array)
    real = array.dtype.kind == "f"
    finite = array[np.isfinite(array)] if real else array
    assert found.count == array.size
    assert (found.nan_count, found.pos_inf_count, found.neg_inf_count) == (
        (np.isnan(array).sum(), (array == np.inf).sum(), (array == -np.inf).sum()) if real else (0, 0, 0))
    assert sum(b.count for b in found.buckets) == finite.size
    if finite.size:
        numbers = finite.astype(float)
        assert (found.min, found.max) == (numbers.min(), numbers.max())
        assert found.sum == numbers.sum()
        edges = [b.left for b in found.buckets]
        ends = edges[0], found.buckets[-1].left + found.buckets[-1].width
        if found.min == found.max and real:
            assert ends == (found.min - 0.5, found.max + 0.5)
        assert edges == sorted(edges)
        wanted = 2 if finite.size <= 5 else 3 if finite.size <= 10 else min(finite.size // 10 + 1, 90)
        assert len(edges) == (90 if finite.size > 880 else wanted)
        for b in found.buckets[:-1]:
            inside = (numbers >= b.left) & (numbers < b.left + b.width)
            assert b.count == inside.sum()


# ---------------------------------------------------------------------- strategies

def test_all_that_a_row_says_comes_back_and_stages_have_any_number(tmp_path):
    rows = {"w": LayoutRow((2, 3), (1, -1), 2, 3, 4, (5, 6, 7)), "12-x": LayoutRow((4,), (0,), step=1, size=2)}
    content = StrategyFile(3, {"a": (3, [[1, 2], [2]])}, rows)
    write_strategy(str(tmp_path / "a.ckpt"), content)
    assert read_strategy(str(tmp_path / "a.ckpt")) == content
    plain = {"w": LayoutRow((2, 3), ((1, 0), -1), 2, 3, 4, (), (8, 9)), "x": LayoutRow((4,), (0,), step=1, size=2)}
    write_strategy(str(tmp_path / "a.json"), StrategyFile(3, {}, plain))
    assert read_strategy(str(tmp_path / "a.json")).layouts == plain
    one = merged([StrategyFile(n, {f"op{n}": (n, [[n]])}, {"w": rows["w"]}) for n in (2, 11, 0)])
    assert one.stage == 11
    assert [staged(name) for name in one.layouts] == [(2, "w"), (11, "w"), (0, "w")]
    assert [staged(name) for name in ("w-1", "1-2-w", "net.7-w", "10-a\nb")] == [
        (None, "w-1"), (1, "2-w"), (None, "net.7-w"), (10, "a\nb")]
