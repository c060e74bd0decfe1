# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    @dataclasses.dataclass(order=True)
    class D(Box):
        v: object
        k: int = 3
        def __post_init__(self):
            self.parts = [self.v]
    d = D(x, 3)
    if w.sum() > 1:
        d = D(w)
    return d.twice + sum(d.parts) + d.add(x).v * d.k, repr(D(1)), D(1) < D(2), D.__annotations__["k"] is int
