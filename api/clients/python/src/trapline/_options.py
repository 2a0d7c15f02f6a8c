"""Options of a client."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass, field

DEFAULT_BASE_URL = "http://127.0.0.1:8080"
"""Where `trapline start` listens."""


@dataclass(frozen=True)
class Options:
    """Effective options. An argument takes precedence over the environment."""

    api_key: str = field(repr=False)
    base_url: str
    timeout_seconds: float
    verify_ssl: bool | ssl.SSLContext
    max_retries: int


def resolve_options(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout_seconds: float,
    verify_ssl: bool | str | ssl.SSLContext,
    max_retries: int,
) -> Options:
    """
    Returns the options with defaults.

    Raises:
        ValueError: there is no key, the URL is not http(s), or a number is invalid.
    """
    key = api_key or os.environ.get("SERVICE_API_KEY")
    if not key:
        raise ValueError("no API key: give api_key, or set SERVICE_API_KEY")
    url = (base_url or os.environ.get("SERVICE_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"base_url: must begin with http:// or https:// (got {url})")
    if timeout_seconds <= 0:
        raise ValueError("timeout_seconds: must be greater than 0")
    if max_retries < 0:
        raise ValueError("max_retries: must be at least 0")
    context = ssl.create_default_context(cafile=verify_ssl) if isinstance(verify_ssl, str) else verify_ssl
    return Options(key, url, timeout_seconds, context, max_retries)
