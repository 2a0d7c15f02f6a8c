"""Calls the main routes through a generated client. A call fails when the status, the types or the checked values are wrong."""

from __future__ import annotations

import sys
from typing import Any, Protocol

WORKFLOW = """document:
  dsl: 1.0.0
  namespace: clients
  name: clients-check
  version: 1.0.0
do:
  - greet:
      set:
        greeting: ${ "hello " + .name }
"""
EVENT = {
    "version": "V1",
    "timestamp": "2026-03-01T12:00:00Z",
    "hostname": "clients-check",
    "event": {
        "event": "LinuxFatalSignal",
        "level": "Warning",
        "facility": "Kern",
        "signal": {"signal": "Segv", "description": "segmentation fault"},
    },
}


class GeneratedClient(Protocol):
    def call(self, tag: str, operation: str, *, body: tuple[str, Any] | None = None, **parameters: Any) -> Any:
        """Returns the parsed response as JSON values. Raises unless it is a success of the described type."""


def run(client: GeneratedClient) -> None:
    called: list[str] = []

    def call(tag: str, operation: str, **arguments: Any) -> Any:
        called.append(operation)
        try:
            return client.call(tag, operation, **arguments)
        except Exception as error:
            raise AssertionError(f"{operation} failed: {error!r}") from error

    service, workflows, agents = "detection service", "workflows", "agents"
    assert "checks" in call("operation", "get_health")
    assert call("scrapers", "list_features")["data"]

    events = call(service, "list_events", limit=5)
    assert len(events["data"]) == 5 and events["limit"] == 5
    event = call(service, "get_event", id=events["data"][0]["id"])
    assert event["id"] == events["data"][0]["id"]
    assert call(service, "list_events", limit=5, cursor=events["nextCursor"])["data"]

    detections = call(service, "list_detections", limit=2)
    found = detections["data"][0]["id"]
    assert call(service, "get_detection", id=found)["id"] == found
    decision = ("DecisionChange", {"status": "acknowledged", "comment": "Called by a generated client"})
    assert call(service, "change_detection", id=found, body=decision)["status"] == "acknowledged"
    assert call(service, "list_detection_history", id=found, limit=10)["data"]
    assert "series" in call(service, "summarize_detections")
    assert "series" in call(service, "summarize_events")
    assert call(service, "list_hosts", limit=1)["data"]
    assert call(service, "list_processes", limit=1)["data"]
    rule = call(service, "list_rules")["data"][0]
    assert call(service, "get_rule", id=rule["id"])["id"] == rule["id"]
    assert call(service, "list_exceptions", ended=True)["data"] == []
    assert call(service, "list_dead_letters", limit=1)["data"] == []

    release = ("ReleaseWorkflowRequest", {"yamlContent": WORKFLOW})
    assert call(workflows, "release_workflow", id="clients-check", body=release)["workflow"]["name"] == "clients-check"
    assert call(workflows, "list_workflows", limit=10, offset=0)["total"] >= 1
    assert call(workflows, "get_workflow", id="clients-check")["name"] == "clients-check"
    started = ("RunWorkflowRequest", {"input": {"name": "world"}})
    outcome = call(workflows, "run_workflow", id="clients-check", wait_for_completion=30, body=started)
    assert outcome["status"] == "completed" and outcome["result"] == {"greeting": "hello world"}, outcome
    execution = outcome["executionId"]
    steps = call(workflows, "get_workflow_execution", execution_id=execution, include_steps=True)["steps"]
    assert [step["name"] for step in steps] == ["greet"], steps
    assert call(workflows, "list_workflow_executions", id="clients-check", limit=1)["total"] == 1
    assert call(workflows, "list_executions", limit=1)["data"]
    call(workflows, "list_waits", limit=1)
    call(workflows, "set_secret", name="clients_check", body=("SetSecretRequest", {"value": "a secret"}))
    assert "clients_check" in [secret["name"] for secret in call(workflows, "list_secrets")["data"]]
    call(workflows, "delete_secret", name="clients_check")

    agent = ("CreateAgentRequest", {"name": "Clients check", "slug": "clients-check", "config": {"runtime": "script"}})
    created = call(agents, "create_agent", body=agent)["agent"]
    assert call(agents, "get_agent", agent_id=created["id"])["agent"]["slug"] == "clients-check"
    assert call(agents, "list_agents", include_archived=False, limit=10)["total"] >= 1

    assert len(set(called)) >= 20, called
    sys.stdout.write(f"{len(set(called))} operations called\n")
