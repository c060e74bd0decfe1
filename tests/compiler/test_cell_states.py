"""Cells are compared by what they hold: a program holds again when that is what it was."""
from __future__ import annotations

import copy
import operator

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, jit, nn

X = Tensor([1.0, -2.0])


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.kind, self.factor, self.pair, self.rule = "a", 2.0, (1, (2.0, "x")), None
        self.inner, self.steps = nn.ReLU(), [1, 2]

    def other(self, x):
        return x - 1

    def construct(self, x):
        if self.kind == "a":
            return self.inner(x) * self.factor
        return self.rule(x) if self.rule else x + self.pair[0]


@pytest.fixture(params=["graph mode", "jit"])
def net(request):
    ms.set_context(mode=0 if request.param == "graph mode" else 1)
    if request.param == "jit":
        yield type("Jitted", (Net,), {"construct": jit(Net.construct)})()
    else:
        yield Net()
    ms.set_context(mode=1)


def compiled(net):
    """How many programs were compiled for a cell."""
    cache = net.__dict__.get("_compiled") or type(net).construct.caches[net]
    assert not cache.uncompiled
    return cache.compiled


SAME = {"text": lambda net: setattr(net, "kind", "".join("a")),
        "number": lambda net: setattr(net, "factor", float("2")),
        "tuple": lambda net: setattr(net, "pair", (1, (float("2"), "x"))),
        "list": lambda net: setattr(net, "steps", net.steps),
        "cell": lambda net: setattr(net, "inner", net.inner),
        "method": lambda net: setattr(net, "rule", net.other),
        "tensor": lambda net: setattr(net, "table", Tensor([1.0])),
        "nan": lambda net: setattr(net, "factor", float("nan")),
        "flag": lambda net: net.add_flags(mine=True),
        "inner attribute": lambda net: setattr(net.inner, "label", "x")}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_an_attribute_that_is_given_its_own_value_compiles_nothing(net, change):
    change(net)
    net(X)
    for _ in range(20):
        change(net)
        net(X)
    assert compiled(net) == 1


class Asking(Net):
    """Cells that ask for `count` in some way."""

    count = 4

    def construct(self, x):
        return x * self.count


class ByName(Asking):
    def construct(self, x):
        return x * sum([getattr(self, name) for name in ("count", "factor")])


class ByDict(Asking):
    def construct(self, x):
        return x * self.__dict__.get("count", 9)


class ByVars(Asking):
    def construct(self, x):
        return x * vars(self).get("count", 9)


class IfThere(Asking):
    def construct(self, x):
        return x * (3 if hasattr(self, "extra") else 5)


class ByError(Asking):
    def construct(self, x):
        try:
            return x * self.extra
        except AttributeError:
            return x * 7


class ByHook(Asking):
    def __getattr__(self, name):
        return 6 if name == "extra" else super().__getattr__(name)

    def construct(self, x):
        return x * self.extra


class ByProperty(Asking):
    @property
    def next(self):
        return self.count + 1

    def construct(self, x):
        return x * self.next


class ByLength(Asking):
    def __len__(self):
        return self.count - 1

    def construct(self, x):
        return x * 3 if self else x * 4


class ByPattern(Asking):
    def construct(self, x):
        match self:
            case Asking(count=1):
                return x * 3
            case _:
                return x * 4


class ByCopy(Asking):
    def construct(self, x):
        return x * copy.copy(self).count


class ByGetter(Asking):
    def construct(self, x):
        return x * operator.attrgetter("count")(self)


class BySetting(Asking):
    def construct(self, x):
        self.count = 5
        return x


class ByText(Asking):
    def extend_repr(self):
        return "z" * self.count

    def construct(self, x):
        return x * len(repr(self))


@pytest.mark.parametrize("kind", [Asking, *Asking.__subclasses__()])
def test_an_attribute_that_a_program_asks_for_counts_however_it_asks(kind):
    ms.set_context(mode=0)
    try:
        net, plain = kind(), kind()
        for step in ("new", 1, 2, "extra", 2, 1, "gone", "new"):
            for one in (net, plain):
                if step == "extra":
                    one.extra = 8
                elif step == "gone":
                    del one.extra, one.count
                elif step != "new":
                    one.count = step
            assert net(X).tolist() == plain.run_uncompiled(X).tolist(), step
            assert vars(net).get("count") == vars(plain).get("count")
    finally:
        ms.set_context(mode=1)


def test_a_derivative_of_the_program_asks_when_it_is_taken():
    class Own(Asking):
        def bprop(self, x, out, dout):
            return (dout * self.count,)

    net = Own()
    compiled, outer = jit(net), jit(lambda x: ms.grad(net)(x))
    for count in (1, 2, 1):
        net.count = count
        compiled(X)
        assert ms.grad(compiled)(X).tolist() == outer(X).tolist() == [count, count]


def test_an_attribute_that_no_program_asks_for_may_change(net):
    for step in range(30):
        net.steps_done, net.label = step, str(step)
        net(X)
    net.kind = "b"
    net(X)
    assert compiled(net) == 2
    net.inner.other = 1                  # of the library's cells, whose code is not walked, each attribute counts
    net.kind = "a"
    net(X)
    assert compiled(net) == 3


TURNS = {"text": ("kind", ["a", "b"]), "number": ("factor", [1.0, 3.0]), "zeros": ("factor", [0.0, -0.0]),
         "type": ("factor", [1, 1.0, True]), "tuple": ("pair", [(1,), (1.0,), (2,)]),
         "nan": ("factor", [float("nan"), 1.0]), "rule": ("rule", [None, abs])}


@pytest.mark.parametrize(("name", "values"), TURNS.values(), ids=TURNS)
def test_values_in_turn_keep_their_programs(net, name, values):
    plain = Net()
    if name in ("pair", "rule"):
        net.kind = plain.kind = "b"
    for _ in range(10):
        for value in values:
            setattr(net, name, value)
            setattr(plain, name, value)
            assert repr(net(X).tolist()) == repr(plain.run_uncompiled(X).tolist())
    assert compiled(net) == len(values)


def test_cells_and_hooks_in_turn_keep_their_programs(net):
    cells = [nn.ReLU(), nn.Tanh()]
    for k in range(20):
        net.inner = cells[k % 2]
        assert net(X).tolist() == (cells[k % 2](X) * 2).tolist()
    assert compiled(net) == 2


def test_a_hook_that_is_removed_leaves_the_program_before_it(net):
    before = net(X).tolist()
    for _ in range(5):
        handle = net.inner.register_forward_hook(triple)
        assert net(X).tolist() == [3 * x for x in before]
        handle.remove()
        assert net(X).tolist() == before
    assert compiled(net) == 2


def triple(cell, args, out):
    return out * 3


def test_training_and_evaluation_in_turn_keep_their_programs(net):
    for _ in range(10):
        net.set_train(True)
        net(X)
        net.set_train(False)
        net(X)
    assert compiled(net) == 2


def test_more_than_two_values_keep_those_that_were_used_last(monkeypatch):
    monkeypatch.setattr("mindspore.compiler.cache._PER_KEY", 3)
    ms.set_context(mode=0)
    try:
        net = Net()
        for kind in "abcabcadaebd":       # "a" stays: it was used just before "d", and before "e"
            net.kind = kind
            net(X)
        cache = net._compiled
        assert cache.compiled == 7        # a, b, c, d in place of b, e in place of c, b in place of d, d
        assert [len(held) for held in cache.programs.values()] == [3]
        net(X)
        assert cache.compiled == 7        # the newest is still there
    finally:
        ms.set_context(mode=1)


def test_what_changed_is_said(net):
    net(X)
    net.kind = "b"
    net(X)
    net.inner = nn.Tanh()
    net(X)
    jitted = hasattr(type(net).construct, "caches")
    reasons = [p.reason for p in ms.graph.explain(net.construct if jitted else net).programs]
    assert any("attribute 'kind' of" in r and r.endswith("changed from 'a' to 'b'") for r in reasons), reasons
    assert any("changed from another ReLU to another Tanh" in r for r in reasons), reasons


@pytest.mark.parametrize(("name", "values"), [("phase", ["train", "mine"]), ("requires_grad", [False, True])])
def test_settings_of_a_cell_that_a_program_reads_are_compared(name, values):
    class Reading(nn.Cell):
        def construct(self, x):
            return x * 2 if getattr(self, name) == values[0] else x * 3

    ms.set_context(mode=0)
    try:
        net = Reading()
        for _ in range(3):
            for value, factor in zip(values, (2, 3), strict=True):
                setattr(net, name, value)
                assert net(X).tolist() == [factor, -2 * factor]
        assert net._compiled.compiled == 2
    finally:
        ms.set_context(mode=1)


def test_a_cell_that_is_replaced_is_not_kept_alive(net):
    import gc
    import weakref

    net(X)
    gone = weakref.ref(net.inner)
    net.inner = nn.Tanh()
    gc.collect()
    assert gone() is None
    assert net(X).tolist() == (nn.Tanh()(X) * 2).tolist()


def test_what_a_program_sets_itself_is_compared_by_its_structure():
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.last, self.label, self.weight = None, "", Parameter(Tensor(2.0), name="weight")

        def construct(self, x):
            self.last = [x * self.weight]
            return self.last[0]

    ms.set_context(mode=0)
    try:
        net = Counting()
        for k in range(10):
            net.label = "a"
            assert net(X + k).tolist() == ((X + k) * 2).tolist() == net.last[0].tolist()
        assert net._compiled.compiled == 2            # None, then a list of a tensor
    finally:
        ms.set_context(mode=1)


def doubled(cell, given, out):
    """A hook."""
    return out * 2


def tripled(cell, given, out):
    """Another hook."""
    return out * 3


def test_another_hook_in_the_place_of_a_hook_counts(net):
    handle = net.inner.register_forward_hook(doubled)
    assert net(X).tolist() == [4.0, 0.0]
    handle.remove()
    handle = net.inner.register_forward_hook(tripled)
    assert net(X).tolist() == [6.0, 0.0]
    handle.remove()
    assert net(X).tolist() == [2.0, 0.0]


class InTurn(nn.Cell):
    """Applies its cells in their order."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.ReLU(), nn.Softsign()
        self.third = nn.LeakyReLU(0.5)

    def construct(self, x):
        for cell in self.cells():
            x = cell(x - 1)
        return x


@pytest.mark.usefixtures("both_modes")
def test_another_order_of_the_same_cells_counts():
    net = InTurn()
    before = net(X).asnumpy()
    first = net.first
    del net.first
    net.first = first
    assert list(net.name_cells()) == ["second", "third", "first"]
    after = net(X).asnumpy()
    x = X
    for cell in (net.second, net.third, first):
        x = cell(x - 1)
    assert after.tolist() == x.tolist() != before.tolist()
