"""What programs that change objects between their calls have in common."""

from __future__ import annotations

V = [1.0, 2.0]


def thrice(f, make, *states):
    """The results of three calls, each with the state of the objects after it."""
    for _ in range(3):
        yield f(make(V)), [state() for state in states]


def changing(jit, make, held, change):
    """The results of three calls of a function that changes a container and reads how long it is."""
    def f(x):
        change()
        return x * len(held)

    return thrice(jit(f), make, lambda: list(held))


def between(f, make, change):
    """The results of two calls, with a change between them."""
    yield f(make(V))
    change()
    yield f(make(V))


def replaced(f, holder, key, values, make):
    """The results of calls between which an element of a container is replaced, and one after a change in place."""
    yield f(make(V))
    for value in values:
        holder[key] = make(value)
        yield f(make(V))
    holder[key][...] = values[0]
    yield f(make(V))


def attributes(f, o, make):
    """The results of calls between which the attribute `t` is replaced, then changed in place."""
    yield f(make(V))
    o.t = make(4.0)
    yield f(make(V))
    o.t[...] = 6.0
    yield f(make(V)), o.t
