"""A request, which can be sent more than once."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Literal, cast
from urllib.parse import quote

from pydantic.alias_generators import to_camel

from ._files import FileSource
from ._unset import UNSET

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
_SNAKE = frozenset({"wait_for_completion", "wait_for_reply"})
"""Names of a query that are not camelCase."""


def new_key() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Form:
    """A multipart body: text fields and files."""

    fields: Mapping[str, str]
    files: Mapping[str, FileSource]


@dataclass(frozen=True)
class Call:
    """A request. `query` has Python names and values."""

    method: Method
    path: str
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    json: object = None
    """None: no body. No request has the JSON body null."""
    form: Form | None = None
    lines: bytes | None = None
    """Body with one JSON object per line."""
    idempotency_key: str = field(default_factory=new_key)
    """Idempotency key of a POST: the same for every attempt, so that a retry does not repeat the operation."""
    repeatable: Literal["by-key", "always"] | None = None
    """
    For a POST that can be retried after a lost response. `by-key`: the service stores its idempotency key. `always`: a
    second request changes nothing.
    """

    if_match: str | None = None
    """ETag that the change requires. The service refuses the change if the object has changed."""

    @property
    def can_repeat(self) -> bool:
        """True if the request can be sent again although the first may have been executed."""
        return self.method in ("GET", "PUT") or self.repeatable is not None


def path_of(*segments: str) -> str:
    """
    Joins path segments, each of which may contain any character (`/` becomes `%2F`).

    Raises:
        ValueError: a segment is empty, `.` or `..`, which would change the path.
    """
    for segment in segments:
        if segment in ("", ".", ".."):
            raise ValueError(f"{segment!r} can't be an id or a name")
    return "".join(f"/{quote(segment, safe='')}" for segment in segments)


def query_of(values: Mapping[str, object]) -> dict[str, str]:
    """
    Returns the query parameters on the wire. None values are omitted, `from_` becomes `from`, and a mapping `exclude`
    becomes `exclude.…`.
    """
    query: dict[str, str] = {}
    for name, value in values.items():
        wire_name = name if name in _SNAKE else to_camel(name.rstrip("_"))
        if isinstance(value, Mapping):
            within = query_of(cast("Mapping[str, object]", value))
            query.update({f"{wire_name}.{key}": text for key, text in within.items()})
        elif value is not None:
            query[wire_name] = _text(value)
    return query


def body_of(**values: object) -> dict[str, object]:
    """Returns a JSON body with camelCase names. None values are omitted."""
    return {to_camel(name): value for name, value in values.items() if value is not None}


def json_of(values: Mapping[str, object]) -> dict[str, object]:
    """
    Returns a JSON body with camelCase names. None becomes null, UNSET values are omitted, and a datetime becomes its
    RFC 3339 text.
    """
    return {
        to_camel(name.rstrip("_")): _time(value) if isinstance(value, datetime) else value
        for name, value in values.items()
        if value is not UNSET
    }


def _time(value: datetime) -> str:
    # A datetime without a zone is local time, as everywhere in Python.
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _time(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(part).replace(",", "\\,") for part in cast("list[object]", value))
    return str(value)
