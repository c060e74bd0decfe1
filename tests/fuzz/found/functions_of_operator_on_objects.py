# ruff: noqa  # a program as drawn, shortened, and its neighbours
import operator


def program(x, w):
    o, q, s, box = 1, 0.7, "a", Box(w)
    if w.sum() > 1:
        o, q, s, box = 2, 2.35, "bb", Wide(x)
    t, d = [x, w], {"a": x, "bb": w}
    total = operator.methodcaller("add", amount=x)(box).v + operator.attrgetter("v", "parts")(box)[1][0]
    total = total + operator.itemgetter(0, o - 1)(t)[1] + operator.itemgetter(s)(d)
    total = total + functools.reduce(operator.add, [Wide(x), box, box]).v + sum(map(operator.attrgetter("v"), [box, box]))
    return total, operator.eq(s, "a"), operator.lt(o, 2), operator.not_(o), operator.iadd(t, [x])[-1], len(t)
