"""The operators, one family per file; each operator whole: names, kernel, rules, samples.

Every module of this package registers its operators when it is imported; `load()` imports all.
"""
from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Import every family, so that the registry is complete."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
