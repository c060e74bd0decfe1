"""Functions in threads that start together."""
from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor


def at_once(*functions):
    """The results of functions that run in threads of their own and start together."""
    start = threading.Barrier(len(functions))

    def run(function):
        start.wait()
        return function()
    with ThreadPoolExecutor(len(functions)) as pool:
        return [f.result() for f in [pool.submit(run, function) for function in functions]]
