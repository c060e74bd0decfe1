# ruff: noqa  # a program as drawn, shortened, and its neighbours
import itertools


class Counting(Box):
    def seen(self, u, v):
        if u.sum() > 0:
            self.v = self.v + 1
        return u * v


def kept_sum(u, v):
    return u + v if v.sum() > 0 else u


@functools.lru_cache
def remembered(v):
    return v * 2 if v.sum() > 0 else v


def program(x, w):
    box, keeping = Box(w), Counting(x)
    found = list(itertools.accumulate([x, w, x], keeping.seen))[-1] + list(itertools.accumulate([x, w], kept_sum))[-1]
    order = sorted([3, 1, 2], key=functools.cmp_to_key(lambda p, q: q - p))
    return found + keeping.v + remembered(x) + remembered(x), order[0]
