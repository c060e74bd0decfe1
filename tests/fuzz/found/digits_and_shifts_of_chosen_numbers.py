# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    n = o
    n <<= 2
    return (x * (o << 1) + w * (1 << o), (o * 100) >> o, n, round(o / 3, 1), round(q, 2), round(o * 123, -1),
            round(1.115 * o, 2), round(o * 2.675, o))
