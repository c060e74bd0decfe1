"""Graphs from MindRecord files and from arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.graphs.network import NOBODY, Features, Network


def _local(owner: Any, workers: Any, mode: str, *server: Any) -> None:
    """Check the arguments that both classes of graphs have for a graph held by another process."""
    check.optional(check.integer, owner, "num_parallel_workers", workers, 1)
    if check.option(owner, "working_mode", mode, ["local", "client", "server"]) != "local":
        raise NotImplementedError(
            f"For '{check.name_of(owner)}', the 'working_mode' {mode!r} is not supported. Load the graph in each "
            "process with 'local'."
        )
    for name, value, kind in zip(
        ("hostname", "port", "num_client", "auto_shutdown"),
        server,
        (str, int, int, bool),
        strict=True,
    ):
        check.instance(owner, name, value, kind)


class GraphData(Network):
    """A graph from MindRecord files with the fields of a graph; types and features are numbers.

    Args:
        dataset_file: One of the files.
        num_parallel_workers: Accepted; the file is read at once.
        working_mode: 'local'; processes that share a graph ('client', 'server') are not supported.
        hostname, port, num_client, auto_shutdown: Of other working modes.

    Raises:
        TypeError, ValueError: If an argument has another type, the file does not exist, or for another working mode.
        PipelineError: If the file has not the fields of a graph, or not that of a feature.

    Examples:
        >>> from mindspore.mindrecord import FileWriter
        >>> fields = {"attribute": {"type": "string"}}     # "n": a node; "e": an edge and its two ends
        >>> fields |= dict.fromkeys(["first_id", "second_id", "third_id", "type"], {"type": "int32"})
        >>> rows = [("n", 1, 0, 0, 0), ("n", 2, 0, 0, 0), ("e", 9, 1, 2, 0)]
        >>> file = tempfile.mkdtemp() + "/graph.mindrecord"
        >>> writer = FileWriter(file)
        >>> _ = writer.add_schema(fields), writer.write_raw_data([dict(zip(fields, row)) for row in rows])
        >>> _ = writer.commit()
        >>> graph = dataset.GraphData(file)
        >>> graph.get_all_nodes(0).tolist(), graph.get_nodes_from_edges([9]).tolist()
        ([1, 2], [[1, 2]])
    """

    def __init__(
        self,
        dataset_file: str,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        from mindspore.mindrecord import FileReader  # only for graphs in files

        path = check.file(self, "dataset_file", dataset_file)
        _local(self, num_parallel_workers, working_mode, hostname, port, num_client, auto_shutdown)
        rows = list(FileReader(path).get_next())
        if (
            not rows
            or not {"attribute", "first_id", "second_id", "third_id", "type"} <= rows[0].keys()
        ):
            raise PipelineError(
                f"For 'GraphData', the file '{path}' must have the fields of a graph."
            )
        nodes = [row for row in rows if row["attribute"] == "n"]
        edges = [row for row in rows if row["attribute"] == "e"]
        self.node_types = {int(row["first_id"]): int(row["type"]) for row in nodes}
        self.edges = {
            int(row["first_id"]): (
                int(row["second_id"]),
                int(row["third_id"]),
                int(row["type"]),
                float(row.get("weight", 1.0)),
            )
            for row in edges
        }
        self.node_features = _stored(nodes, "node")
        self.edge_features = _stored(edges, "edge")
        self.connect()


def _stored(rows: list[dict[str, Any]], kind: str) -> dict[Any, Features]:
    """Features by number: those that a row's index names, none without an index; one number is a scalar."""
    found: dict[int, tuple[list[int], list[np.ndarray]]] = {}
    for row in rows:
        for number in np.ravel(row.get(f"{kind}_feature_index", -1)).tolist():
            if number >= 0:
                name = f"{kind}_feature_{number}"
                if name not in row:
                    raise PipelineError(
                        f"For 'GraphData', the file must have the field '{name}', since "
                        f"'{kind}_feature_index' of number {row['first_id']} names it."
                    )
                value = np.asarray(row[name])
                ids, values = found.setdefault(number, ([], []))
                ids.append(int(row["first_id"]))
                values.append(value.reshape(()) if value.size == 1 else value)
    return {number: Features(*pair) for number, pair in sorted(found.items())}


def _stacked(features: Features) -> np.ndarray:
    return np.stack(list(features.values.values()))


class Graph(Network):
    """A graph from arrays; types and features have names.

    Args:
        edges: Array (2, n): from where and to where edges lead.
        node_feat: Dict from name to array with one row for each node.
        edge_feat: Dict from name to array with one row for each edge.
        graph_feat: Dict from name to array.
        node_type, edge_type: Names of the types, one for each node or edge; default: all are '0'.
        num_parallel_workers: Accepted; nothing is read.
        working_mode, hostname, port, num_client, auto_shutdown: As for GraphData.

    Examples:
        >>> graph = dataset.Graph(np.array([[0, 1], [1, 2]], np.int32), {"x": np.array([[3.0], [4.0], [5.0]])})
        >>> graph.get_all_nodes("0")
        array([0, 1, 2], dtype=int32)
    """

    kinds = (str,)

    def __init__(
        self,
        edges: Any,
        node_feat: dict[str, Any] | None = None,
        edge_feat: dict[str, Any] | None = None,
        graph_feat: dict[str, Any] | None = None,
        node_type: Any = None,
        edge_type: Any = None,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        _local(self, num_parallel_workers, working_mode, hostname, port, num_client, auto_shutdown)
        pairs = np.asarray(check.instance(self, "edges", edges, (list, np.ndarray)))
        if pairs.ndim != 2 or len(pairs) != 2 or pairs.dtype.kind not in "iu":
            raise check.fail(ValueError, self, "edges", "an array of ints of shape (2, n)", edges)
        for name, given in (
            ("node_feat", node_feat),
            ("edge_feat", edge_feat),
            ("graph_feat", graph_feat),
        ):
            check.optional(check.instance, self, name, given, dict)
        features = (node_feat or {}).values()
        listed = [] if node_type is None else [len(node_type)]
        count = max([int(pairs.max(initial=NOBODY)) + 1, *map(len, features), *listed])
        kinds = self._names("node_type", node_type, count)
        self.node_types = dict(enumerate(kinds))
        self.edges = {
            i: (start, end, kind, 1.0)
            for i, ((start, end), kind) in enumerate(
                zip(
                    pairs.T.tolist(),
                    self._names("edge_type", edge_type, pairs.shape[1]),
                    strict=True,
                )
            )
        }
        self.node_features = self._rows("node_feat", node_feat, count)
        self.edge_features = self._rows("edge_feat", edge_feat, pairs.shape[1])
        self.graph_features = {
            name: np.asarray(value) for name, value in (graph_feat or {}).items()
        }
        self.connect()

    def _names(self, name: str, given: Any, count: int) -> list[str]:
        if given is None:
            return ["0"] * count
        names = [
            check.string(self, name, str(kind) if isinstance(kind, np.str_) else kind)
            for kind in given
        ]
        if len(names) != count:
            raise check.fail(ValueError, self, name, f"{count} names", given)
        return names

    def _rows(self, name: str, given: dict[str, Any] | None, count: int) -> dict[Any, Features]:
        for key, value in (given or {}).items():
            if len(value) != count or not count:
                raise check.fail(
                    ValueError,
                    self,
                    name,
                    f"made of arrays with {count} rows",
                    f"{key}: {len(value)}",
                )
        return {
            key: Features(range(count), list(np.asarray(value)))
            for key, value in (given or {}).items()
        }

    def array(self, name: str) -> np.ndarray | None:
        """The array of a feature of nodes, edges or the whole graph, or `edges` (2, n); None if there is none."""
        if name == "edges":
            return np.array([edge[:2] for edge in self.edges.values()], np.int32).reshape(-1, 2).T
        for features in (self.node_features, self.edge_features):
            if name in features:
                return _stacked(features[name])
        return self.graph_features.get(name)

    def content(self) -> dict[str, Any]:
        """What a graph like this one is made from, by the names of the arguments."""
        return {
            "edges": np.array([edge[:2] for edge in self.edges.values()], np.int64).reshape(-1, 2).T,
            "node_feat": {name: self.array(name) for name in self.node_features},
            "edge_feat": {name: _stacked(value) for name, value in self.edge_features.items()},
            "graph_feat": dict(self.graph_features),
            "node_type": list(self.node_types.values()),
            "edge_type": [edge[2] for edge in self.edges.values()],
        }

    def get_graph_feature(self, feature_types: Sequence[str]) -> list[np.ndarray]:
        """Features of the whole graph."""
        for kind in check.instance(self, "feature_types", feature_types, (list, np.ndarray)):
            if kind not in self.graph_features:
                raise PipelineError(
                    f"The 'feature_types' must be of {sorted(self.graph_features)}, but got {kind!r}."
                )
        return [self.graph_features[kind] for kind in feature_types]

    def graph_info(self) -> dict[str, Any]:
        """As of GraphData, and the features of the whole graph."""
        return {**super().graph_info(), "graph_feature_type": sorted(self.graph_features)}
