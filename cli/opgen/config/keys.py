"""The keys of a configuration, and their types."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Mapping


class Kind(enum.Enum):
    """The type of a key's value; `value` describes it."""

    text = "a text"
    path = "a path"
    texts = "a text, or a list of texts"
    paths = "a path, or a list of paths"
    number = "a whole number"
    flag = "true or false"
    table = "a table"
    tables = "a list of tables"
    end = "a date, as in 2027-01-31, or a version"


# Keys of the table [build]: options of `opgen build` only. They may also be outside it.
BUILD_KEYS: Mapping[str, Kind] = {
    "build-dir": Kind.path,
    "build-type": Kind.text,
    "cuda-architectures": Kind.text,
    "cpu-capabilities": Kind.text,
    "jobs": Kind.number,
    "launcher": Kind.text,
    "extra": Kind.texts,
}
KEYS: Mapping[str, Kind] = {
    "schemas": Kind.path,
    "tags": Kind.path,
    "derivatives": Kind.path,
    "checks": Kind.path,
    "docs": Kind.path,
    "aten": Kind.path,
    "out": Kind.path,
    "name": Kind.text,
    "version": Kind.text,
    "ops": Kind.texts,
    "kernels": Kind.paths,
    "missing-kernels": Kind.text,
    "extend": Kind.text,
    "backend": Kind.text,
    **BUILD_KEYS,
    "rules": Kind.table,
    "build": Kind.table,
    "breaking": Kind.table,
}
# Keys of the table [breaking].
BREAKING_KEYS: Mapping[str, Kind] = {
    "against": Kind.text,
    "since": Kind.text,
    "for": Kind.texts,
    "strict": Kind.flag,
    "rules": Kind.table,
    "allow": Kind.tables,
}
# Keys of one accepted break; all but the last are required.
ALLOW_KEYS: Mapping[str, Kind] = {
    "rule": Kind.text,
    "item": Kind.text,
    "reason": Kind.text,
    "expires": Kind.end,
}
OPTIONAL = {"expires"}


def fits(kind: Kind, value: object) -> bool:
    if kind in (Kind.texts, Kind.paths) and isinstance(value, list):
        return all(isinstance(item, str) and item for item in value)
    if kind is Kind.table:
        return isinstance(value, dict)
    if kind is Kind.tables:
        return isinstance(value, list) and all(isinstance(item, dict) for item in value)
    if kind is Kind.end and type(value) is datetime.date:
        return True
    if kind is Kind.flag:
        return isinstance(value, bool)
    if kind is Kind.number:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and bool(value) and "\0" not in value
