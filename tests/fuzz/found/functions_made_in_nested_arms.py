# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    def maker(u):
        return lambda v: v * u
    f, g, h, k = maker(w), abs, ops.tanh, Box(w).add
    if w.sum() > 1:
        y = x * 3
        f = maker(y)
        if x.sum() > 0:
            f, g = (lambda v, k=y * 2: v * k), functools.partial(lambda u, v: u - v, y * 5)
            h, k = twice_over(maker(y - 1)), Box(y).add
    else:
        y = w
    return f(x) + g(w) + h(x) + k(y).v + grad(lambda v: f(v).sum())(x), 0
