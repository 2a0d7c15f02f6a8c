"""The client."""

from __future__ import annotations

import ssl
from types import TracebackType

import httpx
from typing_extensions import Self

from .._options import resolve_options
from .agents import AsyncAgents
from .approvals import AsyncApprovals
from .cases import AsyncCases
from .detection_service import AsyncDetections, AsyncEvents
from .exceptions import AsyncExceptionRequests, AsyncExceptions
from .fleet import AsyncDeadLetters, AsyncDetectors, AsyncHosts, AsyncProcesses, AsyncRules, AsyncUserRules
from .outputs import AsyncOutputs
from .sharing import AsyncTeams
from .executions import AsyncExecutions, AsyncSecrets
from .transport import AsyncTransport
from .worker_tasks import AsyncWorkerTasks
from .workflows import AsyncWorkflows


class AsyncClient:
    """
    A client of one Trapline service.

    Args:
        api_key: `<keyId>.<secret>`. Default: `SERVICE_API_KEY` of the environment.
        base_url: URL of the service. Default: `SERVICE_BASE_URL` of the environment, otherwise http://127.0.0.1:8080.
        timeout_seconds: maximum time without data from the service during a request.
        verify_ssl: the path of a certificate authority, or an SSLContext. False accepts any certificate: only for
            self-signed development hosts.
        max_retries: maximum number of retries after 429 and 5xx, and after a broken connection if the request is
            repeatable.
        http_client: another httpx client, such as one with a proxy. It ignores `verify_ssl`, and the caller must close
            it.

    Raises:
        ValueError: there is no key, or an option is invalid.

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
    user_rules: AsyncUserRules
    exceptions: AsyncExceptions
    exception_requests: AsyncExceptionRequests
    cases: AsyncCases
    dead_letters: AsyncDeadLetters
    hosts: AsyncHosts
    processes: AsyncProcesses
    detectors: AsyncDetectors
    approvals: AsyncApprovals
    outputs: AsyncOutputs
    teams: AsyncTeams

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        verify_ssl: bool | str | ssl.SSLContext = True,
        max_retries: int = 3,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        options = resolve_options(
            api_key=api_key,
            base_url=base_url,
            timeout_seconds=timeout_seconds,
            verify_ssl=verify_ssl,
            max_retries=max_retries,
        )
        self._transport = AsyncTransport(options, http_client)
        self.executions = AsyncExecutions(self._transport)
        self.agents = AsyncAgents(self._transport, self.executions)
        self.workflows = AsyncWorkflows(self._transport, self.executions)
        self.secrets = AsyncSecrets(self._transport)
        self.events = AsyncEvents(self._transport)
        self.detections = AsyncDetections(self._transport)
        self.rules = AsyncRules(self._transport)
        self.worker_tasks = AsyncWorkerTasks(self._transport)
        self.user_rules = AsyncUserRules(self._transport)
        self.exceptions = AsyncExceptions(self._transport)
        self.exception_requests = AsyncExceptionRequests(self._transport)
        self.cases = AsyncCases(self._transport)
        self.dead_letters = AsyncDeadLetters(self._transport)
        self.hosts = AsyncHosts(self._transport)
        self.processes = AsyncProcesses(self._transport)
        self.detectors = AsyncDetectors(self._transport)
        self.approvals = AsyncApprovals(self._transport)
        self.outputs = AsyncOutputs(self._transport)
        self.teams = AsyncTeams(self._transport)

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
