from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import KEY, URL

from trapline import Client, CreateAgentResponse, RunAgentResponse, ServiceNotFoundError


@pytest.fixture(scope="module")
def run(agent: CreateAgentResponse) -> RunAgentResponse:
    with Client(KEY, base_url=URL) as client:
        return client.agents.run(agent.agent.slug, {"host": "web-1"}, wait_for_completion=60)


def test_makes_finds_and_changes_agents(client: Client, agent: CreateAgentResponse) -> None:
    assert agent.agent.id.startswith("awf_")
    changed = client.agents.update("python-own", description="Made by the Python client").agent
    assert (changed.id, changed.description) == (agent.agent.id, "Made by the Python client")
    listed = client.agents.list(search="python-own", limit=5)
    assert [found.id for found in listed.data] == [agent.agent.id]
    assert [found.id for found in client.agents.iterate(search="python-own")] == [agent.agent.id]
    whole = client.agents.get(agent.agent.id, include=["files", "dataset"]).agent
    assert whole.files is not None
    assert whole.dataset is not None
    assert client.agents.get(agent.agent.id).agent.files is None


def test_shares_and_archives_agents(client: Client) -> None:
    made = client.agents.create(name="Archived", slug="python-archived", visibility="shared").agent
    assert (made.visibility, made.archived) == ("shared", False)
    changed = client.agents.update(made.id, visibility="private", archived=True).agent
    assert (changed.visibility, changed.archived) == ("private", True)
    assert client.agents.list(search="python-archived").data == []
    assert [found.id for found in client.agents.iterate(search="python-archived", include_archived=True)] == [made.id]
    assert client.agents.update(made.id, archived=False).agent.archived is False


def test_keeps_files_of_the_workspace(client: Client, agent: CreateAgentResponse, tmp_path: Path) -> None:
    blob = tmp_path / "blob"
    blob.write_bytes(bytes(range(256)))
    put = client.agents.put_file(agent.agent.id, "notes/größe & more.md", "# Größe\n", content_type="text/markdown")
    assert put == {"ok": True, "path": "notes/größe & more.md"}
    several = client.agents.upload_files(agent.agent.id, {"data/a.bin": blob, "data/b.txt": "b", "data/c": b"c"})
    assert several["ok"] is True
    assert sorted(several["files"]) == ["data/a.bin", "data/b.txt", "data/c"]
    assert "data/a.bin" in json.dumps(client.agents.list_files(agent.agent.id, prefix="data/"))
    assert "Größe" in json.dumps(
        client.agents.list_files(agent.agent.id, path="notes/größe & more.md"), ensure_ascii=False
    )
    assert "data/a.bin" not in json.dumps(client.agents.list_files(agent.agent.id, version=1))


def test_runs_with_scalars(run: RunAgentResponse) -> None:
    assert run.status == "completed"
    assert run.output == {"input": {"host": "web-1"}, "files": []}


def test_runs_with_files(client: Client, agent: CreateAgentResponse, tmp_path: Path) -> None:
    core = tmp_path / "core.bin"
    core.write_bytes(b"x" * 300_000)
    ended = client.agents.run(agent.agent.id, {"host": "web-2"}, files={"core": core}, wait_for_completion=60)
    assert ended.status == "completed"
    assert ended.output["input"]["host"] == "web-2"
    assert [file["size"] for file in ended.output["files"]] == [300_000]


def test_downloads_what_a_run_left(client: Client, run: RunAgentResponse, tmp_path: Path) -> None:
    executions = client.agents.executions
    content = executions.download_file(run.execution_id, "output", "report/summary.json")
    assert json.loads(content) == {"host": "web-1"}
    saved = executions.download_file(run.execution_id, "output", "report/summary.json", to=tmp_path)
    assert (saved, saved.read_bytes()) == (tmp_path / "summary.json", content)
    assert [path.name for path in tmp_path.iterdir()] == ["summary.json"]
    trace = executions.download_file(run.execution_id, "trace", "trace.jsonl")
    assert all(json.loads(line) for line in trace.splitlines())
    with executions.stream_file(run.execution_id, "issues", "issues.md") as download:
        assert download.content_type == "application/octet-stream"
        assert download.filename == "issues.md"
        assert b"worth a look" in b"".join(download.iter_bytes())
    with pytest.raises(ServiceNotFoundError):
        executions.download_file(run.execution_id, "output", "no/such.json", to=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_takes_feedback_and_takes_it_back(client: Client, run: RunAgentResponse) -> None:
    executions = client.agents.executions
    assert executions.get_feedback(run.execution_id).feedback is None
    said = executions.update_feedback(run.execution_id, body="wrong host", rating="fail", expected={"host": "web-9"})
    assert said.feedback is not None
    assert (said.feedback.body, said.feedback.rating) == ("wrong host", "fail")
    assert said.expected == {"host": "web-9"}
    resolved = executions.update_feedback(run.execution_id, status="resolved", rating=None).feedback
    assert resolved is not None
    assert (resolved.status, resolved.rating, resolved.body) == ("resolved", None, "wrong host")
    assert resolved.resolved_at is not None
    listed = executions.list("python-own", feedback_status="resolved", has_expected_json=True, include=["feedback"])
    assert [found.id for found in listed.executions] == [run.execution_id]
    assert listed.executions[0].feedback is not None
    cleared = executions.clear_feedback(run.execution_id)
    assert (cleared.feedback, cleared.expected, cleared.expected_files) == (None, None, [])
    assert executions.list("python-own", has_feedback=True).total == 0


def test_keeps_expected_files(client: Client, run: RunAgentResponse, tmp_path: Path) -> None:
    executions = client.agents.executions
    source = tmp_path / "should be.json"
    source.write_text('{"host": "web-9"}')
    assert executions.upload_expected(run.execution_id, source, name="deep/should be.json").name == "deep/should be.json"
    copied = executions.copy_output_to_expected(
        run.execution_id, output_file_name="report/summary.json", expected_name="copy.json"
    )
    assert copied.name == "copy.json"
    assert executions.rename_expected(run.execution_id, "deep/should be.json", name="flat.json").name == "flat.json"
    assert {file.name for file in executions.list_expected(run.execution_id).files} == {"copy.json", "flat.json"}
    assert executions.download_expected(run.execution_id, "flat.json") == source.read_bytes()
    executions.delete_expected(run.execution_id, "copy.json")
    with pytest.raises(ServiceNotFoundError):
        executions.download_expected(run.execution_id, "copy.json")
    executions.clear_feedback(run.execution_id)


def test_lists_cancels_and_reruns(client: Client, agent: CreateAgentResponse, run: RunAgentResponse) -> None:
    executions = client.agents.executions
    again = executions.rerun(run.execution_id)
    assert again.source_execution_id == run.execution_id
    assert executions.get(again.execution_id, include=["feedback", "expected", "files"]).execution.id
    assert executions.cancel(again.execution_id).execution.id == again.execution_id
    page = executions.list(agent.agent.id, sort="createdAt", order="asc", limit=1)
    assert len(page.executions) == 1
    assert page.total >= 2
    ids = [found.id for found in executions.iterate(agent.agent.id, sort="createdAt", order="asc")]
    assert len(ids) == len(set(ids)) == page.total
    assert {run.execution_id, again.execution_id} <= set(ids)
