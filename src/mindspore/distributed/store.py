"""Values by name that processes share through a server which one of them runs."""
from __future__ import annotations

from datetime import timedelta
from typing import Any

from mindspore.core import check


class TCPStore:
    """Bytes by name, held by a server that one of the processes runs.

    Args:
        host_name: Name or address of the machine of the server.
        port: The port that it listens to.
        world_size: How many processes use the store; None for any number.
        is_master: Whether this process runs the server.
        timeout: How long a call waits, a `timedelta`.
        wait_for_workers: Whether the server waits for all processes; wants a `world_size`.
        multi_tenant: Whether stores of one address in this process share a server.
        master_listen_fd: A socket that listens already, as its number.
        use_libuv: Whether the server uses the library libuv.

    Raises:
        TypeError: If an argument has another type.
        RuntimeError: If the server is not reached in time.

    Examples:
        >>> from mindspore.mint.distributed import TCPStore
        >>> store = TCPStore("127.0.0.1", 0, is_master=True)
        >>> store.set("name", "value")
        >>> store.get("name"), store.add("count", 2), store.add("count", 3), store.delete_key("name")
        (b'value', 2, 5, True)
    """

    def __init__(self, host_name: str, port: int, world_size: int | None = None, is_master: bool = False,
                 timeout: Any = timedelta(seconds=300), wait_for_workers: bool = True, multi_tenant: bool = False,
                 master_listen_fd: int | None = None, use_libuv: bool = True):
        from torch.distributed import TCPStore as Store  # few programs want it, and it loads much

        for name, value, kind in (("host_name", host_name, str), ("timeout", timeout, timedelta)):
            if not isinstance(value, kind):
                raise check.fail(TypeError, "TCPStore", name, f"of type {kind.__name__}", value)
        check.non_negative_int("TCPStore", "port", port)
        if world_size is not None:
            check.positive_int("TCPStore", "world_size", world_size)
        for name, value in (("is_master", is_master), ("wait_for_workers", wait_for_workers),
                            ("multi_tenant", multi_tenant), ("use_libuv", use_libuv)):
            check.boolean("TCPStore", name, value)
        waits = wait_for_workers and world_size is not None
        self._store = Store(host_name, port, world_size, is_master, timeout, waits, multi_tenant, master_listen_fd,
                            use_libuv)
        self.host, self.port = self._store.host, self._store.port

    def set(self, key: str, value: bytes | str) -> None:
        """Store a value; a text as its UTF-8 bytes."""
        if not isinstance(value, (bytes, str)):
            raise check.fail(TypeError, "set", "value", "a str or bytes", value)
        self._store.set(_key("set", key), value)  # pyright: ignore[reportArgumentType]  (bytes are taken, too)

    def get(self, key: str) -> bytes:
        """The value of a name, when it has one. RuntimeError if it has none in time."""
        try:
            return self._store.get(_key("get", key))
        except (RuntimeError, ValueError) as error:
            raise RuntimeError(f"For 'TCPStore.get', the key {key!r} got no value in time.") from error

    def add(self, key: str, amount: int) -> int:
        """The sum of the amounts that were added under a name, with this one. RuntimeError if `set` gave it text."""
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise check.fail(TypeError, "add", "amount", "an int", amount)
        try:
            return self._store.add(_key("add", key), amount)
        except (RuntimeError, ValueError) as error:
            raise RuntimeError(f"For 'TCPStore.add', the key {key!r} does not hold a number.") from error

    def delete_key(self, key: str) -> bool:
        """Forget a name; whether it was there."""
        return self._store.delete_key(_key("delete_key", key))


def _key(owner: str, key: str) -> str:
    if not isinstance(key, str):
        raise check.fail(TypeError, owner, "key", "a str", key)
    return key
