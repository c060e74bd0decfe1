# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    def f(a, b=2, *c, k=1, **d):
        return a * k + b * 2 + sum(c, x) + sum(d.values(), x)
    args = [x, w] if s == "a" else [w, x, x]
    more = {"k": 2} if s == "a" else {"k": 3, "z": w}
    both = {"y": x, **more, "w": w}
    return f(*args, **more) + f(x, **more) + f(*args, k=2) + f(*args[:1], *args), len([*args, 1]), len(both)
