"""Sources that say what they take as the text of a signature: one constructor for all of them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any, ClassVar

from mindspore.dataset import checked as check
from mindspore.dataset._given import Recorded
from mindspore.dataset.sampler_base import Shuffle

SHARDS = "num_shards=None, shard_id=None"
ORDER = f"sampler=None, {SHARDS}"
ROWS = f"num_samples=None, num_parallel_workers=None, shuffle=None, {ORDER}, cache=None"
IMAGES = (
    f"num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, {ORDER}, cache=None"
)
OPTIONAL_IMAGES = IMAGES.replace("decode=False", "decode=None")
TEXT = f"num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, {SHARDS}, cache=None"
TEXT_WORKERS_LAST = (
    f"num_samples=None, shuffle=Shuffle.GLOBAL, {SHARDS}, num_parallel_workers=None, cache=None"
)

# what every source passes on to its base, which checks it
_OF_ROWS = {name.strip().partition("=")[0] for name in ROWS.split(",")}


class Taking(Recorded):
    """Base, before a kind of source, of sources that name their arguments as `takes`, the text of a signature.

    Arguments become attributes once they are checked: those with `options` must be one of these (None means the first),
    others are checked by their name.
    """

    options: ClassVar[dict[str, tuple[Any, ...]]] = {}
    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls, takes: str | None = None, **more: Any):
        if takes is not None:
            cls.__signature__ = signature_of(takes)
        super().__init_subclass__(**more)

    def __init__(self, *args: Any, **kwargs: Any):
        try:
            bound = type(self).__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"For '{type(self).__name__}', {error}.") from None
        bound.apply_defaults()
        self.arguments: dict[str, Any] = dict(bound.arguments)
        for name, value in self.arguments.items():
            if name not in _OF_ROWS and not callable(getattr(type(self), name, None)):
                setattr(self, name, self._checked(name, value))
        self.verify()
        self._begin(**{n: v for n, v in self.arguments.items() if n in _OF_ROWS})

    def _begin(self, **of_rows: Any) -> None:
        """Make what is below a source."""
        super().__init__(**of_rows)

    def _checked(self, name: str, value: Any) -> Any:
        if name not in self.options:
            return _CHECKS[name](self, name, value) if name in _CHECKS else value
        options = self.options[name]
        if value is None:
            return options[0]
        return check.option(
            self, name, check.instance(self, name, value, type(options[0])), options
        )

    def verify(self) -> None:
        """Check what the common checks do not know; a subclass adds to it."""


def signature_of(text: str) -> inspect.Signature:
    """The signature that a text such as 'folder, usage=None' means; defaults are literals or orders of `Shuffle`."""
    (made,) = ast.parse(f"def f({text}): pass").body
    assert isinstance(made, ast.FunctionDef)
    args = made.args
    bare = len(args.args) - len(args.defaults)
    defaults = [inspect.Parameter.empty] * bare + [_default(d) for d in args.defaults]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(arg.arg, kind, default=default)
            for arg, default in zip(args.args, defaults, strict=True)
        ]
    )


def _default(node: ast.expr) -> Any:
    return Shuffle[node.attr] if isinstance(node, ast.Attribute) else ast.literal_eval(node)


def _flag(owner: Any, name: str, value: Any) -> bool:
    return False if value is None else check.boolean(owner, name, value)


def _class_indexing(owner: Any, name: str, value: Any) -> dict[str, int] | None:
    check.optional(check.instance, owner, name, value, dict)
    for key, label in (value or {}).items():
        check.string(owner, name, key)
        check.integer(owner, name, label)
    return value


def _names(owner: Any, name: str, value: Any) -> list[str] | None:
    if value is not None:
        for item in check.instance(owner, name, value, list):
            check.string(owner, name, item)
    return value or None


def _callable(owner: Any, name: str, value: Any) -> Any:
    return check.optional(check.callable_, owner, name, value)


_CHECKS: dict[str, Callable[..., Any]] = {
    "dataset_dir": check.folder,
    "annotation_file": check.file,
    "dataset_file": check.file,
    "decode": _flag,
    "extra_metadata": _flag,
    "decrypt": _callable,
    "extensions": _names,
    "class_indexing": _class_indexing,
}
