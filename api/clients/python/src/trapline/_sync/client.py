# Made from _async by tools/make_sync.py: change it there.
"""The client itself."""

from __future__ import annotations

from types import TracebackType

from typing_extensions import Self

from .._options import resolve_options
from .agents import Agents
from .detection_service import Detections, Events, Rules
from .executions import Executions, Secrets
from .transport import Transport
from .worker_tasks import WorkerTasks
from .workflows import Workflows


class Client:
    """
    A client of one Trapline.

    Args:
        api_key: `<keyId>.<secret>`; else the environment's `SERVICE_API_KEY`.
        base_url: where the service is; else the environment's `SERVICE_BASE_URL`, else http://127.0.0.1:8080.
        timeout_seconds: the longest silence of the service during a request.
        verify_ssl: False accepts any certificate: for self-signed hosts of development only.
        max_retries: how often a request is made again after 429 and 5xx, and after a broken connection when it is repeatable.

    Raises:
        ValueError: there is no key, or an option makes no sense.

    Close it when it is no longer needed, or use it in a `with` statement.
    """

    agents: Agents
    workflows: Workflows
    executions: Executions
    secrets: Secrets
    events: Events
    detections: Detections
    rules: Rules
    worker_tasks: WorkerTasks

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        verify_ssl: bool = True,
        max_retries: int = 3,
    ) -> None:
        options = resolve_options(
            api_key=api_key,
            base_url=base_url,
            timeout_seconds=timeout_seconds,
            verify_ssl=verify_ssl,
            max_retries=max_retries,
        )
        self._transport = Transport(options)
        self.agents = Agents(self._transport)
        self.workflows = Workflows(self._transport)
        self.executions = Executions(self._transport)
        self.secrets = Secrets(self._transport)
        self.events = Events(self._transport)
        self.detections = Detections(self._transport)
        self.rules = Rules(self._transport)
        self.worker_tasks = WorkerTasks(self._transport)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
