"""Makes the calls of a file and writes down what comes of each.

    python tests/sweep/run_calls.py CALLS.jsonl OUT.jsonl [--mode pynative|graph] [--seconds 20] [--digits 9]

The interpreter decides whose `mindspore` is called.  Calls are made in a child; one that ends or hangs is followed by
another, which begins behind the call that it died of.  The original computes in threads of its own, where an error
shows in whichever call comes next; so it is told to wait for each operator.  Weights of cells follow from their names.
"""
from __future__ import annotations

import argparse
import functools
import json
import os
import signal
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import derived
import steps
import values

import mindspore as ms

GRAPH = False


def target(call, args):
    """The function that a call means, and its arguments."""
    if call["how"] == "method":
        name = call["api"].rsplit(".", 1)[1]
        return (lambda x, *rest, **named: getattr(x, name)(*rest, **named)), args
    if call["how"] == "property":
        name = call["api"].rsplit(".", 1)[1]
        return (lambda x: getattr(x, name)), args
    function = values.found(call["api"])
    if call["how"] in ("primitive", "cell"):
        init = call.get("init", [[], {}])
        function = function(*values.decoded(init[0]), **{k: values.decoded(v) for k, v in init[1].items()})
        derived.fill(function, call.get("fill", "all"))
    if "train" in call:
        function.set_train(call["train"])
    return function, args


def graphed(call, function, args, kwargs):
    """A call in graph mode: `self` first for methods."""
    name = call["api"].rsplit(".", 1)[1]
    if call["how"] == "method":
        def program(x, *rest):
            return getattr(x, name)(*rest, **kwargs)
    elif call["how"] == "property":
        def program(x):
            return getattr(x, name)
    else:
        def program(*rest):
            return function(*rest, **kwargs)
    return ms.jit(program)(*args)


def outcome(call):
    """What comes of a call, as JSON."""
    try:
        ms.set_seed(3)
        if call["how"] == "optimizer":
            return {"out": steps.optimizer(call, GRAPH)}
        if call["how"] == "metric":
            return {"out": steps.metric(call)}
        args = values.decoded(call["args"])
        kwargs = {k: values.decoded(v) for k, v in call.get("kwargs", {}).items()}
        function, args = target(call, args)
        cell = function if isinstance(function, ms.nn.Cell) else None
        held = derived.held(cell) if call.get("grad") else {}
        out = graphed(call, function, args, kwargs) if GRAPH else function(*args, **kwargs)
        told = {"out": values.described(out)}
        changed = [[k, values.described(x)] for k, x in enumerate(args) if isinstance(x, ms.Parameter)]
        changed += derived.changed(cell, held)
        if changed:
            told["after"] = changed
        if call.get("grad"):
            told["grads"] = derived.gradients(functools.partial(function, **kwargs) if kwargs else function, cell, args,
                                              out, GRAPH)
        return told
    except Exception as error:  # any error is an outcome
        return values.failed(error)


def work(calls, first, path, digits):
    """A child: makes the calls from `first` on."""
    with open(path, "a") as file:
        for call in calls[first:]:
            file.write(json.dumps({"id": call["id"], **values.rounded(outcome(call), digits)}) + "\n")
            file.flush()
    os._exit(0)


def waited(child, path, seconds):
    """Waits for a child as long as its file grows; whether it has ended by itself."""
    size, since = -1, time.monotonic()
    while True:
        done, _ = os.waitpid(child, os.WNOHANG)
        if done:
            return True
        now = os.path.getsize(path)
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > seconds:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.02)


def whole_lines(path):
    """The number of whole lines; a part of one at the end is taken away."""
    text = Path(path).read_bytes()
    end = text.rfind(b"\n") + 1
    if end != len(text):
        with open(path, "r+b") as file:
            file.truncate(end)
    return text.count(b"\n")


def main(calls, path, seconds, digits=9):
    open(path, "a").close()
    first = whole_lines(path)
    while first < len(calls):
        child = os.fork()
        if not child:
            work(calls, first, path, digits)
        ended = waited(child, path, seconds)
        first = whole_lines(path)
        if first < len(calls):
            with open(path, "a") as file:
                file.write(json.dumps({"id": calls[first]["id"], "error": "crash" if ended else "timeout"}) + "\n")
            first += 1


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("calls")
    options.add_argument("out")
    options.add_argument("--mode", choices=["pynative", "graph"], default="pynative")
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--digits", type=int, default=9, help="significant digits of what is written down")
    given = options.parse_args()
    GRAPH = given.mode == "graph"
    warnings.simplefilter("ignore")
    os.environ.setdefault("GLOG_v", "4")
    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
    if os.environ.get("SWEEP_QUIET", "1") == "1":
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 2)
        os.dup2(sink, 1)
    lines = Path(given.calls).read_text().splitlines()
    main([json.loads(line) for line in lines], given.out, given.seconds, given.digits)
