# ruff: noqa  # a program as drawn, shortened, and its neighbours
def program(x, w):
    box = Box(x * 1)
    if w.sum() > 1:
        vars(box)["v"] = x * 2
        box.v = box.v + 1
        if x[0] > 0:
            box.__dict__.update(v=w, parts=[w])
    else:
        box.v = w * 3
        vars(box).pop("parts")
        box.parts = [x]
    return box.v + box.parts[0], len(vars(box))
