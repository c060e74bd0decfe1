# ruff: noqa  # a program as drawn, shortened, and its neighbours
import copy


def program(x, w):
    box = Box(w)
    for v in [x, x]:
        if w.sum() > 1:
            break
        class G4(Box):
            pass
        box = G4(x).add(x)
    vars(box)
    held = box.__dict__
    return box.v + held["v"] + copy.copy(box).v + sum(held["parts"]) + {**held}["v"], len(held)
