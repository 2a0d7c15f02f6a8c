"""
Client of Trapline, the detection service for memory-exploit attacks.

    from trapline import Client

    with Client(api_key="…") as client:
        ended = client.workflows.executions.run_and_wait("enrich-detection", {"detection": "det_…"})
        print(ended["status"], ended["result"])

`AsyncClient` has the same operations as coroutines. Everything raised is a `ServiceError`, or a `ValueError` for arguments that can't be right.
"""

from ._async.client import AsyncClient
from ._async.download import AsyncDownload
from ._errors import (
    ApiErrorEnvelope,
    ApiIssue,
    ServiceAuthError,
    ServiceConnectionError,
    ServiceError,
    ServiceForbiddenError,
    ServiceNotFoundError,
    ServiceRateLimitError,
    ServiceResponseError,
    ServiceServerError,
    ServiceTimeoutError,
    ServiceValidationError,
)
from ._files import Content, FileInput, FileSource
from ._models.agents import (
    Agent,
    AgentExecution,
    AgentExecutionExpectedArtifacts,
    AgentExecutionFeedbackDetail,
    AgentExecutionFilters,
    AgentExecutionResponse,
    AgentStats,
    CancelAgentExecutionResponse,
    CreateAgentResponse,
    ExpectedFileResponse,
    Feedback,
    FeedbackRating,
    FeedbackStatus,
    FileKind,
    GetAgentResponse,
    ListAgentExecutionsResponse,
    ListAgentsResponse,
    NamedFile,
    PatchAgentResponse,
    RenameExpectedFileResponse,
    RerunAgentExecutionResponse,
    RunAgentResponse,
)
from ._models.base import ExecutionStatus, RunStatus
from ._models.detection import (
    Detection,
    DetectionWithEvidence,
    EventFilters,
    ListDetectionsResponse,
    ListEventsResponse,
    ListRulesResponse,
    RejectedEvent,
    SubmitEventsResponse,
)
from ._models.workflows import (
    CancelWorkflowExecutionResponse,
    ExecutionSummary,
    ListedWorkflowExecution,
    ListVersionsResponse,
    ListWorkflowExecutionsResponse,
    ListWorkflowsResponse,
    Overrides,
    RunResult,
    RunWorkflowResponse,
    Workflow,
    WorkflowExecutionStatusResponse,
    WorkflowSummary,
    WorkflowVersion,
)
from ._sync.client import Client
from ._sync.download import Download
from ._unset import UNSET
from ._version import VERSION as __version__

__all__ = [
    "Agent",
    "AgentExecution",
    "AgentExecutionExpectedArtifacts",
    "AgentExecutionFeedbackDetail",
    "AgentExecutionFilters",
    "AgentExecutionResponse",
    "AgentStats",
    "ApiErrorEnvelope",
    "ApiIssue",
    "AsyncClient",
    "AsyncDownload",
    "CancelAgentExecutionResponse",
    "CancelWorkflowExecutionResponse",
    "Client",
    "Content",
    "CreateAgentResponse",
    "Detection",
    "DetectionWithEvidence",
    "Download",
    "EventFilters",
    "ExecutionStatus",
    "ExecutionSummary",
    "ExpectedFileResponse",
    "Feedback",
    "FeedbackRating",
    "FeedbackStatus",
    "FileInput",
    "FileKind",
    "FileSource",
    "GetAgentResponse",
    "ListAgentExecutionsResponse",
    "ListAgentsResponse",
    "ListDetectionsResponse",
    "ListEventsResponse",
    "ListRulesResponse",
    "ListVersionsResponse",
    "ListWorkflowExecutionsResponse",
    "ListWorkflowsResponse",
    "ListedWorkflowExecution",
    "NamedFile",
    "Overrides",
    "PatchAgentResponse",
    "RejectedEvent",
    "RenameExpectedFileResponse",
    "RerunAgentExecutionResponse",
    "RunAgentResponse",
    "RunResult",
    "RunStatus",
    "RunWorkflowResponse",
    "ServiceAuthError",
    "ServiceConnectionError",
    "ServiceError",
    "ServiceForbiddenError",
    "ServiceNotFoundError",
    "ServiceRateLimitError",
    "ServiceResponseError",
    "ServiceServerError",
    "ServiceTimeoutError",
    "ServiceValidationError",
    "SubmitEventsResponse",
    "UNSET",
    "Workflow",
    "WorkflowExecutionStatusResponse",
    "WorkflowSummary",
    "WorkflowVersion",
    "__version__",
]
