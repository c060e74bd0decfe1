# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    @contextlib.contextmanager
    def kept(o):
        before = o.v
        try:
            yield o
        except KeyError:
            o.v = before * 2
        else:
            o.v = o.v + 1
    box = held = Box(w * 1)
    c = x
    for v in [x, w]:
        with kept(held) as inside:
            inside.v = inside.v * 3
            if v.sum() > 1:
                raise KeyError("k")
            inside.add(v)
    with halved(held) as inside:
        if x[0] > 0:
            return x + held.v, 0
        c = box.twice
    return c + box.v, 0
