# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    def doubled_result(fn):
        @functools.wraps(fn)
        def run(self, *args):
            return fn(self, *args) * 2
        return run
    class G(Box):
        @doubled_result
        def add(self, amount):
            return super().add(amount).v
        @property
        def late(self):
            return super().twice
        @late.setter
        def late(self, u):
            super().add(u)
    g = G(w)
    first = g.add(x)
    g.late = w
    return first + g.v + g.late, 0
