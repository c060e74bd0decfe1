"""The programs of every generation, small, in both modes: what they learn."""
from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
pytestmark = [pytest.mark.nets, pytest.mark.slow]


def falls(found):
    return found["last"] < 0.7 * found["first"]


PROGRAMS = {
    "from_2020/logistic_regression": ({}, lambda r: falls(r) and r["accuracy"] >= 0.95),
    "from_2020/nearest_neighbours": ({}, lambda r: min(r["neighbours"], r["clusters"]) > 0.9 and 4 < r["variance"] < 5),
    "from_2020/cifar_resnet": ({}, lambda r: falls(r) and r["accuracy"] > 0.4 and r["loaded"] == r["accuracy"]),
    "from_2020/sentiment_lstm": ({}, lambda r: falls(r) and r["accuracy"] > 0.9),
    "from_2021/transfer_learning": ({}, lambda r: r["frozen"] and r["accuracy"] > 0.85 > r["untrained"]),
    "from_2021/unet": ({}, lambda r: r["last"] < r["first"] and r["dice"] > 0.5),
    "from_2021/bert_pretraining": ({"steps": 80}, lambda r: falls(r) and r["scale"] > 2 ** 16),
    "from_2021/generated_points": ({}, lambda r: r["after"] < 0.5 < 1.5 < r["before"]),
    "from_2021/graph_networks": ({}, lambda r: min(r.values()) > 0.7),
    "from_2021/own_parts": ({}, lambda r: falls(r) and r["last"] < 0.05 and r["epochs"] < 30 and r["largest"] < 1.2),
    "from_2021/precision_and_accumulation": (
        {"epochs": 3}, lambda r: r["apart"] < 1e-4 and min(r[k] for k in ("accumulated", "O0", "O2", "O3")) > 0.8),
    "from_2022/textcnn": ({}, lambda r: r["accuracy"] > 0.95),
    "from_2022/translation": ({}, lambda r: falls(r) and r["whole"] > 0.4),
    "from_2022/adversarial_pictures": ({"epochs": 3}, lambda r: r["after"] < r["before"]),
    "from_2022/variational_autoencoder": ({}, lambda r: falls(r) and r["error"] < 0.85 * r["plain"]),
    "from_2022/deep_q_network": ({"episodes": 90}, lambda r: r["best"] > 2 * r["first"]),
    "today/gpt_sampling": ({}, lambda r: falls(r) and r["written"] == r["anew"] and r["written"].startswith("one two")),
    "today/detector": ({}, lambda r: falls(r) and r["found"] > 0.5 and r["false"] < 0.5),
    "today/training_loop": (
        {}, lambda r: falls(r) and r["best"] > 0.9 and r["loaded"] == r["best"] and not r["missing"]),
    "today/data_parallel": ({}, falls),
    "today/watched_training": (
        {}, lambda r: r["accuracy"] > 0.9 and abs(r["loaded"] - r["accuracy"]) < 0.01 and r["summaries"] == 1
        and len(r["files"]) >= 1 and abs(sum(r["spent"].values()) - 100) < 1),
}


def imported(name):
    spec = importlib.util.spec_from_file_location(Path(name).name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _context_of_a_new_process():
    from mindspore.core import context

    yield
    context.reset_context()
    context.reset_auto_parallel_context()


@pytest.mark.parametrize("mode", ["graph", "pynative"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_learns(name, mode, capsys):
    arguments, learned = PROGRAMS[name]
    found = imported(name).main(mode, **arguments)
    assert learned(found), found


def test_every_program_is_tried():
    folders = ["from_2020", "from_2021", "from_2022", "today"]
    assert {f"{folder}/{p.stem}" for folder in folders for p in (EXAMPLES / folder).glob("*.py")} == set(PROGRAMS)


@pytest.mark.dist
def test_two_processes_have_the_losses_of_one(tmp_path):
    alone = imported("today/data_parallel").main("graph", epochs=1)
    command = [sys.executable, "-m", "mindspore.distributed.msrun", "--worker_num", "2", "--local_worker_num", "2",
               "--log_dir", str(tmp_path), "--join", "True", str(EXAMPLES / "today/data_parallel.py"), "--epochs", "1"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    texts = ended.stdout + "".join(p.read_text() for p in tmp_path.glob("*.log"))
    losses = re.findall(r"process \d of 2: loss ([\d.]+) -> ([\d.]+)", texts)
    assert losses
    np.testing.assert_allclose(np.array(losses[0], float), [alone["first"], alone["last"]], atol=2e-4)
