# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a, b = x * 1, w * 1
    items = [x, w]
    it = iter([x, w])
    for v in [x, w]:
        b = list(it or [b])[-1]
        if len(items) > 2:
            break
        else:
            if a.sum() > -3:
                break
            items.append(v)
    else:
        items[:1] = [x]
    return b, a, len(items)
