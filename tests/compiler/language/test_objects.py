# ruff: noqa  # programs as users write them
"""Cells, classes, attributes, parameters, random numbers: both modes do the same."""

from __future__ import annotations

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Scale(nn.Cell):
    def __init__(self, k=2):
        super().__init__()
        self.k = k
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        return x * self.w * self.k


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Scale(1), Scale(2), Scale(3)])
        self.body = nn.SequentialCell(Scale(1), nn.ReLU())

    def construct(self, x):
        for layer in self.layers:
            x = layer(x) / 3
        for i, layer in enumerate(self.layers):
            if i % 2:
                x = layer(x)
        return self.body(x) + self.layers[-1](x)


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.last = None
        self.state = Tensor([0.0, 0.0, 0.0])

    def construct(self, x):
        self.count += 1
        self.state = self.state + x
        self.last = x * 2
        return self.state * self.count


class Branches(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = Scale(1), Scale(5)
        self.total = Parameter(Tensor([0.0, 0.0, 0.0]), name="total", requires_grad=False)
        self.steps = Parameter(Tensor(0), name="steps", requires_grad=False)

    def construct(self, x):
        block = self.a if x.sum() > 0 else self.b
        if x[0] > 0:
            self.total = self.total + x
        self.steps += 1
        return block(x) + self.total


class Base(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def construct(self, x):
        return self.inner(x) * self.k

    def inner(self, x):
        return x + 1

    @property
    def doubled(self):
        return self.k * 2

    @staticmethod
    def static(x):
        return x - 1

    @classmethod
    def of_class(cls, x):
        return x * len(cls.__name__)


class Mixin:
    def inner(self, x):
        y = super().inner(x)
        if y[0] > 0:
            y = y * 10
        return y


class Derived(Mixin, Base):
    def __init__(self):
        super().__init__(3)

    def construct(self, x):
        return super().construct(x) + self.doubled + self.static(x) + self.of_class(x)


class Plain:
    def __init__(self, x=1):
        self.x = x
        if not isinstance(x, int) and x.sum() > 0:
            self.x = x * 2

    def __call__(self, y):
        return self.x + y

    def __add__(self, other):
        return Plain(self.x + other)

    def __radd__(self, other):
        return Plain(self.x - other)

    def __getitem__(self, i):
        return self.x[i] if not isinstance(self.x, int) else i

    def __len__(self):
        return 3

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __contains__(self, item):
        return item == 5

    def __iter__(self):
        return iter([self.x, 2])

    def __enter__(self):
        self.x = self.x * 2
        return self

    def __exit__(self, *error):
        self.x = 0
        return False

    def __bool__(self):
        return False

    def __neg__(self):
        return self.x * -1


def program_cell(net=Scale, x=V):
    return net(x)


def program_cells_in_lists(net=Chain, x=V):
    return net(x)


def program_state_of_a_cell(net=Counter, x=V):
    return net(x)


def program_state_twice_in_one_program(net=Counter, x=V):
    return net(x) + net(x * 2)


def program_cell_chosen_by_tensor(net=Branches, x=V):
    return net(x)


def program_inheritance(net=Derived, x=V):
    return net(x)


def program_parameter_assigned_in_loop(net=Branches, x=V):
    while net.steps < 3:
        net.total = net.total + x
        net.steps += 1
    return net.total * 1


def program_parameter_set_data(net=Scale, x=V):
    before = net.w * 1
    net.w.set_data(x)
    return before, net.w * 1


def program_parameter_ops_assign(net=Scale, x=V):
    ops.assign(net.w, x * 2)
    if x[0] > 0:
        ops.assign_add(net.w, x)
    return net.w * 1


def program_parameter_in_early_return(net=Branches, x=V):
    if x[0] > 0:
        net.total = net.total + x
        return net.total * 2
    net.total = net.total - 1
    return net.total * 3


def program_plain_object(x=V):
    p = Plain(x)
    return p(x) + p[0] + len(p)


def program_plain_operators(x=V):
    p = Plain(x)
    a, b = p
    return (p + 1).x + (1 + p).x + a * b - -p, p == 3, 5 in p, 4 in p, bool(p)


def program_plain_truth(x=V):
    p = Plain(x)
    return x if p else -x


def program_with_statement(x=V):
    p = Plain(2)
    with p as q:
        y = x * q.x
    return y + p.x


def program_with_return_inside(x=V):
    with Plain(2) as q:
        return x * q.x


def program_with_break_inside(x=V):
    for i in range(3):
        with Plain(i):
            if i == 2:
                break
            x = x + i
    return x


def program_object_from_outside(p=Plain, x=V):
    p.x = p.x + 1
    return x * p.x


def program_attribute_error(net=Scale, x=V):
    return net.missing(x)


def program_object_attribute_in_loop(x=V):
    p = Plain(1)
    p.x = x
    while p.x.sum() < 20:
        p.x = p.x + 1
    return p.x


def program_list_attribute(net=Counter, x=V):
    net.seen = [x, 0]
    net.seen[0] = net.seen[0] * 2
    return net.seen[0]


def program_random(x=V):
    a = ops.standard_normal((3,))
    if x[0] > 0:
        b = ops.standard_normal((3,))
    else:
        b = a
    return a + b * x


def program_dropout(x=V):
    return ops.dropout(x, p=0.5, training=True)


def program_inner_class_is_refused_nowhere_else(x=V):
    table = {"relu": ops.relu, "neg": lambda v: -v}
    return table["relu"](x) + table["neg"](x)


def program_cell_made_inside(x=V):
    return nn.ReLU()(x)


def program_train_flag(net=Scale, x=V):
    net.set_train(True)
    return x if net.training else -x


def program_with_condition_inside(x=V):
    with Plain(2) as p:
        if x[0] > 0:
            x = x * p.x
        else:
            x = x - p.x
    return x


def program_with_whole_body_returns_on_tensor(x=V):
    with Plain(2) as p:
        if x[0] > 0:
            return x * p.x
        return x - p.x


def program_try_with_condition_inside(x=V):
    try:
        if x[0] > 0:
            x = x * 2
        k = {}["missing"]
    except KeyError:
        x = x + 1
    return x


def program_attribute_of_cell_in_branch(net=Counter, x=V):
    if x[0] > 0:
        net.state = x * 2
    else:
        net.count = 5
    return net.state * net.count


def program_tuple_state_of_a_cell(net=Counter, x=V):
    if net.last is None:
        net.last = (x, x * 0)
    h, c = net.last
    net.last = (h + x, c + h)
    return h * c


def program_cell_state_in_loop(net=Counter, x=V):
    i = 0
    while i < x.max() * 0 + 3:
        net.state = net.state + x
        i += 1
    return net.state * 1


def program_tensor_changed_in_place(x=V):
    y = x * 1
    z = y
    y.add_(1)
    y.mul_(x)
    return y + z


def program_tensor_changed_in_place_in_branch(x=V):
    y = x * 1
    if x[0] > 0:
        y.add_(x)
    return y


def program_tensor_attribute_changed_in_place(net=Counter, x=V):
    net.state.add_(1)
    net.state[0] = 5.0
    return net.state + x


def program_parameter_changed_in_place(net=Scale, x=V):
    net.w.add_(1)
    net.w[0] = 9.0
    return net.w * x
