# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    class Slotted:
        __slots__ = ("v", "parts")
        def __init__(self, v):
            self.v, self.parts = v, [v]
    class Named(dict):
        def __init__(self, v):
            super().__init__(k=v)
            self.v = v * 2
    one, two = Slotted(w), Named(w)
    if w.sum() > 1:
        y = x * 3
        one = Slotted(y)
        if x.sum() > 0:
            one.parts.append(y * 2)
            two = Named(y)
    else:
        y = w
    return one.v + sum(one.parts) + two["k"] + two.v, len(one.parts)
