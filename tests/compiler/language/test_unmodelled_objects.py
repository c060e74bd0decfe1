"""Objects of the standard library that no graph follows: each call does what Python does."""

from __future__ import annotations

import array
import contextvars
import copy
import io
import itertools
import json
import queue
import threading
import types
import weakref
from collections import deque

import pytest
from outside import V, between, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def case_text_buffer(jit, make):
    buffer = io.StringIO()

    def f(x):
        buffer.write("a")
        return x * 2

    yield from thrice(jit(f), make, buffer.getvalue)


def case_text_buffer_is_read(jit, make):
    buffer = io.StringIO("abcdef")
    yield from thrice(jit(lambda x: (x, buffer.read(1))), make, buffer.tell)


def case_text_of_a_buffer(jit, make):
    buffer = io.StringIO()
    yield from between(jit(lambda x: x * len(buffer.getvalue())), make, lambda: buffer.write("abc"))


def case_method_of_a_buffer(jit, make):
    buffer = io.StringIO()
    write = buffer.write

    def f(x):
        write("a")
        return x

    yield from thrice(jit(f), make, buffer.getvalue)


def case_print_into_a_buffer(jit, make):
    buffer = io.StringIO()

    def f(x):
        print("a", file=buffer)
        return x

    yield from thrice(jit(f), make, buffer.getvalue)


def case_json_into_a_buffer(jit, make):
    buffer = io.StringIO()

    def f(x):
        json.dump([1], buffer)
        return x

    yield from thrice(jit(f), make, buffer.getvalue)


def case_queue(jit, make):
    q = queue.Queue()

    def f(x):
        q.put(1)
        return x * q.qsize()

    yield from thrice(jit(f), make, lambda: list(q.queue))


class Worker:
    def __init__(self):
        self.tasks, self.count = queue.SimpleQueue(), 0

    def run(self, x):
        self.tasks.put(3)
        self.count += 1
        return x * self.tasks.qsize() * self.count


def case_queue_of_an_object(jit, make):
    worker = Worker()
    yield from thrice(jit(worker.run), make, lambda: (worker.tasks.qsize(), worker.count))


def case_typed_array_grows(jit, make):
    a = array.array("d", [1, 2])

    def f(x):
        a.append(3.0)
        return x * a[0] * len(a)

    yield from thrice(jit(f), make, a.tolist)


def case_typed_array_is_read(jit, make):
    a = array.array("d", [1, 2])
    yield from between(jit(lambda x: x * a[0]), make, lambda: a.__setitem__(0, 5.0))


def case_sum_of_a_typed_array(jit, make):
    a = array.array("d", [1, 2])
    yield from between(jit(lambda x: x * sum(a)), make, lambda: a.append(5.0))


def case_element_of_a_typed_array_changes(jit, make):
    o = types.SimpleNamespace(a=array.array("d", [1, 2]))

    def f(x):
        o.a[0] += 1
        return x * o.a[0]

    yield from thrice(jit(f), make, o.a.tolist)


def case_bytes_grow(jit, make):
    a = bytearray(b"ab")

    def f(x):
        a.append(99)
        return x * len(a)

    yield from thrice(jit(f), make, lambda: bytes(a))


def case_byte_changes(jit, make):
    a = bytearray(b"ab")

    def f(x):
        a[0] += 1
        return x * a[0]

    yield from thrice(jit(f), make, lambda: bytes(a))


def case_bytes_are_extended(jit, make):
    o = types.SimpleNamespace(a=bytearray(b"ab"))

    def f(x):
        o.a += b"c"
        return x * len(o.a)

    yield from thrice(jit(f), make, lambda: bytes(o.a))


def case_view_of_bytes(jit, make):
    a = bytearray(b"abc")
    view = memoryview(a)

    def f(x):
        view[0] = view[0] + 1
        return x * view[0]

    yield from thrice(jit(f), make, lambda: bytes(a))


def case_context_variable(jit, make):
    v = contextvars.ContextVar("v", default=0)

    def f(x):
        v.set(v.get() + 1)
        return x * v.get()

    yield from thrice(jit(f), make, v.get)


def case_context_variable_is_read(jit, make):
    v = contextvars.ContextVar("v", default=1)
    yield from between(jit(lambda x: x * v.get()), make, lambda: v.set(5))


def case_attribute_of_a_thread(jit, make):
    v = threading.local()
    v.n = 1

    def f(x):
        v.n += 1
        return x * v.n

    yield from thrice(jit(f), make, lambda: v.n)


class Local(threading.local):
    n = 0


def case_class_of_attributes_of_threads(jit, make):
    v = Local()

    def f(x):
        v.n += 1
        return x * v.n

    yield from thrice(jit(f), make, lambda: v.n)


def case_lock(jit, make):
    lock, n = threading.Lock(), [0]

    def f(x):
        with lock:
            n[0] += 1
        return x * n[0]

    yield from thrice(jit(f), make, lambda: n, lock.locked)


def case_event(jit, make):
    event = threading.Event()
    yield from between(jit(lambda x: x * 2 if event.is_set() else x), make, event.set)


def case_weak_reference(jit, make):
    o = Worker()
    ref = weakref.ref(o)
    yield from between(jit(lambda x: x * ref().count), make, lambda: setattr(o, "count", 4))


def case_dict_with_weak_keys(jit, make):
    o = Worker()
    counts = weakref.WeakKeyDictionary({o: 1})

    def f(x):
        counts[o] += 1
        return x * counts[o]

    yield from thrice(jit(f), make, lambda: counts[o])


def case_view_of_a_dict(jit, make):
    d = {"a": 1}
    values = d.values()
    yield from between(jit(lambda x: x * sum(values)), make, lambda: d.update(b=5))


def case_keys_of_a_dict(jit, make):
    d = {"a": 1}
    keys = d.keys()
    yield from between(jit(lambda x: x * len(keys)), make, lambda: d.update(b=5))


def case_mapping_that_cannot_be_changed(jit, make):
    d = {"a": 1}
    proxy = types.MappingProxyType(d)
    yield from between(jit(lambda x: x * proxy["a"]), make, lambda: d.update(a=5))


def case_iterator_of_outside(jit, make):
    counter = itertools.count(1)
    yield from thrice(jit(lambda x: x * next(counter)), make)


def case_generator_of_outside(jit, make):
    numbers = (n * n for n in range(1, 9))
    yield from thrice(jit(lambda x: x * next(numbers)), make)


def compiled_namespace(jit, make):
    n = types.SimpleNamespace(a=1, t=make(1.0))

    def f(x):
        n.a += 1
        n.t = x * n.a
        return x * n.a

    yield from thrice(jit(f), make, lambda: copy.copy(n))


def compiled_new_attribute_of_a_namespace(jit, make):
    n = types.SimpleNamespace()

    def f(x):
        n.last = x * 2
        return x

    yield from thrice(jit(f), make, lambda: copy.copy(n))


def compiled_namespace_as_an_argument(jit, make):
    n = types.SimpleNamespace(a=1)

    def f(x, n):
        n.last = x * 2
        n.a += 1
        return x * n.a

    g = jit(f)
    yield from thrice(lambda x: g(x, n), make, lambda: copy.copy(n))


def compiled_deque_with_a_limit(jit, make):
    d = deque(maxlen=2)

    def f(x):
        d.append(x.sum() * (len(d) + 1))
        return x * len(d)

    yield from thrice(jit(f), make, lambda: (list(d), d.maxlen))


def compiled_tensors_that_move_in_a_deque(jit, make):
    d = deque([make(1.0), make(2.0), make(3.0)])

    def f(x):
        d.rotate(1)
        return x * d[0]

    yield from thrice(jit(f), make, lambda: list(d))


def compiled_tensors_that_move_in_a_list(jit, make):
    held = [make(1.0), make(2.0), make(3.0)]

    def f(x):
        held.append(held.pop(0))
        return x * held[0]

    yield from thrice(jit(f), make, lambda: list(held))



def test_the_warning_says_what_is_not_followed(warned):
    import mindspore as ms

    buffer = io.StringIO()
    f = ms.jit(lambda x: x * buffer.write("a"))
    for _ in range(3):
        f(ms.Tensor(V))
    (warning,) = [text for text in warned if "runs in Python" in text]
    assert "StringIO" in warning
    with pytest.raises(ms.core.errors.GraphSyntaxError, match="StringIO"):
        ms.jit(lambda x: x * buffer.write("a"), fullgraph=True)(ms.Tensor(V))
    assert buffer.getvalue() == "aaa"
