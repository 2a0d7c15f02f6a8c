"""Calls the routes through a client of openapi-python-client. Arguments: the folder above the package, the URL and the key."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import scenario

PACKAGE = "trapline_client"


class Client:
    def __init__(self, url: str, key: str) -> None:
        generated = importlib.import_module(PACKAGE)
        self.models = importlib.import_module(f"{PACKAGE}.models")
        self.client = generated.Client(base_url=url, headers={"x-api-key": key}, raise_on_unexpected_status=True)

    def call(self, tag: str, operation: str, *, body: tuple[str, Any] | None = None, **parameters: Any) -> Any:
        module = importlib.import_module(f"{PACKAGE}.api.{tag.replace(' ', '_')}.{operation}")
        if body is not None:
            name, value = body
            parameters["body"] = getattr(self.models, name).from_dict(value)
        response = module.sync_detailed(client=self.client, **parameters)
        if not 200 <= response.status_code < 300:
            raise RuntimeError(f"status {response.status_code}: {response.content!r}")
        return None if response.parsed is None else response.parsed.to_dict()


if __name__ == "__main__":
    folder, url, key = sys.argv[1:]
    sys.path.insert(0, folder)
    scenario.run(Client(url, key))
