"""What `training_step.py` and a framework's script say to each other: one JSON object a line.

A script calls `serve(cases)` with a dict from names to functions that build a network and return
`step()`, one synchronised training step.  A request names a case and how many seconds to work; the
answer holds the step times and the peak of resident memory in MB.
"""
from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable

MARK = "@@"


def serve(cases: dict[str, Callable[[], Callable[[], object]]]) -> None:
    """Answer requests until the input ends."""
    steps: dict[str, Callable[[], object]] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = _measure(cases, steps, asked["case"], asked["seconds"])
        except Exception as error:      # a peer that fails is a result
            answer = {"error": f"{type(error).__name__}: {error}"[:200]}
        print(MARK + json.dumps(answer), flush=True)


def _measure(cases: dict[str, Callable[[], Callable[[], object]]],
             steps: dict[str, Callable[[], object]], name: str, seconds: float) -> dict[str, object]:
    answer: dict[str, object] = {}
    if name not in cases:
        return {"error": "not offered"}
    if name not in steps:
        start = time.perf_counter()
        step = cases[name]()
        step()
        answer["first"] = time.perf_counter() - start
        step()
        steps[name] = step
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        steps[name]()
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return answer | {"times": times, "peak_mb": peak}
