# ruff: noqa  # a program as drawn, shortened, and its neighbours
from collections import Counter


def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    held = Counter([o, 1])
    held.update([o])
    return x * held[1], held[2], Counter(s)["b"], Counter("abca")["a"], Counter(a=1)["a"]
