# Generated from _async by tools/make_sync.py. Change it there.
"""Downloads of files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import httpx

from .._errors import ServiceConnectionError, ServiceTimeoutError


class Download:
    """A file of the service, streamed. Only the present chunk is in memory."""

    def __init__(self, response: httpx.Response, timeout_seconds: float) -> None:
        self._response = response
        self._timeout_seconds = timeout_seconds

    @property
    def content_type(self) -> str:
        return str(self._response.headers.get("content-type", "application/octet-stream"))

    @property
    def size(self) -> int | None:
        """Size in bytes, if the service reports it."""
        length = self._response.headers.get("content-length")
        return None if length is None else int(length)

    @property
    def filename(self) -> str | None:
        """File name from the service, without folders."""
        message = Message()
        message["content-disposition"] = self._response.headers.get("content-disposition", "")
        name = message.get_filename()
        return None if name is None else Path(name.replace("\\", "/")).name

    def iter_bytes(self) -> Iterator[bytes]:
        """
        Yields the content in chunks.

        Raises:
            ServiceTimeoutError, ServiceConnectionError: the transfer ended early.
        """
        try:
            for piece in self._response.iter_bytes():
                yield piece
        except httpx.TimeoutException as cause:
            raise ServiceTimeoutError(f"the service was silent for {self._timeout_seconds:g} s") from cause
        except (httpx.TransportError, httpx.DecodingError) as cause:
            raise ServiceConnectionError(f"the download broke: {cause or type(cause).__name__}") from cause

    def read(self) -> bytes:
        """Returns the whole content."""
        pieces = [piece for piece in self.iter_bytes()]
        return b"".join(pieces)

    def save(self, to: str | os.PathLike[str]) -> Path:
        """
        Writes the content to a file atomically: the file is complete or absent. If `to` is a folder, the file gets its
        name from the service.
        """
        target = Path(to)
        if target.is_dir():
            target = target / (self.filename or "download")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for piece in self.iter_bytes():
                    file.write(piece)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
        return target
