"""One request, before it is sent: it can be sent again."""

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
    """What is asked for. `query` has Python's names and values."""

    method: Method
    path: str
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    json: object = None
    """None: no body. A body that is JSON null is never asked for."""
    form: Form | None = None
    lines: bytes | None = None
    """A body of one JSON object a line."""
    idempotency_key: str = field(default_factory=new_key)
    """Of POSTs: the same for every attempt, so that a second one finds what the first did."""
    repeatable: Literal["by-key", "always"] | None = None
    """
    Of a POST that can be sent again when its answer was lost. `by-key`: the service keeps its idempotency key. `always`: a second one changes
    nothing.
    """

    if_match: str | None = None
    """ETag of what is to be changed: refused when it changed since."""

    @property
    def can_repeat(self) -> bool:
        """Whether the request can be sent again although the first may have been carried out."""
        return self.method in ("GET", "PUT") or self.repeatable is not None


def path_of(*segments: str) -> str:
    """
    A path from its segments, each of which may hold any character (`/` becomes `%2F`).

    Raises:
        ValueError: a segment is empty, `.` or `..`, which would be another path.
    """
    for segment in segments:
        if segment in ("", ".", ".."):
            raise ValueError(f"{segment!r} can't be an id or a name")
    return "".join(f"/{quote(segment, safe='')}" for segment in segments)


def query_of(values: Mapping[str, object]) -> dict[str, str]:
    """A query as it goes over the wire. None values are left out, `from_` is `from`, a mapping `exclude` is `exclude.…`."""
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
    """A JSON body with camelCase names. None values are left out."""
    return {to_camel(name): value for name, value in values.items() if value is not None}


def json_of(values: Mapping[str, object]) -> dict[str, object]:
    """A JSON body with camelCase names. None is JSON's null; what is UNSET is left out; a datetime is its RFC 3339 text."""
    return {
        to_camel(name.rstrip("_")): _time(value) if isinstance(value, datetime) else value
        for name, value in values.items()
        if value is not UNSET
    }


def _time(value: datetime) -> str:
    # One without a zone means the caller's own, as everywhere in Python.
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _time(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(part).replace(",", "\\,") for part in cast("list[object]", value))
    return str(value)
