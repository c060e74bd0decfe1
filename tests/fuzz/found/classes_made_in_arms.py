# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    class G:
        parts = []
        k = x
    def make(u):
        class H(Box):
            k = u * 2
            def get(self):
                return self.v + u + self.k
        return H
    g, M = G(), make(w)
    if w.sum() > 1:
        y = x * 7
        M = make(y)
        class H(G):
            k = y * 3
            z = [y * 2]
            @property
            def late(self, u=y):
                return u + self.k
            @classmethod
            def of(cls):
                return cls.k + cls.z[0]
        g = H()
        G.parts.append(y)
    else:
        G.parts.append(w)
    class Last(Wide if o > 1 else Box):
        pass
    if isinstance(g, G) and hasattr(g, "late"):
        return g.late + g.of() + type(g).z[0] + sum(G.parts) + M(x).get(), 0
    return g.k + sum(G.parts) + M(x).get() + M.k + Last(x).v, len(G.parts)
