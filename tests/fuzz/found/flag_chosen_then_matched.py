# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    flag, n = False, 0
    if x.sum() > 0:
        flag = True
    match flag:
        case True:
            n += 1
        case False:
            n += 2
    f = None
    if w.sum() > 1:
        f = x
    match f:
        case None:
            n += 10
        case v:
            n += 20
            x = x + v
    return x, n
