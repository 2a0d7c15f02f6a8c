# Generated from _async by tools/make_sync.py. Change it there.
"""The client."""

from __future__ import annotations

import ssl
from types import TracebackType

import httpx
from typing_extensions import Self

from .._options import resolve_options
from .agents import Agents
from .approvals import Approvals
from .cases import Cases
from .detection_service import Detections, Events
from .exceptions import ExceptionRequests, Exceptions
from .fleet import DeadLetters, Detectors, Hosts, Processes, Rules, UserRules
from .outputs import Outputs
from .sharing import Teams
from .executions import Executions, Secrets
from .transport import Transport
from .worker_tasks import WorkerTasks
from .workflows import Workflows


class Client:
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

    agents: Agents
    workflows: Workflows
    executions: Executions
    secrets: Secrets
    events: Events
    detections: Detections
    rules: Rules
    worker_tasks: WorkerTasks
    user_rules: UserRules
    exceptions: Exceptions
    exception_requests: ExceptionRequests
    cases: Cases
    dead_letters: DeadLetters
    hosts: Hosts
    processes: Processes
    detectors: Detectors
    approvals: Approvals
    outputs: Outputs
    teams: Teams

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        verify_ssl: bool | str | ssl.SSLContext = True,
        max_retries: int = 3,
        http_client: httpx.Client | None = None,
    ) -> None:
        options = resolve_options(
            api_key=api_key,
            base_url=base_url,
            timeout_seconds=timeout_seconds,
            verify_ssl=verify_ssl,
            max_retries=max_retries,
        )
        self._transport = Transport(options, http_client)
        self.executions = Executions(self._transport)
        self.agents = Agents(self._transport, self.executions)
        self.workflows = Workflows(self._transport, self.executions)
        self.secrets = Secrets(self._transport)
        self.events = Events(self._transport)
        self.detections = Detections(self._transport)
        self.rules = Rules(self._transport)
        self.worker_tasks = WorkerTasks(self._transport)
        self.user_rules = UserRules(self._transport)
        self.exceptions = Exceptions(self._transport)
        self.exception_requests = ExceptionRequests(self._transport)
        self.cases = Cases(self._transport)
        self.dead_letters = DeadLetters(self._transport)
        self.hosts = Hosts(self._transport)
        self.processes = Processes(self._transport)
        self.detectors = Detectors(self._transport)
        self.approvals = Approvals(self._transport)
        self.outputs = Outputs(self._transport)
        self.teams = Teams(self._transport)

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
