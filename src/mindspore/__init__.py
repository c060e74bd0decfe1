"""AnySpore: MindSpore's interface, implemented in Python on torch kernels.

This file defines the version and nothing else. Every public name is looked up at first use in the
tables of `mindspore._names`, so that `import mindspore` takes milliseconds and does not load torch.
"""

from __future__ import annotations

import os as _os

from mindspore._names import serve as _serve
from mindspore._names import version as _version

__version__ = _version.MINDSPORE
__anyspore_version__ = _version.ANYSPORE

_serve(__name__)

if "MS_PROFILER_OPTIONS" in _os.environ:  # all that runs from here on is to be measured
    __import__("mindspore.profiler.environment", fromlist=["EnvProfiler"]).EnvProfiler.init_profiler()

TYPE_CHECKING = False  # what checkers take for true; `typing` would take as long to load as the rest
if TYPE_CHECKING:
    from typing import Any

    def __getattr__(name: str) -> Any: ...  # what `_serve` answers for


del TYPE_CHECKING
