"""Cases, exceptions, outputs and the rest of the detection service."""

from __future__ import annotations

import itertools
import ssl
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from conftest import KEY, URL
from trapline import Client, ServicePreconditionError


def _crash(index: int) -> dict[str, object]:
    """A probe: the instruction pointer moves by one byte from crash to crash."""
    at = datetime(2026, 3, 1, 12, tzinfo=timezone.utc) + timedelta(seconds=10 * index)
    return {
        "version": "V1",
        "timestamp": at.isoformat().replace("+00:00", "Z"),
        "hostname": "python-probed",
        "event": {
            "type": "LinuxKernelTrap",
            "facility": "Kern",
            "level": "Info",
            "procname": "probed",
            "pid": 100 + index,
            "trap": {"type": "Segfault", "location": 0},
            "errcode": {
                "access_mode": "User",
                "access_type": "Read",
                "instruction_fetch": True,
                "reason": "NoPageFound",
                "protection_keys_block_access": False,
                "use_of_reserved_bit": False,
            },
            "ip": 0x7FFFFFFFFFFFF001 + index,
            "sp": 2**64 - 1,
        },
    }


def test_detections_are_decided_and_worked_on_in_a_case(client: Client) -> None:
    client.events.submit(_crash(index) for index in range(12))
    # From the beginning: what was detected before the stream was opened comes too.
    stream = client.detections.stream(hostname="python-probed", after="0")
    detection = next(event.detection for event in stream if event.detection is not None)
    stream.close()  # type: ignore[attr-defined]
    read = client.detections.get(detection.id)
    assert 0x7FFFFFFFFFFFF001 in [event.event["event"]["ip"] for event in read.evidence]
    decided = client.detections.update(read.id, status="acknowledged", if_match=read.etag)
    assert decided.etag not in (None, read.etag)
    with pytest.raises(ServicePreconditionError):
        client.detections.update(read.id, status="closed", if_match=read.etag)
    changed = client.detections.update_all(detections=[{"id": read.id}], change={"note": "seen"})
    assert changed.results[0].id == read.id
    assert len(list(client.detections.iterate_history(read.id))) == 2
    client.detections.comments.create(read.id, "looks like a probe")
    assert [comment.text for comment in client.detections.comments.iterate(read.id)] == ["looks like a probe"]
    with client.detections.export("ndjson", detection=read.id) as download:
        assert b'"id"' in download.read()
    proposal = client.detections.propose(read.id, change={"verdict": "benign"}, reason="a test")
    assert proposal.id in [one.id for one in client.detections.proposals(read.id, state=["open"]).data]

    opened = client.cases.create(title="Probe of web-1", severity="high", detections=[read.id])
    task = client.cases.tasks.create(opened.id, title="Isolate the host")
    assert client.cases.tasks.update(opened.id, task.id, done=True).done
    file = client.cases.files.add(opened.id, b"core")
    with client.cases.files.download(opened.id, file.id) as download:
        assert download.read() == b"core"
    now = client.cases.get(opened.id)
    client.cases.update(opened.id, status="in_progress", assignee=None, if_match=now.etag)
    with pytest.raises(ServicePreconditionError):
        client.cases.update(opened.id, title="x", if_match=now.etag)
    with client.cases.report(opened.id) as download:
        assert b"Probe of web-1" in download.read()
    assert opened.id in [one.id for one in client.cases.iterate(severity=["high", "low"])]


def test_exceptions_outputs_and_the_rest_are_read(client: Client) -> None:
    made = client.exceptions.create(hostname="lab-2", reason="a test host")
    assert made.id in [one.id for one in client.exceptions.iterate()]
    client.exceptions.delete(made.id)
    assert "webhook" in [kind.type for kind in client.outputs.kinds().data]
    assert client.outputs.list().data == []
    assert client.approvals.count().count == 0
    assert all(letter.redriven is None for letter in client.dead_letters.iterate(status=["open"]))
    assert client.detectors.list().data == []
    assert list(itertools.islice(client.hosts.iterate(), 1))
    rule = client.rules.list().data[0]
    assert client.rules.get(rule.id).etag


def test_another_http_client_and_a_tls_context_can_be_given() -> None:
    with httpx.Client() as http, Client(KEY, base_url=URL, http_client=http) as client:
        assert client.workflows.list().total > 0
    with Client(KEY, base_url=URL, verify_ssl=ssl.create_default_context()) as client:
        assert client.workflows.list().total > 0
    with pytest.raises(FileNotFoundError):
        Client(KEY, base_url=URL, verify_ssl="/no/such/ca.pem")
