"""Regular expressions in the syntax of ICU, for the module `regex`.

Syntax: https://unicode-org.github.io/icu/userguide/strings/regexp.html. `regex` shares most of it;
rewritten here are escapes such as `\\x{...}` and `\\Q...\\E`, what `\\w`, `\\b` and named classes stand for,
and braces that are no repetition, which are errors.
"""

from __future__ import annotations

import functools
from typing import Any

import regex

from mindspore.dataset.errors import PipelineError

_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200C\u200D"
_ENDS = r"\n\x0B\x0C\r\x85\u2028\u2029"
_CLASSES = {  # what may stand within and outside of brackets
    "w": _WORD,
    "h": r"\t\p{Zs}",
    "v": _ENDS,
    "s": r"\p{White_Space}",
}
_MARK = r"[\p{M}\p{Cf}]"  # belongs to the character before it
_AFTER_WORD = f"[{_WORD}--{_MARK}]{_MARK}*"
_BOUNDARY = f"(?!{_MARK})(?:(?<={_AFTER_WORD})(?![{_WORD}])|(?<!{_AFTER_WORD})(?=[{_WORD}]))"
_OUTSIDE = {
    "b": _BOUNDARY,
    "B": f"(?!{_BOUNDARY})",
    "R": rf"(?>\r\n|[{_ENDS}])",
    "Z": rf"(?=(?:\r\n|[{_ENDS}])?\Z)",
    "z": r"\Z",
}
_NAMED = {  # of all scripts, and without symbols among the punctuation
    "[:punct:]": r"\p{P}",
    "[:^punct:]": r"\P{P}",
    "[:digit:]": r"\p{Nd}",
    "[:^digit:]": r"\P{Nd}",
    "[:alnum:]": r"\p{Alphabetic}\p{Nd}",
    "[:^alnum:]": r"[^\p{Alphabetic}\p{Nd}]",
    "[:xdigit:]": r"\p{Hex_Digit}\p{Nd}",
    "[:^xdigit:]": r"[^\p{Hex_Digit}\p{Nd}]",
}
_CONTROLS = {"a": r"\x07", "e": r"\x1B", "f": r"\x0C", "n": r"\n", "r": r"\r", "t": r"\t"}
_MULTILINE = regex.compile(r"\(\?[a-z]*m")
_REPETITION = regex.compile(r"\{\d+(?:,\d*)?\}")
_HEX = regex.compile(
    r"x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})"
)
_OCTAL = regex.compile(r"0([0-7]{1,3})")
_PROPERTY = regex.compile(r"[pP]\{[^}]*\}|[pP][A-Z]")


class SyntaxProblem(ValueError):
    """A pattern that is not one."""


class _Rewriting:
    """One pass over a pattern."""

    def __init__(self, pattern: str):
        self.pattern, self.place, self.depth = pattern, 0, 0
        # a line begins after the end of another one, unless the text ends there
        self.line_begin = r"(?:^(?!(?<=[\s\S])\Z))" if _MULTILINE.search(pattern) else "^"
        self.parts: list[str] = []

    def result(self) -> str:
        while self.place < len(self.pattern):
            character = self.pattern[self.place]
            if character == "\\":
                self._escape()
            elif self.depth:
                self._in_brackets(character)
            else:
                self._outside(character)
        return "".join(self.parts)

    def _add(self, text: str, length: int) -> None:
        self.parts.append(text)
        self.place += length

    def _outside(self, character: str) -> None:
        if character == "[":
            self._open()
        elif character == "{":
            found = _REPETITION.match(self.pattern, self.place)
            if not found:
                raise SyntaxProblem(f"'{{' at {self.place} begins no repetition")
            self._add(found[0], len(found[0]))
        elif character == "}":
            raise SyntaxProblem(f"'}}' at {self.place} ends nothing")
        elif character == "^":
            self._add(self.line_begin, 1)
        elif self.pattern.startswith("(?P", self.place):
            raise SyntaxProblem(
                f"'(?P' at {self.place} is not known; a named group is '(?<name>...)'"
            )
        else:
            self._add(character, 1)

    def _open(self) -> None:
        if self.depth and self.pattern.startswith("[:", self.place):
            end = self.pattern.find(":]", self.place)
            if end > 0:
                named = self.pattern[self.place : end + 2]
                self._add(_NAMED.get(named, named), len(named))
                return
        self.depth += 1
        self._add("[", 1)
        if self.pattern.startswith("^", self.place):
            self._add("^", 1)
        if self.pattern.startswith("]", self.place):
            self._add(r"\]", 1)

    def _in_brackets(self, character: str) -> None:
        if character == "[":
            self._open()
        elif character == "]":
            self.depth -= 1
            self._add("]", 1)
        elif character in "|~" and self.pattern.startswith(character * 2, self.place):
            self._add("\\" + character, 1)  # an operation on sets for `regex` only
        else:
            self._add(character, 1)

    def _escape(self) -> None:
        rest = self.place + 1
        if rest == len(self.pattern):
            raise SyntaxProblem("a backslash ends the pattern")
        letter = self.pattern[rest]
        if letter == "Q":
            end = self.pattern.find("\\E", rest)
            end = len(self.pattern) if end < 0 else end
            self._add(regex.escape(self.pattern[rest + 1 : end]), end + 2 - self.place)
        elif found := _HEX.match(self.pattern, rest) or _OCTAL.match(self.pattern, rest):
            digits = next(group for group in found.groups() if group)
            code = int(digits, 8 if letter == "0" else 16)
            if code > 0x10FFFF:
                raise SyntaxProblem(f"{code:#x} is not a character")
            self._add(f"\\U{code:08X}", 1 + len(found[0]))
        elif letter in "pP":
            self._property(rest)
        elif letter == "c" and rest + 1 < len(self.pattern):
            self._add(f"\\x{ord(self.pattern[rest + 1]) & 0x1F:02X}", 3)
        elif letter == "k" and self.pattern.startswith("<", rest + 1):
            end = self.pattern.find(">", rest)
            self._add(f"(?P={self.pattern[rest + 2 : end]})", end + 1 - self.place)
        else:
            self._add(self._letter(letter), 2)

    def _property(self, rest: int) -> None:
        found = _PROPERTY.match(self.pattern, rest)
        if not found:
            raise SyntaxProblem(f"a property is expected after the backslash at {self.place}")
        self._add("\\" + found[0], 1 + len(found[0]))

    def _letter(self, letter: str) -> str:
        small = letter.lower()
        if small in _CLASSES:
            negated = letter != small
            if self.depth and not negated:
                return _CLASSES[small]
            return f"[^{_CLASSES[small]}]" if negated else f"[{_CLASSES[small]}]"
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in "dD":
            return "\\" + letter
        if not self.depth and letter in _OUTSIDE:
            return _OUTSIDE[letter]
        if not self.depth and (letter in "AGNX" or letter.isdigit()):
            return "\\" + letter
        return regex.escape(letter, special_only=False) if letter.isascii() else letter


@functools.lru_cache(256)
def _compiled(pattern: str) -> Any:
    return regex.compile(_Rewriting(pattern).result(), regex.V1 | regex.WORD)


def compiled(owner: Any, name: str, pattern: str) -> Any:
    """The pattern, compiled.

    Raises:
        PipelineError: It is not a regular expression.
    """
    try:
        return _compiled(pattern)
    except (SyntaxProblem, regex.error) as error:
        raise PipelineError(
            f"For '{type(owner).__name__}', the '{name}' must be a regular expression in the syntax of ICU, but "
            f"got {pattern!r}: {error}."
        ) from None


def template(owner: Any, pattern: Any, replacement: str) -> str:
    """A replacement such as '$1-${name}' in the syntax of `regex`.

    Raises:
        PipelineError: It names a group that the pattern lacks.
    """
    parts: list[str] = []
    place = 0
    while place < len(replacement):
        character = replacement[place]
        place += 1
        if character == "\\":
            found = _HEX.match(replacement, place)
            if found and found[0][0] in "uU":
                parts.append(_literal(chr(int(found[0][1:], 16))))
                place += len(found[0])
            else:
                parts.append(_literal(replacement[place : place + 1]))
                place += 1
        elif character == "$":
            group, place = _group(owner, pattern, replacement, place)
            parts.append(f"\\g<{group}>")
        else:
            parts.append(_literal(character))
    return "".join(parts)


def _literal(text: str) -> str:
    return "\\\\" if text == "\\" else text


def _group(owner: Any, pattern: Any, replacement: str, place: int) -> tuple[int, int]:
    """Number of the group that is named after a '$', and where the name ends."""
    if replacement.startswith("{", place):
        end = replacement.find("}", place)
        number = pattern.groupindex.get(replacement[place + 1 : end])
        if end > 0 and number is not None:
            return number, end + 1
    digits = 0
    while replacement[place + digits : place + digits + 1].isdecimal():
        digits += 1
        if int(replacement[place : place + digits]) > pattern.groups:
            digits -= 1
            break
    if not digits:
        raise PipelineError(
            f"For '{type(owner).__name__}', the 'replace' {replacement!r} names a group that the pattern lacks. "
            "Write '\\$' for a dollar sign."
        )
    return int(replacement[place : place + digits]), place + digits
