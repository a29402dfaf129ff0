"""Answers are a stranger's until they are parsed.

Promise: what a type of this package says of a value has been checked, and what is parsed has a bounded number of values, of
bounded digits and depth. The types themselves are the rules: there is no second description that could differ.
"""

from __future__ import annotations

import dataclasses
import json
import re
import types
from collections.abc import Callable
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ._errors import UnexpectedAnswer

T = TypeVar("T")
_Read = Callable[[object], Any]

# A page of 10,000 rows has a sixth of them; 60 MB of brackets would take gigabytes.
MAX_VALUES = 1_000_000
_MAX_DIGITS = 19
# A later service may have words that are not known yet.
_WORD = re.compile(r"[a-z0-9_.-]{0,64}")
_STRING = re.compile(r'"[^"]*"?')


class TooManyValues(ValueError):
    pass


class _Misfit(Exception):
    pass


def parse_json(text: str) -> object:
    """Raises TooManyValues, or ValueError for what is not JSON."""
    _require_few(text)
    try:
        return cast(
            object, json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_constant)
        )
    except RecursionError:
        raise TooManyValues("values nested too deeply") from None


def _require_few(text: str) -> None:
    # Quick, and right for all but addresses full of commas: those are counted without what is in strings.
    if _marks(text) <= MAX_VALUES:
        return
    bare = text.replace("\\\\", "").replace('\\"', "")
    # A value has at most one name.
    if bare.count('"') <= 4 * MAX_VALUES and _marks(_STRING.sub("", bare)) <= MAX_VALUES:
        return
    raise TooManyValues(f"more than {MAX_VALUES} values")


def _marks(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def _integer(digits: str) -> int:
    # Longer ones take quadratic time in older versions of Python.
    if len(digits) > _MAX_DIGITS:
        raise ValueError("a number of too many digits")
    return int(digits)


def _float(digits: str) -> float:
    return float(digits)


def _constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def shaped(kind: type[T], value: object, what: str) -> T:
    """The value as the type it must be, or UnexpectedAnswer. Fields that the type does not have are left alone."""
    try:
        return cast(T, _reader(kind)(value))
    except _Misfit:
        raise UnexpectedAnswer(f"The answer is not {what} of an MXProof service.") from None


_readers: dict[object, _Read] = {}


def _reader(hint: object) -> _Read:
    # Hints such as list[int] are made anew each time they are resolved, and are equal all the same.
    known = _readers.get(hint)
    if known is None:
        known = _readers[hint] = _build(hint)
    return known


def _build(hint: Any) -> _Read:
    origin = get_origin(hint)
    if origin is Union or origin is types.UnionType:
        return _union([_reader(each) for each in get_args(hint)])
    if origin is Literal:
        return _true if get_args(hint) == (True,) else _word
    if origin is list:
        return _list(_reader(get_args(hint)[0]))
    if origin is dict:
        return _dict(_reader(get_args(hint)[1]))
    if dataclasses.is_dataclass(hint):
        return _object(hint)
    return _PLAIN[hint]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise _Misfit


def _number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _Misfit


def _share(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise _Misfit


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _Misfit


def _true(value: object) -> bool:
    if value is True:
        return True
    raise _Misfit


def _word(value: object) -> str:
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    raise _Misfit


def _nothing(value: object) -> None:
    if value is not None:
        raise _Misfit


_PLAIN: dict[object, _Read] = {str: _text, int: _number, float: _share, bool: _flag, type(None): _nothing}


def _union(readers: list[_Read]) -> _Read:
    def read(value: object) -> object:
        for reader in readers:
            try:
                return cast(object, reader(value))
            except _Misfit:
                continue
        raise _Misfit

    return read


def _list(item: _Read) -> _Read:
    def read(value: object) -> list[object]:
        if not isinstance(value, list):
            raise _Misfit
        return [item(each) for each in value]

    return read


def _dict(item: _Read) -> _Read:
    def read(value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise _Misfit
        return {key: item(each) for key, each in value.items()}

    return read


def _object(kind: Any) -> _Read:
    hints = get_type_hints(kind)
    # `from` is a word of Python: its field is `from_`.
    fields = [
        (field.name, field.name.rstrip("_"), _reader(hints[field.name]), field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    ]

    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise _Misfit
        found: dict[str, object] = {}
        for name, key, reader, required in fields:
            if key in value:
                found[name] = reader(value[key])
            elif required:
                raise _Misfit
        return cast(object, kind(**found))

    return read
