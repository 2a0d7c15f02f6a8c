"""Requests and responses, with retries. The only file that uses httpx's client."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from typing import Any, TypeVar

import anyio
import httpx
from pydantic import ValidationError

from .._adapters import adapter_of, with_etag
from .._call import Call, query_of
from .._errors import (
    ServiceConnectionError,
    ServiceError,
    ServiceTimeoutError,
    error_of,
    unreadable,
)
from .._files import open_file
from .._options import Options
from .._retry import RetryPolicy
from .._version import VERSION
from .download import AsyncDownload

T = TypeVar("T")
_MAX_HOLD_SECONDS = 60
_HEARTBEAT_SECONDS = 20
"""Silences that are longer than this allow every hold."""


class AsyncTransport:
    def __init__(self, options: Options, http_client: httpx.AsyncClient | None = None) -> None:
        self._timeout_seconds = options.timeout_seconds
        self._retry = RetryPolicy(options.max_retries)
        self._base_url = options.base_url
        self._headers = {"authorization": f"Bearer {options.api_key}", "user-agent": f"trapline-python/{VERSION}"}
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient(verify=options.verify_ssl, follow_redirects=False)

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    @property
    def hold_seconds(self) -> int:
        """
        Maximum time for which a response may be held. The service sends data every 15 s; the time-out must not be
        shorter.
        """
        timeout = self._timeout_seconds
        return _MAX_HOLD_SECONDS if timeout > _HEARTBEAT_SECONDS else max(0, math.floor(timeout) - 2)

    async def json(self, call: Call, kind: type[T]) -> T:
        """Returns the body of the response as `kind`."""
        response = await self._exchange(call, stream=False)
        try:
            return with_etag(adapter_of(kind).validate_json(response.content), response.headers.get("etag"))
        except ValidationError as cause:
            error = unreadable(response, str(cause.errors(include_input=False, include_url=False)))
            if call.repeatable == "by-key":
                error.about_key(call.idempotency_key)
            raise error from cause

    async def nothing(self, call: Call) -> None:
        """Returns when the request has succeeded; ignores the body."""
        await self._exchange(call, stream=False)

    @asynccontextmanager
    async def download(self, call: Call) -> AsyncGenerator[AsyncDownload, None]:
        """Streams the body of the response."""
        response = await self._exchange(call, stream=True)
        try:
            yield AsyncDownload(response, self._timeout_seconds)
        finally:
            await response.aclose()

    async def _exchange(self, call: Call, *, stream: bool) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._attempt(call, stream=stream)
            except ServiceError as error:
                delay = self._retry.delay(call.can_repeat, attempt, error)
                if delay is None:
                    if call.repeatable == "by-key":
                        error.about_key(call.idempotency_key)
                    raise
            await anyio.sleep(delay)

    async def _attempt(self, call: Call, *, stream: bool) -> httpx.Response:
        # Files are opened again for every attempt, and closed afterwards.
        with ExitStack() as opened:
            try:
                response = await self._http.send(self._request(call, opened), stream=True, follow_redirects=False)
                if stream and response.is_success:
                    return response
                try:
                    await response.aread()
                finally:
                    await response.aclose()
            except httpx.TimeoutException as cause:
                raise ServiceTimeoutError(f"the service was silent for {self._timeout_seconds:g} s") from cause
            except (httpx.TransportError, httpx.DecodingError) as cause:
                reason = f"{cause}" or type(cause).__name__
                raise ServiceConnectionError(f"cannot reach {self._base_url}, or the connection broke: {reason}") from cause
        if response.is_success:
            return response
        raise error_of(response)

    def _request(self, call: Call, opened: ExitStack) -> httpx.Request:
        headers = {**self._headers, "accept": "application/json, */*"}
        if call.if_match is not None:
            headers["if-match"] = call.if_match
        if call.method == "POST":
            headers["idempotency-key"] = call.idempotency_key
        body: dict[str, Any] = {}
        if call.form is not None:
            # The same bytes for every attempt, including the boundary: the service compares the bodies of requests with the same key.
            headers["content-type"] = f"multipart/form-data; boundary={call.idempotency_key}"
            body = {
                "data": dict(call.form.fields),
                "files": {name: open_file(source, opened) for name, source in call.form.files.items()},
            }
        elif call.lines is not None:
            headers["content-type"] = "application/x-ndjson"
            body = {"content": call.lines}
        elif call.json is not None:
            body = {"json": call.json}
        url = self._base_url + call.path
        return self._http.build_request(call.method, url, params=query_of(call.query), headers=headers, timeout=self._timeout_seconds, **body)

