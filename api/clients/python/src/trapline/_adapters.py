"""Parsers of response bodies."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import BaseModel, TypeAdapter

T = TypeVar("T")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}
"""By type: making one takes much longer than using it."""


def adapter_of(kind: type[T]) -> TypeAdapter[T]:
    """Returns a parser of JSON texts of type `kind`. Integers keep all their digits."""
    found = _ADAPTERS.get(kind)
    if found is None:
        found = _ADAPTERS[kind] = TypeAdapter(kind)
    return cast("TypeAdapter[T]", found)


def with_etag(value: T, etag: str | None) -> T:
    """Adds the ETag of the header to the model, if the body does not contain it."""
    if etag is None or not isinstance(value, BaseModel) or getattr(value, "etag", None) is not None:
        return value
    return value.model_copy(update={"etag": etag})
