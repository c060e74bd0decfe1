"""Learning rates as lists: one number per step, computed before the training."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mindspore.core import check


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """learning_rates[i] for every step below milestone[i] and not below milestone[i - 1].

    Args:
        milestone: Steps at which the rate changes, positive and ascending; the last is the length.
        learning_rates: As many rates.

    Raises:
        TypeError: If one of them is no list or tuple, a step no int, or a rate no float.
        ValueError: If their lengths differ or the milestones do not ascend from a positive one.

    Examples:
        >>> nn.piecewise_constant_lr([2, 5], [0.1, 0.01])
        [0.1, 0.1, 0.01, 0.01, 0.01]
    """
    name = "piecewise_constant_lr"
    check.instance(name, "milestone", milestone, (tuple, list))
    check.instance(name, "learning_rates", learning_rates, (tuple, list))
    if len(milestone) != len(learning_rates):
        raise ValueError(f"For '{name}', the lengths of 'milestone' and 'learning_rates' must be "
                         f"equal, but got {len(milestone)} and {len(learning_rates)}.")
    rates: list[float] = []
    for i, (step, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        check.positive_int(name, f"milestone[{i}]", step)
        check.instance(name, f"learning_rates[{i}]", rate, float)
        if step < len(rates):
            raise ValueError(f"For '{name}', the 'milestone' must be in ascending order, but got "
                             f"{milestone}.")
        rates += [rate] * (step - len(rates))
    return rates


def exponential_decay_lr(learning_rate: float, decay_rate: float, total_step: int,
                         step_per_epoch: int, decay_epoch: int,
                         is_stair: bool = False) -> list[float]:
    """learning_rate * decay_rate^(epoch / decay_epoch); the exponent is floored for `is_stair`.

    Args:
        learning_rate: The first rate, positive.
        decay_rate: The factor per `decay_epoch` epochs, positive.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        decay_epoch: Epochs that one factor takes.
        is_stair: Whether the rate falls in steps of `decay_epoch` epochs.

    Examples:
        >>> nn.exponential_decay_lr(1.0, 0.5, 4, step_per_epoch=1, decay_epoch=1)
        [1.0, 0.5, 0.25, 0.125]
    """
    _checked("exponential_decay_lr", learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch("exponential_decay_lr", total_step, step_per_epoch, lambda epoch: (
        learning_rate * decay_rate ** _quotient(epoch, decay_epoch, is_stair)))


def natural_exp_decay_lr(learning_rate: float, decay_rate: float, total_step: int,
                         step_per_epoch: int, decay_epoch: int,
                         is_stair: bool = False) -> list[float]:
    """learning_rate * e^(-decay_rate * epoch); for `is_stair` the epoch is that of the last decay.

    Args:
        learning_rate: The first rate, positive.
        decay_rate: How fast the rate falls, per epoch; positive.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        decay_epoch: Epochs of a step of `is_stair`.
        is_stair: Whether the rate falls in steps of `decay_epoch` epochs.

    Examples:
        >>> [round(rate, 4) for rate in nn.natural_exp_decay_lr(1.0, 0.5, 4, step_per_epoch=2, decay_epoch=1)]
        [1.0, 1.0, 0.6065, 0.6065]
    """
    _checked("natural_exp_decay_lr", learning_rate, decay_rate, decay_epoch, is_stair)

    def rate(epoch: int) -> float:
        last = epoch // decay_epoch * decay_epoch if is_stair else epoch
        return learning_rate * math.exp(-decay_rate * last)
    return _by_epoch("natural_exp_decay_lr", total_step, step_per_epoch, rate)


def inverse_decay_lr(learning_rate: float, decay_rate: float, total_step: int,
                     step_per_epoch: int, decay_epoch: int,
                     is_stair: bool = False) -> list[float]:
    """learning_rate / (1 + decay_rate * epoch / decay_epoch); floored quotient for `is_stair`.

    Args:
        learning_rate: The first rate, positive.
        decay_rate: How much the divisor grows in `decay_epoch` epochs, positive.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        decay_epoch: Epochs in which the divisor grows by `decay_rate`.
        is_stair: Whether the rate falls in steps of `decay_epoch` epochs.

    Examples:
        >>> nn.inverse_decay_lr(1.0, 1.0, 4, step_per_epoch=2, decay_epoch=1)
        [1.0, 1.0, 0.5, 0.5]
    """
    _checked("inverse_decay_lr", learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch("inverse_decay_lr", total_step, step_per_epoch, lambda epoch: (
        learning_rate / (1 + decay_rate * _quotient(epoch, decay_epoch, is_stair))))


def cosine_decay_lr(min_lr: float, max_lr: float, total_step: int, step_per_epoch: int,
                    decay_epoch: int) -> list[float]:
    """Half a cosine from `max_lr` in the first epoch to `min_lr` in epoch `decay_epoch`.

    Args:
        min_lr: The rate at the end, not negative.
        max_lr: The rate at the beginning, above `min_lr`.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        decay_epoch: The epoch from which on the rate is `min_lr`.

    Raises:
        TypeError: If a rate is no float or a count no int.
        ValueError: If a count is not positive or `min_lr` is negative or not below `max_lr`.

    Examples:
        >>> [round(rate, 4) for rate in nn.cosine_decay_lr(0.0, 1.0, 3, step_per_epoch=1, decay_epoch=2)]
        [1.0, 0.5, 0.0]
    """
    name = "cosine_decay_lr"
    below(name, min_lr, max_lr)
    check.positive_int(name, "decay_epoch", decay_epoch)
    return _by_epoch(name, total_step, step_per_epoch, lambda epoch: (
        min_lr + 0.5 * (max_lr - min_lr)
        * (1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch))))


def polynomial_decay_lr(learning_rate: float, end_learning_rate: float, total_step: int,
                        step_per_epoch: int, decay_epoch: int, power: float,
                        update_decay_epoch: bool = False) -> list[float]:
    """(learning_rate - end_learning_rate) * (1 - epoch / decay_epoch)^power + end_learning_rate.

    The epoch stops at `decay_epoch`; with `update_decay_epoch` it is the period that grows instead,
    to the next multiple of `decay_epoch`.

    Args:
        learning_rate: The rate at the beginning, positive.
        end_learning_rate: The rate at the end, not negative.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        decay_epoch: The epoch in which the end is reached.
        power: The power of the polynomial, positive.
        update_decay_epoch: Whether `decay_epoch` grows to its next multiple when it is passed.

    Raises:
        TypeError: If a rate or `power` is no float or a count no int.
        ValueError: If a value is not positive, or `end_learning_rate` is negative.

    Examples:
        >>> nn.polynomial_decay_lr(1.0, 0.0, 3, step_per_epoch=1, decay_epoch=2, power=2.0)
        [1.0, 0.25, 0.0]
    """
    name = "polynomial_decay_lr"
    check.positive_float(name, "learning_rate", learning_rate)
    check.non_negative_float(name, "end_learning_rate", end_learning_rate)
    check.positive_float(name, "power", power)
    check.positive_int(name, "decay_epoch", decay_epoch)
    check.boolean(name, "update_decay_epoch", update_decay_epoch)

    def rate(epoch: int) -> float:
        if update_decay_epoch:
            period = decay_epoch * math.ceil(max(epoch, 1) / decay_epoch)
        else:
            period, epoch = decay_epoch, min(epoch, decay_epoch)
        span = learning_rate - end_learning_rate
        return span * (1 - epoch / period) ** power + end_learning_rate
    return _by_epoch(name, total_step, step_per_epoch, rate)


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int,
              warmup_epoch: int) -> list[float]:
    """A straight line from 0 in the first epoch to `learning_rate` in epoch `warmup_epoch`.

    Args:
        learning_rate: The rate at the end, not negative.
        total_step: The length of the list.
        step_per_epoch: Steps of an epoch, within which the rate stays.
        warmup_epoch: The epoch in which it is reached.

    Examples:
        >>> nn.warmup_lr(1.0, 6, step_per_epoch=2, warmup_epoch=2)
        [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    """
    check.non_negative_float("warmup_lr", "learning_rate", learning_rate)
    check.positive_int("warmup_lr", "warmup_epoch", warmup_epoch)
    return _by_epoch("warmup_lr", total_step, step_per_epoch, lambda epoch: (
        learning_rate * min(epoch, warmup_epoch) / warmup_epoch))


def below(name: str, min_lr: float, max_lr: float) -> None:
    """Check the bounds of a cosine."""
    check.non_negative_float(name, "min_lr", min_lr)
    check.positive_float(name, "max_lr", max_lr)
    if min_lr >= max_lr:
        raise ValueError(f"For '{name}', the 'max_lr' must be greater than the 'min_lr', but got "
                         f"{max_lr} and {min_lr}.")


def _checked(name: str, learning_rate: float, decay_rate: float, decay_epoch: int,
             is_stair: bool) -> None:
    check.positive_float(name, "learning_rate", learning_rate)
    check.positive_float(name, "decay_rate", decay_rate)
    check.positive_int(name, "decay_epoch", decay_epoch)
    check.boolean(name, "is_stair", is_stair)


def _quotient(epoch: int, period: int, is_stair: bool) -> float:
    return epoch // period if is_stair else epoch / period


def _by_epoch(name: str, total_step: int, step_per_epoch: int,
              rate: Callable[[int], float]) -> list[float]:
    check.count(name, "total_step", total_step)
    check.positive_int(name, "step_per_epoch", step_per_epoch)
    return [rate(step // step_per_epoch) for step in range(total_step)]
