# ruff: noqa  # a program as drawn, shortened: its derivative took seconds to compile
def program(x, w):
    a, total = x * 1, x[x > 0].sum() * w
    box = Box(w)
    for k in range(7):
        box = Wide(a, k) if a.sum() > k else box
        total = total + box.v + box.twice
    for v in [box, box]:
        total = total + v.v + sum(v.parts, v.twice)
    return total, 1
