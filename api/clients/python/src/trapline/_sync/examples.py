# Generated from _async by tools/make_sync.py. Change it there.
"""The group `agents.examples`."""

from __future__ import annotations

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    EvaluateAgentRequest,
    EvaluateAgentResponse,
    GetAgentEvaluationResponse,
    ListAgentExamplesResponse,
    PutAgentExampleRequest,
    PutAgentExampleResponse,
)
from .transport import Transport


class AgentExamples:
    """Examples of the dataset with which an agent is evaluated."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, agent_id: str) -> ListAgentExamplesResponse:
        """Lists the examples of an agent."""
        return self._transport.json(Call("GET", "/api/v1/agents" + path_of(agent_id, "examples")), ListAgentExamplesResponse)

    def put(self, agent_id: str, name: str, **body: Unpack[PutAgentExampleRequest]) -> PutAgentExampleResponse:
        """Adds or replaces an example."""
        return self._transport.json(Call("PUT", "/api/v1/agents" + path_of(agent_id, "examples", name), json=json_of({**body})), PutAgentExampleResponse)

    def delete(self, agent_id: str, name: str) -> None:
        """Deletes an example."""
        self._transport.nothing(Call("DELETE", "/api/v1/agents" + path_of(agent_id, "examples", name)))

    def promote(self, execution_id: str, name: str) -> PutAgentExampleResponse:
        """Adds an execution to the examples."""
        return self._transport.json(Call("POST", "/api/v1/agents/executions" + path_of(execution_id, "promote"), json={"name": name}), PutAgentExampleResponse)

    def evaluate(self, agent_id: str, **body: Unpack[EvaluateAgentRequest]) -> EvaluateAgentResponse:
        """Runs the agent on its examples. `evaluation` returns the results."""
        return self._transport.json(Call("POST", "/api/v1/agents" + path_of(agent_id, "evaluations"), json=json_of({**body})), EvaluateAgentResponse)

    def evaluation(self, agent_id: str, batch_id: str) -> GetAgentEvaluationResponse:
        """Returns the results of an evaluation."""
        return self._transport.json(Call("GET", "/api/v1/agents" + path_of(agent_id, "evaluations", batch_id)), GetAgentEvaluationResponse)
