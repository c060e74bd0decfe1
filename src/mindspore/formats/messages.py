"""Protocol-buffer messages described by tables: the classes are made when they are first wanted.

A table has a row for each message, and in it a column for each field: its name, number and type. A type is "string",
"bytes", "bool", "double", "float", "int32", "int64", "uint32", "uint64" or the name of another message of the table;
in a list it is repeated, and `{"string": "int64"}` is a map from the one to the other. Fields of which a message has
one at a time share a third word, the name of the choice. Messages of the older language ("proto2") store every field
that was given, zeros too; there, types may be "required double" and ["packed float"].
"""
from __future__ import annotations

import functools
from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

Table = Mapping[str, Mapping[str, tuple[Any, ...]]]


class Messages:
    """The classes of a table, as attributes.

    Args:
        package: Name of the package that the messages belong to.
        table: The messages and their fields.
        language: "proto3" or "proto2".

    Examples:
        >>> from mindspore.formats.messages import Messages
        >>> made = Messages("doc", {"Point": {"name": (1, "string"), "at": (2, ["int64"])}})
        >>> made.Point(name="a", at=[3, 4]).SerializeToString()
        b'\\n\\x01a\\x12\\x02\\x03\\x04'
    """

    def __init__(self, package: str, table: Table, language: str = "proto3"):
        self._package, self._table, self._language = package, table, language

    def __getattr__(self, name: str) -> Any:
        if name not in self._table:
            raise AttributeError(f"the messages of '{self._package}' have no '{name}'")
        vars(self).update(self._classes)
        return vars(self)[name]

    @functools.cached_property
    def _classes(self) -> dict[str, Any]:
        # loaded by need: few programs read such files, and the library takes as long to load as NumPy does
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

        file = descriptor_pb2.FileDescriptorProto(name=f"{self._package}.table", package=self._package,
                                                  syntax=self._language)
        for name, columns in self._table.items():
            _describe(file.message_type.add(name=name), self._package, columns)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        made: dict[str, Any] = {
            name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{self._package}.{name}"))
            for name in self._table}
        for name, columns in self._table.items():       # the library's own cannot be read
            made[name].__signature__ = Signature([Parameter(field, Parameter.KEYWORD_ONLY, default=None)
                                                  for field in columns] + [Parameter("fields", Parameter.VAR_KEYWORD)])
        return made


def _describe(message: Any, package: str, columns: Mapping[str, tuple[Any, ...]]) -> None:
    """Enter the columns of a row into the library's description of a message."""
    choices: list[str] = []
    for name, (number, kind, *choice) in columns.items():
        field = message.field.add(name=name, number=number)
        if isinstance(kind, dict):
            (key, value), = kind.items()
            entry = message.nested_type.add(name=name.title().replace("_", "") + "Entry")
            entry.options.map_entry = True
            _describe(entry, package, {"key": (1, key), "value": (2, value)})
            kind = [f"{message.name}.{entry.name}"]
        repeated = isinstance(kind, list)
        *mark, kind = str(kind[0] if repeated else kind).split()
        field.label = (field.LABEL_REPEATED if repeated else
                       field.LABEL_REQUIRED if "required" in mark else field.LABEL_OPTIONAL)
        if "packed" in mark:
            field.options.packed = True
        if kind.islower():
            field.type = getattr(field, f"TYPE_{kind.upper()}")
        else:
            field.type, field.type_name = field.TYPE_MESSAGE, f".{package}.{kind}"
        for one in choice:
            if one not in choices:
                choices.append(one)
                message.oneof_decl.add(name=one)
            field.oneof_index = choices.index(one)
