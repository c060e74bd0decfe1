"""All operators by name."""
from __future__ import annotations

from typing import Any

REGISTRY: dict[str, Any] = {}        # filled by `registry.Operator`
