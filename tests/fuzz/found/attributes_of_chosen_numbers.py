# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    return (x * o.real, o.bit_length(), q.is_integer(), o.numerator, hasattr(o, "shape"), getattr(q, "ndim", 3),
            o.__class__ is int, hash(o) == 1, q.conjugate())
