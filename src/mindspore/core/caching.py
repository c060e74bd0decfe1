"""Where compiled code is kept on disk, and whether: `enable_compile_cache`, `compile_cache_path`, caches of a user."""
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


def refused() -> bool:
    """Whether the program or its environment says that nothing compiled shall be kept."""
    state = context.state
    if "enable_compile_cache" in state.given:
        return not state.enable_compile_cache
    return os.environ.get("MS_COMPILER_CACHE_ENABLE") == "0"


def of_user(variable: str, name: str) -> Path | None:
    """The folder of a cache that is the user's: that which a variable of the environment names, None for "off"."""
    given = os.environ.get(variable, "")
    if given:
        return None if given.lower() == "off" else Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "anyspore" / name if os.path.isabs(base) else None
