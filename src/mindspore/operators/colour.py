"""Colour spaces; channels are in the last dimension."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .registry import operator
from .samples import between

_IMAGE: list[Any] = [(between(0.1, 0.9, 2, 3, 4, 3),)]


def _colours(name: str, *ranks: int) -> Any:
    def rule(x: Aval, *_: Any) -> Aval:
        if not x.shape or x.shape[-1] != 3 or (ranks and len(x.shape) not in ranks):
            wanted = " or ".join(map(str, ranks)) or "any number of"
            raise ValueError(f"For '{name}', the images must have {wanted} dimensions and 3 channels "
                             f"in the last, but got {show(x)}.")
        if not x.dtype.is_floating:
            raise TypeError(f"For '{name}', the images must be floating point, but got {show(x)}.")
        return x
    return rule


def _floats(name: str, x: torch.Tensor) -> torch.Tensor:
    if not x.is_floating_point():
        raise TypeError(f"For '{name}', the images must be floating point, but got {x.dtype}.")
    return x


def _to_hsv(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    r, g, b = x.unbind(-1)
    value, lowest = x.amax(-1), x.amin(-1)
    chroma = value - lowest
    safe = torch.where(chroma == 0, 1, chroma)
    sector = torch.where(value == r, ((g - b) / safe) % 6,
                         torch.where(value == g, (b - r) / safe + 2, (r - g) / safe + 4))
    hue = torch.where(chroma == 0, 0, sector / 6)
    return hue, torch.where(value == 0, 0, chroma / torch.where(value == 0, 1, value)), value


def _to_rgb(hue: torch.Tensor, saturation: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    parts: list[Tensor] = []
    for n in (5, 3, 1):
        k = (n + hue * 6) % 6
        parts.append(value - value * saturation * torch.minimum(k, 4 - k).clamp(0, 1))
    return torch.stack(parts, -1)


@operator(primitive="RGBToHSV()(images)", grad="torch", samples=_IMAGE, dims="... c! -> ... c!")
def rgb_to_hsv(x: Tensor):
    """Red, green, blue as hue, saturation, value, all in [0, 1]."""
    return torch.stack(_to_hsv(_floats("RGBToHSV", x)), -1)


@operator(primitive="HSVToRGB()(x)", grad="torch", samples=_IMAGE, dims="... c! -> ... c!")
def hsv_to_rgb(x: Tensor):
    """Hue, saturation, value as red, green, blue, all in [0, 1]."""
    if x.dim() != 4:
        raise ValueError(f"For 'HSVToRGB', the images must have 4 dimensions, but got {x.dim()}.")
    return _to_rgb(*_floats("HSVToRGB", x).unbind(-1))


@operator(primitive="AdjustHue()(image, delta)", grad="torch",
          samples=[(between(0.1, 0.9, 3, 4, 3), between(0.1, 0.2))], dims="... c!,  -> ... c!")
def adjust_hue(x: Tensor, delta: Tensor):
    """The image with `delta` added to the hue, which is a circle of length 1."""
    hue, saturation, value = _to_hsv(_floats("AdjustHue", x))
    return _to_rgb((hue + delta) % 1, saturation, value)


@operator(primitive="AdjustSaturation()(image, scale)", grad="torch",
          samples=[(between(0.1, 0.9, 3, 4, 3), between(0.5, 0.6))], dims="... c!,  -> ... c!")
def adjust_saturation(x: Tensor, scale: Tensor):
    """The image with its saturation multiplied by `scale`, at most 1."""
    hue, saturation, value = _to_hsv(_floats("AdjustSaturation", x))
    return _to_rgb(hue, (saturation * scale).clamp(0, 1), value)


rgb_to_hsv.shape(_colours("RGBToHSV"))
hsv_to_rgb.shape(_colours("HSVToRGB", 4))
adjust_hue.shape(_colours("AdjustHue"))
adjust_saturation.shape(_colours("AdjustSaturation"))
