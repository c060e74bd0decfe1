"""Values by name that processes share."""
from __future__ import annotations

from datetime import timedelta

import pytest

from mindspore import ops
from mindspore.mint.distributed import TCPStore


@pytest.fixture
def store():
    return TCPStore("127.0.0.1", 0, is_master=True, timeout=timedelta(seconds=1))


def test_values_are_bytes_that_all_clients_see(store):
    other = TCPStore("127.0.0.1", store.port, timeout=timedelta(seconds=5))
    store.set("text", "grün")
    other.set("bytes", b"\x00\x01")
    assert other.get("text") == "grün".encode()
    assert store.get("bytes") == b"\x00\x01"
    assert (store.add("count", 2), other.add("count", -5)) == (2, -3)
    assert other.delete_key("text") is True
    assert store.delete_key("text") is False


def test_what_is_not_there_in_time_is_an_error(store):
    with pytest.raises(RuntimeError, match="'nobody' got no value in time"):
        store.get("nobody")
    store.set("text", "x")
    with pytest.raises(RuntimeError, match="'text' does not hold a number"):
        store.add("text", 1)


def test_wrong_arguments_are_named(store):
    for call, name in ((lambda: store.get(3), "key"), (lambda: store.set("a", 3), "value"),
                       (lambda: store.add("a", 1.5), "amount"), (lambda: TCPStore(3, 0), "host_name")):
        with pytest.raises(TypeError, match=f"'{name}' must be"):
            call()


def test_the_store_and_reshard_stand_among_the_functions():
    assert ops.TCPStore is TCPStore
    assert callable(ops.reshard)
