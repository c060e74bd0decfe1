# ruff: noqa  # programs as users write them
"""Exceptions raised and caught in branches of an `if` on a tensor."""

from __future__ import annotations

V, W = [1.0, -2.0, 4.0], [0.5, 2.0, -1.0]
WHOLE = """
raise_types with_raise raise_uncaught print_raise try_raise_branch finally_return loop_try while_try
""".split()


def test_both_modes_agree(program, agree):
    agree(program)


def program_raise_types(x=V, w=W):
    try:
        if x.sum() > 0:
            raise KeyError("a")
        elif w.sum() > 1:
            raise ValueError("b")
        y = x
    except KeyError as e:
        y = x * len(e.args)
    except (ValueError, TypeError):
        y = w * 2
    else:
        y = x * 3
    finally:
        y = y + 1
    return y


def program_raise_through(x=V, w=W):
    def f(v):
        try:
            if v.sum() > 0:
                raise KeyError("a")
            return v
        finally:
            log.append(v)
    log = []
    try:
        y = f(x)
    except KeyError:
        y = x * 5
    return y + log[0], len(log)


def program_reraise(x=V, w=W):
    try:
        try:
            if x.sum() > 0:
                raise KeyError("a")
        except KeyError:
            if w.sum() > 1:
                raise
            raise ValueError from None
    except ValueError:
        return x * 3
    return w


def program_with_raise(x=V, w=W):
    class M:
        n = 0

        def __enter__(self):
            self.n += 1
            return self

        def __exit__(self, t, e, tb):
            self.n += 10
            return t is KeyError
    m = M()
    y = x
    with m:
        if x.sum() > 0:
            raise KeyError
        y = y * 2
    return y * m.n


def program_assert_try(x=V, w=W):
    try:
        assert x.sum() > 0
        y = x * 2
    except AssertionError:
        y = x * 3
    return y


def program_assert_branch_try(x=V, w=W):
    y = x
    try:
        if x.sum() > 0:
            assert w.sum() > 99
        y = y * 2
    except AssertionError:
        y = x * 3
    return y


def program_assert_call_try(x=V, w=W):
    def f(v):
        assert v.sum() > 0
        return v
    try:
        y = f(x)
    except AssertionError:
        y = x * 3
    return y


def program_index_try(x=V, w=W):
    items = [x, w]
    k = (x * 0).sum().int() + 5
    try:
        y = items[k]
    except IndexError:
        y = x * 3
    return y


def program_raise_call(x=V, w=W):
    def f(v):
        if v.sum() > 0:
            raise KeyError("k")
        return v
    try:
        y = f(x)
    except KeyError:
        y = x * 3
    finally:
        w = w + 1
    return y + w


def program_raise_uncaught(x=V, w=W):
    if x.sum() > 0:
        raise KeyError("k")
    print("after")
    return x


def program_print_raise(x=V, w=W):
    print("a", 1)
    if x.sum() > 0:
        print("b")
        raise ValueError("q")
    print("c")
    return x * 2


def program_try_raise_branch(x=V, w=W):
    y = x
    try:
        if x.sum() > 0:
            y = y * 2
            raise KeyError
        y = y * 3
    except KeyError:
        y = y + 1
    else:
        y = y + 2
    finally:
        y = y * 2
    return y


def program_finally_return(x=V, w=W):
    def f():
        try:
            if x.sum() > 0:
                return x
        finally:
            if w.sum() > 1:
                return w
        return x * 2
    return f() * 1


def program_loop_try(x=V, w=W):
    y = x
    for i in range(3):
        try:
            if (y * i).sum() > 1:
                raise KeyError
            y = y * 2
        except KeyError:
            y = y - 5
            continue
        finally:
            y = y + 1
    return y


def program_while_try(x=V, w=W):
    y, k = x, 0
    while y.sum() + k < 6:
        k += 1
        try:
            if y[0] > 1:
                raise KeyError
            y = y * 2
        except KeyError:
            y = y - 5
            break
        finally:
            y = y + 1
    else:
        y = y * 7
    return y
