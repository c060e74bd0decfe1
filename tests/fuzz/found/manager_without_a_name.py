# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    class Counted:
        def __init__(self):
            self.n = 0
        def __enter__(self):
            return box
        def __exit__(self, *error):
            self.n += 1
            box.v = box.v * self.n + self.n
    def f():
        with Counted():
            if x.sum() > 0:
                box.v = box.v + 1
                return x
            box.v = box.v * 3
        return w
    return f() + box.v, 0
