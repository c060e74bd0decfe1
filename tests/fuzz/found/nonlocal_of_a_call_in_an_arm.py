# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    c = x
    if not x[0] > 0.3:
        def g(v):
            def h(u):
                nonlocal v
                v = v + u
                return u
            return h(w) + v
        c = g(x if x[0] > -0.5 else w)
    return c, 1
