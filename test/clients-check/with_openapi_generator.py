"""Calls the routes through a Python client of openapi-generator. Arguments: the folder above the package, the URL and the key."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

import scenario

PACKAGE = "trapline_api"


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.generated = importlib.import_module(PACKAGE)
        configuration = self.generated.Configuration(host=url, api_key={"key": key})
        self.client = self.generated.ApiClient(configuration)

    def call(self, tag: str, operation: str, *, body: tuple[str, Any] | None = None, **parameters: Any) -> Any:
        api = getattr(self.generated, f"{tag.title().replace(' ', '')}Api")(self.client)
        if body is not None:
            name, value = body
            argument = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
            parameters[argument] = getattr(self.generated, name).from_dict(value)
        # Raises for a status other than 2xx, and for a response that is not of the described type.
        data = getattr(api, f"{operation}_with_http_info")(**parameters).data
        return None if data is None else self.client.sanitize_for_serialization(data)


if __name__ == "__main__":
    folder, url, key = sys.argv[1:]
    sys.path.insert(0, folder)
    scenario.run(Client(url, key))
