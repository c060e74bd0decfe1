# ruff: noqa  # a program as drawn, shortened, and its neighbours
import math


def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    return (x * math.sqrt(q), math.floor(q), math.ceil(o / 2), math.trunc(-q), math.log(q, 2), math.hypot(q, 2), math.exp(o),
            math.isnan(q), math.atan2(q, o), math.acosh(q + 1), math.degrees(q), math.sqrt(x.sum() * x.sum()),
            math.asin(q / 2) if s == "a" else math.asin(q))
