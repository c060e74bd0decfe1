"""From which sizes on an implementation is taken: all thresholds that depend on the machine, in one table.

* `table`: their names, what they are where nothing was measured, and which table holds now.
* `files`: what `python -m mindspore.tune` measured, on disk, one file for each machine.
"""
from .table import NEVER, Choices, choices, using

__all__ = ["NEVER", "Choices", "choices", "using"]
