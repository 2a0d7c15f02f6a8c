"""Files to upload: always streamed, never as base64 in a form."""

from __future__ import annotations

import base64
import io
import mimetypes
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Union, cast

from typing_extensions import TypeAlias

PathLike: TypeAlias = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class FileInput:
    """A file to send, with a custom name or type."""

    content: str | os.PathLike[str] | bytes | IO[bytes]
    """A path, the bytes, or an open binary file (which is read from its start and left open)."""
    filename: str | None = None
    content_type: str | None = None


FileSource: TypeAlias = Union[str, "os.PathLike[str]", bytes, "IO[bytes]", FileInput]
"""A path, the bytes, an open binary file, or a `FileInput`."""

FormFile: TypeAlias = "tuple[str, IO[bytes], str]"
"""File name, content and content type."""

Content: TypeAlias = Union[str, bytes, "os.PathLike[str]"]
"""Text, bytes, or the path of a file."""


def split_input(
    values: Mapping[str, object] | None, files: Mapping[str, FileSource] | None
) -> tuple[dict[str, object], dict[str, FileSource]]:
    """
    Splits an input into scalars and files. Values of `files` are files, and so are values of the input that can only be
    files: a `pathlib.Path`, an open file, a `FileInput`. A plain string stays a string.
    """
    scalars: dict[str, object] = {}
    found: dict[str, FileSource] = dict(files or {})
    for name, value in (values or {}).items():
        if isinstance(value, (FileInput, os.PathLike, io.BufferedIOBase, io.RawIOBase)):
            if name in found:
                raise ValueError(f"{name} is in input and in files")
            found[name] = cast("FileSource", value)
        elif name in found:
            raise ValueError(f"{name} is in input and in files")
        else:
            scalars[name] = value
    return scalars, found


def open_file(source: FileSource, stack: ExitStack) -> FormFile:
    """Opens a file source if necessary. The exit stack closes it."""
    given = source if isinstance(source, FileInput) else FileInput(source)
    content = given.content
    if isinstance(content, bytes):
        stream: IO[bytes] = stack.enter_context(io.BytesIO(content))
        known = "file"
    elif isinstance(content, (str, os.PathLike)):
        stream = stack.enter_context(open(content, "rb"))
        known = Path(content).name
    else:
        stream = content
        if stream.seekable():
            stream.seek(0)
        named = getattr(content, "name", None)
        known = Path(named).name if isinstance(named, str) else "file"
    filename = given.filename or known
    guessed, _ = mimetypes.guess_type(filename)
    return filename, stream, given.content_type or guessed or "application/octet-stream"


def file_body(content: Content, content_type: str | None) -> dict[str, object]:
    """Returns the JSON form of a file: text unchanged, everything else as base64."""
    typed: dict[str, object] = {} if content_type is None else {"contentType": content_type}
    if isinstance(content, str):
        return {"content": content, **typed}
    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    return {"contentBase64": base64.b64encode(data).decode("ascii"), **typed}
