"""Mixed precision: networks that compute in 16 bits, and scaling that keeps their gradients alive."""
from __future__ import annotations

from .managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .precision import auto_mixed_precision, custom_mixed_precision, get_black_list, get_white_list
from .scaling import DynamicLossScaler, LossScaler, StaticLossScaler, all_finite, init_status
from .training import build_train_network

__all__ = [
    "DynamicLossScaleManager", "DynamicLossScaler", "FixedLossScaleManager", "LossScaleManager",
    "LossScaler", "StaticLossScaler", "all_finite", "auto_mixed_precision", "build_train_network", "init_status",
    "custom_mixed_precision", "get_black_list", "get_white_list",
]
