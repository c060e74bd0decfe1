# ruff: noqa  # a program as drawn, shortened
import copy


def program(x, w):
    box = Box(w)
    for i in range(10):
        for k in range(2):
            if x.sum() > i:
                break
            box = copy.copy(box)
            box.v = box.v + i
    return box.v, 0
