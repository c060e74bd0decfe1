from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import Graph, GraphData, OutputFormat, SamplingStrategy
from mindspore.dataset.errors import PipelineError
from mindspore.mindrecord import FileWriter

NODES = [(1, 1, [0, 1]), (2, 1, [1, 1]), (3, 2, [5]), (4, 2, [6]), (5, 2, [7])]
EDGES = [(11, 1, 3, 0.0), (12, 1, 4, 9.0), (13, 2, 5, 1.0), (14, 3, 1, 1.0)]


@pytest.fixture
def graph(tmp_path):
    """Nodes 1, 2 of type 1 with vectors, 3, 4, 5 of type 2 with numbers; edges of type 0 that have a weight."""
    schema = {name: {"type": "int64"} for name in ("first_id", "second_id", "third_id")}
    schema |= {
        "type": {"type": "int32"},
        "attribute": {"type": "string"},
        "weight": {"type": "float32"},
    }
    for name in (
        "node_feature_index",
        "edge_feature_index",
        "node_feature_1",
        "node_feature_2",
        "edge_feature_1",
    ):
        schema[name] = {"type": "int32", "shape": [-1]}
    rows = []
    for number, kind, values in NODES:
        rows.append(
            row("n", number, 0, 0, kind, 1.0, node=[kind], **{f"node_feature_{kind}": values})
        )
    for number, start, end, weight in EDGES:
        rows.append(row("e", number, start, end, 0, weight, edge=[1], edge_feature_1=[number]))
    path = str(tmp_path / "graph")
    writer = FileWriter(path, 1)
    writer.add_schema(schema, "graph")
    writer.write_raw_data(rows)
    writer.commit()
    return GraphData(path)


def row(attribute, first, second, third, kind, weight, node=(-1,), edge=(-1,), **features):
    filled = {"node_feature_1": [0], "node_feature_2": [0], "edge_feature_1": [0], **features}
    indices = {"node_feature_index": list(node), "edge_feature_index": list(edge)}
    return {
        "attribute": attribute, "first_id": first, "second_id": second, "third_id": third, "type": kind,
        "weight": weight, **{name: np.array(v, np.int32) for name, v in (filled | indices).items()},
    }  # fmt: skip


def test_nodes_and_edges_are_found_by_type(graph):
    assert graph.get_all_nodes(2).tolist() == [3, 4, 5]
    assert graph.get_all_nodes(1).dtype == np.int32
    assert graph.get_all_edges(0).tolist() == [11, 12, 13, 14]
    assert graph.get_nodes_from_edges([12, 14]).tolist() == [[1, 4], [3, 1]]
    assert graph.get_edges_from_nodes([(1, 4), (3, 1)]).tolist() == [12, 14]
    with pytest.raises(RuntimeError, match="'node_type' must be a type that the graph has"):
        graph.get_all_nodes(7)
    with pytest.raises(RuntimeError, match=r"none joins \(4, 1\)"):
        graph.get_edges_from_nodes([(4, 1)])


def test_neighbours_come_in_three_forms(graph):
    assert graph.get_all_neighbors([1, 2], 2).tolist() == [[1, 3, 4], [2, 5, -1]]
    pairs = graph.get_all_neighbors([1, 2], 2, OutputFormat.COO)
    assert pairs.tolist() == [[1, 3], [1, 4], [2, 5]]
    starts, others = graph.get_all_neighbors(np.array([1, 2]), 2, OutputFormat.CSR)
    assert (starts.tolist(), others.tolist()) == ([0, 2], [3, 4, 5])
    with pytest.raises(RuntimeError, match="there is no 99"):
        graph.get_all_neighbors([99], 2)
    with pytest.raises(TypeError, match="'node_list'"):
        graph.get_all_neighbors(1, 2)
    with pytest.raises(TypeError, match="'neighbor_type'"):
        graph.get_all_neighbors([1], "2")


def test_samples_spread_step_by_step(graph):
    rows = graph.get_sampled_neighbors([1, 2, 4], [3, 2], [2, 1])
    assert rows.shape == (3, 1 + 3 + 6)
    assert rows[:, 0].tolist() == [1, 2, 4]
    assert set(rows[0, 1:4].tolist()) == {3, 4}  # both before one of them again
    assert rows[1, 1:4].tolist() == [5, 5, 5]
    assert rows[2, 1:].tolist() == [-1] * 9
    for i, near in enumerate(rows[0, 1:4]):
        assert rows[0, 4 + 2 * i : 6 + 2 * i].tolist() == ([1, 1] if near == 3 else [-1, -1])
    with pytest.raises(ValueError, match="'neighbor_nums' must be as many as 'neighbor_types'"):
        graph.get_sampled_neighbors([1], [2, 2], [2])


def test_weights_of_edges_decide_if_asked_for(graph):
    rows = graph.get_sampled_neighbors([1], [50], [2], SamplingStrategy.EDGE_WEIGHT)
    assert rows[0, 1:].tolist() == [4] * 50


def test_strangers_are_not_neighbours(graph):
    rows = graph.get_neg_sampled_neighbors([1, 2], 2, 2)
    assert rows[0].tolist() == [1, 5, 5]
    assert rows[1, 0] == 2
    assert set(rows[1, 1:].tolist()) == {3, 4}


def test_features_have_the_shape_of_the_list(graph):
    (vectors,) = graph.get_node_feature([[1, 2], [2, -1]], [1])
    assert vectors.tolist() == [[[0, 1], [1, 1]], [[1, 1], [0, 0]]]
    (numbers,) = graph.get_node_feature([3, 5], [2])
    assert numbers.tolist() == [5, 7]
    assert graph.get_edge_feature([13], [1])[0].tolist() == [13]
    with pytest.raises(RuntimeError, match="'feature_types' must be of"):
        graph.get_node_feature([1], [9])


def test_the_graph_tells_what_it_has(graph):
    assert graph.graph_info() == {
        "node_type": [1, 2],
        "edge_type": [0],
        "node_num": {1: 2, 2: 3},
        "edge_num": {0: 4},
        "node_feature_type": [1, 2],
        "edge_feature_type": [1],
    }


def test_walks_follow_the_types(graph):
    walks = graph.random_walk([1, 2], [2, 1, 2])
    assert walks.shape == (2, 4)
    assert walks[1].tolist() == [2, 5, -1, -1]
    assert walks[0, 1] in (3, 4)
    assert graph.random_walk([2], [2, 1], default_node=3)[0].tolist() == [2, 5, 3]


def test_walks_rarely_go_home_where_that_is_dear():
    star = Graph([[0, 0, 1, 2], [1, 2, 0, 0]])
    walks = star.random_walk([1] * 200, ["0", "0"], step_home_param=1e6)
    assert (walks[:, 1] == 0).all()
    assert (walks[:, 2] == 2).all()


def test_a_graph_is_made_of_arrays():
    feature = np.array([[1.0, 2], [3, 4], [5, 6]])
    graph = Graph(
        [[0, 1], [1, 2]], {"x": feature}, {"w": [7, 8]}, {"y": np.array([9])}, ["a", "a", "b"]
    )
    assert graph.get_all_nodes("a").tolist() == [0, 1]
    assert graph.get_all_edges("0").tolist() == [0, 1]
    assert graph.get_all_neighbors([1], "b").tolist() == [[1, 2]]
    assert graph.get_node_feature([2, 0], ["x"])[0].tolist() == [[5, 6], [1, 2]]
    assert graph.get_edge_feature([1], ["w"])[0].tolist() == [8]
    assert graph.get_graph_feature(["y"])[0].tolist() == [9]
    assert graph.graph_info()["graph_feature_type"] == ["y"]
    for arguments in (([[0, 1]],), ([[0], [1]], {"x": [1]}), ([[0], [1]], None, None, None, ["a"])):
        with pytest.raises(ValueError, match="For 'Graph'"):
            Graph(*arguments)


def test_graphs_of_other_processes_are_refused(tmp_path, note_file):
    with pytest.raises(NotImplementedError, match="Load the graph in each process"):
        GraphData(note_file, working_mode="client")
    with pytest.raises(ValueError, match="'dataset_file' must be a file"):
        GraphData(str(tmp_path / "none"))


def graph_of(tmp_path, **more):
    """Two nodes and an edge between them in a file, with further fields of int32."""
    rows = [("n", 1, 0, 0), ("n", 2, 0, 0), ("e", 9, 1, 2)]
    names = ["attribute", "first_id", "second_id", "third_id"]
    writer = FileWriter(str(tmp_path / "small"))
    kinds = {key: {"type": "int32"} for key in [*names[1:], "type", *more]}
    writer.add_schema({"attribute": {"type": "string"}, **kinds})
    writer.write_raw_data([dict(zip(names, row, strict=True), type=0, **more) for row in rows])
    writer.commit()
    return GraphData(str(tmp_path / "small"))


def test_a_graph_needs_no_features(tmp_path):
    graph = graph_of(tmp_path)
    assert graph.get_all_nodes(0).tolist() == [1, 2]
    assert graph.get_all_neighbors([1], 0).tolist() == [[1, 2]]
    assert graph.graph_info()["node_feature_type"] == []


def test_a_feature_that_is_named_must_be_there(tmp_path):
    with pytest.raises(PipelineError, match="must have the field 'node_feature_3'"):
        graph_of(tmp_path, node_feature_index=3)


@pytest.fixture
def note_file(tmp_path):
    (tmp_path / "file").write_text("x")
    return str(tmp_path / "file")


class Chains(ds.InMemoryGraphDataset):
    made = 0

    def process(self):
        type(self).made += 1
        for length in (2, 3):
            edges = np.array([range(length - 1), range(1, length)])
            self.graphs.append(Graph(edges, {"x": np.ones((length, 1)) * length}))


def test_graphs_are_made_once(tmp_path, rows):
    data = Chains(str(tmp_path), column_names=["x", "edges"], shuffle=False)
    expected = [([[2.0]] * 2, [[0], [1]]), ([[3.0]] * 3, [[0, 1], [1, 2]])]
    assert rows(data) == expected
    assert rows(Chains(str(tmp_path), column_names=["x", "edges"], shuffle=False)) == expected
    assert Chains.made == 1
    with pytest.raises(RuntimeError, match="one has no 'graph'"):
        Chains(str(tmp_path))
    (tmp_path / "processed" / "graphs.safetensors").chmod(0o644)
    (tmp_path / "processed" / "graphs.safetensors").write_bytes(b"")
    with pytest.raises(RuntimeError, match="cannot be read"):
        Chains(str(tmp_path))
    with pytest.raises(NotImplementedError, match="'process' must be defined"):
        ds.InMemoryGraphDataset(str(tmp_path), "elsewhere")


class Planted:
    """A file of pickle that says when it is read."""

    def __reduce__(self):
        return open, ("planted", "w")


@pytest.mark.parametrize("name", ["graphs.pkl", "graphs.safetensors"])
def test_no_code_of_a_file_is_run(tmp_path, rows, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "processed").mkdir()
    (tmp_path / "processed" / name).write_bytes(pickle.dumps([Planted()]))
    if name == "graphs.pkl":            # of an earlier version: the graphs are made again
        rows(Chains(str(tmp_path), column_names=["x", "edges"]))
    else:
        with pytest.raises(RuntimeError, match=r"cannot be read.* Remove it"):
            Chains(str(tmp_path))
    assert not (tmp_path / "planted").exists()


class Kept(ds.InMemoryGraphDataset):
    content = ()

    def process(self):
        self.graphs = [*self.content]

    def _values(self, graph, names):
        return (np.zeros(1),)


def test_graphs_are_what_they_were_after_reading(tmp_path, monkeypatch):
    edges = np.array([[0, 1, 1], [1, 2, 0]])
    graph = Graph(edges, {"x": np.arange(6.0).reshape(3, 2)}, {"w": np.array([1, 2, 3], np.int8)}, {"y": np.eye(2)},
                  ["a", "b", "a"], ["e", "f", "e"])
    made = {"t": (1, 2.5, None, "x", True), 3: [np.array(["a", "bc"]), np.float16(1.5), b"raw"], "g": graph}
    monkeypatch.setattr(Kept, "content", (made, np.array([1 + 2j])))
    for _ in range(2):
        first, second = Kept(str(tmp_path)).graphs
        assert first["t"] == made["t"]
        assert first[3][0].tolist() == ["a", "bc"]
        assert (first[3][1], first[3][1].dtype, first[3][2]) == (1.5, np.float16, b"raw")
        assert (second.dtype, second.tolist()) == (np.complex128, [1 + 2j])
        second[0] = 0           # arrays may be changed
        found = first["g"]
        for name in ("edges", "x", "w", "y"):
            np.testing.assert_array_equal(found.array(name), graph.array(name))
        assert found.array("w").dtype == np.int8
        assert found.graph_info() == graph.graph_info()
        assert found.get_all_nodes("a").tolist() == [0, 2]


def test_what_files_cannot_hold_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(Kept, "content", (object(),))
    with pytest.raises(RuntimeError, match=r"one has a object.* Define 'save' and 'load'"):
        Kept(str(tmp_path))
    assert not (tmp_path / "processed" / "graphs.safetensors").exists()


def test_graphs_of_the_reference_material(reference):
    folder = os.path.join(reference, "data", "mindrecord", "testGraphData")
    users = GraphData(os.path.join(folder, "testdata"))
    assert users.get_all_nodes(1).tolist() == list(range(101, 111))
    assert users.graph_info()["edge_num"] == {0: 40}
    assert users.get_node_feature([101, 102], [2])[0].tolist() == pytest.approx([0.1, 0.2])
    assert users.get_edge_feature([2], [1])[0].tolist() == [1]
    friends = GraphData(os.path.join(folder, "sns"))
    nodes = friends.get_all_nodes(1).tolist()
    assert friends.random_walk(nodes, [1] * 9).shape == (len(nodes), 10)
