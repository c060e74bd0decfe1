"""Data classes that programs make: factories, defaults and methods behind the generated `__init__`."""

from __future__ import annotations

import dataclasses

from outside import V, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def compiled_factory_that_counts(jit, make):
    n = [0]

    def counted():
        n[0] += 1
        return n[0]

    @dataclasses.dataclass
    class D:
        a: int
        b: int = dataclasses.field(default_factory=counted)
        c: list = dataclasses.field(default_factory=list, kw_only=True)

    return thrice(jit(lambda x: x * D(1).b * D(2, 5, c=[1]).b * len(D(1, 1, c=[1]).c)), make, lambda: list(n))


def compiled_factory_of_a_list_from_outside(jit, make):
    shared = []

    @dataclasses.dataclass
    class D:
        held: list = dataclasses.field(default_factory=lambda: shared)
        own: list = dataclasses.field(default_factory=list)

    def f(x):
        d = D()
        d.held.append(1)
        d.own.append(1)
        return x * len(d.held) * len(d.own)

    return thrice(jit(f), make, lambda: list(shared))


def compiled_factory_of_a_field_that_is_no_argument(jit, make):
    n = [0]

    def counted():
        n[0] += 1
        return n[0]

    @dataclasses.dataclass
    class D:
        a: int
        b: int = dataclasses.field(default_factory=counted, init=False)

    return thrice(jit(lambda x: x * D(1).b), make, lambda: list(n))


def compiled_object_as_a_default(jit, make):
    class Settings:
        n = 0

    settings = Settings()

    @dataclasses.dataclass
    class D:
        held: object = settings
        k: int = 2

    def f(x):
        d = D()
        d.held.n = d.held.n + 1
        return x * d.held.n * d.k

    return thrice(jit(f), make, lambda: settings.n)


def compiled_field_that_is_computed(jit, make):
    made = []

    @dataclasses.dataclass
    class D:
        v: object
        w: object = dataclasses.field(init=False)

        def __post_init__(self):
            self.w = self.v * 2
            made.append(1)

    return thrice(jit(lambda x: D(x).w * len(made)), make, lambda: len(made))


def compiled_what_is_done_after_making_with_slots(jit, make):
    made = []

    @dataclasses.dataclass(slots=True)
    class D:
        a: int

        def __post_init__(self):
            made.append(1)
            self.a = self.a + len(made)

    return thrice(jit(lambda x: x * D(1).a), make, lambda: len(made))


def compiled_argument_that_is_no_field(jit, make):
    seen = []

    @dataclasses.dataclass
    class D:
        a: int
        v: dataclasses.InitVar[int] = 3

        def __post_init__(self, v):
            seen.append(v)
            self.a = self.a * v

    return thrice(jit(lambda x: x * D(2).a * D(1, 5).a), make, lambda: list(seen))


def compiled_own_setting_of_attributes(jit, make):
    seen = []

    @dataclasses.dataclass
    class D:
        a: int

        def __setattr__(self, name, value):
            seen.append(name)
            object.__setattr__(self, name, value)

    return thrice(jit(lambda x: x * D(1).a * len(seen)), make, lambda: list(seen))


def compiled_replaced_field(jit, make):
    made = []

    @dataclasses.dataclass(frozen=True)
    class D:
        a: int
        b: int = 2

        def __post_init__(self):
            made.append(self.a)

    return thrice(jit(lambda x: x * dataclasses.replace(D(1), a=5).a * len(made)), make, lambda: list(made))


def compiled_replaced_state(jit, make):
    @dataclasses.dataclass
    class State:
        x: object
        n: int

    held = [State(make(1.0), 0)]

    def f(y):
        held[0] = dataclasses.replace(held[0], x=held[0].x + y.sum(), n=held[0].n + 1)
        return held[0].x * held[0].n

    f = jit(f)
    yield f(make(V)), held[0].x
    first = held[0]
    yield f(make(V)), first.x, held[0].n
    held[0].n = 10
    yield f(make(V)), held[0].x


def case_missing_argument(jit, make):
    @dataclasses.dataclass
    class D:
        a: int

    f = jit(lambda x: x * D().a)
    for _ in range(2):
        try:
            f(make(V))
        except TypeError as error:
            yield "missing 1 required positional argument: 'a'" in str(error)
