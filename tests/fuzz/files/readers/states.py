"""What programs keep of themselves: servers, machines, measurements, maps of parameters, wishes of their users."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import shutil
import zipfile

import numpy as np
from structures import zip_changed

from mindspore import Parameter, Tensor, save_checkpoint
from mindspore import dataset as ds
from mindspore.core import context, launched
from mindspore.core.errors import CheckpointError
from mindspore.distributed import meeting
from mindspore.nn.optimizers import states
from mindspore.operators.choices import files as choices
from mindspore.parallel import machines
from mindspore.parallel.costs import Machine
from mindspore.profiler import recorded
from mindspore.profiler.measurement import finish
from mindspore.train.distributed_loading import _unified, unified_safetensors
from readers import equal, plain, reader


def _held(values):
    return {name: Parameter(np.full(shape, values, dtype), name=name)
            for name, shape, dtype in (("w", (3, 4), np.float32), ("n", (), np.int32), ("empty", (0,), np.float32))}


def _zip_repaired(content):
    """The members of a ZIP file with checksums as their contents need them."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old:
            found = io.BytesIO()
            with zipfile.ZipFile(found, "w") as new:
                for one in old.infolist():
                    start = one.header_offset + 30 + int.from_bytes(content[one.header_offset + 26:][:2], "little")
                    start += int.from_bytes(content[one.header_offset + 28:][:2], "little")
                    new.writestr(one.filename, content[start : start + min(one.compress_size, 2**20)])
            return found.getvalue()
    except (ValueError, OSError, EOFError, LookupError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return content


@reader(lambda folder: states.written(folder / "state", _held(2), 7), ValueError, same=equal, repaired=_zip_repaired)
def server_state(folder):
    return _state(folder)


@reader(lambda folder: states.written(folder / "state", _held(2), 7), ValueError, structure=zip_changed,
        name="server_state_of_others")
def _state(folder):
    """Nothing of a damaged state is taken."""
    held = _held(0)
    try:
        done = states.read(folder / "state", held)
    except ValueError:
        assert all(not p.asnumpy().any() for p in held.values()), "a part of the state was taken"
        raise
    return [done, {name: plain(p.asnumpy()) for name, p in held.items()}]


@reader(lambda folder: machines.write(Machine(tables={"add": [(1.0, 2.0), (4.0, 3.0)], "mul": [(2.0, 1.0)]}),
                                      folder / "machine.json"), ValueError)
def machine(folder):
    found = machines.read(folder / "machine.json")
    values = [v for f in dataclasses.fields(found) if f.name != "tables" and not f.name.startswith("_")
              for v in np.ravel(getattr(found, f.name))]
    values += [v for rows in found.tables.values() for row in rows for v in row]
    assert np.isfinite(values).all(), "numbers of a machine are not finite"
    return repr(found)


RANKS = {"version": "1.0", "server_count": "2", "server_list": [
    {"server_id": f"10.0.0.{s}", "device": [{"device_id": str(d), "device_ip": f"10.1.{s}.{d}",
                                             "rank_id": str(2 * s + d)} for d in (0, 1)]} for s in (0, 1)],
    "status": "completed"}


@reader(lambda folder: (folder / "ranks.json").write_text(json.dumps(RANKS)), RuntimeError)
def rank_table(folder):
    env = {"RANK_TABLE_FILE": str(folder / "ranks.json"), "RANK_SIZE": "4", "RANK_ID": "3"}
    return repr(launched.launch(env))


def _choices(folder, act):
    folder.chmod(0o700)
    os.environ["ANYSPORE_CHOICES"] = str(folder)
    try:
        return act()
    finally:
        del os.environ["ANYSPORE_CHOICES"]


NAMES = [f"choice {i}" for i in range(9)]


@reader(lambda folder: _choices(folder, lambda: choices.write(2, {n: 1.5 * i for i, n in enumerate(NAMES)})),
        same=lambda found, whole: found in (None, whole))
def tuning_table(folder):
    return _choices(folder, lambda: choices.read(2, NAMES))


def _recording(folder):
    event = recorded.Event("Add", "net.a", "forward", "a.py", 7, "f", 10, 5, ((2, 3), ()), 6, 0, 0, ("a.py:7",), 1, 9)
    found = recorded.Recorded(
        10**18, [event, event._replace(name="Mul", start=20, step=1), event._replace(effect="communication")],
        [recorded.Step(0, 5, 10), recorded.Step(1, 16, 10)],
        [recorded.Span("Torch", "f", 7, 5, 0, {"tid": 1}), recorded.Span("mstx", "x", 8, -1)],
        [recorded.Memory(8, 64, 64, 0, "cpu", 4096), recorded.Memory(9, -64, 0, 0, "cpu", 4096)], [(8, 1.5, 4096)],
        [recorded.Pipeline([recorded.PipelineStage(0, "Batch", 1, 3, 0.5, -1)], 0.25, 2, 4, [(8, 2)])],
        recorded.Peak(1e9, 1e9), True, True, True, {"who": "someone"})
    (folder / "a" / "FRAMEWORK").mkdir(parents=True)
    found.save(folder / "a" / "FRAMEWORK")


@reader(_recording, ValueError, only=recorded.FILE)
def recording(folder):
    """All tables are made of it; those of one that is refused are not begun."""
    found = recorded.loaded(folder / "a" / "FRAMEWORK" / recorded.FILE)
    try:
        finish(folder / "a", found, False, False)
    finally:
        shutil.rmtree(folder / "a" / "ASCEND_PROFILER_OUTPUT", ignore_errors=True)
    return repr(found)


def _unified_of(folder):
    for rank in (0, 1):
        (folder / f"rank_{rank}").mkdir()
        entries = [{"name": f"{n}{rank}", "data": Tensor(np.arange(6.0, dtype=np.float32) + rank)} for n in "ab"]
        save_checkpoint(entries, str(folder / f"rank_{rank}" / "x"), format="safetensors")
    unified_safetensors(str(folder), None, str(folder / "out"))


@reader(_unified_of, CheckpointError, only="*.json")
def map_of_parameters(folder):
    found = _unified(str(folder / "out"))
    return sorted(found.stages)


def _wishes(folder):
    (folder / "servers.json").write_text(json.dumps({"recovery": {"storage_type": 1, "storage_file_path": "/x"}}))


@reader(_wishes, ValueError)
def folder_of_servers(folder):
    settings = context.parameter_server
    before = settings.config_file_path
    settings.config_file_path = str(folder / "servers.json")
    try:
        return str(meeting.folder())
    finally:
        settings.config_file_path = before


def _schema(folder):
    schema = ds.Schema()
    schema.add_column("a", "int64", [2])
    schema.add_column("b", "float32", [])
    (folder / "schema.json").write_text(schema.to_json())


@reader(_schema, ValueError, TypeError, names_the_file=False)
def schema(folder):
    return ds.Schema(str(folder / "schema.json")).to_json()
