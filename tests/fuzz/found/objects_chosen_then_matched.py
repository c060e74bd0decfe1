# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    box, held = Box(x), Wide(w)
    u = None if x.sum() > 0 else "b"
    p = box if x.sum() > 0 else held
    n = 0
    match u:
        case "b":
            n += 1
        case None:
            n += 2
    match p:
        case Wide(factor=2):
            n += 10
        case Box(v=q):
            n += 20
            w = w + q
    match (u, n):
        case ("b", k):
            n += 100 * k
        case (None, _):
            n += 500
    match [p, u]:
        case [Wide(), "b"]:
            n += 1000
        case [Box(), _]:
            n += 2000
    return w, n
