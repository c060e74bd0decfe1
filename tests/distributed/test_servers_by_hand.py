"""Workers and parameter servers in one process, joined by sockets: what travels, what is kept, what a step does."""
from __future__ import annotations

import atexit
import contextlib
import json
import socket
import struct
import threading

import numpy as np
import pytest
import torch

from mindspore.core import context
from mindspore.distributed import clients, meeting, service, wire

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.bool,
          torch.complex64]


class Store:
    """Values by name, as the scheduler keeps them."""

    def __init__(self):
        self.kept, self.lock, self.lost = {}, threading.Lock(), False

    def check(self, names):
        if self.lost:
            raise RuntimeError("closed")
        return all(name in self.kept for name in names)

    def get(self, name):
        return self.kept[name]

    def set(self, name, value):
        self.kept[name] = value.encode()

    def add(self, name, amount):
        with self.lock:
            self.kept[name] = self.kept.get(name, 0) + amount
            return self.kept[name]

    def compare_set(self, name, old, new):
        with self.lock:
            now = self.kept.get(name, b"").decode()
            if now == old:
                self.kept[name] = new.encode()
            return self.kept[name]


class Keeper:
    """Parameters `w` of a server and its part of a table; a step subtracts gradients."""

    def __init__(self, dense, rows, span, done=-1):
        self.done, self.values, self.span, self.steps = done, dict(dense), span, []
        self.part = rows[span[0]:span[1]].clone()

    def dense(self):
        return self.values

    def rows(self, table, ids):
        return self.part[ids - self.span[0]]

    def zeros(self, table):
        return torch.zeros_like(self.part)

    def first(self, table):
        return self.span[0]

    def step(self, dense, tables):
        self.steps.append(dense)
        self.values = {name: x - dense[name] for name, x in self.values.items()}
        self.part = self.part - tables["table"] if "table" in tables else self.part
        self.done += 1


@pytest.fixture
def pair():
    """Makes two ends of a connection, which are closed after the test."""
    with contextlib.ExitStack() as stack:
        yield lambda: [stack.enter_context(end) for end in socket.socketpair()]


def test_tensors_of_all_types_and_shapes_travel_as_they_are(pair):
    here, there = pair()
    sent = [torch.arange(6).reshape(2, 3).t().to(dtype) for dtype in DTYPES]
    sent += [torch.tensor(2.5), torch.empty(0, 3), torch.randn(300, 1000), torch.tensor(True)]
    sender = threading.Thread(target=wire.send, args=(here, {"kind": "x", "name": "größer"}, sent))
    sender.start()
    head, found = wire.receive(there)
    sender.join()
    assert head == {"kind": "x", "name": "größer"}
    for a, b in zip(found, sent, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert torch.equal(a, b)


@pytest.mark.parametrize(("written", "error", "said"), [
    (struct.pack("<Q", 1 << 25), ValueError, "no message of a worker"),
    (struct.pack("<Q", 30) + b"{", wire.Gone, "closed"),
    (b"", wire.Gone, "closed"),
])
def test_what_is_no_message_is_told(pair, written, error, said):
    here, there = pair()
    here.sendall(written)
    here.close()
    with pytest.raises(error, match=said):
        wire.receive(there)


def test_a_type_that_there_is_not_is_told(pair):
    here, there = pair()
    line = json.dumps({"tensors": [["Tensor", [1]]]}).encode()
    here.sendall(struct.pack("<Q", len(line)) + line)
    with pytest.raises(ValueError, match="type 'Tensor', which there is not"):
        wire.receive(there)


def test_parameters_are_shared_out_by_size_and_rows_in_equal_spans():
    assert clients.owners({"a": 5, "b": 3, "c": 3, "d": 1}, 2) == {"a": 0, "b": 1, "c": 1, "d": 0}
    assert clients.owners({"z": 4, "y": 4, "x": 9}, 3) == {"x": 0, "y": 1, "z": 2}
    for rows in range(12):
        for servers in range(1, 6):
            spans = [clients.span(rows, k, servers) for k in range(servers)]
            assert [i for first, last in spans for i in range(first, last)] == list(range(rows))
            assert all(0 <= first <= last <= rows for first, last in spans)


def test_the_rows_that_were_used_last_stay():
    cache, asked = clients.Cache("t", 10, 2, torch.float32, 3), []

    def fetch(ids):
        asked.append(list(ids))
        return torch.tensor([[k, k + 0.5] for k in ids])

    def wanted(*ids):
        return cache.values[cache.places(ids, fetch)][:, 0].tolist()
    assert wanted(1, 2, 3) == [1, 2, 3]
    assert wanted(1) == [1]
    assert wanted(4, 3) == [4, 3]             # 2 was used before 1 and 3
    assert wanted(1, 3) == [1, 3]
    assert wanted(2, 5, 9) == [2, 5, 9]
    assert asked == [[1, 2, 3], [4], [2, 5, 9]]
    assert cache.fetched == 7
    with pytest.raises(ValueError, match=r"'t' is asked for 4 rows at once, but its 'vocab_cache_size' is 3"):
        cache.places([1, 2, 3, 4], fetch)


def test_gradients_of_a_row_that_came_twice_are_added():
    cache = clients.Cache("t", 10, 2, torch.float64, 3)
    ids, rows = clients._joined(cache)
    assert (ids.shape, rows.shape, rows.dtype) == ((0,), (0, 2), torch.float64)
    cache.noted = [(torch.tensor([5, 2, 5]), torch.tensor([[1.0, 2.0], [3.0, 4.0], [10.0, 20.0]])),
                   (torch.tensor([2]), torch.tensor([[0.5, 0.0]]))]
    ids, rows = clients._joined(cache)
    assert ids.tolist() == [2, 5]
    assert rows.tolist() == [[3.5, 4.0], [11.0, 22.0]]


@pytest.fixture
def joined(monkeypatch):
    """Two servers in threads of their own and as many clients as wanted; what the servers keep."""
    store, rows, errors = Store(), torch.arange(14.0).reshape(7, 2), []
    monkeypatch.setattr(meeting, "store", lambda: store)
    monkeypatch.setattr(clients, "get_group_size", lambda: 2)
    for name, value in (("MS_WORKER_NUM", "2"), ("MS_SERVER_NUM", "2"), ("MS_TOPO_TIMEOUT", "20")):
        monkeypatch.setenv(name, value)
    dense = [{"a": torch.tensor([1.0, 2.0])}, {"b": torch.tensor([[3.0]])}]
    keepers, threads = [Keeper(dense[k], rows, clients.span(7, k, 2)) for k in range(2)], []
    for k in range(2):
        number, own = meeting.listen(store)
        assert number == k

        def served(keeper=keepers[k], number=number, own=own):
            try:
                service.Service(keeper, number, store).run(own)
            except RuntimeError as error:
                errors.append(str(error))
            own.close()
        threads.append(threading.Thread(target=served, daemon=True))
        threads[-1].start()
    made = []

    def client(rank):
        monkeypatch.setattr(clients, "get_rank", lambda: rank)
        made.append(clients.Client())
        atexit.unregister(made[-1].leave)
        return made[-1]
    yield client, keepers, rows, errors
    for one in made:
        one.leave()
        for link in one.links:
            link.close()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert errors == []


def both(*works):
    """The results of functions that run at the same time."""
    found = {}
    threads = [threading.Thread(target=lambda k=k, w=w: found.update({k: w()})) for k, w in enumerate(works)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(20)
    return [found[k] for k in range(len(works))]


@pytest.mark.parametrize("mean", [True, False])
def test_steps_of_two_workers_and_two_servers_are_those_of_one_process(joined, mean):
    client, keepers, rows, _ = joined
    pair = [client(0), client(1)]
    for own in pair:
        assert {n: v.tolist() for n, v in own.values().items()} == {"a": [1.0, 2.0], "b": [[3.0]]}
        own.tables["table"] = clients.Cache("table", 7, 2, torch.float32, 6)
    asked = [torch.tensor([[6, 1, 6], [3, 0, 4]]), torch.tensor([4, 6, 2])]
    for own, ids in zip(pair, asked, strict=True):
        assert torch.equal(own.rows(own.tables["table"], ids), rows[ids])
    want, table, factor = {"a": np.array([1.0, 2.0]), "b": np.array([[3.0]])}, rows.numpy().copy(), 2.0 if mean else 1.0
    for step in range(3):
        grads = [{"a": torch.tensor([1.0, r + step]), "b": torch.tensor([[2.0 * r]])} for r in range(2)]
        # only one column of a row changes, rows come twice, and in two parts
        noted = [[(torch.tensor([6, 0, 6]), torch.tensor([[1.0, 0.0]] * 3))],
                 [(torch.tensor([4]), torch.tensor([[0.0, 3.0]])), (torch.tensor([2, 6]), torch.ones(2, 2))]]
        for own, part in zip(pair, noted, strict=True):
            own.tables["table"].noted += part
        found = both(*[lambda r=r, g=grads[r]: pair[r].step(g, {"a": 0, "b": 1}, mean) for r in range(2)])
        for name in want:
            want[name] = want[name] - sum(g[name].numpy() for g in grads) / factor
            assert all(np.allclose(f[name], want[name]) for f in found)
        for part in noted:
            for ids, gradients in part:
                np.subtract.at(table, ids.numpy(), gradients.numpy() / factor)
        for own, ids in zip(pair, asked, strict=True):
            cache = own.tables["table"]
            assert np.allclose(own.rows(cache, ids), table[ids.numpy()])
            assert cache.fetched == len(set(ids.reshape(-1).tolist()))          # nothing was asked for again
            assert cache.noted == []
    assert [k.done for k in keepers] == [2, 2]
    assert np.allclose(pair[0].fetched(clients.Cache("table", 7, 2, torch.float32, 0), range(7)), table)
    assert pair[1].values()["b"].shape == (1, 1)
    assert [own.done for own in pair] == [2, 2]


def test_a_step_that_was_made_is_answered_and_one_to_come_too_late_is_told(pair):
    keeper, here = Keeper({"a": torch.tensor([1.0])}, torch.zeros(2, 2), (0, 2), done=4), pair()
    serving = service.Service(keeper, 0, None)
    wire.send(here[0], {"kind": "step", "worker": 0, "step": 4, "names": ["a"], "tables": [], "mean": True},
              [torch.tensor([9.0])])
    serving._answer(here[1])
    head, (value,) = wire.receive(here[0])
    assert (head, value.tolist()) == ({"done": 4}, [1.0])
    for late in (2, 6):
        wire.send(here[0], {"kind": "step", "worker": 0, "step": late, "names": [], "tables": [], "mean": True})
        with pytest.raises(RuntimeError, match=f"made 4 steps, but a worker asks for step {late}"):
            serving._answer(here[1])


def waiting(serving, pair, order, **heads):
    """Let workers wait for a step in an order."""
    links = {}
    for k in order:
        links[k], there = pair()
        head = {"step": 0, "names": ["a"], "tables": [], "mean": False, **heads.get(f"of_{k}", {})}
        serving.waiting[k] = service.Asked(there, head, [torch.tensor([(1e8, -1e8, 1.0)[k]])])
    return links


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_gradients_are_summed_in_the_order_of_the_workers(pair, order):
    keeper = Keeper({"a": torch.tensor([0.0])}, torch.zeros(2, 2), (0, 2))
    serving = service.Service(keeper, 0, None)
    links = waiting(serving, pair, order)
    serving._step()
    assert keeper.steps[0]["a"].tolist() == [1.0]                # (1e8 - 1e8) + 1
    assert [wire.receive(link)[1][0].tolist() for link in links.values()] == [[-1.0]] * 3
    assert serving.waiting == {}


@pytest.mark.parametrize("other", [{"names": ["b"]}, {"tables": ["t"]}])
def test_workers_of_different_programs_are_told(pair, other):
    serving = service.Service(Keeper({"a": torch.tensor([0.0])}, torch.zeros(2, 2), (0, 2)), 0, None)
    waiting(serving, pair, (0, 1), of_1=other)
    with pytest.raises(RuntimeError, match="gradients of different parameters"):
        serving._step()


def test_a_new_server_takes_the_place_of_one_that_does_not_answer(monkeypatch):
    monkeypatch.setenv("MS_SERVER_NUM", "2")
    store = Store()
    (first, one), (second, two) = meeting.listen(store), meeting.listen(store)
    assert (first, second) == (0, 1)
    with pytest.raises(RuntimeError, match="There are 2 parameter servers already"):
        meeting.listen(store)
    two.close()
    number, three = meeting.listen(store)
    assert number == 1
    link = meeting.connect(store, 1)
    for each in (one, three, link):
        each.close()


def test_others_that_failed_are_told_and_a_lost_scheduler_too():
    store = Store()
    meeting.look(store)
    meeting.failed(store, "first")
    meeting.failed(store, "second")
    with pytest.raises(RuntimeError, match="first"):
        meeting.look(store)
    store.lost = True
    with pytest.raises(RuntimeError, match="scheduler was lost"):
        meeting.look(store)


@pytest.mark.parametrize(("text", "found"), [
    ('{"recovery": {"storage_file_path": "/states"}}', "/states"),
    ('{"recovery": {"storage_type": 1, "storage_file_path": "x"}}', "x"),
    ('{"recovery": {"storage_type": 2, "storage_file_path": "x"}}', None),
    ('{"recovery": {"storage_file_path": 3}}', None), ("{}", None), ("[1", None)])
def test_the_folder_of_states_is_the_one_of_the_file(monkeypatch, tmp_path, text, found):
    path = tmp_path / "servers.json"
    path.write_text(text)
    assert meeting.folder() is None
    monkeypatch.setattr(context.parameter_server, "config_file_path", str(path))
    if found:
        assert str(meeting.folder()) == found
    else:
        with pytest.raises(ValueError, match="For 'set_ps_context'"):
            meeting.folder()


@pytest.mark.parametrize("enabled", [True, False])
def test_roles_count_with_parameter_servers_only(monkeypatch, enabled):
    monkeypatch.setattr(context.parameter_server, "enable_ps", enabled)
    for variable, role in meeting.ROLES.items():
        monkeypatch.setenv("MS_ROLE", variable)
        assert meeting.role() == (role if enabled else "")
    monkeypatch.delenv("MS_ROLE")
    assert meeting.role() == ""
