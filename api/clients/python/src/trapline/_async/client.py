"""The client itself."""

from __future__ import annotations

from types import TracebackType

from typing_extensions import Self

from .._options import resolve_options
from .agents import AsyncAgents
from .detection_service import AsyncDetections, AsyncEvents, AsyncRules
from .executions import AsyncExecutions, AsyncSecrets
from .transport import AsyncTransport
from .worker_tasks import AsyncWorkerTasks
from .workflows import AsyncWorkflows


class AsyncClient:
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

    agents: AsyncAgents
    workflows: AsyncWorkflows
    executions: AsyncExecutions
    secrets: AsyncSecrets
    events: AsyncEvents
    detections: AsyncDetections
    rules: AsyncRules
    worker_tasks: AsyncWorkerTasks

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
        self._transport = AsyncTransport(options)
        self.agents = AsyncAgents(self._transport)
        self.workflows = AsyncWorkflows(self._transport)
        self.executions = AsyncExecutions(self._transport)
        self.secrets = AsyncSecrets(self._transport)
        self.events = AsyncEvents(self._transport)
        self.detections = AsyncDetections(self._transport)
        self.rules = AsyncRules(self._transport)
        self.worker_tasks = AsyncWorkerTasks(self._transport)

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
