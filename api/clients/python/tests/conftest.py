"""The suite runs against a real server, which the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast

import httpx
import pytest

from trapline import Client, CreateAgentResponse

URL = os.environ["TRAPLINE_TEST_URL"]
KEY = os.environ["TRAPLINE_TEST_KEY"]
READER_KEY = os.environ["TRAPLINE_TEST_READER_KEY"]
"""May read workflows, and nothing else."""
RUNNER_KEY = os.environ["TRAPLINE_TEST_RUNNER_KEY"]
"""May read and run workflows."""
ADDRESS_LIMIT = int(os.environ["TRAPLINE_TEST_ADDRESS_LIMIT"])
"""Requests of one address in a minute."""
FAULTY_URL = os.environ["TRAPLINE_TEST_FAULTY_URL"]
"""The same server behind a relay that lets things go wrong."""
AGENT_SCRIPT = os.environ["TRAPLINE_TEST_AGENT_SCRIPT"]


class Faults:
    """What goes wrong on the way through the relay."""

    def fail(self, *faults: dict[str, Any]) -> None:
        """The next requests go wrong, in turn."""
        self.seen()
        httpx.post(f"{FAULTY_URL}/-/faults", json=faults).raise_for_status()

    def seen(self) -> list[dict[str, Any]]:
        """Requests since the last call."""
        return cast("list[dict[str, Any]]", httpx.get(f"{FAULTY_URL}/-/seen").json())


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(KEY, base_url=URL) as made:
        yield made


@pytest.fixture
def faulty() -> Iterator[Client]:
    """A client whose requests go through the relay."""
    with Client(KEY, base_url=FAULTY_URL) as made:
        yield made


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture(scope="session")
def agent() -> CreateAgentResponse:
    """An agent that writes what it was given to a file and answers with it."""
    with Client(KEY, base_url=URL) as made:
        created = made.agents.create(name="Python's own", slug="python-own", config={"runtime": "script"})
        made.agents.put_file(created.agent.id, "agent.js", AGENT_SCRIPT)
        return created


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
