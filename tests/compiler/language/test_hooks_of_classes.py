"""Methods that Python calls by itself: of classes that are made, read as objects, asked by names, or go away."""

from __future__ import annotations

import abc
import typing

from outside import V, thrice


def test_every_call_does_what_python_does(outside, like_numpy):
    like_numpy(outside)


def case_base_class_that_counts(jit, make):
    made = []

    class Base:
        def __init_subclass__(cls, **options):
            made.append(cls.__name__)

    def f(x):
        class Derived(Base):
            pass
        return x * len(made)

    return thrice(jit(f), make, lambda: list(made))


def case_metaclass_that_counts(jit, make):
    made = []

    class Meta(type):
        def __init__(cls, name, bases, space):
            made.append(name)

    def f(x):
        class Derived(metaclass=Meta):
            pass
        return x * len(made)

    return thrice(jit(f), make, lambda: list(made))


def case_member_that_is_told_its_name(jit, make):
    told = []

    class Member:
        def __set_name__(self, owner, name):
            told.append(name)

    def f(x):
        class Holder:
            a = Member()
        return x * len(told)

    return thrice(jit(f), make, lambda: list(told))


def case_object_that_tells_when_it_goes(jit, make):
    gone = [0]

    class Short:
        def __del__(self):
            gone[0] += 1

    def f(x):
        short = Short()
        del short
        return x * gone[0]

    return thrice(jit(f), make, lambda: list(gone))


def compiled_own_deleting_of_attributes(jit, make):
    class Logged:
        def __delattr__(self, name):
            log.append(name)
            object.__delattr__(self, name)

    log, o = [], Logged()

    def f(x):
        o.a = x
        del o.a
        return x * len(log) * (1 + hasattr(o, "a"))

    return thrice(jit(f), make, lambda: list(log))


def compiled_class_with_an_index(jit, make):
    class Indexed:
        n = 0

        def __class_getitem__(cls, k):
            cls.n += 1
            return cls.n * k

    return thrice(jit(lambda x: x * Indexed[3]), make, lambda: Indexed.n)


def compiled_descriptor_of_a_class(jit, make):
    class Counting:
        n = 0

        def __get__(self, obj, owner):
            Counting.n += 1
            return Counting.n

    class Holder:
        d = Counting()

    return thrice(jit(lambda x: x * Holder.d), make, lambda: Counting.n)


def case_unknown_name_of_an_object(jit, make):
    class Any:
        def __init__(self):
            self.held, self.n = {"a": make(2.0)}, 0

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            self.n += 1
            return float(self.held[name]) + self.n

    o = Any()
    f = jit(lambda x: x * o.a)
    yield f(make(V)), o.n
    yield f(make(V)), o.n
    o.held["a"][...] = 5.0
    yield f(make(V)), o.n
    o.a = 9.0
    yield f(make(V)), o.n


def compiled_unknown_name_of_a_class(jit, make):
    class Meta(type):
        n = 0

        def __getattr__(cls, name):
            Meta.n += 1
            return Meta.n

    class Holder(metaclass=Meta):
        pass

    return thrice(jit(lambda x: x * Holder.unknown), make, lambda: Meta.n)


def compiled_unknown_name_of_a_module(jit, make):
    import types

    module, n = types.ModuleType("counted"), [0]

    def unknown(name):
        n[0] += 1
        return n[0]

    module.__getattr__ = unknown
    f = jit(lambda x: x * module.k)
    yield f(make(V)), list(n)
    yield f(make(V)), list(n)
    module.k = 7
    yield f(make(V)), list(n)


def compiled_protocol(jit, make):
    @typing.runtime_checkable
    class Running(typing.Protocol):
        def run(self): ...

    class Some:
        pass

    some = Some()
    f = jit(lambda x: x * 5 if isinstance(some, Running) else x)
    yield f(make(V))
    Some.run = lambda self: 1
    yield f(make(V))
    del Some.run
    yield f(make(V))
    some.run = lambda: 1
    yield f(make(V))


def compiled_subclass_that_is_registered(jit, make):
    class Base(abc.ABC):
        @abc.abstractmethod
        def run(self): ...

    class Some:
        pass

    f = jit(lambda x: x * 2 if issubclass(Some, Base) else x)
    yield f(make(V))
    Base.register(Some)
    yield f(make(V))


def compiled_subclass_by_a_metaclass(jit, make):
    class Meta(type):
        n = 0

        def __subclasscheck__(cls, other):
            Meta.n += 1
            return Meta.n > 1

    class Base(metaclass=Meta):
        pass

    return thrice(jit(lambda x: x * 2 if issubclass(int, Base) else x), make, lambda: Meta.n)


def case_membership_by_equality(jit, make):
    class Equal:
        n = 0

        def __eq__(self, other):
            Equal.n += 1
            return Equal.n > 2

    held = [Equal()]
    return thrice(jit(lambda x: x if 5 in held else -x), make, lambda: Equal.n)


def compiled_membership_in_a_derived_list(jit, make):
    class Held(list):
        n = 0

        def __contains__(self, value):
            Held.n += 1
            return Held.n > 1

    held = Held([make(1.0)])
    return thrice(jit(lambda x: x if 5 in held else -x), make, lambda: Held.n)
