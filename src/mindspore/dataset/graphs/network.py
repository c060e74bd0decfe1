"""Graphs whose nodes and edges have types and features: neighbours, samples of them, walks (1.x, until 2.0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset import config
from mindspore.dataset.errors import PipelineError

NOBODY = -1  # stands where there is no node


class SamplingStrategy(IntEnum):
    """How neighbours are drawn: all alike, or in proportion to the weights of the edges.

    Examples:
        >>> graph = dataset.Graph(np.array([[0], [1]], np.int32), {"x": np.ones((2, 1))})
        >>> graph.get_sampled_neighbors([0], [2], ["0"], dataset.SamplingStrategy.RANDOM).tolist()
        [[0, 1, 1]]
    """

    RANDOM = 0
    EDGE_WEIGHT = 1


class OutputFormat(IntEnum):
    """How neighbours are given: as padded rows, as pairs, or as compressed rows.

    Examples:
        >>> graph = dataset.Graph(np.array([[0, 0, 1], [1, 2, 2]], np.int32), {"x": np.ones((3, 1))})
        >>> graph.get_all_neighbors([0, 1], "0", dataset.OutputFormat.NORMAL).tolist()
        [[0, 1, 2], [1, 2, -1]]
        >>> graph.get_all_neighbors([0, 1], "0", dataset.OutputFormat.COO).tolist()
        [[0, 1], [0, 2], [1, 2]]
        >>> [part.tolist() for part in graph.get_all_neighbors([0, 1], "0", dataset.OutputFormat.CSR)]
        [[0, 2], [1, 2, 2]]
    """

    NORMAL = 0
    COO = 1
    CSR = 2


class Features:
    """Arrays of one shape, one for each of some nodes or edges; others have zeros."""

    def __init__(self, ids: Sequence[int], values: Sequence[np.ndarray]):
        self.values = dict(zip(ids, map(np.asarray, values), strict=True))
        self.default = np.zeros_like(next(iter(self.values.values())))

    def of(self, ids: np.ndarray) -> np.ndarray:
        """The features of these, in the shape of `ids`, then that of a feature."""
        rows = [self.values.get(i, self.default) for i in ids.ravel().tolist()]
        if any(row.shape != self.default.shape for row in rows):
            raise PipelineError(
                "The features of one type must have equal shapes to be read together."
            )
        return np.reshape(rows, ids.shape + self.default.shape).astype(self.default.dtype)


class Network:
    """What both classes of graphs share; a subclass fills in nodes, edges and features.

    Arrays of ids are int32. Where a method wants a list of ids, an array will do.
    """

    kinds: tuple[type, ...] = (int, np.integer)  # of types and features
    node_types: dict[int, Any]  # by node
    edges: dict[int, tuple[int, int, Any, float]]  # by edge: from, to, type, weight
    node_features: dict[Any, Features]
    edge_features: dict[Any, Features]

    def connect(self) -> None:
        """Look up who is next to whom: by node and type of the neighbour, ids and weights."""
        self._next: dict[int, dict[Any, tuple[list[int], list[float]]]] = {}
        self._edge_of: dict[tuple[int, int], int] = {}
        for number, (start, end, _, weight) in self.edges.items():
            for node in (start, end):
                if node not in self.node_types:
                    raise PipelineError(
                        f"The edge {number} must join nodes of the graph, but there is no node {node}."
                    )
            ids, weights = self._next.setdefault(start, {}).setdefault(
                self.node_types[end], ([], [])
            )
            ids.append(end)
            weights.append(weight)
            self._edge_of[start, end] = number
        self._rng = np.random.default_rng(config.run_seed())

    # ---- nodes and edges

    def get_all_nodes(self, node_type: Any) -> np.ndarray:
        """Ids of all nodes of a type."""
        return self._of_type("node_type", node_type, self.node_types.items())

    def get_all_edges(self, edge_type: Any) -> np.ndarray:
        """Ids of all edges of a type."""
        return self._of_type(
            "edge_type", edge_type, ((i, edge[2]) for i, edge in self.edges.items())
        )

    def _of_type(self, name: str, wanted: Any, typed: Iterable[tuple[int, Any]]) -> np.ndarray:
        self._type(name, wanted)
        found = [number for number, kind in typed if kind == wanted]
        if not found:
            raise PipelineError(
                f"The '{name}' must be a type that the graph has, but got {wanted!r}."
            )
        return np.array(found, np.int32)

    def get_nodes_from_edges(self, edge_list: Any) -> np.ndarray:
        """From where and to where edges lead, (n, 2)."""
        edges = self._ids("edge_list", edge_list, self.edges)
        return np.array([self.edges[i][:2] for i in edges.tolist()], np.int32)

    def get_edges_from_nodes(self, node_list: Any) -> np.ndarray:
        """Ids of the edges that join pairs of nodes, given as (from, to)."""
        pairs = np.asarray(check.instance(self, "node_list", node_list, (list, np.ndarray)))
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise check.fail(ValueError, self, "node_list", "pairs of nodes", node_list)
        missing = [pair for pair in map(tuple, pairs.tolist()) if pair not in self._edge_of]
        if missing:
            raise PipelineError(
                f"The 'node_list' must be pairs that an edge joins, but none joins {missing[0]}."
            )
        return np.array([self._edge_of[a, b] for a, b in pairs.tolist()], np.int32)

    # ---- neighbours

    def get_all_neighbors(
        self, node_list: Any, neighbor_type: Any, output_format: OutputFormat = OutputFormat.NORMAL
    ) -> Any:
        """Neighbours of nodes, of one type.

        NORMAL: (n, 1 + m), each node, then its neighbours, then -1. COO: pairs of node and neighbour. CSR: where the
        neighbours of each node begin, and the neighbours of all.
        """
        nodes = self._ids("node_list", node_list, self.node_types).tolist()
        self._type("neighbor_type", neighbor_type)
        check.instance(self, "output_format", output_format, OutputFormat)
        found = [self._neighbors(node, neighbor_type)[0] for node in nodes]
        if output_format == OutputFormat.COO:
            pairs = [
                (node, other) for node, others in zip(nodes, found, strict=True) for other in others
            ]
            return np.array(pairs, np.int32).reshape(-1, 2)
        if output_format == OutputFormat.CSR:
            starts = np.cumsum([0, *map(len, found)])[:-1]
            return starts.astype(np.int32), np.array(
                [i for others in found for i in others], np.int32
            )
        width = max(map(len, found), default=0)
        rows = [
            [node, *o, *[NOBODY] * (width - len(o))] for node, o in zip(nodes, found, strict=True)
        ]
        return np.array(rows, np.int32)

    def get_sampled_neighbors(
        self,
        node_list: Any,
        neighbor_nums: Sequence[int],
        neighbor_types: Sequence[Any],
        strategy: SamplingStrategy = SamplingStrategy.RANDOM,
    ) -> np.ndarray:
        """Neighbours of nodes, neighbours of those and so on, `neighbor_nums[i]` of each in step i.

        A row is a node, what step 0 gave, what step 1 gave and so on. Where there are fewer neighbours they come
        repeatedly, where there are none, -1.
        """
        nodes = self._ids("node_list", node_list, self.node_types).tolist()
        check.instance(self, "neighbor_nums", neighbor_nums, (list, np.ndarray))
        check.instance(self, "neighbor_types", neighbor_types, (list, np.ndarray))
        check.instance(self, "strategy", strategy, SamplingStrategy)
        if len(neighbor_nums) != len(neighbor_types) or not 1 <= len(neighbor_nums) <= 6:
            raise check.fail(
                ValueError,
                self,
                "neighbor_nums",
                "as many as 'neighbor_types', 1 to 6",
                neighbor_nums,
            )
        steps = [
            (check.integer(self, "neighbor_nums", int(n), 1), self._type("neighbor_types", kind))
            for n, kind in zip(neighbor_nums, neighbor_types, strict=True)
        ]
        return np.array([self._spread(node, steps, strategy) for node in nodes], np.int32)

    def _spread(
        self, node: int, steps: list[tuple[int, Any]], strategy: SamplingStrategy
    ) -> list[int]:
        row, front = [node], [node]
        for count, kind in steps:
            front = [drawn for one in front for drawn in self._drawn(one, kind, count, strategy)]
            row += front
        return row

    def _drawn(self, node: int, kind: Any, count: int, strategy: SamplingStrategy) -> list[int]:
        ids, weights = self._neighbors(node, kind)
        if not ids:
            return [NOBODY] * count
        if strategy == SamplingStrategy.EDGE_WEIGHT:
            shares = np.array(weights) / np.sum(weights)
            return self._rng.choice(ids, count, p=shares).tolist()
        return self._cycled(ids, count)

    def _cycled(self, ids: list[int], count: int) -> list[int]:
        """`count` of the ids: a random order, and again another one where there are fewer."""
        rounds = -(-count // len(ids))
        return np.concatenate([self._rng.permutation(ids) for _ in range(rounds)])[:count].tolist()

    def get_neg_sampled_neighbors(
        self, node_list: Any, neg_neighbor_num: int, neg_neighbor_type: Any
    ) -> np.ndarray:
        """Each node, then `neg_neighbor_num` nodes of a type that are not next to it."""
        nodes = self._ids("node_list", node_list, self.node_types).tolist()
        check.integer(self, "neg_neighbor_num", neg_neighbor_num, 1)
        others = self.get_all_nodes(neg_neighbor_type).tolist()
        rows = []
        for node in nodes:
            near = {node, *self._neighbors(node, neg_neighbor_type)[0]}
            far = [other for other in others if other not in near]
            rows.append(
                [
                    node,
                    *(self._cycled(far, neg_neighbor_num) if far else [NOBODY] * neg_neighbor_num),
                ]
            )
        return np.array(rows, np.int32)

    def random_walk(
        self,
        target_nodes: Any,
        meta_path: Sequence[Any],
        step_home_param: float = 1.0,
        step_away_param: float = 1.0,
        default_node: int = NOBODY,
    ) -> np.ndarray:
        """Walks from nodes over the types of `meta_path`, biased as in node2vec (Grover and Leskovec 2016).

        Args:
            step_home_param: The greater, the rarer is a step back to the node before (p).
            step_away_param: The greater, the rarer is a step away from the neighbours of the node before (q).
            default_node: What stands after the end of a walk that cannot continue.
        """
        nodes = self._ids("target_nodes", target_nodes, self.node_types).tolist()
        check.instance(self, "meta_path", meta_path, (list, np.ndarray))
        kinds = [self._type("meta_path", kind) for kind in meta_path]
        home = check.number(self, "step_home_param", step_home_param, 0, open_low=True)
        away = check.number(self, "step_away_param", step_away_param, 0, open_low=True)
        check.integer(self, "default_node", default_node, NOBODY)
        walks = [self._walk(node, kinds, home, away, default_node) for node in nodes]
        return np.array(walks, np.int32)

    def _walk(
        self, node: int, kinds: list[Any], home: float, away: float, default: int
    ) -> list[int]:
        walk = [node]
        for kind in kinds:
            ids, weights = self._neighbors(walk[-1], kind)
            if not ids:
                break
            shares = np.array(weights, float)
            if len(walk) > 1:
                before = walk[-2]
                near = {
                    other for others, _ in self._next.get(before, {}).values() for other in others
                }
                shares /= [home if i == before else 1 if i in near else away for i in ids]
            walk.append(int(self._rng.choice(ids, p=shares / shares.sum())))
        return walk + [default] * (len(kinds) + 1 - len(walk))

    def _neighbors(self, node: int, kind: Any) -> tuple[list[int], list[float]]:
        return self._next.get(node, {}).get(kind, ([], []))

    # ---- features

    def get_node_feature(self, node_list: Any, feature_types: Sequence[Any]) -> list[np.ndarray]:
        """Of each type of features those of the nodes, in the shape of `node_list`; of -1 zeros."""
        return self._features(
            "node_list", node_list, self.node_types, feature_types, self.node_features
        )

    def get_edge_feature(self, edge_list: Any, feature_types: Sequence[Any]) -> list[np.ndarray]:
        """Of each type of features those of the edges, in the shape of `edge_list`."""
        return self._features("edge_list", edge_list, self.edges, feature_types, self.edge_features)

    def _features(
        self,
        name: str,
        given: Any,
        known: dict[int, Any],
        kinds: Any,
        features: dict[Any, Features],
    ) -> list[np.ndarray]:
        ids = self._ids(name, given, {NOBODY: None, **known})
        for kind in check.instance(self, "feature_types", kinds, (list, np.ndarray)):
            if kind not in features:
                raise PipelineError(
                    f"The 'feature_types' must be of {sorted(features)}, but got {kind!r}."
                )
        return [features[kind].of(ids) for kind in kinds]

    def graph_info(self) -> dict[str, Any]:
        """Types of nodes, edges and features, and how many nodes and edges of each type there are."""
        nodes, edges = list(self.node_types.values()), [edge[2] for edge in self.edges.values()]
        return {
            "node_type": sorted(set(nodes)),
            "edge_type": sorted(set(edges)),
            "node_num": {kind: nodes.count(kind) for kind in sorted(set(nodes))},
            "edge_num": {kind: edges.count(kind) for kind in sorted(set(edges))},
            "node_feature_type": sorted(self.node_features),
            "edge_feature_type": sorted(self.edge_features),
        }

    # ---- checks

    def _ids(self, name: str, value: Any, known: dict[int, Any]) -> np.ndarray:
        """Ids of what the graph has, as an array."""
        ids = np.asarray(check.instance(self, name, value, (list, np.ndarray)))
        if not ids.size or ids.dtype.kind not in "iu":
            raise check.fail(TypeError, self, name, "ints, and not empty", value)
        for number in set(ids.ravel().tolist()):
            if number not in known:
                raise PipelineError(
                    f"The '{name}' must be ids that the graph has, but there is no {number}."
                )
        return ids

    def _type(self, name: str, value: Any) -> Any:
        return check.instance(self, name, value, self.kinds)
