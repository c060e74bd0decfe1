"""The two version numbers: this project's own, and the MindSpore release whose interface it offers."""

from __future__ import annotations

ANYSPORE = "0.1.0"
MINDSPORE = "2.10.0"
