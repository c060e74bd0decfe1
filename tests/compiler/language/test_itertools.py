# ruff: noqa  # programs as users write them
"""`itertools` inside compiled functions."""

from __future__ import annotations

import itertools

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


def program_product(x=V):
    y = x
    for i, j in itertools.product(range(2), repeat=2):
        y = y + x[i] * j
    return y


def program_chain_islice(x=V):
    return sum(itertools.islice(itertools.chain([x, x * 2], [x * 3]), 2), x)


def program_zip_longest(x=V):
    y = x
    for a, b in itertools.zip_longest([x, x], [2], fillvalue=5):
        y = y + a * b
    return y


def program_accumulate(x=V):
    return ops.stack(list(itertools.accumulate([x, x * 2, x * 3])))


def program_accumulate_function(x=V):
    return list(itertools.accumulate([x, x + 1], lambda a, b: a * b))


def program_combinations(x=V):
    return sum((x[i] * x[j] for i, j in itertools.combinations(range(3), 2)), x)


def program_permutations(x=V):
    return [x * (a - b) for a, b in itertools.permutations([1, 2])]


def program_count_takewhile(x=V):
    return sum([x * i for i in itertools.takewhile(lambda n: n < 4, itertools.count(1))])


def program_dropwhile_filterfalse(x=V):
    kept = [*itertools.dropwhile(lambda n: n < 2, range(4)), *itertools.filterfalse(lambda n: n % 2, range(4))]
    return x * sum(kept)


def program_groupby(x=V):
    y = x
    for key, group in itertools.groupby(["a", "ab", "b"], key=lambda s: s[0]):
        y = y * len(list(group))
    return y


def program_repeat_cycle(x=V):
    y = x
    for a, b in zip(itertools.repeat(x, 3), itertools.cycle([1, 2])):
        y = y + a * b
    return y


def program_starmap(x=V):
    return sum(itertools.starmap(lambda a, b: a * b, [(x, 2), (x, 3)]))


def program_pairwise(x=V):
    return [b - a for a, b in itertools.pairwise([x, x * 2, x * 4])]


def program_compress(x=V):
    return list(itertools.compress([x, x * 2, x * 3], [1, 0, 1]))
