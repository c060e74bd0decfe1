"""Graphs, and data sets of graphs (1.x, until 2.0)."""

from __future__ import annotations

from mindspore.dataset.graphs.graph import Graph, GraphData
from mindspore.dataset.graphs.memory import InMemoryGraphDataset
from mindspore.dataset.graphs.network import OutputFormat, SamplingStrategy

__all__ = ["Graph", "GraphData", "InMemoryGraphDataset", "OutputFormat", "SamplingStrategy"]
