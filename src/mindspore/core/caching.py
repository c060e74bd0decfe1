"""Where compiled code is kept on disk, and whether: `enable_compile_cache`, `compile_cache_path`."""
from __future__ import annotations

import os
from pathlib import Path

from . import context


def place() -> Path | None:
    """The folder in which all that is compiled has folders of its own; None if nothing is kept."""
    state = context.state
    if "enable_compile_cache" in state.given:
        wanted = state.enable_compile_cache
    else:
        wanted = os.environ.get("MS_COMPILER_CACHE_ENABLE") == "1" or (
            state.save_compile_cache or state.load_compile_cache)
    return Path(state.compile_cache_path or os.environ.get("MS_COMPILER_CACHE_PATH") or ".") if wanted else None
