"""Distribution: what all distributions share; a subclass states formulas."""
from __future__ import annotations

import copy
from typing import Any, ClassVar

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.tensor import is_tensor

from ...cell import Cell
from .. import arguments

QUESTIONS = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "mode", "sd",
             "var", "entropy", "kl_loss", "cross_entropy", "sample", "get_dist_args", "get_dist_type")


class Distribution(Cell):
    """The base of all distributions.

    A subclass names its parameters by calling `_add_parameter` for each, in order, and defines formulas:
    `_log_prob` or `_prob`, `_log_cdf` or `_cdf`, `_survival_function` or `_log_survival`, `_mean`, `_mode`,
    `_var` or `_sd`, `_entropy`, `_kl_loss`, `_cross_entropy`, `_sample`. What is not defined follows from
    what is. A formula takes the value (or the shape, or the name of the other distribution and its
    parameters) first, then the parameters of the distribution as tensors. Parameters that were not given
    at construction must be given at every call, and those given at a call take precedence.

    Args:
        seed: Seed of the samples; 0 or None takes the generator that `set_seed` seeds.
        dtype: Element type of the samples.
        name: Name that messages use.
        param: What the subclass was made with: a dictionary of its arguments.

    Raises:
        TypeError: If `seed` is no int, `name` no str or `dtype` no element type.
        ValueError: If `seed` is negative.

    Examples:
        >>> from mindspore.nn.probability.distribution import Distribution
        >>> class Triangle(Distribution):
        ...     '''Density 2x on [0, 1].'''
        ...     def __init__(self):
        ...         super().__init__(None, mindspore.float32, "Triangle", {})
        ...     def _prob(self, value):
        ...         return 2 * value
        ...     def _cdf(self, value):
        ...         return value * value
        >>> Triangle()("survival_function", Tensor([0.5])).tolist()
        [0.75]
    """

    _types: ClassVar[str] = "float"                # the kind of `dtype`: "float", or "number" for integers, too
    _spellings: ClassVar[dict[str, str]] = {}      # other keywords of parameters
    transformed: ClassVar[Any] = None              # the class of what an invertible function makes of a distribution
    _checks_names: ClassVar[bool] = False          # whether `kl_loss` takes a distribution of the same kind only

    def __init__(self, seed: int | None, dtype: DType, name: str, param: dict[str, Any] | None):
        super().__init__()
        self._name = check.string(self, "name", name)
        self._seed = 0 if seed is None else check.non_negative_int(self, "seed", seed)
        self._dtype = self._checked_type(dtype)
        kept = {k: v for k, v in (param or {}).items() if k not in ("self", "__class__")}
        self._parameters_given = kept
        own = self._dtype if self._dtype.is_floating else float32
        self._parameter_type = arguments.float_type(kept.get("param_dict") or {}, own)
        self.parameter_names: list[str] = []
        self.default_parameters: list[Any] = []

    def _checked_type(self, dtype: Any) -> DType:
        check.instance(self, "dtype", dtype, DType)
        if not (dtype.is_floating or (self._types == "number" and dtype.kind in "iu")):
            raise check.fail(TypeError, self, "dtype", f"a {self._types} type", dtype)
        return dtype

    # ------------------------------------------------------------------ parameters

    def _add_parameter(self, value: Any, name: str) -> Any:
        """Make a parameter of the distribution; what a subclass keeps it as an attribute."""
        value = arguments.as_parameter(self, name, value, self.parameter_type)
        self.parameter_names.append(name)
        self.default_parameters.append(value)
        return value

    def _own(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The parameters of a call: those given, else those of the construction, as tensors."""
        names = self.parameter_names
        if len(args) > len(names):
            raise TypeError(f"For '{self.name}', there are {len(names)} parameters {names}, but got {len(args)}.")
        given = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            name = self._spellings.get(key, key)
            if name not in names or name in given:
                raise TypeError(f"For '{self.name}', the parameters are {names}, but got "
                                f"'{key}'{' twice' if name in given else ''}.")
            given[name] = value
        return [self._one(name, given.get(name), default)
                for name, default in zip(names, self.default_parameters, strict=True)]

    def _one(self, name: str, given: Any, default: Any) -> Any:
        if given is None:
            if default is None:
                raise TypeError(f"For '{self.name}', the '{name}' must be a Tensor, but it was given neither at "
                                "construction nor at the call.")
            return default
        return arguments.cast(arguments.checked_tensor(self, name, given), self.parameter_type)

    def _check_param_type(self, *args: Any) -> Any:
        """Parameters of a call completed by those of the construction; for formulas of subclasses."""
        found = tuple(self._own(args, {}))
        return found[0] if len(found) == 1 else found

    def _check_value(self, value: Any, name: str) -> Any:
        """A tensor, or the error for what is none; for formulas of subclasses."""
        return arguments.checked_tensor(self, name, value)

    def _split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        """The parameters of the other distribution, and the own ones."""
        names = self.parameter_names
        other, rest, own = list(args[:len(names)]), args[len(names):], {}
        named = {f"{name}_b": name for name in names}
        named |= {f"{key}_b": name for key, name in self._spellings.items()}
        given = dict(zip(names, other, strict=False))
        for key, value in kwargs.items():
            if key in named:
                given[named[key]] = value
            else:
                own[key] = value
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"For '{self.name}', the parameters of the other distribution must be given; there is "
                            f"no '{missing[0]}_b'.")
        found = [arguments.cast(arguments.checked_tensor(self, f"{n}_b", given[n]), self.parameter_type)
                 for n in names]
        return found, self._own(rest, own)

    # ------------------------------------------------------------------ properties

    @property
    def name(self) -> str:
        """The name that messages use."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The element type of samples."""
        return self._dtype

    @property
    def seed(self) -> int:
        """The seed of samples; 0 takes the generator that `set_seed` seeds."""
        return self._seed

    def reseeded(self, seed: int) -> Distribution:
        """A distribution with the same parameters that draws samples with another seed."""
        twin = copy.copy(self)
        twin._seed = check.non_negative_int(self, "seed", seed)
        return twin

    @property
    def parameters(self) -> dict[str, Any]:
        """What the distribution was made with."""
        return self._parameters_given

    @property
    def parameter_type(self) -> DType:
        """The element type of the parameters and of all results but samples."""
        return self._parameter_type

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The shape that the parameters have together; None if one is not given."""
        return arguments.common_shape(self, self.default_parameters)

    @property
    def broadcast_shape(self) -> tuple[int, ...] | None:
        """The shape of one sample; None if a parameter is not given."""
        return self.batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether no parameter has an axis."""
        return not self.broadcast_shape

    # ------------------------------------------------------------------ questions

    def _ask(self, name: str, first: tuple[Any, ...], own: Any) -> Any:
        formula = getattr(self, f"_{name}", None)
        return NotImplemented if formula is None else formula(*first, *own)

    def _missing(self, name: str) -> NotImplementedError:
        return NotImplementedError(f"{name} is not implemented for {self.name} distribution.")

    def _of_value(self, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
        value = arguments.cast(arguments.checked_tensor(self, "value", value), self.parameter_type)
        return value, self._own(args, kwargs)

    def _either(self, question: str, value: Any, own: list[Any]) -> Any:
        """A question on a value, answered by its own formula or by that of its logarithm or exponential."""
        other, turn = _PAIRS[question]
        found = self._ask(question, (value,), own)
        if found is NotImplemented:
            found = self._ask(other, (value,), own)
            return found if found is NotImplemented else turn(found)
        return found

    def _answer(self, question: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        value, own = self._of_value(value, args, kwargs)
        found = self._either(question, value, own)
        if found is not NotImplemented:
            return found
        if question in ("survival_function", "log_survival"):
            found = self._either("cdf", value, own)
            if found is not NotImplemented:
                return 1 - found if question == "survival_function" else ops.log1p(-found)
        raise self._missing(question)

    def prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The density, or for discrete distributions the probability, at `value`."""
        return self._answer("prob", value, args, kwargs)

    def log_prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of `prob`."""
        return self._answer("log_prob", value, args, kwargs)

    def cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of a result of at most `value`."""
        return self._answer("cdf", value, args, kwargs)

    def log_cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of `cdf`."""
        return self._answer("log_cdf", value, args, kwargs)

    def survival_function(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The probability of a result greater than `value`."""
        return self._answer("survival_function", value, args, kwargs)

    def log_survival(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The logarithm of `survival_function`."""
        return self._answer("log_survival", value, args, kwargs)

    def _moment(self, question: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        found = self._ask(question, (), self._own(args, kwargs))
        if found is NotImplemented:
            raise self._missing(question)
        return found

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """The expectation."""
        return self._moment("mean", args, kwargs)

    def mode(self, *args: Any, **kwargs: Any) -> Any:
        """Where the density or the probability is largest."""
        return self._moment("mode", args, kwargs)

    def sd(self, *args: Any, **kwargs: Any) -> Any:
        """The standard deviation."""
        own = self._own(args, kwargs)
        found = self._ask("sd", (), own)
        if found is not NotImplemented:
            return found
        found = self._ask("var", (), own)
        if found is NotImplemented:
            raise self._missing("sd")
        return ops.sqrt(found)

    def var(self, *args: Any, **kwargs: Any) -> Any:
        """The variance."""
        own = self._own(args, kwargs)
        found = self._ask("var", (), own)
        if found is not NotImplemented:
            return found
        found = self._ask("sd", (), own)
        if found is NotImplemented:
            raise self._missing("var")
        return found * found

    def entropy(self, *args: Any, **kwargs: Any) -> Any:
        """The entropy, in nats."""
        return self._moment("entropy", args, kwargs)

    def kl_loss(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The divergence KL(self || other), in nats; first come the parameters of the other distribution."""
        other, own = self._against(dist, args, kwargs)
        found = self._ask("kl_loss", (dist, *other), own)
        if found is NotImplemented:
            raise self._missing("kl_loss")
        return found

    def cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Any:
        """The cross entropy -E[log other(x)] = entropy + KL(self || other), in nats."""
        other, own = self._against(dist, args, kwargs)
        found = self._ask("cross_entropy", (dist, *other), own)
        if found is not NotImplemented:
            return found
        apart, entropy = self._ask("kl_loss", (dist, *other), own), self._ask("entropy", (), own)
        if apart is NotImplemented or entropy is NotImplemented:
            raise self._missing("cross_entropy")
        return entropy + apart

    def _against(self, dist: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        check.string(self, "dist", dist)
        if self._checks_names and dist != self.get_dist_type():
            raise ValueError(f"For '{self.name}', the 'dist' must be '{self.get_dist_type()}', but got '{dist}'.")
        return self._split(args, kwargs)

    def sample(self, *args: Any, **kwargs: Any) -> Any:
        """Samples of the shape `shape` (default: ()) followed by the shape of the parameters."""
        kwargs = dict(kwargs)
        shape = args[0] if args else kwargs.pop("shape", ())
        if not isinstance(shape, tuple):
            raise TypeError(f"For '{self.name}', the 'shape' must be a tuple, but got {type(shape).__name__}.")
        found = self._ask("sample", (shape,), self._own(args[1:], kwargs))
        if found is NotImplemented:
            raise self._missing("sample")
        return arguments.cast(found, self.dtype) if is_tensor(found) else found

    def get_dist_args(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The parameters that a call with these arguments would use, in order."""
        return tuple(self._own(args, kwargs))

    def get_dist_type(self) -> str:
        """The name of the distribution, as `kl_loss` and `cross_entropy` take it."""
        named = getattr(self, "_get_dist_type", None)
        return type(self).__name__ if named is None else named()

    def construct(self, name, *args, **kwargs):
        """The answer to a question by its name, such as `dist("prob", value)`.

        Raises:
            NotImplementedError: If there is no question of that name, or the distribution has no answer.
        """
        if name not in QUESTIONS:
            raise self._missing(name)
        return getattr(self, name)(*args, **kwargs)


_PAIRS = {"prob": ("log_prob", ops.exp), "log_prob": ("prob", ops.log), "cdf": ("log_cdf", ops.exp),
          "log_cdf": ("cdf", ops.log), "survival_function": ("log_survival", ops.exp),
          "log_survival": ("survival_function", ops.log)}
